/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "report/colours.h"
#include "report/markup.h"
#include "report/picture.h"

#include <stdint.h>
#include <stdlib.h>

/* Fields of one class that touch, and where their letter goes. */
struct region {
    size_t count;
    double x, y; /* sums, for the middle */
};

/* Rectangles of one class: fields of a row that touch are one. */
static void class_data(const struct ct_grid *grid, const size_t *fields, size_t class, struct ct_text *script)
{
    ct_text_append(script, "$class%zu << EOD\n", class);
    for (size_t y = 0; y < grid->y_count; y++) {
        const size_t *row = fields + y * grid->x_count;
        for (size_t x = 0; x < grid->x_count;) {
            size_t end = x;
            while (end < grid->x_count && row[end] == class)
                end++;
            if (end > x)
                ct_text_append(script, "%zu %zu %.1f %.1f %.1f %.1f\n", x, y, (double)x - 0.5,
                               (double)end - 0.5, (double)y - 0.5, (double)y + 0.5);
            x = end > x ? end : x + 1;
        }
    }
    ct_text_append(script, "EOD\n");
}

/* Marks the region around `start` with `number` and adds it up. `stack` has room for every field. */
static struct region flood(const struct ct_grid *grid, const size_t *fields, size_t start, size_t number,
                           size_t *numbers, size_t *stack)
{
    struct region region = {0};
    size_t depth = 0;
    stack[depth++] = start;
    numbers[start] = number;
    while (depth > 0) {
        size_t at = stack[--depth], x = at % grid->x_count, y = at / grid->x_count;
        region.count++;
        region.x += (double)x;
        region.y += (double)y;
        const struct {
            bool there;
            size_t at;
        } neighbours[] = {{x > 0, at - 1},
                          {x + 1 < grid->x_count, at + 1},
                          {y > 0, at - grid->x_count},
                          {y + 1 < grid->y_count, at + grid->x_count}};
        for (size_t i = 0; i < sizeof neighbours / sizeof neighbours[0]; i++) {
            size_t next = neighbours[i].at;
            if (!neighbours[i].there || numbers[next] || fields[next] != fields[start])
                continue;
            numbers[next] = number;
            stack[depth++] = next;
        }
    }
    region.x /= (double)region.count;
    region.y /= (double)region.count;
    return region;
}

/* The field of region `number` that lies nearest to its middle. */
static size_t middle_field(const struct ct_grid *grid, const size_t *numbers, size_t number,
                           const struct region *region)
{
    size_t best = SIZE_MAX;
    double least = 0;
    for (size_t i = 0; i < grid->x_count * grid->y_count; i++) {
        if (numbers[i] != number)
            continue;
        double x = (double)(i % grid->x_count) - region->x, y = (double)(i / grid->x_count) - region->y;
        if (best == SIZE_MAX || x * x + y * y < least) {
            least = x * x + y * y;
            best = i;
        }
    }
    return best;
}

static int letters(const struct ct_grid *grid, const size_t *fields, const struct ct_class *classes,
                   struct ct_text *script)
{
    const size_t small_map = 160, least_region = 4;
    size_t area = grid->x_count * grid->y_count, number = 0;
    size_t *numbers = ct_allocate(area + 1, sizeof *numbers);
    size_t *stack = ct_allocate(area + 1, sizeof *stack);
    if (!numbers || !stack) {
        free(numbers);
        free(stack);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < area; i++) {
        if (fields[i] == SIZE_MAX || numbers[i])
            continue;
        struct region region = flood(grid, fields, i, ++number, numbers, stack);
        const struct ct_class *class = &classes[fields[i]];
        if (!class->letter || (area > small_map && region.count < least_region))
            continue;
        size_t at = middle_field(grid, numbers, number, &region);
        ct_text_append(script, "set label '%c' at %zu,%zu center font 'sans,12' tc rgb '%s' front\n",
                       class->letter, at % grid->x_count, at / grid->x_count,
                       ct_colour_is_light(class->colour) ? "#1a1a1a" : "#ffffff");
    }
    free(numbers);
    free(stack);
    return CT_OK;
}

int ct_map_script(const struct ct_grid *grid, const size_t *fields, const struct ct_class *classes,
                  size_t class_count, struct ct_text *script)
{
    const unsigned height = 400, strip_height = 116;
    const size_t most_labels = 14;
    ct_picture_begin(grid, grid->has_size ? height : strip_height, 0.5, script);
    ct_text_append(script, "set yrange [-0.5:%.1f]\n", (double)grid->y_count - 0.5);
    if (grid->has_size) {
        ct_picture_tics("y", grid->y, grid->y_count, most_labels, false, script);
        ct_text_append(script, "set ylabel 'communicator size (processes)' offset 1,0\n");
    } else {
        ct_text_append(script, "unset ytics\nset border 1\n");
    }
    int status = letters(grid, fields, classes, script);
    if (status != CT_OK)
        return status;
    size_t *counts = ct_allocate(class_count + 1, sizeof *counts);
    if (!counts)
        return CT_E_MEMORY;
    for (size_t i = 0; i < grid->x_count * grid->y_count; i++)
        if (fields[i] != SIZE_MAX)
            counts[fields[i]]++;
    for (size_t i = 0; i < class_count; i++)
        if (counts[i] > 0)
            class_data(grid, fields, i, script);
    ct_text_append(script, "plot ");
    for (size_t i = 0; i < class_count; i++) {
        if (counts[i] == 0)
            continue;
        char colour[CT_NUMBER_TEXT];
        ct_text_append(script, "$class%zu with boxxyerror lc rgb '%s' title ", i,
                       ct_colour_text(classes[i].colour, colour));
        ct_gnuplot_string(script, classes[i].text);
        ct_text_append(script, ", \\\n  ");
    }
    ct_text_append(script, "NaN notitle\n");
    free(counts);
    return CT_OK;
}
