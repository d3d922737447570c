/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/pieces.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The saving in loss that justifies a further piece. For pure noise, one more line saves about 2, and
 * choosing the best of many places for it saves log(count) more. The rest makes pieces that fit noise rare.
 */
static double price(size_t count)
{
    const double rarity = 6;
    return rarity + 1.5 * log((double)count);
}

static bool may_begin(const struct ct_fit_point *points, size_t first, const struct ct_piece_rules *rules)
{
    if (first == 0 || !rules)
        return true;
    for (size_t i = 0; i < rules->start_count; i++)
        if (points[first - 1].bytes < (double)rules->starts[i] &&
            points[first].bytes >= (double)rules->starts[i])
            return true;
    return false;
}

void ct_pieces_find(const struct ct_fit_point *points, size_t count, const struct ct_piece_rules *rules,
                    struct ct_pieces *ret_pieces)
{
    const size_t shortest = rules ? rules->least : 0;
    double least[CT_SIZES_MAX + 1] = {0}; /* by the number of points covered */
    size_t begin[CT_SIZES_MAX + 1] = {0}; /* of the last piece then */
    for (size_t end = 1; end <= count; end++) {
        least[end] = INFINITY;
        for (size_t first = end; first-- > 0;) {
            struct ct_line line;
            if (!may_begin(points, first, rules) || end - first < shortest)
                continue;
            double loss = ct_line_fit_known(points + first, end - first, &line);
            double sum = least[first] + loss + price(count);
            if (sum < least[end]) {
                least[end] = sum;
                begin[end] = first;
            }
        }
    }
    size_t pieces = 0;
    for (size_t end = count; end > 0; end = begin[end])
        pieces++;
    ret_pieces->count = pieces;
    ret_pieces->first[pieces] = count;
    for (size_t end = count; end > 0; end = begin[end])
        ret_pieces->first[--pieces] = begin[end];
}

struct corner {
    struct ct_curve_point point;
    double error; /* relative */
    bool begins;  /* it begins a piece that is significantly below the previous one */
};

static size_t make_corners(const struct ct_fit_point *points, const struct ct_pieces *pieces,
                           struct corner *corners)
{
    const double sure = 4; /* standard errors */
    size_t count = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        size_t first = pieces->first[i], last = pieces->first[i + 1] - 1;
        struct ct_line line;
        ct_line_fit_known(points + first, last - first + 1, &line);
        for (size_t k = first; k <= last; k = k == first && last > first ? last : last + 1) {
            double seconds = fmax(ct_line_at(&line, points[k].bytes), 0);
            corners[count] = (struct corner){{points[k].bytes, seconds}, points[k].error, false};
            if (k == first && count > 0) {
                const struct corner *before = &corners[count - 1];
                double fall = before->point.seconds - seconds;
                corners[count].begins =
                    fall > sure * hypot(before->error * before->point.seconds, points[k].error * seconds);
            }
            count++;
        }
    }
    return count;
}

/* Replaces falling neighbours by their mean until none falls (isotonic regression, Ayer et al. 1955). */
static void level_falls(struct corner *corners, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        size_t first = i, members = 1;
        double sum = corners[i].point.seconds;
        while (first > 0 && !corners[first].begins &&
               corners[first - 1].point.seconds > sum / (double)members) {
            sum += corners[--first].point.seconds;
            members++;
        }
        for (size_t k = first; members > 1 && k <= i; k++)
            corners[k].point.seconds = sum / (double)members;
    }
}

int ct_pieces_curve(const struct ct_fit_point *points, const struct ct_pieces *pieces,
                    struct ct_curve *ret_curve)
{
    struct corner *corners = ct_allocate(2 * pieces->count, sizeof *corners);
    struct ct_curve_point *made = ct_allocate(2 * pieces->count, sizeof *made);
    int status = corners && made ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        size_t count = make_corners(points, pieces, corners);
        level_falls(corners, count);
        for (size_t i = 0; i < count; i++)
            made[i] = corners[i].point;
        status = ct_curve_make(made, count, NULL, ret_curve);
    }
    free(corners);
    free(made);
    return status;
}
