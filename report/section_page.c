/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/section_page.h"
#include "base/memory.h"
#include "base/text.h"
#include "decision/score.h"
#include "decision/tree/tree_depth.h"
#include "report/figure.h"
#include "report/markup.h"
#include "report/prediction_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- curves --- */

enum { DASHES = 5, SOLID = 1 };

static struct ct_plot_curve curve_of(const char *text, const struct ct_choices *choices, bool has_points,
                                     uint32_t colour, double width, int dash)
{
    return (struct ct_plot_curve){.text = text,
                                  .values = choices->seconds,
                                  .methods = has_points ? choices->methods : NULL,
                                  .colour = colour,
                                  .width = width,
                                  .dash = dash,
                                  .bounds = {has_points ? choices->bounds[0] : NULL, choices->bounds[1]}};
}

static void add_panel(const struct ct_section *section, size_t row, struct ct_page *page)
{
    const struct ct_choices *native = &section->native, *best = &section->best;
    struct ct_plot_curve *curves = ct_allocate(2 + section->report->table_count, sizeof *curves);
    size_t count = 0, drawn = 0;
    if (!curves) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    if (native->count > 0)
        curves[count++] = curve_of("native", native, true, CT_NATIVE_COLOUR, 2.2, SOLID);
    for (size_t i = 0; i < section->report->table_count; i++) {
        const struct ct_choices *tuned = &section->tables[i];
        if (tuned->count > 0)
            curves[count++] = curve_of("tuned", tuned, true, 0, 1.4, SOLID + (int)(drawn++ % DASHES));
    }
    curves[count++] = curve_of("best", best, !drawn, 0, drawn ? 0.9 : 1.4, drawn ? 3 : SOLID);

    char label[CT_METHOD_TEXT], caption[80] = "";
    snprintf(label, sizeof label, "times of %s", ct_collectives[section->map->collective].name);
    if (section->grid.has_size)
        snprintf(caption, sizeof caption, "<b>%zu ranks</b>", section->grid.y[row]);
    ct_curves_add(&section->grid, row, curves, count, section->colours, label, caption, page);
    free(curves);
}

static void add_key(const struct ct_section *section, struct ct_page *page)
{
    static const char *const strokes[DASHES] = {"solid", "dashed", "dotted", "dashed", "dashed"};
    size_t drawn = 0;
    ct_text_append(&page->html, "<ul class=\"legend\">");
    if (section->native.count > 0)
        ct_text_append(
            &page->html,
            "<li><span class=\"stroke\" style=\"border-top:3px solid #8c8c8c\"></span>native</li>");
    for (size_t i = 0; i < section->report->table_count; i++) {
        if (section->tables[i].count == 0)
            continue;
        ct_text_append(&page->html, "<li><span class=\"stroke\" style=\"border-top-style:%s\"></span>",
                       strokes[drawn++ % DASHES]);
        ct_html_text(&page->html, section->report->tables[i].name);
        ct_text_append(&page->html, "</li>");
    }
    ct_text_append(&page->html,
                   "<li><span class=\"stroke\" style=\"border-top:1px %s\"></span>best measured</li>",
                   drawn ? "dotted" : "solid");
    ct_text_append(&page->html, "<li class=\"soft\">points have the colour of the method; bars are 95 %% "
                                "confidence intervals</li></ul>\n");
}

/* The rows of the grid whose curves are worth a picture: up to CT_FIGURE_PANELS of those that have at least
 * three measured points, spread over all. */
static size_t pick_rows(const struct ct_section *section, size_t rows[CT_FIGURE_PANELS])
{
    const size_t least_points = 3;
    const struct ct_grid *grid = &section->grid;
    size_t full = 0, count = 0;
    bool *worth = ct_allocate(grid->y_count + 1, sizeof *worth);
    for (size_t y = 0; worth && y < grid->y_count; y++) {
        size_t points = 0;
        for (size_t x = 0; x < grid->x_count; x++)
            points += grid->at[y * grid->x_count + x] < section->places.measured;
        worth[y] = points >= least_points;
        full += worth[y];
    }
    size_t wanted = full < CT_FIGURE_PANELS ? full : CT_FIGURE_PANELS;
    for (size_t y = 0, seen = 0; count < wanted; y++) {
        seen += worth[y];
        if (worth[y] && seen == (count + 1) * full / wanted)
            rows[count++] = y;
    }
    free(worth);
    return count;
}

static void add_curves(const struct ct_section *section, struct ct_page *page)
{
    size_t rows[CT_FIGURE_PANELS], count = pick_rows(section, rows);
    if (count == 0)
        return;
    ct_text_append(&page->html, "<details open><summary>Times (median) by %s</summary>\n",
                   section->grid.has_size ? "message size" : "communicator size");
    if (page->gnuplot) {
        add_key(section, page);
        ct_text_append(&page->html, "<div class=\"pair\">\n");
        for (size_t i = 0; i < count; i++)
            add_panel(section, rows[i], page);
        ct_text_append(&page->html, "</div>\n");
    } else {
        ct_text_append(&page->html, "<p class=\"soft\">gnuplot, which draws these curves, was not installed "
                                    "where the report was made.</p>\n");
    }
    ct_text_append(&page->html, "</details>\n");
}

/* --- maps --- */

/* What the fields of a map of choices show. */
struct look {
    const struct ct_section *section;
    const struct ct_choices *choices;
    const char *chooser; /* "the table takes" */
};

static void describe_time(const struct ct_section *section, size_t place, size_t method, struct ct_text *html)
{
    char seconds[CT_NUMBER_TEXT], name[CT_METHOD_TEXT];
    ct_text_append(html, " %s", ct_method_format(&section->methods.items[method], false, name));
    if (place >= section->places.measured || method >= section->map->method_count ||
        section->map->cells[place].methods[method].count == 0)
        return;
    const struct ct_statistics *timed = &section->map->cells[place].methods[method];
    ct_text_append(html, ", %s (%zu sample%s)", ct_seconds_text(timed->median, seconds), timed->count,
                   ct_s(timed->count));
}

/* "8 ranks, 64K bytes: the table takes ring, 1.23 ms (12 samples); best binomial, ..." */
static void describe_choice(const void *context, size_t place, struct ct_text *html)
{
    const struct look *look = context;
    const struct ct_section *section = look->section;
    const struct ct_cell_key *key = &section->places.keys[place];
    const size_t chosen = look->choices->methods[place], native = ct_score_native(section->map);
    char size[CT_SIZE_TEXT];
    ct_text_append(html, "%u ranks", key->comm_size);
    if (section->grid.has_size)
        ct_text_append(html, ", %s byte%s", ct_size_format(key->msg_bytes, size), ct_s(key->msg_bytes));
    ct_text_append(html, ": %s", look->chooser);
    describe_time(section, place, chosen, html);
    if (place >= section->places.measured) {
        ct_text_append(html, "; this cell was not measured");
        return;
    }
    const size_t best = section->best.methods[place];
    if (best != SIZE_MAX && best != chosen) {
        ct_text_append(html, "; best");
        describe_time(section, place, best, html);
    }
    if (native != SIZE_MAX && native != chosen && native != best) {
        ct_text_append(html, ";");
        describe_time(section, place, native, html);
    }
}

/* Which method is taken where. */
static void add_method_map(const struct ct_section *section, const struct ct_choices *choices,
                           const char *chooser, const char *label, const char *caption, struct ct_page *page)
{
    const size_t count = section->methods.count;
    const struct look look = {.section = section, .choices = choices, .chooser = chooser};
    struct ct_class *classes = ct_allocate(count + 1, sizeof *classes);
    char(*names)[CT_METHOD_TEXT] = ct_allocate(count + 1, sizeof *names);
    if (!classes || !names)
        ct_page_note(page, CT_E_MEMORY);
    for (size_t i = 0; classes && names && i < count; i++)
        classes[i] = (struct ct_class){.text = ct_method_format(&section->methods.items[i], false, names[i]),
                                       .colour = section->colours[i],
                                       .letter = section->letters[i] == ' ' ? '\0' : section->letters[i]};
    const struct ct_field_map map = {.grid = &section->grid,
                                     .class_of = choices->methods,
                                     .classes = classes,
                                     .class_count = count,
                                     .measured = section->places.measured,
                                     .describe = chooser ? describe_choice : NULL,
                                     .context = &look,
                                     .label = label};
    if (page->status == CT_OK)
        ct_class_map_add(&map, caption, page);
    free(classes);
    free(names);
}

static void add_penalty_map(const struct ct_section *section, const struct ct_choices *choices,
                            const char *label, const char *caption, struct ct_page *page)
{
    const struct ct_field_map map = {
        .grid = &section->grid, .measured = section->places.count, .label = label};
    ct_band_map_add(map, choices->penalties, choices->count, ct_penalty_bands, caption, page);
}

/* How many times as fast as native the choices are. */
static void add_ratio_map(const struct ct_section *section, const struct ct_choices *choices,
                          const char *label, const char *caption, struct ct_page *page)
{
    double *ratios = ct_allocate(choices->count + 1, sizeof *ratios);
    if (!ratios) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    for (size_t i = 0; i < choices->count; i++)
        ratios[i] = section->native.seconds[i] / choices->seconds[i];
    const struct ct_field_map map = {
        .grid = &section->grid, .measured = section->places.count, .factors = ratios, .label = label};
    ct_band_map_add(map, ratios, choices->count, ct_ratio_bands, caption, page);
    free(ratios);
}

static void add_best(const struct ct_section *section, bool described, struct ct_page *page)
{
    char label[CT_METHOD_TEXT + 64];
    snprintf(label, sizeof label, "best method of %s by communicator and message size",
             ct_collectives[section->map->collective].name);
    add_method_map(section, &section->best, described ? "best" : NULL, label,
                   "The fastest method measured. Cells that were not measured are empty.", page);
}

/* --- methods --- */

/* A row of the table of methods: where the method is best, and what it would cost everywhere. */
static void add_method(const struct ct_section *section, size_t method, struct ct_page *page)
{
    const struct ct_map *map = section->map;
    size_t standings[CT_STANDINGS] = {0}, cells = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        if (method < map->method_count)
            standings[map->cells[c].standings[method]]++;
        cells += map->cells[c].best != SIZE_MAX;
    }
    struct ct_choices choices = {0};
    struct ct_penalty penalty = {0};
    struct ct_method_list none = {0};
    if (method < map->method_count) {
        ct_page_note(page, ct_choices_make(map, &section->places, NULL, method, &none, &choices));
        if (page->status == CT_OK)
            ct_page_note(page, ct_choices_penalty(&choices, map->cell_count, &penalty));
    }
    if (penalty.cells == 0)
        penalty.mean = penalty.percentile95 = NAN;
    char numbers[6][CT_NUMBER_TEXT];
    ct_text_append(&page->html, "<tr><td class=\"t\">");
    ct_swatch_add(page, section->colours[method], section->letters[method]);
    ct_html_method(&page->html, &section->methods.items[method]);
    ct_text_append(
        &page->html, "</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
        ct_share_text(standings[CT_STANDING_BEST], cells, numbers[0]),
        ct_ratio_text(ct_choices_speed_up(&choices, &section->native), numbers[1]),
        ct_penalty_text(penalty.mean, numbers[2]), ct_penalty_text(penalty.percentile95, numbers[3]),
        ct_share_text(standings[CT_STANDING_EQUIVALENT], cells, numbers[4]),
        ct_share_text(standings[CT_STANDING_UNDECIDED], cells, numbers[5]));
    ct_choices_free(&choices);
}

static void explain_standings(const struct ct_map *map, struct ct_page *page)
{
    if (map->exact)
        ct_text_append(
            &page->html,
            "A method is equivalent to the best if it takes at most %g %% longer. Times are computed "
            "and compared as they are.</p>\n",
            100 * map->margin);
    else
        ct_text_append(
            &page->html,
            "A method is equivalent to the best if its time differs significantly by less than "
            "%g %%. A method that is neither equivalent nor significantly slower is undecided. The "
            "family-wise error rate per cell is at most %g %%.</p>\n",
            100 * map->margin, 100 * CT_ALPHA);
}

/* The table of methods is the legend of all maps, too. */
static void add_methods(const struct ct_section *section, struct ct_page *page)
{
    size_t hidden = 0;
    ct_columns_begin("<method|best in|over native|mean slowdown|95th percentile|equivalent in|undecided in",
                     page);
    for (size_t i = 0; i < section->methods.count; i++) {
        hidden += !section->letters[i];
        if (section->letters[i])
            add_method(section, i, page);
    }
    ct_columns_end(page);
    ct_text_append(&page->html,
                   "<details><summary>How to read this table%s</summary>\n<p>Over native and "
                   "slowdown: if the method were used in all cells. ",
                   hidden > 0 ? ", and further methods" : "");
    explain_standings(section->map, page);
    for (size_t i = 0, listed = 0; hidden > 0 && i < section->methods.count; i++) {
        if (section->letters[i])
            continue;
        if (listed++ == 0)
            ct_text_append(&page->html, "<p>%zu further method%s measured, and never best: ", hidden,
                           hidden == 1 ? " was" : "s were");
        else
            ct_text_append(&page->html, ", ");
        ct_html_method(&page->html, &section->methods.items[i]);
    }
    ct_text_append(&page->html, "%s</details>\n", hidden > 0 ? "</p>\n" : "");
}

/* --- tables --- */

/* "Learned by quadtree (max-depth=2) from NAME: " */
static void add_origin(const struct ct_table *table, const struct ct_decision_tree *tree,
                       struct ct_page *page)
{
    const struct ct_table_tree *origin = &table->trees[tree - table->decisions.trees];
    ct_text_append(&page->html, "Learned by ");
    ct_html_text(&page->html, origin->learner);
    if (*origin->options) {
        ct_text_append(&page->html, " (");
        ct_html_text(&page->html, origin->options);
        ct_text_append(&page->html, ")");
    }
    ct_text_append(&page->html, " from ");
    ct_html_text(&page->html, table->runs[origin->run].name);
    ct_text_append(&page->html, ": ");
}

static void add_table(const struct ct_section *section, size_t index, struct ct_page *page)
{
    const struct ct_report_table *table = &section->report->tables[index];
    const struct ct_decision_tree *tree =
        ct_decisions_find(&table->table->decisions, section->map->collective);
    const struct ct_choices *choices = &section->tables[index];
    const size_t leaves = ct_tree_leaf_count(tree), depth = ct_tree_depth(tree);
    struct ct_penalty penalty = {0};
    char mean[CT_NUMBER_TEXT], most[CT_NUMBER_TEXT], caption[160];
    ct_page_note(page, ct_choices_penalty(choices, section->map->cell_count, &penalty));
    ct_text_append(&page->html, "<h3>Decisions of ");
    ct_html_text(&page->html, table->name);
    ct_text_append(&page->html, "</h3>\n<p class=\"soft\">");
    add_origin(table->table, tree, page);
    ct_text_append(&page->html, "%zu %s, at most %zu test%s a call. %zu of %zu cell%s measured.", leaves,
                   leaves == 1 ? "leaf" : "leaves", depth, ct_s(depth), section->places.measured,
                   section->places.count, ct_were(section->places.count));
    if (penalty.unmeasured > 0)
        ct_text_append(&page->html, " In %zu of them the method that the table takes was not measured.",
                       penalty.unmeasured);
    ct_text_append(&page->html, "</p>\n<div class=\"pair\">\n");
    add_method_map(section, choices, "the table takes", "methods of the decision table",
                   "<b>The method that the table takes.</b> Hatched cells were not measured.", page);
    if (section->native.count > 0)
        add_ratio_map(section, choices, "speed-up of the decision table over native",
                      "<b>Times as fast as native</b>, where both were measured.", page);
    ct_text_append(&page->html, "</div>\n<details><summary>The fastest method, and the slowdown of the "
                                "table over it</summary>\n<div class=\"pair\">\n");
    add_best(section, false, page);
    snprintf(caption, sizeof caption,
             "<b>Slowdown of the table</b> over the best method: mean %s, maximum %s.",
             ct_penalty_text(penalty.mean, mean), ct_penalty_text(penalty.most, most));
    add_penalty_map(section, choices, "slowdown of the decision table", caption, page);
    ct_text_append(&page->html, "</div></details>\n");
}

void ct_section_add(const struct ct_section *section, struct ct_page *page)
{
    const struct ct_collective_description *collective = &ct_collectives[section->map->collective];
    size_t decided = 0;
    ct_chapter_begin(section->id, section->title, page);
    ct_text_append(&page->html, "<p class=\"soft\">");
    ct_html_text(&page->html, collective->text);
    if (section->mode != CT_MODE_BLOCKING)
        ct_text_append(&page->html,
                       ". Only %s calls: a time is what a call adds to the computation beside it",
                       ct_mode_names[section->mode]);
    if (section->by != CT_MAPPED_BY_UNKNOWN)
        ct_text_append(&page->html, ". Only cells whose ranks were mapped by %s",
                       ct_mapped_names[section->by]);
    ct_text_append(&page->html, "</p>\n");
    for (size_t i = 0; i < section->report->table_count; i++) {
        if (section->tables[i].count == 0)
            continue;
        add_table(section, i, page);
        decided++;
    }
    if (decided == 0) {
        ct_text_append(&page->html, "<div class=\"pair\">\n");
        add_best(section, true, page);
        if (section->native.count > 0)
            add_penalty_map(section, &section->native, "slowdown of native over the best method",
                            "<b>Slowdown of native</b> over the best method.", page);
        ct_text_append(&page->html, "</div>\n");
    }
    add_methods(section, page);
    add_curves(section, page);
    ct_prediction_curves_add(section, page);
    if (section->grid.shadowed > 0)
        ct_text_append(&page->html,
                       "<p class=\"soft\">%zu cell%s from others only in nodes or ranks per node; the "
                       "pictures show the first of them, the numbers count all.</p>\n",
                       section->grid.shadowed, section->grid.shadowed == 1 ? " differs" : "s differ");
    ct_text_append(&page->html, "</section>\n");
}
