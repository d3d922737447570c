/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/validation_page.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/map_divided.h"
#include "report/figure.h"
#include "report/markup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The points of one collective in one mode, of a sparse one with one pattern, which are adjacent. */
struct group {
    struct ct_text name; /* "bcast"; "bcast, nonblocking"; "neighbor_alltoall, moore:d=1,r=1" */
    const struct ct_validation_point *points;
    size_t count;
    struct ct_grid grid;
    double *ratios; /* by point */
};

static void group_free(struct group *group)
{
    ct_text_free(&group->name);
    ct_grid_free(&group->grid);
    free(group->ratios);
}

/* The group that begins at point `first`. Caller frees, also after a failure. */
static int group_make(const struct ct_validation *validation, size_t first, struct group *ret_group)
{
    struct group group = {.points = &validation->points[first]};
    const enum ct_collective collective = group.points[0].collective;
    char part[CT_PART_TEXT];
    ct_text_append(&group.name, "%s%s", ct_collectives[collective].name,
                   ct_part_format(&group.points[0].key, part));
    if (group.points[0].pattern) {
        ct_text_append(&group.name, ", ");
        ct_html_text(&group.name, group.points[0].pattern);
    }
    while (first + group.count < validation->count && group.points[group.count].collective == collective &&
           group.points[group.count].key.pattern == group.points[0].key.pattern &&
           ct_keys_share_part(&group.points[group.count].key, &group.points[0].key))
        group.count++;
    struct ct_place *places = ct_allocate(group.count, sizeof *places);
    group.ratios = ct_allocate(group.count, sizeof *group.ratios);
    int status = places && group.ratios && !group.name.failed ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < group.count; i++) {
        const struct ct_validation_point *point = &group.points[i];
        places[i] = (struct ct_place){point->key.comm_size, point->key.msg_bytes};
        group.ratios[i] = point->native / point->tuned;
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
        slower += ct_validation_is_slower(&group->points[i]);
    }
    char numbers[6][CT_NUMBER_TEXT];
    double middle = ct_median(ratios, group->count);
    ct_text_append(&page->html,
                   "<tr><td class=\"t\">%s</td><td><b>%s</b></td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>"
                   "<td>%zu</td><td>%zu</td></tr>\n",
                   group->name.data, ct_ratio_text(exp(logarithms / (double)group->count), numbers[0]),
                   ct_ratio_text(middle, numbers[1]), ct_ratio_text(ratios[0], numbers[2]),
                   ct_ratio_text(ratios[group->count - 1], numbers[3]),
                   ct_share_text(faster, group->count, numbers[4]), slower, group->count);
}

/* "8 ranks, 64K bytes: tuned 1.20 ms by binomial, native 2.40 ms; 1.9 to 2.1 times as fast" */
static void describe(const void *context, size_t place, struct ct_text *html)
{
    const struct ct_validation_point *point = &((const struct group *)context)->points[place];
    char size[CT_SIZE_TEXT], name[CT_METHOD_TEXT], seconds[2][CT_NUMBER_TEXT], ratios[2][CT_NUMBER_TEXT];
    ct_text_append(html, "%u ranks", point->key.comm_size);
    if (ct_collectives[point->collective].has_size)
        ct_text_append(html, ", %s bytes", ct_size_format(point->key.msg_bytes, size));
    ct_text_append(html, ": tuned %s by %s, native %s; %s to %s times as fast",
                   ct_seconds_text(point->tuned, seconds[0]), ct_method_format(&point->method, false, name),
                   ct_seconds_text(point->native, seconds[1]), ct_factor_text(point->low, ratios[0]),
                   ct_factor_text(point->high, ratios[1]));
    if (point->key.mode != CT_MODE_BLOCKING)
        ct_text_append(html, "; hides %.0f %% of the computation, native %.0f %%",
                       100 * point->tuned_overlap.hidden, 100 * point->native_overlap.hidden);
}

static void add_map(const struct group *group, struct ct_page *page)
{
    struct ct_text caption = {0};
    ct_text_append(&caption, "<b>%s</b>", group->name.data);
    if (caption.failed) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    const struct ct_field_map map = {.grid = &group->grid,
                                     .measured = group->count,
                                     .describe = describe,
                                     .context = group,
                                     .factors = group->ratios,
                                     .label = "times as fast as native, as validated"};
    ct_band_map_add(map, group->ratios, group->count, ct_ratio_bands, caption.data, page);
    ct_text_free(&caption);
}

/* Adds all rows of the table, or all maps. */
static void add_all(const struct ct_validation *validation, bool rows, struct ct_page *page)
{
    for (size_t i = 0; page->status == CT_OK && i < validation->count;) {
        struct group group;
        ct_page_note(page, group_make(validation, i, &group));
        if (page->status == CT_OK && rows)
            add_row(&group, page);
        else if (page->status == CT_OK)
            add_map(&group, page);
        i += group.count;
        group_free(&group);
    }
}

void ct_validation_add(const struct ct_report *report, struct ct_page *page)
{
    ct_chapter_begin("validation", "Validation: tuned against native", page);
    ct_text_append(&page->html,
                   "<p class=\"soft\">The tuned library and native, timed in turn in one job. Speed-ups are "
                   "native time over tuned time. Faster points take at least 5 %% less time; slower points "
                   "have less than %g of native’s speed beyond their 95 %% confidence interval.%s</p>\n",
                   CT_VALIDATION_SLOWER,
                   ct_validation_modes(report->validation) == 1U << CT_MODE_BLOCKING
                       ? ""
                       : " The time of a nonblocking or persistent call is what it adds to a computation "
                         "beside it.");
    ct_columns_begin("<collective|geometric mean|median|least|most|faster|points slower|points", page);
    add_all(report->validation, true, page);
    ct_columns_end(page);
    ct_text_append(&page->html, "<details open><summary>Every point</summary><div class=\"many\">\n");
    add_all(report->validation, false, page);
    ct_text_append(&page->html, "</div></details>\n</section>\n");
}
