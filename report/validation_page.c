/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/statistics.h"
#include "report/colours.h"
#include "report/markup.h"
#include "report/section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS = 4 };

/* The points of one collective, which lie together. */
struct group {
    const struct ct_validation_point *points;
    size_t count;
    const struct ct_section *section; /* lends colours; NULL where the run has no such collective */
    struct ct_grid grid;
};

static double ratio_of(const struct ct_validation_point *point)
{
    return point->native / point->tuned;
}

static int group_grid(struct group *group)
{
    struct ct_place *places = ct_allocate(group->count + 1, sizeof *places);
    if (!places)
        return CT_E_MEMORY;
    for (size_t i = 0; i < group->count; i++)
        places[i] = (struct ct_place){group->points[i].key.comm_size, group->points[i].key.msg_bytes};
    bool has_size = ct_collectives[group->points[0].collective].has_size;
    int status = ct_grid_make(places, group->count, has_size, &group->grid);
    free(places);
    return status;
}

static int add_row(const struct group *group, struct ct_text *page)
{
    const double same = 0.05;
    double *ratios = ct_allocate(group->count + 1, sizeof *ratios);
    if (!ratios)
        return CT_E_MEMORY;
    double logarithms = 0;
    size_t faster = 0, slower = 0;
    for (size_t i = 0; i < group->count; i++) {
        ratios[i] = ratio_of(&group->points[i]);
        logarithms += log(ratios[i]);
        faster += ratios[i] > 1 + same;
        slower += ratios[i] < 1 - same;
    }
    char numbers[6][CT_NUMBER_TEXT];
    ct_sort(ratios, group->count);
    double middle = ct_quantile(ratios, group->count, 0.5);
    ct_text_append(
        page,
        "<tr><td class=\"t\">%s</td><td>%zu</td><td><b>%s</b></td><td>%s</td><td>%s</td><td>%s</td>"
        "<td>%s</td><td>%s</td></tr>\n",
        ct_collectives[group->points[0].collective].name, group->count,
        ct_ratio_text(exp(logarithms / (double)group->count), numbers[0]), ct_ratio_text(middle, numbers[1]),
        ct_ratio_text(ratios[0], numbers[2]), ct_ratio_text(ratios[group->count - 1], numbers[3]),
        ct_share_text(faster, group->count, numbers[4]), ct_share_text(slower, group->count, numbers[5]));
    free(ratios);
    return CT_OK;
}

static int add_ratio_map(const struct group *group, struct ct_studio *studio, struct ct_error *error,
                         struct ct_text *page)
{
    size_t area = group->grid.x_count * group->grid.y_count;
    double *values = ct_allocate(area + 1, sizeof *values);
    if (!values)
        return CT_E_MEMORY;
    for (size_t i = 0; i < area; i++)
        values[i] = group->grid.at[i] == SIZE_MAX ? NAN : ratio_of(&group->points[group->grid.at[i]]);
    int status = ct_band_map_add(
        &group->grid, values, ct_ratio_bands, ct_ratio_band_count, "native time over tuned time",
        "<b>Speed-up:</b> native time over tuned time, as measured.", studio, error, page);
    free(values);
    return status;
}

/* Values of a row; `colours` are of the methods that were taken. */
static void fill_row(const struct group *group, size_t row, double *tuned, double *native, double *ratios,
                     uint32_t *colours)
{
    for (size_t x = 0; x < group->grid.x_count; x++) {
        size_t at = group->grid.at[row * group->grid.x_count + x];
        const struct ct_validation_point *point = at == SIZE_MAX ? NULL : &group->points[at];
        size_t method =
            point && group->section ? ct_map_find_method(group->section->map, &point->method) : SIZE_MAX;
        tuned[x] = point ? point->tuned : NAN;
        native[x] = point ? point->native : NAN;
        ratios[x] = point ? ratio_of(point) : NAN;
        colours[x] = method == SIZE_MAX ? 0 : group->section->colours[method];
    }
}

/* The memory of one panel. */
struct series {
    double *tuned;
    double *native;
    double *ratios;
    uint32_t *colours;
};

static int add_panel(const struct group *group, size_t row, enum ct_quantity quantity,
                     const struct series *series, struct ct_studio *studio, struct ct_error *error,
                     struct ct_text *page)
{
    struct ct_text script = {0};
    fill_row(group, row, series->tuned, series->native, series->ratios, series->colours);
    const struct ct_curve times[] = {
        {.text = "native", .values = series->native, .colour = CT_NATIVE_COLOUR, .width = 2.2, .dash = 1},
        {.text = "tuned", .values = series->tuned, .colours = series->colours, .width = 1.4, .dash = 1}};
    const struct ct_curve ratios[] = {
        {.text = "speed-up", .values = series->ratios, .colours = series->colours, .width = 1.4, .dash = 1}};
    if (quantity == CT_QUANTITY_SECONDS)
        ct_curves_script(&group->grid, times, 2, quantity, &script);
    else
        ct_curves_script(&group->grid, ratios, 1, quantity, &script);
    char caption[120] = "";
    if (group->grid.has_size)
        snprintf(caption, sizeof caption, "<b>%zu processes</b>%s", group->grid.y[row],
                 quantity == CT_QUANTITY_SECONDS ? ": times, native grey" : ": speed-up");
    else
        snprintf(caption, sizeof caption, "%s",
                 quantity == CT_QUANTITY_SECONDS ? "Times, native grey." : "Speed-up.");
    ct_text_append(page, "<figure><figcaption>%s</figcaption>\n", caption);
    int status = ct_picture_draw(studio, &script,
                                 quantity == CT_QUANTITY_SECONDS ? "times of tuned and native"
                                                                 : "speed-up of tuned over native",
                                 error, page);
    ct_text_append(page, "</figure>\n");
    ct_text_free(&script);
    return status;
}

static int add_curves(const struct group *group, struct ct_studio *studio, struct ct_error *error,
                      struct ct_text *page)
{
    size_t rows[PANELS], x_count = group->grid.x_count;
    size_t count = ct_grid_pick_rows(&group->grid, PANELS, rows);
    struct series series = {
        ct_allocate(x_count, sizeof *series.tuned), ct_allocate(x_count, sizeof *series.native),
        ct_allocate(x_count, sizeof *series.ratios), ct_allocate(x_count, sizeof *series.colours)};
    int status = series.tuned && series.native && series.ratios && series.colours ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && x_count > 1 && i < count; i++) {
        status = add_panel(group, rows[i], CT_QUANTITY_SECONDS, &series, studio, error, page);
        if (status == CT_OK)
            status = add_panel(group, rows[i], CT_QUANTITY_SPEED_UP, &series, studio, error, page);
    }
    free(series.tuned);
    free(series.native);
    free(series.ratios);
    free(series.colours);
    return status;
}

static int add_group(struct group *group, struct ct_studio *studio, struct ct_error *error,
                     struct ct_text *page)
{
    int status = group_grid(group);
    if (status != CT_OK)
        return status;
    ct_text_append(page, "<h3>%s</h3>\n<div class=\"pair\">\n",
                   ct_collectives[group->points[0].collective].name);
    status = add_ratio_map(group, studio, error, page);
    ct_text_append(page, "</div>\n<div class=\"pair\">\n");
    if (status == CT_OK)
        status = add_curves(group, studio, error, page);
    ct_text_append(page, "</div>\n");
    ct_grid_free(&group->grid);
    return status;
}

/* The group that begins at point `first`. */
static struct group group_at(const struct ct_report *report, const struct ct_section *sections, size_t first)
{
    const struct ct_validation *validation = report->validation;
    struct group group = {.points = &validation->points[first]};
    while (first + group.count < validation->count &&
           group.points[group.count].collective == group.points[0].collective)
        group.count++;
    for (size_t i = 0; i < report->map_count; i++)
        if (sections[i].map->collective == group.points[0].collective)
            group.section = &sections[i];
    return group;
}

int ct_validation_add(const struct ct_report *report, const struct ct_section *sections,
                      struct ct_studio *studio, struct ct_error *error, struct ct_text *page)
{
    const struct ct_validation *validation = report->validation;
    int status = CT_OK;
    ct_text_append(
        page, "<section id=\"validation\"><h2>Tuned against native</h2>\n<p class=\"soft\">The tuned "
              "library and the MPI library’s own, timed in turn in one job. Speed-ups are native time over "
              "tuned time; faster and slower count points beyond 5 %%.</p>\n"
              "<div class=\"table\"><table><thead><tr><th class=\"t\">collective</th><th>points</th>"
              "<th>geometric mean</th><th>median</th><th>least</th><th>most</th><th>faster</th>"
              "<th>slower</th></tr></thead><tbody>\n");
    for (size_t i = 0; status == CT_OK && i < validation->count;) {
        struct group group = group_at(report, sections, i);
        status = add_row(&group, page);
        i += group.count;
    }
    ct_text_append(page, "</tbody></table></div>\n");
    for (size_t i = 0; status == CT_OK && i < validation->count;) {
        struct group group = group_at(report, sections, i);
        status = add_group(&group, studio, error, page);
        i += group.count;
    }
    ct_text_append(page, "</section>\n");
    return status;
}
