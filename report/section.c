/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/section.h"
#include "base/memory.h"
#include "decision/map.h"
#include "decision/score.h"
#include "report/figure.h"
#include "report/markup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is known of a collective --- */

static int make_grid(const struct ct_map *map, struct ct_grid *ret_grid)
{
    struct ct_place *places = ct_allocate(map->cell_count + 1, sizeof *places);
    if (!places)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        places[i] = (struct ct_place){map->cells[i].key.comm_size, map->cells[i].key.msg_bytes};
    int status = ct_grid_make(places, map->cell_count, ct_collectives[map->collective].has_size, ret_grid);
    free(places);
    return status;
}

static int find_native(const struct ct_map *map, struct ct_choices *ret_native)
{
    for (size_t i = 0; i < map->method_count; i++)
        if (ct_is_native(map->methods[i].algorithm))
            return ct_choices_make(map, NULL, i, ret_native);
    return CT_OK;
}

/* Decisions are compared with the one method that is best over all cells. Native has a line of its own. */
static int find_single(struct ct_section *section)
{
    size_t best = ct_map_best_method(section->map, NULL, section->map->cell_count, NULL);
    if (best == SIZE_MAX || ct_is_native(section->map->methods[best].algorithm))
        return CT_OK;
    section->single_method = best;
    return ct_choices_make(section->map, NULL, best, &section->single);
}

static void mark(const struct ct_choices *choices, bool *shown)
{
    for (size_t i = 0; i < choices->count; i++)
        if (choices->methods[i] != SIZE_MAX)
            shown[choices->methods[i]] = true;
}

/* Methods that a picture shows get letters, in the map's order; those after the 52nd get none. */
static int give_letters(struct ct_section *section)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    size_t count = section->map->method_count, given = 0;
    bool *shown = ct_allocate(count + 1, sizeof *shown);
    if (!shown)
        return CT_E_MEMORY;
    mark(&section->best, shown);
    mark(&section->native, shown);
    for (size_t i = 0; i < section->report->table_count; i++)
        mark(&section->tables[i], shown);
    for (size_t i = 0; i < count; i++)
        if (shown[i])
            section->letters[i] = given < sizeof letters - 1 ? letters[given++] : ' ';
    free(shown);
    return CT_OK;
}

int ct_section_make(const struct ct_report *report, const struct ct_map *map, struct ct_section *ret_section)
{
    struct ct_section *section = ret_section;
    *section = (struct ct_section){.report = report, .map = map, .single_method = SIZE_MAX};
    section->colours = ct_allocate(map->method_count + 1, sizeof *section->colours);
    section->letters = ct_allocate(map->method_count + 1, sizeof *section->letters);
    section->tables = ct_allocate(report->table_count + 1, sizeof *section->tables);
    if (!section->colours || !section->letters || !section->tables)
        return CT_E_MEMORY;
    ct_colours_of_methods(map, section->colours);
    int status = make_grid(map, &section->grid);
    if (status == CT_OK)
        status = ct_choices_make(map, NULL, SIZE_MAX, &section->best);
    if (status == CT_OK)
        status = find_native(map, &section->native);
    if (status == CT_OK)
        status = find_single(section);
    for (size_t i = 0; status == CT_OK && i < report->table_count; i++) {
        const struct ct_decision_tree *tree =
            ct_decisions_find(&report->tables[i].table->decisions, map->collective);
        if (tree)
            status = ct_choices_make(map, tree, SIZE_MAX, &section->tables[i]);
    }
    return status == CT_OK ? give_letters(section) : status;
}

void ct_section_free(struct ct_section *section)
{
    ct_grid_free(&section->grid);
    ct_choices_free(&section->best);
    ct_choices_free(&section->native);
    ct_choices_free(&section->single);
    for (size_t i = 0; section->tables && i < section->report->table_count; i++)
        ct_choices_free(&section->tables[i]);
    free(section->tables);
    free(section->colours);
    free(section->letters);
    *section = (struct ct_section){0};
}

/* --- curves --- */

enum { DASHES = 5, SOLID = 1 };

static void add_panel(const struct ct_section *section, size_t row, struct ct_page *page)
{
    const struct ct_choices *native = &section->native, *best = &section->best;
    struct ct_curve *curves = ct_allocate(2 + section->report->table_count, sizeof *curves);
    size_t count = 0, drawn = 0;
    if (!curves) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    if (native->count > 0)
        curves[count++] =
            (struct ct_curve){"native", native->seconds, native->methods, CT_NATIVE_COLOUR, 2.2, SOLID};
    for (size_t i = 0; i < section->report->table_count; i++) {
        const struct ct_choices *tuned = &section->tables[i];
        if (tuned->count > 0)
            curves[count++] = (struct ct_curve){
                "tuned", tuned->seconds, tuned->methods, 0, 1.4, SOLID + (int)(drawn++ % DASHES)};
    }
    curves[count++] = (struct ct_curve){"best", best->seconds,     drawn ? NULL : best->methods,
                                        0,      drawn ? 0.9 : 1.4, drawn ? 3 : SOLID};

    char label[CT_METHOD_TEXT], caption[80] = "";
    snprintf(label, sizeof label, "times of %s", ct_collectives[section->map->collective].name);
    if (section->grid.has_size)
        snprintf(caption, sizeof caption, "<b>%zu processes</b>", section->grid.y[row]);
    ct_curves_add(&section->grid, row, curves, count, section->colours, CT_QUANTITY_SECONDS, label, caption,
                  page);
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
    ct_text_append(&page->html, "<li class=\"soft\">points have the colour of the method</li></ul>\n");
}

static void add_curves(const struct ct_section *section, struct ct_page *page)
{
    size_t rows[CT_FIGURE_PANELS];
    size_t count = ct_grid_pick_rows(&section->grid, CT_FIGURE_PANELS, rows);
    if (section->grid.x_count < 2)
        return;
    ct_text_append(&page->html, "<h3>Times (median) against %s</h3>\n",
                   section->grid.has_size ? "message size" : "communicator size");
    add_key(section, page);
    ct_text_append(&page->html, "<div class=\"pair\">\n");
    for (size_t i = 0; i < count; i++)
        add_panel(section, rows[i], page);
    ct_text_append(&page->html, "</div>\n");
}

/* --- maps and methods --- */

/* Which method is taken where. */
static void add_method_map(const struct ct_section *section, const struct ct_choices *choices,
                           const char *label, const char *caption, struct ct_page *page)
{
    const struct ct_map *map = section->map;
    struct ct_class *classes = ct_allocate(map->method_count + 1, sizeof *classes);
    char(*names)[CT_METHOD_TEXT] = ct_allocate(map->method_count + 1, sizeof *names);
    if (!classes || !names)
        ct_page_note(page, CT_E_MEMORY);
    for (size_t i = 0; classes && names && i < map->method_count; i++)
        classes[i] = (struct ct_class){.text = ct_method_format(&map->methods[i], false, names[i]),
                                       .colour = section->colours[i],
                                       .letter = section->letters[i] == ' ' ? '\0' : section->letters[i]};
    if (page->status == CT_OK)
        ct_class_map_add(&section->grid, choices->methods, classes, map->method_count, label, caption, page);
    free(classes);
    free(names);
}

static void add_penalty_map(const struct ct_section *section, const struct ct_choices *choices,
                            const char *label, const char *caption, struct ct_page *page)
{
    ct_band_map_add(&section->grid, choices->penalties, choices->count, ct_penalty_bands, label, caption,
                    page);
}

static void add_best(const struct ct_section *section, struct ct_page *page)
{
    char label[CT_METHOD_TEXT + 64];
    snprintf(label, sizeof label, "best method of %s by communicator and message size",
             ct_collectives[section->map->collective].name);
    ct_text_append(&page->html, "<div class=\"pair\">\n");
    add_method_map(section, &section->best, label, "The fastest method measured in each cell.", page);
    if (section->native.count > 0)
        add_penalty_map(section, &section->native, "slowdown of native over the best method",
                        "<b>Slowdown of native</b> over the best method.", page);
    ct_text_append(&page->html, "</div>\n");
}

/* A row of the table of methods: where the method is best, and what it would cost everywhere. */
static void add_method(const struct ct_section *section, size_t method, struct ct_page *page)
{
    const struct ct_map *map = section->map;
    size_t standings[CT_STANDINGS] = {0}, cells = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        standings[map->cells[c].standings[method]]++;
        cells += map->cells[c].best != SIZE_MAX;
    }
    struct ct_choices choices = {0};
    struct ct_penalty penalty = {0};
    ct_page_note(page, ct_choices_make(map, NULL, method, &choices));
    if (page->status == CT_OK)
        ct_page_note(page, ct_score_choices(map, choices.methods, &penalty));
    if (penalty.cells == 0)
        penalty.mean = penalty.percentile95 = NAN;
    char name[CT_METHOD_TEXT], numbers[6][CT_NUMBER_TEXT];
    ct_text_append(&page->html, "<tr><td class=\"t\">");
    ct_swatch_add(page, section->colours[method], section->letters[method]);
    ct_text_append(
        &page->html,
        "<code>%s</code></td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
        ct_method_format(&map->methods[method], false, name),
        ct_share_text(standings[CT_STANDING_BEST], cells, numbers[0]),
        ct_share_text(standings[CT_STANDING_EQUIVALENT], cells, numbers[1]),
        ct_share_text(standings[CT_STANDING_UNDECIDED], cells, numbers[2]),
        ct_penalty_text(penalty.mean, numbers[3]), ct_penalty_text(penalty.percentile95, numbers[4]),
        ct_ratio_text(ct_choices_speed_up(&choices, &section->native), numbers[5]));
    ct_choices_free(&choices);
}

/* The table of methods is the legend of all maps, too. */
static void add_methods(const struct ct_section *section, struct ct_page *page)
{
    const struct ct_map *map = section->map;
    size_t hidden = 0;
    ct_text_append(&page->html,
                   "<div class=\"table\"><table><thead><tr><th class=\"t\">method</th><th>best in</th>"
                   "<th>equivalent in</th><th>undecided in</th><th>mean slowdown if always used</th>"
                   "<th>95th percentile</th><th>over native</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < map->method_count; i++) {
        hidden += !section->letters[i];
        if (section->letters[i])
            add_method(section, i, page);
    }
    ct_text_append(&page->html, "</tbody></table></div>\n<p class=\"soft\">");
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
    if (hidden > 0) {
        ct_text_append(&page->html,
                       "<details><summary>%zu further method%s measured, never best</summary><p>", hidden,
                       hidden == 1 ? " was" : "s were");
        for (size_t i = 0, listed = 0; i < map->method_count; i++) {
            char name[CT_METHOD_TEXT];
            if (!section->letters[i])
                ct_text_append(&page->html, "%s<code>%s</code>", listed++ ? ", " : "",
                               ct_method_format(&map->methods[i], false, name));
        }
        ct_text_append(&page->html, "</p></details>\n");
    }
}

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
    size_t leaves = ct_tree_leaf_count(tree), depth = ct_tree_depth(tree);
    struct ct_penalty penalty = {0};
    char mean[CT_NUMBER_TEXT], most[CT_NUMBER_TEXT], caption[160];
    ct_page_note(page, ct_score_choices(section->map, choices->methods, &penalty));
    ct_text_append(&page->html, "<h3>Decisions of ");
    ct_html_text(&page->html, table->name);
    ct_text_append(&page->html, "</h3>\n<p class=\"soft\">");
    add_origin(table->table, tree, page);
    ct_text_append(&page->html, "%zu %s, at most %zu test%s a call.", leaves, leaves == 1 ? "leaf" : "leaves",
                   depth, depth == 1 ? "" : "s");
    if (penalty.unmeasured > 0)
        ct_text_append(&page->html, " In %zu cell%s the chosen method was not measured; they are left empty.",
                       penalty.unmeasured, penalty.unmeasured == 1 ? "" : "s");
    ct_text_append(&page->html, "</p>\n<div class=\"pair\">\n");
    add_method_map(section, choices, "methods of the decision table", "The method that the table chooses.",
                   page);
    snprintf(caption, sizeof caption,
             "<b>Slowdown of the table</b> over the best method: mean %s, maximum %s.",
             ct_penalty_text(penalty.mean, mean), ct_penalty_text(penalty.most, most));
    add_penalty_map(section, choices, "slowdown of the decision table", caption, page);
    ct_text_append(&page->html, "</div>\n");
}

void ct_section_add(const struct ct_section *section, struct ct_page *page)
{
    const struct ct_collective_description *collective = &ct_collectives[section->map->collective];
    ct_text_append(&page->html, "<section id=\"%s\"><h2>%s</h2>\n<p class=\"soft\">", collective->name,
                   collective->name);
    ct_html_text(&page->html, collective->text);
    ct_text_append(&page->html, "</p>\n");
    add_best(section, page);
    add_methods(section, page);
    for (size_t i = 0; i < section->report->table_count; i++)
        if (section->tables[i].count > 0)
            add_table(section, i, page);
    add_curves(section, page);
    if (section->grid.shadowed > 0)
        ct_text_append(
            &page->html,
            "<p class=\"soft\">%zu cells differ from others only in nodes or processes per node; the "
            "pictures show the first of them, the numbers count all.</p>\n",
            section->grid.shadowed);
    ct_text_append(&page->html, "</section>\n");
}
