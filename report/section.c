/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/section.h"
#include "base/memory.h"
#include "decision/map.h"
#include "decision/score.h"
#include "report/colours.h"
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
            return ct_choices_of_method(map, i, ret_native);
    return CT_OK;
}

/* The yardstick for all decisions: one method that need not decide anything. Native has a line of its own. */
static int find_single(struct ct_section *section)
{
    size_t best = ct_map_best_method(section->map, NULL, section->map->cell_count, NULL);
    if (best == SIZE_MAX || ct_is_native(section->map->methods[best].algorithm))
        return CT_OK;
    section->single_method = best;
    return ct_choices_of_method(section->map, best, &section->single);
}

static void mark(const struct ct_choices *choices, bool *shown)
{
    for (size_t i = 0; i < choices->count; i++)
        if (choices->methods[i] != SIZE_MAX)
            shown[choices->methods[i]] = true;
}

/* Letters for those that a picture shows, in the map's order; beyond 52 they go without. */
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
        status = ct_choices_of_best(map, &section->best);
    if (status == CT_OK)
        status = find_native(map, &section->native);
    if (status == CT_OK)
        status = find_single(section);
    for (size_t i = 0; status == CT_OK && i < report->table_count; i++) {
        const struct ct_decision_tree *tree =
            ct_decisions_find(&report->tables[i].table->decisions, map->collective);
        if (tree)
            status = ct_choices_of_tree(map, tree, &section->tables[i]);
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

enum { PANELS = 4, DASHES = 5, SOLID = 1 };

/* The curves of one panel with the memory they point to: a row of values, and of colours, per curve. */
struct panel {
    struct ct_curve *curves;
    size_t count;
    double *values;
    uint32_t *colours;
    size_t x_count;
};

static int panel_make(size_t curve_count, size_t x_count, struct panel *ret_panel)
{
    size_t area;
    if (!ct_multiply(curve_count + 1, x_count + 1, &area))
        return CT_E_LIMIT;
    struct panel panel = {.curves = ct_allocate(curve_count + 1, sizeof *panel.curves),
                          .values = ct_allocate(area, sizeof *panel.values),
                          .colours = ct_allocate(area, sizeof *panel.colours),
                          .x_count = x_count};
    *ret_panel = panel;
    return panel.curves && panel.values && panel.colours ? CT_OK : CT_E_MEMORY;
}

static void panel_free(struct panel *panel)
{
    free(panel->curves);
    free(panel->values);
    free(panel->colours);
}

/* Adds the times of these choices in a row of the grid; `look` says how, its values and colours are set here.
 */
static void panel_add(struct panel *panel, const struct ct_section *section, const struct ct_choices *choices,
                      size_t row, struct ct_curve look, bool points)
{
    double *values = panel->values + panel->count * panel->x_count;
    uint32_t *colours = panel->colours + panel->count * panel->x_count;
    const size_t *at = section->grid.at + row * section->grid.x_count;
    for (size_t x = 0; x < panel->x_count; x++) {
        values[x] = at[x] == SIZE_MAX ? NAN : choices->seconds[at[x]];
        size_t method = at[x] == SIZE_MAX ? SIZE_MAX : choices->methods[at[x]];
        colours[x] = method == SIZE_MAX ? 0 : section->colours[method];
    }
    look.values = values;
    look.colours = points ? colours : NULL;
    panel->curves[panel->count++] = look;
}

static int add_panel(const struct ct_section *section, size_t row, struct ct_studio *studio,
                     struct ct_error *error, struct ct_text *page)
{
    struct panel panel = {0};
    struct ct_text script = {0};
    int status = panel_make(2 + section->report->table_count, section->grid.x_count, &panel);
    if (status != CT_OK)
        goto done;
    if (section->native.count > 0)
        panel_add(
            &panel, section, &section->native, row,
            (struct ct_curve){.text = "native", .colour = CT_NATIVE_COLOUR, .width = 2.2, .dash = SOLID},
            true);
    size_t drawn = 0;
    for (size_t i = 0; i < section->report->table_count; i++)
        if (section->tables[i].count > 0)
            panel_add(
                &panel, section, &section->tables[i], row,
                (struct ct_curve){.text = "tuned", .width = 1.4, .dash = SOLID + (int)(drawn++ % DASHES)},
                true);
    panel_add(&panel, section, &section->best, row,
              (struct ct_curve){.text = "best", .width = drawn ? 0.9 : 1.4, .dash = drawn ? 3 : SOLID},
              drawn == 0);
    ct_curves_script(&section->grid, panel.curves, panel.count, CT_QUANTITY_SECONDS, &script);

    char label[CT_METHOD_TEXT], caption[80] = "";
    snprintf(label, sizeof label, "times of %s", ct_collectives[section->map->collective].name);
    if (section->grid.has_size)
        snprintf(caption, sizeof caption, "<b>%zu processes</b>", section->grid.y[row]);
    ct_text_append(page, "<figure><figcaption>%s</figcaption>\n", caption);
    status = ct_picture_draw(studio, &script, label, error, page);
    ct_text_append(page, "</figure>\n");
done:
    ct_text_free(&script);
    panel_free(&panel);
    return status;
}

static void add_key(const struct ct_section *section, struct ct_text *page)
{
    static const char *const strokes[DASHES] = {"solid", "dashed", "dotted", "dashed", "dashed"};
    size_t drawn = 0;
    ct_text_append(page, "<ul class=\"legend\">");
    if (section->native.count > 0)
        ct_text_append(
            page, "<li><span class=\"stroke\" style=\"border-top:3px solid #8c8c8c\"></span>native</li>");
    for (size_t i = 0; i < section->report->table_count; i++) {
        if (section->tables[i].count == 0)
            continue;
        ct_text_append(page, "<li><span class=\"stroke\" style=\"border-top-style:%s\"></span>",
                       strokes[drawn++ % DASHES]);
        ct_html_text(page, section->report->tables[i].name);
        ct_text_append(page, "</li>");
    }
    ct_text_append(page, "<li><span class=\"stroke\" style=\"border-top:1px %s\"></span>best measured</li>",
                   drawn ? "dotted" : "solid");
    ct_text_append(page, "<li class=\"soft\">points have the colour of the method taken</li></ul>\n");
}

static int add_curves(const struct ct_section *section, struct ct_studio *studio, struct ct_error *error,
                      struct ct_text *page)
{
    size_t rows[PANELS];
    size_t count = ct_grid_pick_rows(&section->grid, PANELS, rows);
    if (section->grid.x_count < 2)
        return CT_OK;
    ct_text_append(page, "<h3>Times (median) against %s</h3>\n",
                   section->grid.has_size ? "message size" : "communicator size");
    add_key(section, page);
    ct_text_append(page, "<div class=\"pair\">\n");
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = add_panel(section, rows[i], studio, error, page);
    ct_text_append(page, "</div>\n");
    return status;
}

/* --- maps and methods --- */

static void add_swatch(struct ct_text *page, uint32_t colour, char letter)
{
    char text[CT_NUMBER_TEXT];
    ct_text_append(page, "<span class=\"swatch\" style=\"background:%s;color:%s\">%.1s</span>",
                   ct_colour_text(colour, text), ct_colour_is_light(colour) ? "#1a1a1a" : "#fff",
                   letter && letter != ' ' ? (char[]){letter, '\0'} : "");
}

int ct_band_map_add(const struct ct_grid *grid, const double *values, const struct ct_band *bands,
                    size_t band_count, const char *label, const char *caption, struct ct_studio *studio,
                    struct ct_error *error, struct ct_text *page)
{
    size_t area = grid->x_count * grid->y_count, known = 0;
    size_t *fields = ct_allocate(area + 1, sizeof *fields);
    size_t *counts = ct_allocate(band_count, sizeof *counts);
    struct ct_class *classes = ct_allocate(band_count, sizeof *classes);
    struct ct_text script = {0};
    int status = CT_E_MEMORY;
    if (!fields || !counts || !classes)
        goto done;
    for (size_t i = 0; i < area; i++) {
        fields[i] = isnan(values[i]) ? SIZE_MAX : ct_band_find(bands, values[i]);
        if (fields[i] == SIZE_MAX)
            continue;
        counts[fields[i]]++;
        known++;
    }
    for (size_t i = 0; i < band_count; i++)
        classes[i] = (struct ct_class){.text = bands[i].text, .colour = bands[i].colour};
    status = ct_map_script(grid, fields, classes, band_count, &script);
    if (status != CT_OK)
        goto done;
    ct_text_append(page, "<figure>\n");
    status = ct_picture_draw(studio, &script, label, error, page);
    ct_text_append(page, "<figcaption>%s<ul class=\"legend\">", caption);
    for (size_t i = 0; i < band_count; i++) {
        char share[CT_NUMBER_TEXT];
        ct_text_append(page, "<li>");
        add_swatch(page, bands[i].colour, '\0');
        ct_text_append(page, "%s%s%s</li>", bands[i].text, counts[i] ? " · " : "",
                       counts[i] ? ct_share_text(counts[i], known, share) : "");
    }
    ct_text_append(page, "</ul></figcaption></figure>\n");
done:
    ct_text_free(&script);
    free(fields);
    free(counts);
    free(classes);
    return status;
}

/* Who takes which method where. `label` and `caption` are plain text. */
static int add_method_map(const struct ct_section *section, const struct ct_choices *choices,
                          const char *label, const char *caption, struct ct_studio *studio,
                          struct ct_error *error, struct ct_text *page)
{
    const struct ct_map *map = section->map;
    size_t area = section->grid.x_count * section->grid.y_count;
    size_t *fields = ct_allocate(area + 1, sizeof *fields);
    struct ct_class *classes = ct_allocate(map->method_count + 1, sizeof *classes);
    char(*names)[CT_METHOD_TEXT] = ct_allocate(map->method_count + 1, sizeof *names);
    struct ct_text script = {0};
    int status = CT_E_MEMORY;
    if (!fields || !classes || !names)
        goto done;
    for (size_t i = 0; i < area; i++)
        fields[i] = section->grid.at[i] == SIZE_MAX ? SIZE_MAX : choices->methods[section->grid.at[i]];
    for (size_t i = 0; i < map->method_count; i++)
        classes[i] = (struct ct_class){.text = ct_method_format(&map->methods[i], false, names[i]),
                                       .colour = section->colours[i],
                                       .letter = section->letters[i] == ' ' ? '\0' : section->letters[i]};
    status = ct_map_script(&section->grid, fields, classes, map->method_count, &script);
    if (status != CT_OK)
        goto done;
    ct_text_append(page, "<figure>\n");
    status = ct_picture_draw(studio, &script, label, error, page);
    ct_text_append(page, "<figcaption>");
    ct_html_text(page, caption);
    ct_text_append(page, "</figcaption></figure>\n");
done:
    ct_text_free(&script);
    free(fields);
    free(classes);
    free(names);
    return status;
}

static int add_penalty_map(const struct ct_section *section, const struct ct_choices *choices,
                           const char *label, const char *caption, struct ct_studio *studio,
                           struct ct_error *error, struct ct_text *page)
{
    size_t area = section->grid.x_count * section->grid.y_count;
    double *values = ct_allocate(area + 1, sizeof *values);
    if (!values)
        return CT_E_MEMORY;
    for (size_t i = 0; i < area; i++)
        values[i] = section->grid.at[i] == SIZE_MAX ? NAN : choices->penalties[section->grid.at[i]];
    int status = ct_band_map_add(&section->grid, values, ct_penalty_bands, ct_penalty_band_count, label,
                                 caption, studio, error, page);
    free(values);
    return status;
}

static int add_best(const struct ct_section *section, struct ct_studio *studio, struct ct_error *error,
                    struct ct_text *page)
{
    const char *name = ct_collectives[section->map->collective].name;
    struct ct_text label = {0};
    ct_text_append(page, "<div class=\"pair\">\n");
    ct_text_append(&label, "best method of %s by communicator and message size", name);
    int status = label.failed ? CT_E_MEMORY : CT_OK;
    if (status == CT_OK)
        status = add_method_map(section, &section->best, label.data,
                                "The fastest method measured in each cell.", studio, error, page);
    if (status == CT_OK && section->native.count > 0)
        status = add_penalty_map(section, &section->native, "what native loses against the best method",
                                 "<b>What native loses:</b> time added by calling the MPI library’s own.",
                                 studio, error, page);
    ct_text_append(page, "</div>\n");
    ct_text_free(&label);
    return status;
}

/* The legend of all maps: the methods that they show, where each wins, and what it would cost everywhere. */
static int add_methods(const struct ct_section *section, struct ct_text *page)
{
    const struct ct_map *map = section->map;
    size_t hidden = 0;
    ct_text_append(page,
                   "<div class=\"table\"><table><thead><tr><th class=\"t\">method</th><th>best in</th>"
                   "<th>surely equivalent in</th><th>undecided in</th><th>mean penalty if always taken</th>"
                   "<th>95th percentile</th><th>over native</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < map->method_count; i++) {
        if (!section->letters[i]) {
            hidden++;
            continue;
        }
        size_t standings[CT_STANDINGS] = {0}, cells = 0;
        for (size_t c = 0; c < map->cell_count; c++) {
            standings[map->cells[c].standings[i]]++;
            cells += map->cells[c].best != SIZE_MAX;
        }
        struct ct_choices choices = {0};
        struct ct_penalty penalty;
        double speed_up = NAN;
        int status = ct_choices_of_method(map, i, &choices);
        if (status == CT_OK) {
            status = ct_score_choices(map, choices.methods, &penalty);
            if (penalty.cells == 0)
                penalty.mean = penalty.percentile95 = NAN;
            speed_up = ct_choices_speed_up(&choices, &section->native);
        }
        ct_choices_free(&choices);
        if (status != CT_OK)
            return status;
        char name[CT_METHOD_TEXT], numbers[6][CT_NUMBER_TEXT];
        ct_text_append(page, "<tr><td class=\"t\">");
        add_swatch(page, section->colours[i], section->letters[i]);
        ct_text_append(
            page,
            "<code>%s</code></td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
            ct_method_format(&map->methods[i], false, name),
            ct_share_text(standings[CT_STANDING_BEST], cells, numbers[0]),
            ct_share_text(standings[CT_STANDING_EQUIVALENT], cells, numbers[1]),
            ct_share_text(standings[CT_STANDING_UNDECIDED], cells, numbers[2]),
            ct_penalty_text(penalty.mean, numbers[3]), ct_penalty_text(penalty.percentile95, numbers[4]),
            ct_ratio_text(speed_up, numbers[5]));
    }
    ct_text_append(page, "</tbody></table></div>\n<p class=\"soft\">Equivalent to the best is what takes ");
    if (map->exact)
        ct_text_append(page, "at most %g %% more; times are computed and compared as they are.</p>\n",
                       100 * map->margin);
    else
        ct_text_append(
            page,
            "surely less than %g %% more or less: sure to %g %%, for all methods of a cell together. "
            "What is neither that nor surely slower is undecided.</p>\n",
            100 * map->margin, 100 * (1 - CT_ALPHA));
    if (hidden > 0) {
        ct_text_append(page, "<details><summary>%zu further method%s measured, never best</summary><p>",
                       hidden, hidden == 1 ? " was" : "s were");
        for (size_t i = 0, listed = 0; i < map->method_count; i++) {
            char name[CT_METHOD_TEXT];
            if (!section->letters[i])
                ct_text_append(page, "%s<code>%s</code>", listed++ ? ", " : "",
                               ct_method_format(&map->methods[i], false, name));
        }
        ct_text_append(page, "</p></details>\n");
    }
    return CT_OK;
}

/* "Learned by quadtree (max-depth=2) from NAME: " */
static void add_origin(const struct ct_table *table, const struct ct_decision_tree *tree,
                       struct ct_text *page)
{
    const struct ct_table_tree *origin = &table->trees[tree - table->decisions.trees];
    ct_text_append(page, "Learned by ");
    ct_html_text(page, origin->learner);
    if (*origin->options) {
        ct_text_append(page, " (");
        ct_html_text(page, origin->options);
        ct_text_append(page, ")");
    }
    ct_text_append(page, " from ");
    ct_html_text(page, table->runs[origin->run].name);
    ct_text_append(page, ": ");
}

static int add_table(const struct ct_section *section, size_t index, struct ct_studio *studio,
                     struct ct_error *error, struct ct_text *page)
{
    const struct ct_report_table *table = &section->report->tables[index];
    const struct ct_decision_tree *tree =
        ct_decisions_find(&table->table->decisions, section->map->collective);
    const struct ct_choices *choices = &section->tables[index];
    size_t leaves = ct_tree_leaf_count(tree), depth = ct_tree_depth(tree);
    struct ct_penalty penalty;
    int status = ct_score_choices(section->map, choices->methods, &penalty);
    if (status != CT_OK)
        return status;
    char mean[CT_NUMBER_TEXT], most[CT_NUMBER_TEXT];
    ct_text_append(page, "<h3>Decisions of ");
    ct_html_text(page, table->name);
    ct_text_append(page, "</h3>\n<p class=\"soft\">");
    add_origin(table->table, tree, page);
    ct_text_append(page, "%zu %s, at most %zu test%s a call.", leaves, leaves == 1 ? "leaf" : "leaves", depth,
                   depth == 1 ? "" : "s");
    if (penalty.unmeasured > 0)
        ct_text_append(page, " In %zu cell%s the method it takes was not measured; they are left empty.",
                       penalty.unmeasured, penalty.unmeasured == 1 ? "" : "s");
    ct_text_append(page, "</p>\n<div class=\"pair\">\n");
    status = add_method_map(section, choices, "the decision table's methods",
                            "The method that the table takes.", studio, error, page);
    if (status == CT_OK) {
        struct ct_text caption = {0};
        ct_text_append(&caption, "<b>What the table loses:</b> %s on the mean, %s at most.",
                       ct_penalty_text(penalty.mean, mean), ct_penalty_text(penalty.most, most));
        status = caption.failed ? CT_E_MEMORY
                                : add_penalty_map(section, choices, "what the decision table loses",
                                                  caption.data, studio, error, page);
        ct_text_free(&caption);
    }
    ct_text_append(page, "</div>\n");
    return status;
}

int ct_section_add(const struct ct_section *section, struct ct_studio *studio, struct ct_error *error,
                   struct ct_text *page)
{
    const struct ct_collective_description *collective = &ct_collectives[section->map->collective];
    ct_text_append(page, "<section id=\"%s\"><h2>%s</h2>\n<p class=\"soft\">", collective->name,
                   collective->name);
    ct_html_text(page, collective->text);
    ct_text_append(page, "</p>\n");
    int status = add_best(section, studio, error, page);
    if (status == CT_OK)
        status = add_methods(section, page);
    for (size_t i = 0; status == CT_OK && i < section->report->table_count; i++)
        if (section->tables[i].count > 0)
            status = add_table(section, i, studio, error, page);
    if (status == CT_OK)
        status = add_curves(section, studio, error, page);
    if (section->grid.shadowed > 0)
        ct_text_append(
            page,
            "<p class=\"soft\">%zu cells differ from others in nodes or processes per node only; the "
            "pictures show the first of them, the numbers count all.</p>\n",
            section->grid.shadowed);
    ct_text_append(page, "</section>\n");
    return status;
}
