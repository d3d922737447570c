/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/validation_points.h"
#include "base/memory.h"
#include "base/sort.h"
#include "samples/element.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A point and its order among those from which some are taken. */
struct candidate {
    struct ct_validation_cell cell;
    size_t subject; /* number */
    bool oversubscribed;
    double turn;
};

static int compare_turns(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    return CT_COMPARE(left->turn, right->turn);
}

/* Oversubscribed points come last, in turn: if time runs out, those that were taken still cover all sizes. */
static int compare_places(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    int order = CT_COMPARE(left->oversubscribed, right->oversubscribed);
    if (order == 0 && left->oversubscribed)
        return compare_turns(a, b);
    if (order == 0)
        order = CT_COMPARE(left->cell.key.comm_size, right->cell.key.comm_size);
    if (order == 0)
        order = CT_COMPARE(left->cell.key.msg_bytes, right->cell.key.msg_bytes);
    if (order == 0)
        order = CT_COMPARE(left->cell.collective, right->cell.collective);
    if (order == 0)
        order = CT_COMPARE(left->cell.key.root, right->cell.key.root);
    return order != 0 ? order : CT_COMPARE(left->cell.key.pattern, right->cell.key.pattern);
}

/* A collective, with a pattern if it is sparse, and a root if it has one. */
struct subject {
    enum ct_collective collective;
    const char *pattern;
    size_t root;
};

/* The point (p, m, c) of the grid in a lattice that fills the unit interval evenly along each of the three:
 * powers of the root of x^4 = x + 1, by which Roberts (2018) generalises the golden ratio to three
 * dimensions. */
static double turn_of(size_t p, size_t m, size_t c)
{
    double sum =
        0.8191725133961645 * (double)p + 0.6710436067037893 * (double)m + 0.5497004779019703 * (double)c;
    return sum - floor(sum);
}

static bool is_first(const struct ct_validation_grid *grid, const struct ct_validation_cell *cell)
{
    for (size_t i = 0; i < grid->first_count; i++)
        if (grid->first[i].collective == cell->collective &&
            grid->first[i].key.comm_size == cell->key.comm_size &&
            grid->first[i].key.msg_bytes == cell->key.msg_bytes &&
            grid->first[i].key.root == cell->key.root && grid->first[i].key.pattern == cell->key.pattern)
            return true;
    return false;
}

/* The caller frees; NULL without memory. */
static struct subject *find_subjects(const struct ct_validation_grid *grid, size_t *ret_count)
{
    const size_t most = grid->pattern_count > grid->root_count ? grid->pattern_count : grid->root_count;
    struct subject *subjects = ct_allocate((grid->collective_count + 1) * (most + 1), sizeof *subjects);
    size_t count = 0;
    for (size_t c = 0; subjects && c < grid->collective_count; c++) {
        const enum ct_collective collective = grid->collectives[c];
        const bool is_sparse = ct_collectives[collective].is_sparse;
        const bool has_roots = ct_collectives[collective].has_root && grid->root_count > 0;
        if (!is_sparse && !has_roots)
            subjects[count++] = (struct subject){collective, NULL, 0};
        for (size_t i = 0; has_roots && i < grid->root_count; i++)
            subjects[count++] = (struct subject){collective, NULL, grid->roots[i]};
        for (size_t i = 0; is_sparse && i < grid->pattern_count; i++)
            subjects[count++] = (struct subject){collective, grid->patterns[i], 0};
    }
    *ret_count = count;
    return subjects;
}

/* Adds the points of the p-th communicator size and the c-th subject, if its root is there. */
static void add_candidates(const struct ct_validation_grid *grid, size_t p, size_t c,
                           const struct subject *subject, struct candidate *candidates, size_t *count)
{
    const bool has_size = ct_collectives[subject->collective].has_size;
    if (subject->root >= grid->comm_sizes[p])
        return;
    for (size_t m = 0; m < (has_size ? grid->msg_size_count : 1); m++) {
        const size_t bytes = has_size ? grid->msg_sizes[m] : 0, ranks = grid->comm_sizes[p];
        const struct ct_validation_cell cell = {
            .collective = subject->collective,
            .key = {.comm_size = (uint32_t)ranks,
                    .msg_bytes = bytes,
                    .root = (uint32_t)subject->root,
                    .pattern = subject->pattern ? ct_pattern_id(subject->pattern) : 0},
            .pattern = subject->pattern};
        if (!has_size || ct_has_elements(subject->collective, bytes))
            candidates[(*count)++] =
                (struct candidate){.cell = cell,
                                   .subject = c,
                                   .oversubscribed = ranks > grid->cpus,
                                   .turn = turn_of(p, m, c) - (is_first(grid, &cell) ? 2 : 0)};
    }
}

/* The first points of each subject, with and without oversubscription, go before all others: no collective is
 * left out because it has few points. */
static int put_first(struct candidate *candidates, size_t count, size_t subject_count)
{
    struct candidate **first = ct_allocate(2 * subject_count + 1, sizeof *first);
    if (!first)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        struct candidate **place = &first[2 * candidates[i].subject + candidates[i].oversubscribed];
        if (!*place || candidates[i].turn < (*place)->turn)
            *place = &candidates[i];
    }
    for (size_t i = 0; i < 2 * subject_count; i++)
        if (first[i] && first[i]->turn >= 0)
            first[i]->turn -= 1;
    free(first);
    return CT_OK;
}

int ct_validation_points(const struct ct_validation_grid *grid, struct ct_error *error,
                         struct ct_validation_cell **ret_points, size_t *ret_count)
{
    assert(grid->modes > 0);
    const size_t modes = (size_t)__builtin_popcount(grid->modes), most = grid->most / modes;
    size_t room, rooms, subject_count, count = 0, placed = 0;
    struct subject *subjects = find_subjects(grid, &subject_count);
    struct candidate *candidates = NULL;
    struct ct_validation_cell *points = NULL;
    int status = CT_E_MEMORY;
    if (!subjects || !ct_multiply(subject_count, grid->comm_size_count, &room) ||
        !ct_multiply(room, grid->msg_size_count, &room) || !ct_multiply(room, modes, &rooms))
        goto done;
    candidates = ct_allocate(room + 1, sizeof *candidates);
    points = ct_allocate(rooms + 1, sizeof *points);
    status = candidates && points ? CT_OK : CT_E_MEMORY;
    if (status != CT_OK)
        goto done;
    for (size_t p = 0; p < grid->comm_size_count; p++)
        for (size_t c = 0; c < subject_count; c++)
            add_candidates(grid, p, c, &subjects[c], candidates, &count);
    if (count == 0) {
        status = ct_fail(error, CT_E_INPUT, "no point to validate: %s", ct_uneven_text);
        goto done;
    }
    if ((status = put_first(candidates, count, subject_count)) != CT_OK)
        goto done;
    qsort(candidates, count, sizeof *candidates, compare_turns);
    count = count < most ? count : most > 0 ? most : 1;
    qsort(candidates, count, sizeof *candidates, compare_places);
    for (uint32_t mode = 0; mode < CT_MODES; mode++)
        for (size_t i = 0; grid->modes & 1U << mode && i < count; i++) {
            points[placed] = candidates[i].cell;
            points[placed++].key.mode = mode;
        }
    *ret_points = points;
    *ret_count = placed;
    points = NULL;
done:
    free(subjects);
    free(candidates);
    free(points);
    return status;
}
