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

int ct_guide_space_make(size_t layers, size_t rows, size_t columns, size_t methods,
                        struct ct_guide_space *ret_space)
{
    size_t lines, points, slots;
    if (!ct_multiply(layers, rows, &lines) || !ct_multiply(lines, columns, &points) ||
        !ct_multiply(points, methods, &slots))
        return CT_E_LIMIT;
    struct ct_guide_space space = {
        .layers = layers,
        .rows = rows,
        .columns = columns,
        .points = points,
        .methods = methods,
        .applies = ct_allocate(slots, sizeof *space.applies),
        .measured = ct_allocate(points, sizeof *space.measured),
        .seconds = ct_allocate(slots, sizeof *space.seconds),
        .prior = ct_allocate(slots, sizeof *space.prior),
        .kept = ct_allocate(methods, sizeof *space.kept),
    };
    if (!space.applies || !space.measured || !space.seconds || !space.prior || !space.kept) {
        ct_guide_space_free(&space);
        return CT_E_MEMORY;
    }
    *ret_space = space;
    return CT_OK;
}

void ct_guide_space_free(struct ct_guide_space *space)
{
    free(space->applies);
    free(space->measured);
    free(space->seconds);
    free(space->prior);
    free(space->kept);
    *space = (struct ct_guide_space){0};
}

void ct_guide_round_free(struct ct_guide_round *round)
{
    free(round->points);
    free(round->slots);
    *round = (struct ct_guide_round){0};
}

enum { LAYER, ROW, COLUMN, SIDES };
enum { CORNERS = 1 << SIDES };

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
    const struct ct_guide_space *space;
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
    double seconds = guide->space->seconds[point * guide->space->methods + method];
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
    for (size_t m = 0; m < guide->space->methods; m++)
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
        if (!guide->space->applies[ends[i] * guide->space->methods + method] ||
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

bool ct_guide_is_hopeful(const struct ct_guide_space *space, const struct ct_guide_rules *rules, size_t point,
                         size_t method)
{
    const double *prior = space->prior + point * space->methods;
    double best = least(prior, space->methods);
    return !(prior[method] > 0) || prior[method] <= rules->hopeless * best;
}

/* Adds the point to the round, with the candidates between `ends`, or if that is NULL, with all hopeful
 * methods. */
static void want(struct guide *guide, size_t point, const size_t *ends)
{
    const struct ct_guide_space *space = guide->space;
    if (guide->known[point] || !guide->cell[point])
        return;
    guide->round.left += !guide->round.points[point] && !space->measured[point];
    guide->round.points[point] = true;
    for (size_t m = 0; m < space->methods; m++) {
        size_t slot = point * space->methods + m;
        if (space->applies[slot] &&
            (space->kept[m] ||
             (ends ? is_candidate(guide, ends, m) : ct_guide_is_hopeful(space, guide->rules, point, m))))
            guide->round.slots[slot] = true;
    }
}

void ct_guide_add_others(const struct ct_guide_space *space, const struct ct_guide_rules *rules, size_t point,
                         bool *all_slots)
{
    const bool *applies = space->applies + point * space->methods;
    bool *slots = all_slots + point * space->methods;
    for (size_t i = 0; i < rules->others; i++) {
        size_t out = 0;
        for (size_t m = 0; m < space->methods; m++)
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

/* A corner of a box: bit `side` of it says which end. */
static size_t point_at(const struct guide *guide, const struct box *box, int corner)
{
    size_t point = 0;
    for (int side = 0; side < SIDES; side++)
        point = point * guide->length[side] + box->end[side][corner >> side & 1];
    return point;
}

/* The largest gap of the edges that run along a side. */
static double disagreement(const struct guide *guide, const struct box *box, int side)
{
    double largest = 0;
    for (int corner = 0; corner < CORNERS; corner++)
        if (!(corner >> side & 1))
            largest = fmax(
                largest, gap(guide, point_at(guide, box, corner), point_at(guide, box, corner | 1 << side)));
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

/* Halves the box, and adds the corners of the cut to the round. */
static int halve(struct guide *guide, const struct box *box, int side, struct boxes *parts)
{
    size_t middle = box->end[side][0] + (box->end[side][1] - box->end[side][0]) / 2;
    struct box low = *box, high = *box;
    low.end[side][1] = high.end[side][0] = middle;
    for (int corner = 0; corner < CORNERS; corner++) {
        const size_t ends[] = {point_at(guide, box, corner), point_at(guide, box, corner | 1 << side)};
        if (!(corner >> side & 1))
            want(guide, point_at(guide, &high, corner), ends);
    }
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
    size_t lines[SIDES], count[SIDES], all = 1;
    for (int side = 0; side < SIDES; side++) {
        size_t length = guide->length[side], most = side == LAYER ? 2 : guide->rules->coarse;
        lines[side] = most < length ? most : length;
        count[side] = lines[side] > 1 ? lines[side] - 1 : 1; /* one line: boxes of no width */
        all *= count[side];
    }
    for (size_t i = 0; i < all; i++) {
        struct box box;
        size_t rest = i;
        for (int side = SIDES - 1; side >= 0; rest /= count[side--])
            for (size_t k = 0; k < 2; k++)
                box.end[side][k] = line_at(rest % count[side] + k, lines[side], guide->length[side]);
        for (int corner = 0; corner < CORNERS; corner++)
            want(guide, point_at(guide, &box, corner), NULL);
        int status = add_box(&guide->boxes, &box);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* Goes from a round that is measured to the next. */
static int refine(struct guide *guide)
{
    size_t points = guide->space->points;
    struct boxes parts = {0};
    for (size_t p = 0; p < points; p++)
        guide->known[p] |= guide->round.points[p];
    memset(guide->round.points, 0, points * sizeof *guide->round.points);
    memset(guide->round.slots, 0, points * guide->space->methods * sizeof *guide->round.slots);
    guide->round.number++;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < guide->boxes.count; i++) {
        const struct box *box = &guide->boxes.data[i];
        double most = 0;
        int where = SIDES;
        for (int side = SIDES - 1; side >= 0; side--) {
            double here = need(guide, box, side);
            if (here > 0 && here >= most) {
                most = here;
                where = side;
            }
        }
        if (where < SIDES)
            status = halve(guide, box, where, &parts);
    }
    free(guide->boxes.data);
    guide->boxes = parts;
    return status;
}

int ct_guide_next(const struct ct_guide_space *space, const struct ct_guide_rules *rules,
                  struct ct_guide_round *ret_round)
{
    assert(rules->coarse >= 2 && space->points > 0);
    size_t points = space->points;
    struct guide guide = {
        .space = space,
        .rules = rules,
        .length = {[LAYER] = space->layers, [ROW] = space->rows, [COLUMN] = space->columns},
        .round = {.points = ct_allocate(points, sizeof *guide.round.points),
                  .slots = ct_allocate(points * space->methods, sizeof *guide.round.slots)},
        .cell = ct_allocate(points, sizeof *guide.cell),
        .known = ct_allocate(points, sizeof *guide.known),
        .best = ct_allocate(points, sizeof *guide.best),
    };
    int status = CT_E_MEMORY;
    if (!guide.round.points || !guide.round.slots || !guide.cell || !guide.known || !guide.best)
        goto done;
    for (size_t p = 0; p < points; p++) {
        guide.best[p] = least(space->seconds + p * space->methods, space->methods);
        for (size_t m = 0; m < space->methods; m++)
            guide.cell[p] |= space->applies[p * space->methods + m];
    }
    /* all rounds up to the first that is not completely measured */
    status = begin(&guide);
    while (status == CT_OK && guide.round.left == 0 && guide.boxes.count > 0)
        status = refine(&guide);
    for (size_t p = 0; status == CT_OK && p < points; p++)
        if (guide.round.points[p])
            ct_guide_add_others(space, rules, p, guide.round.slots);
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
