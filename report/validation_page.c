/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/statistics.h"
#include "report/figure.h"
#include "report/markup.h"
#include "report/section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The points of one collective, which are adjacent. */
struct group {
    const struct ct_validation_point *points;
    size_t count;
    const struct ct_section *section; /* has the colours; NULL where the run has no such collective */
    struct ct_grid grid;
    /* by point */
    double *tuned;
    double *native;
    double *ratios;
    size_t *methods; /* as the section counts them; SIZE_MAX where it has none such */
};

static void group_free(struct group *group)
{
    ct_grid_free(&group->grid);
    free(group->tuned);
    free(group->native);
    free(group->ratios);
    free(group->methods);
}

/* The group that begins at point `first`. Caller frees, also after a failure. */
static int group_make(const struct ct_report *report, const struct ct_section *sections, size_t first,
                      struct group *ret_group)
{
    const struct ct_validation *validation = report->validation;
    struct group group = {.points = &validation->points[first]};
    const enum ct_collective collective = group.points[0].collective;
    while (first + group.count < validation->count && group.points[group.count].collective == collective)
        group.count++;
    for (size_t i = 0; i < report->map_count; i++)
        if (sections[i].map->collective == collective)
            group.section = &sections[i];
    struct ct_place *places = ct_allocate(group.count, sizeof *places);
    group.tuned = ct_allocate(group.count, sizeof *group.tuned);
    group.native = ct_allocate(group.count, sizeof *group.native);
    group.ratios = ct_allocate(group.count, sizeof *group.ratios);
    group.methods = ct_allocate(group.count, sizeof *group.methods);
    int status = places && group.tuned && group.native && group.ratios && group.methods ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < group.count; i++) {
        const struct ct_validation_point *point = &group.points[i];
        places[i] = (struct ct_place){point->key.comm_size, point->key.msg_bytes};
        group.tuned[i] = point->tuned;
        group.native[i] = point->native;
        group.ratios[i] = point->native / point->tuned;
        group.methods[i] = group.section ? ct_map_find_method(group.section->map, &point->method) : SIZE_MAX;
    }
    if (status == CT_OK)
        status = ct_grid_make(places, group.count, ct_collectives[collective].has_size, &group.grid);
    free(places);
    *ret_group = group;
    return status;
}

/* Sorts the ratios. */
static void add_row(struct group *group, struct ct_page *page)
{
    const double same = 0.05;
    double logarithms = 0, *ratios = group->ratios;
    size_t faster = 0, slower = 0;
    for (size_t i = 0; i < group->count; i++) {
        logarithms += log(ratios[i]);
        faster += ratios[i] > 1 + same;
        slower += ratios[i] < 1 - same;
    }
    char numbers[6][CT_NUMBER_TEXT];
    ct_sort(ratios, group->count);
    double middle = ct_quantile(ratios, group->count, 0.5);
    ct_text_append(
        &page->html,
        "<tr><td class=\"t\">%s</td><td>%zu</td><td><b>%s</b></td><td>%s</td><td>%s</td><td>%s</td>"
        "<td>%s</td><td>%s</td></tr>\n",
        ct_collectives[group->points[0].collective].name, group->count,
        ct_ratio_text(exp(logarithms / (double)group->count), numbers[0]), ct_ratio_text(middle, numbers[1]),
        ct_ratio_text(ratios[0], numbers[2]), ct_ratio_text(ratios[group->count - 1], numbers[3]),
        ct_share_text(faster, group->count, numbers[4]), ct_share_text(slower, group->count, numbers[5]));
}

static void add_panel(const struct group *group, size_t row, enum ct_quantity quantity, struct ct_page *page)
{
    const struct ct_curve times[] = {{"native", group->native, NULL, CT_NATIVE_COLOUR, 2.2, 1},
                                     {"tuned", group->tuned, group->methods, 0, 1.4, 1}};
    const struct ct_curve ratios[] = {{"speed-up", group->ratios, group->methods, 0, 1.4, 1}};
    const uint32_t *colours = group->section ? group->section->colours : NULL;
    bool is_time = quantity == CT_QUANTITY_SECONDS;
    char caption[120] = "";
    if (group->grid.has_size)
        snprintf(caption, sizeof caption, "<b>%zu processes</b>%s", group->grid.y[row],
                 is_time ? ": times, native grey" : ": speed-up");
    else
        snprintf(caption, sizeof caption, "%s", is_time ? "Times, native grey." : "Speed-up.");
    ct_curves_add(&group->grid, row, is_time ? times : ratios, is_time ? 2 : 1, colours, quantity,
                  is_time ? "times of tuned and native" : "speed-up of tuned over native", caption, page);
}

static void add_group(const struct group *group, struct ct_page *page)
{
    size_t rows[CT_FIGURE_PANELS], count = ct_grid_pick_rows(&group->grid, CT_FIGURE_PANELS, rows);
    ct_text_append(&page->html, "<h3>%s</h3>\n<div class=\"pair\">\n",
                   ct_collectives[group->points[0].collective].name);
    ct_band_map_add(&group->grid, group->ratios, group->count, ct_ratio_bands, "native time over tuned time",
                    "<b>Speed-up:</b> native time over tuned time, as measured.", page);
    ct_text_append(&page->html, "</div>\n<div class=\"pair\">\n");
    for (size_t i = 0; group->grid.x_count > 1 && i < count; i++) {
        add_panel(group, rows[i], CT_QUANTITY_SECONDS, page);
        add_panel(group, rows[i], CT_QUANTITY_SPEED_UP, page);
    }
    ct_text_append(&page->html, "</div>\n");
}

/* Adds all rows of the table, or all groups. */
static void add_all(const struct ct_report *report, const struct ct_section *sections, bool rows,
                    struct ct_page *page)
{
    for (size_t i = 0; page->status == CT_OK && i < report->validation->count;) {
        struct group group;
        ct_page_note(page, group_make(report, sections, i, &group));
        if (page->status == CT_OK && rows)
            add_row(&group, page);
        else if (page->status == CT_OK)
            add_group(&group, page);
        i += group.count;
        group_free(&group);
    }
}

void ct_validation_add(const struct ct_report *report, const struct ct_section *sections,
                       struct ct_page *page)
{
    ct_text_append(
        &page->html,
        "<section id=\"validation\"><h2>Tuned against native</h2>\n<p class=\"soft\">The tuned "
        "library and the MPI library’s own, timed in turn in one job. Speed-ups are native time over "
        "tuned time; faster and slower count points beyond 5 %%.</p>\n"
        "<div class=\"table\"><table><thead><tr><th class=\"t\">collective</th><th>points</th>"
        "<th>geometric mean</th><th>median</th><th>least</th><th>most</th><th>faster</th>"
        "<th>slower</th></tr></thead><tbody>\n");
    add_all(report, sections, true, page);
    ct_text_append(&page->html, "</tbody></table></div>\n");
    add_all(report, sections, false, page);
    ct_text_append(&page->html, "</section>\n");
}
