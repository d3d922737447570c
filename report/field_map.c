/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/field_map.h"
#include "base/memory.h"
#include "report/colours.h"
#include "report/markup.h"

#include <math.h>
#include <stdlib.h>

/* Sizes in pixels where the page is wide enough; a narrower one scales the picture down. */
enum { WIDTH = 620, LEFT = 48, RIGHT = 4, ABOVE = 4, BELOW = 40, LETTER = 12 };

/* A map while it is drawn. */
struct drawing {
    const struct ct_field_map *map;
    const struct ct_grid *grid;
    size_t *fields; /* class by position in the grid */
    double width;   /* of a field */
    double height;
    struct ct_text *html;
};

static void add_rectangle(const struct drawing *drawing, size_t x, size_t end, size_t y)
{
    /* communicator sizes grow upwards */
    ct_text_append(drawing->html, "<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\"",
                   LEFT + (double)x * drawing->width,
                   ABOVE + (double)(drawing->grid->y_count - 1 - y) * drawing->height,
                   (double)(end - x) * drawing->width, drawing->height);
}

/* Text whose middle is the middle of a field. */
static void add_text(const struct drawing *drawing, size_t x, size_t y, uint32_t background)
{
    const double baseline = 4;
    ct_text_append(drawing->html, "<text x=\"%.5g\" y=\"%.5g\" fill=\"%s\">",
                   LEFT + ((double)x + 0.5) * drawing->width,
                   ABOVE + ((double)(drawing->grid->y_count - 1 - y) + 0.5) * drawing->height + baseline,
                   ct_colour_is_light(background) ? "#1a1a1a" : "#fff");
}

/* --- fields --- */

/* The field after the last one that is drawn together with this one. */
static size_t end_of(const struct drawing *drawing, size_t y, size_t x)
{
    const size_t *row = drawing->fields + y * drawing->grid->x_count;
    size_t end = x + 1;
    while (!drawing->map->describe && end < drawing->grid->x_count && row[end] == row[x])
        end++;
    return end;
}

static void add_class(const struct drawing *drawing, size_t number)
{
    const struct ct_grid *grid = drawing->grid;
    const struct ct_class *class = &drawing->map->classes[number];
    char colour[CT_NUMBER_TEXT];
    ct_text_append(drawing->html, "<g fill=\"%s\">\n", ct_colour_text(class->colour, colour));
    for (size_t y = 0; y < grid->y_count; y++) {
        for (size_t x = 0, end; x < grid->x_count; x = end) {
            end = end_of(drawing, y, x);
            if (drawing->fields[y * grid->x_count + x] != number)
                continue;
            add_rectangle(drawing, x, end, y);
            ct_text_append(drawing->html, "><title>");
            if (drawing->map->describe)
                drawing->map->describe(drawing->map->context, grid->at[y * grid->x_count + x], drawing->html);
            else
                ct_html_text(drawing->html, class->text);
            ct_text_append(drawing->html, "</title></rect>\n");
        }
    }
    ct_text_append(drawing->html, "</g>\n");
}

static bool is_hatched(const struct drawing *drawing, size_t at)
{
    return drawing->fields[at] != SIZE_MAX && drawing->grid->at[at] >= drawing->map->measured;
}

static void hatch(const struct drawing *drawing)
{
    const struct ct_grid *grid = drawing->grid;
    for (size_t y = 0; y < grid->y_count; y++) {
        const size_t row = y * grid->x_count;
        for (size_t x = 0; x < grid->x_count;) {
            size_t end = x;
            while (end < grid->x_count && is_hatched(drawing, row + end))
                end++;
            if (end > x) {
                add_rectangle(drawing, x, end, y);
                ct_text_append(drawing->html, " class=\"hatch\"/>\n");
            }
            x = end > x ? end : x + 1;
        }
    }
}

static void add_factors(const struct drawing *drawing)
{
    const double least_width = 29, least_height = 12;
    char number[CT_NUMBER_TEXT];
    const struct ct_grid *grid = drawing->grid;
    if (drawing->width < least_width || drawing->height < least_height)
        return;
    for (size_t i = 0; i < grid->x_count * grid->y_count; i++) {
        if (drawing->fields[i] == SIZE_MAX)
            continue;
        add_text(drawing, i % grid->x_count, i / grid->x_count,
                 drawing->map->classes[drawing->fields[i]].colour);
        ct_text_append(drawing->html, "%s</text>\n",
                       ct_factor_text(drawing->map->factors[grid->at[i]], number));
    }
}

/* --- letters --- */

/* Fields of one class that touch, and where their letter goes. */
struct region {
    size_t count;
    double x, y; /* sums, for the middle */
};

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

static int add_letters(const struct drawing *drawing)
{
    const size_t small_map = 160, least_region = 4, low_region = 12;
    const struct ct_grid *grid = drawing->grid;
    size_t area = grid->x_count * grid->y_count, number = 0;
    size_t *numbers = ct_allocate(area + 1, sizeof *numbers);
    size_t *stack = ct_allocate(area + 1, sizeof *stack);
    int status = numbers && stack ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < area; i++) {
        if (drawing->fields[i] == SIZE_MAX || numbers[i])
            continue;
        struct region region = flood(grid, drawing->fields, i, ++number, numbers, stack);
        const struct ct_class *class = &drawing->map->classes[drawing->fields[i]];
        if (!class->letter || (area > small_map && region.count < least_region) ||
            (drawing->height < LETTER && region.count < low_region))
            continue;
        size_t at = middle_field(grid, numbers, number, &region);
        add_text(drawing, at % grid->x_count, at / grid->x_count, class->colour);
        ct_text_append(drawing->html, "%c</text>\n", class->letter);
    }
    free(numbers);
    free(stack);
    return status;
}

/* --- the whole --- */

static void add_axes(const struct drawing *drawing)
{
    const double least_width = 36, least_height = 13, baseline = 4;
    const struct ct_grid *grid = drawing->grid;
    const size_t x_step = (size_t)ceil(least_width / drawing->width);
    const size_t y_step = (size_t)ceil(least_height / drawing->height);
    const double bottom = ABOVE + (double)grid->y_count * drawing->height;
    ct_text_append(drawing->html, "<g class=\"axis\">\n");
    for (size_t x = 0; x < grid->x_count; x += x_step) {
        char size[CT_SIZE_TEXT];
        ct_text_append(drawing->html, "<text x=\"%.5g\" y=\"%.5g\">%s</text>\n",
                       LEFT + ((double)x + 0.5) * drawing->width, bottom + 14, ct_grid_x_text(grid, x, size));
    }
    for (size_t y = 0; grid->has_size && y < grid->y_count; y += y_step)
        ct_text_append(drawing->html, "<text class=\"y\" x=\"%d\" y=\"%.5g\">%zu</text>\n", LEFT - 6,
                       bottom - ((double)y + 0.5) * drawing->height + baseline, grid->y[y]);
    if (grid->has_size)
        ct_text_append(drawing->html, "<text transform=\"translate(11 %.5g) rotate(-90)\">ranks</text>\n",
                       (ABOVE + bottom) / 2);
    ct_text_append(drawing->html, "<text class=\"x\" x=\"%d\" y=\"%.5g\">%s</text>\n</g>\n", LEFT,
                   bottom + 32, grid->has_size ? "message size (bytes)" : "ranks");
}

static int draw(struct drawing *drawing)
{
    const struct ct_field_map *map = drawing->map;
    const struct ct_grid *grid = drawing->grid;
    const size_t area = grid->x_count * grid->y_count;
    bool *used = ct_allocate(map->class_count + 1, sizeof *used);
    if (!used)
        return CT_E_MEMORY;
    for (size_t i = 0; i < area; i++) {
        drawing->fields[i] = grid->at[i] == SIZE_MAX ? SIZE_MAX : map->class_of[grid->at[i]];
        if (drawing->fields[i] != SIZE_MAX)
            used[drawing->fields[i]] = true;
    }
    for (size_t i = 0; i < map->class_count; i++)
        if (used[i])
            add_class(drawing, i);
    free(used);
    hatch(drawing);
    if (map->factors)
        add_factors(drawing);
    add_axes(drawing);
    return add_letters(drawing);
}

/* Whole pixels, if there are enough of them: they look sharper and are shorter to write. */
static double whole(double pixels)
{
    const double enough = 4;
    return pixels >= enough ? floor(pixels) : pixels;
}

void ct_field_map_add(const struct ct_field_map *map, struct ct_page *page)
{
    const double widest = 56, highest = 24, all_rows = 260, least_height = 4;
    const struct ct_grid *grid = map->grid;
    struct drawing drawing = {
        .map = map,
        .grid = grid,
        .fields = ct_allocate(grid->x_count * grid->y_count + 1, sizeof *drawing.fields),
        .width = whole(fmin(widest, (WIDTH - LEFT - RIGHT) / fmax(1, (double)grid->x_count))),
        .height = whole(fmin(highest, fmax(least_height, all_rows / fmax(1, (double)grid->y_count)))),
        .html = &page->html};
    double width = LEFT + RIGHT + drawing.width * (double)grid->x_count;
    double height = ABOVE + BELOW + drawing.height * (double)grid->y_count;
    ct_text_append(&page->html,
                   "<svg class=\"map\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" style=\"max-width:%.0fpx\" "
                   "aria-label=\"",
                   width, height, width);
    ct_html_text(&page->html, map->label);
    ct_text_append(&page->html, "\">\n");
    ct_page_note(page, drawing.fields ? draw(&drawing) : CT_E_MEMORY);
    ct_text_append(&page->html, "</svg>\n");
    free(drawing.fields);
}

void ct_field_hatch_add(struct ct_page *page)
{
    ct_text_append(&page->html,
                   "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>"
                   "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
                   "patternTransform=\"rotate(45)\"><rect width=\"2.4\" height=\"6\"/></pattern></defs>"
                   "</svg>\n");
}
