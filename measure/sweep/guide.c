/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/guide.h"
#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const struct ct_guide_rules ct_guide_standard = {
    .coarse = 4, .few_rows = 8, .trust = 0.25, .margin = 0.05, .near = 1.3, .hopeless = 4, .others = 1};

int ct_guide_plane_make(size_t rows, size_t columns, size_t methods, struct ct_guide_plane *ret_plane)
{
    size_t points, slots;
    if (!ct_multiply(rows, columns, &points) || !ct_multiply(points, methods, &slots))
        return CT_E_LIMIT;
    struct ct_guide_plane plane = {
        .rows = rows,
        .columns = columns,
        .methods = methods,
        .applies = ct_allocate(slots, sizeof *plane.applies),
        .measured = ct_allocate(points, sizeof *plane.measured),
        .seconds = ct_allocate(slots, sizeof *plane.seconds),
        .prior = ct_allocate(slots, sizeof *plane.prior),
        .kept = ct_allocate(methods, sizeof *plane.kept),
    };
    if (!plane.applies || !plane.measured || !plane.seconds || !plane.prior || !plane.kept) {
        ct_guide_plane_free(&plane);
        return CT_E_MEMORY;
    }
    *ret_plane = plane;
    return CT_OK;
}

void ct_guide_plane_free(struct ct_guide_plane *plane)
{
    free(plane->applies);
    free(plane->measured);
    free(plane->seconds);
    free(plane->prior);
    free(plane->kept);
    *plane = (struct ct_guide_plane){0};
}

void ct_guide_round_free(struct ct_guide_round *round)
{
    free(round->points);
    free(round->slots);
    *round = (struct ct_guide_round){0};
}

enum { ROW, COLUMN, SIDES };

/* Between measured corners: [side][0] is the lower end, [side][1] the upper one. */
struct box {
    size_t end[SIDES][2];
};

struct boxes {
    struct box *data;
    size_t count;
    size_t capacity;
};

struct guide {
    const struct ct_guide_plane *plane;
    const struct ct_guide_rules *rules;
    size_t length[SIDES];
    struct ct_guide_round round;
    struct boxes boxes;
    bool *cell;   /* by point: there is something to measure */
    bool *known;  /* by point: of a round before this one */
    double *best; /* by point: least median; INFINITY where there is none */
};

/* --- what the measurements say --- */

/* The shortest of the methods' times; INFINITY if there is none. */
static double least(const double *seconds, size_t methods)
{
    double best = INFINITY;
    for (size_t m = 0; m < methods; m++)
        if (seconds[m] > 0 && seconds[m] < best)
            best = seconds[m];
    return best;
}

/* t / t(best) at a point; INFINITY if the method was not measured. */
static double ratio(const struct guide *guide, size_t point, size_t method)
{
    double seconds = guide->plane->seconds[point * guide->plane->methods + method];
    return seconds > 0 ? seconds / guide->best[point] : INFINITY;
}

/* The loss of the method that suits both points best, at the point where it loses more. A point where all
 * methods failed is ignored; if one of the two is no cell, they differ as much as possible. */
static double gap(const struct guide *guide, size_t a, size_t b)
{
    if (guide->cell[a] != guide->cell[b])
        return INFINITY;
    if (!guide->cell[a] || !isfinite(guide->best[a]) || !isfinite(guide->best[b]))
        return 0;
    double least_loss = INFINITY;
    for (size_t m = 0; m < guide->plane->methods; m++)
        least_loss = fmin(least_loss, fmax(ratio(guide, a, m), ratio(guide, b, m)) - 1);
    return least_loss;
}

/* --- which methods --- */

static bool is_candidate(const struct guide *guide, const size_t ends[2], size_t method)
{
    const struct ct_guide_rules *rules = guide->rules;
    size_t known = 0;
    double nearest = INFINITY, product = 1;
    for (int i = 0; i < 2; i++) {
        if (!guide->plane->applies[ends[i] * guide->plane->methods + method] ||
            !isfinite(guide->best[ends[i]]))
            continue;
        double here = ratio(guide, ends[i], method);
        nearest = fmin(nearest, here);
        product *= here;
        known++;
    }
    if (known < 2)
        return known == 0 || nearest <= rules->near;
    return nearest <= 1 + rules->margin || product <= rules->near * rules->near;
}

bool ct_guide_is_hopeful(const struct ct_guide_plane *plane, const struct ct_guide_rules *rules, size_t point,
                         size_t method)
{
    const double *prior = plane->prior + point * plane->methods;
    double best = least(prior, plane->methods);
    return !(prior[method] > 0) || prior[method] <= rules->hopeless * best;
}

/* Adds the point to the round, with the candidates between `ends`, or if that is NULL, with all hopeful
 * methods. */
static void want(struct guide *guide, size_t point, const size_t *ends)
{
    const struct ct_guide_plane *plane = guide->plane;
    if (guide->known[point] || !guide->cell[point])
        return;
    guide->round.left += !guide->round.points[point] && !plane->measured[point];
    guide->round.points[point] = true;
    for (size_t m = 0; m < plane->methods; m++) {
        size_t slot = point * plane->methods + m;
        if (plane->applies[slot] &&
            (plane->kept[m] ||
             (ends ? is_candidate(guide, ends, m) : ct_guide_is_hopeful(plane, guide->rules, point, m))))
            guide->round.slots[slot] = true;
    }
}

void ct_guide_add_others(const struct ct_guide_plane *plane, const struct ct_guide_rules *rules, size_t point,
                         bool *all_slots)
{
    const bool *applies = plane->applies + point * plane->methods;
    bool *slots = all_slots + point * plane->methods;
    for (size_t i = 0; i < rules->others; i++) {
        size_t out = 0;
        for (size_t m = 0; m < plane->methods; m++)
            out += applies[m] && !slots[m];
        if (out == 0)
            return;
        size_t turn = (size_t)((uint32_t)(point + 1) * 2654435761u >> 8) % out, m = 0;
        while (!applies[m] || slots[m] || turn-- > 0)
            m++;
        slots[m] = true;
    }
}

/* --- boxes --- */

static int add_box(struct boxes *boxes, const struct box *box)
{
    int status = ct_grow(&boxes->data, &boxes->capacity, boxes->count + 1, sizeof *boxes->data);
    if (status == CT_OK)
        boxes->data[boxes->count++] = *box;
    return status;
}

/* The point at a place along a side and a place across it. */
static size_t point_along(const struct guide *guide, int side, size_t along, size_t across)
{
    size_t row = side == ROW ? along : across, column = side == ROW ? across : along;
    return row * guide->plane->columns + column;
}

/* The larger gap of the two edges that run along a side. */
static double disagreement(const struct guide *guide, const struct box *box, int side)
{
    const size_t *ends = box->end[side];
    double largest = 0;
    for (int i = 0; i < 2; i++) {
        size_t across = box->end[1 - side][i];
        largest = fmax(largest, gap(guide, point_along(guide, side, ends[0], across),
                                    point_along(guide, side, ends[1], across)));
    }
    return largest;
}

/* The need to halve the box along a side, 0 if there is none; disagreement counts more than width. */
static double need(const struct guide *guide, const struct box *box, int side)
{
    size_t width = box->end[side][1] - box->end[side][0];
    if (width < 2)
        return 0;
    if (side == ROW && guide->length[ROW] <= guide->rules->few_rows)
        return HUGE_VAL;
    double difference = disagreement(guide, box, side);
    double part = (double)width / (double)guide->length[side];
    if (difference > guide->rules->margin)
        return 1 + difference;
    return part > guide->rules->trust ? part : 0;
}

/* Halves the box, and adds the two points of the cut to the round. */
static int halve(struct guide *guide, const struct box *box, int side, struct boxes *parts)
{
    size_t middle = box->end[side][0] + (box->end[side][1] - box->end[side][0]) / 2;
    for (int i = 0; i < 2; i++) {
        size_t across = box->end[1 - side][i];
        const size_t ends[] = {point_along(guide, side, box->end[side][0], across),
                               point_along(guide, side, box->end[side][1], across)};
        want(guide, point_along(guide, side, middle, across), ends);
    }
    struct box low = *box, high = *box;
    low.end[side][1] = high.end[side][0] = middle;
    int status = add_box(parts, &low);
    return status == CT_OK ? add_box(parts, &high) : status;
}

/* --- rounds --- */

/* The position of line `i` of the coarse grid's `lines`. */
static size_t line_at(size_t i, size_t lines, size_t length)
{
    return lines < 2 ? 0 : (i * (length - 1) + (lines - 1) / 2) / (lines - 1);
}

static int begin(struct guide *guide)
{
    size_t lines[SIDES], count[SIDES];
    for (int side = 0; side < SIDES; side++) {
        size_t length = guide->length[side];
        lines[side] = guide->rules->coarse < length ? guide->rules->coarse : length;
        count[side] = lines[side] > 1 ? lines[side] - 1 : 1; /* one line: boxes of no width */
    }
    for (size_t i = 0; i < count[ROW] * count[COLUMN]; i++) {
        const size_t at[SIDES] = {i / count[COLUMN], i % count[COLUMN]};
        struct box box;
        for (int side = 0; side < SIDES; side++)
            for (size_t k = 0; k < 2; k++)
                box.end[side][k] = line_at(at[side] + k, lines[side], guide->length[side]);
        for (size_t corner = 0; corner < 4; corner++)
            want(guide, point_along(guide, ROW, box.end[ROW][corner / 2], box.end[COLUMN][corner % 2]), NULL);
        int status = add_box(&guide->boxes, &box);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* Goes from a round that is measured to the next. */
static int refine(struct guide *guide)
{
    size_t points = guide->plane->rows * guide->plane->columns;
    struct boxes parts = {0};
    for (size_t p = 0; p < points; p++)
        guide->known[p] |= guide->round.points[p];
    memset(guide->round.points, 0, points * sizeof *guide->round.points);
    memset(guide->round.slots, 0, points * guide->plane->methods * sizeof *guide->round.slots);
    guide->round.number++;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < guide->boxes.count; i++) {
        const struct box *box = &guide->boxes.data[i];
        double of_rows = need(guide, box, ROW), of_columns = need(guide, box, COLUMN);
        if (of_rows > 0 || of_columns > 0)
            status = halve(guide, box, of_rows >= of_columns ? ROW : COLUMN, &parts);
    }
    free(guide->boxes.data);
    guide->boxes = parts;
    return status;
}

int ct_guide_next(const struct ct_guide_plane *plane, const struct ct_guide_rules *rules,
                  struct ct_guide_round *ret_round)
{
    assert(rules->coarse >= 2 && plane->rows > 0 && plane->columns > 0);
    size_t points = plane->rows * plane->columns;
    struct guide guide = {
        .plane = plane,
        .rules = rules,
        .length = {[ROW] = plane->rows, [COLUMN] = plane->columns},
        .round = {.points = ct_allocate(points, sizeof *guide.round.points),
                  .slots = ct_allocate(points * plane->methods, sizeof *guide.round.slots)},
        .cell = ct_allocate(points, sizeof *guide.cell),
        .known = ct_allocate(points, sizeof *guide.known),
        .best = ct_allocate(points, sizeof *guide.best),
    };
    int status = CT_E_MEMORY;
    if (!guide.round.points || !guide.round.slots || !guide.cell || !guide.known || !guide.best)
        goto done;
    for (size_t p = 0; p < points; p++) {
        guide.best[p] = least(plane->seconds + p * plane->methods, plane->methods);
        for (size_t m = 0; m < plane->methods; m++)
            guide.cell[p] |= plane->applies[p * plane->methods + m];
    }
    /* all rounds up to the first that is not completely measured */
    status = begin(&guide);
    while (status == CT_OK && guide.round.left == 0 && guide.boxes.count > 0)
        status = refine(&guide);
    for (size_t p = 0; status == CT_OK && p < points; p++)
        if (guide.round.points[p])
            ct_guide_add_others(plane, rules, p, guide.round.slots);
done:
    free(guide.boxes.data);
    free(guide.cell);
    free(guide.known);
    free(guide.best);
    if (status == CT_OK)
        *ret_round = guide.round;
    else
        ct_guide_round_free(&guide.round);
    return status;
}
