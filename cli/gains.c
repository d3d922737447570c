/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/gains.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES_SHOWN = 4, SLOWEST_SHOWN = 3, WIDTH = 30, WIDTH_OF_MODES = 44 };

/* The points with `least` to `most` ranks. `mode` and `remark` say more of them, or nothing. */
static void tell_ranks(const struct ct_validation *validation, uint32_t least, uint32_t most,
                       const char *mode, const char *remark, struct ct_text *text)
{
    double logs = 0, lowest = INFINITY, highest = 0;
    size_t points = 0, slower = 0;
    for (size_t i = 0; i < validation->count; i++) {
        const struct ct_validation_point *point = &validation->points[i];
        double ratio = ct_validation_speed_up(point);
        if (point->key.comm_size < least || point->key.comm_size > most)
            continue;
        points++;
        slower += ct_validation_is_slower(point);
        logs += log(ratio);
        lowest = fmin(lowest, ratio);
        highest = fmax(highest, ratio);
    }
    if (points == 0)
        return;
    char ranks[64];
    if (least == most)
        snprintf(ranks, sizeof ranks, "%u ranks%s%s", least, mode, remark);
    else
        snprintf(ranks, sizeof ranks, "%u to %u ranks%s%s", least, most, mode, remark);
    ct_text_append(text, "  %-*s %6.2f times as fast (%.2f to %.2f), %zu of %zu point%s slower\n",
                   *mode ? WIDTH_OF_MODES : WIDTH, ranks, exp(logs / (double)points), lowest, highest, slower,
                   points, ct_s(points));
}

/* Comm sizes one by one if they are few, else those up to the CPUs and those above. */
static void tell_all_ranks(const struct ct_validation *validation, size_t shown, const char *mode,
                           size_t cpus, struct ct_text *text)
{
    size_t *sizes = ct_allocate(validation->count, sizeof *sizes);
    if (!sizes) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < validation->count; i++)
        sizes[i] = validation->points[i].key.comm_size;
    size_t count = ct_sort_unique(sizes, validation->count), fitting = 0;
    while (fitting < count && sizes[fitting] <= cpus)
        fitting++;
    for (size_t i = 0; count <= shown && i < count; i++)
        tell_ranks(validation, (uint32_t)sizes[i], (uint32_t)sizes[i], mode,
                   i < fitting ? "" : ", more than CPUs", text);
    if (count > shown && fitting > 0)
        tell_ranks(validation, (uint32_t)sizes[0], (uint32_t)sizes[fitting - 1], mode, "", text);
    if (count > shown && fitting < count)
        tell_ranks(validation, (uint32_t)sizes[fitting], (uint32_t)sizes[count - 1], mode, ", more than CPUs",
                   text);
    free(sizes);
}

/* Several modes have lines of their own, and therefore fewer each. */
static void tell_all_modes(const struct ct_validation *validation, size_t cpus, struct ct_text *text)
{
    const unsigned modes = ct_validation_modes(validation);
    const bool several = (modes & (modes - 1)) != 0;
    for (int mode = 0; mode < CT_MODES; mode++) {
        const struct ct_validation part = ct_validation_of_mode(validation, (enum ct_call_mode)mode);
        char name[24] = "";
        if (several || mode != CT_MODE_BLOCKING)
            snprintf(name, sizeof name, ", %s", ct_mode_names[mode]);
        if (part.count > 0)
            tell_all_ranks(&part, several ? 1 : SIZES_SHOWN, name, cpus, text);
    }
}

static void tell_slowest(const struct ct_validation *validation, struct ct_text *text)
{
    const struct ct_validation_point **points;
    size_t slower;
    if (ct_validation_slower(validation, &points, &slower) != CT_OK) {
        text->failed = true;
        return;
    }
    if (slower == 0)
        ct_text_append(text, "No validated point is slower than native beyond its confidence interval.\n");
    for (size_t i = 0; i < slower && i < SLOWEST_SHOWN; i++) {
        const struct ct_validation_point *point = points[i];
        ct_text_append(text, "%s", i == 0 ? "Slower than native: " : ", ");
        ct_validation_name(point, text);
        ct_text_append(text, " %.2f%s", ct_validation_speed_up(point), ct_validation_remark(point));
    }
    if (slower > SLOWEST_SHOWN)
        ct_text_append(text, ", and %zu more", slower - SLOWEST_SHOWN);
    ct_text_append(text, slower > 0 ? "\n" : "");
    free(points);
}

void ct_gains_tell(const struct ct_validation *validation, const struct ct_sweep_grid *grid, size_t cpus,
                   struct ct_text *text)
{
    if (validation->count > 0) {
        ct_text_append(text, "Tuned against native, geometric means (least to most):\n");
        tell_all_modes(validation, cpus, text);
        tell_slowest(validation, text);
    }
    ct_text_append(text, "Measured: %zu of %zu cell%s (%.0f %%).\n", grid->cells_done, grid->cell_count,
                   ct_s(grid->cell_count), 100 * (double)grid->cells_done / (double)grid->cell_count);
}
