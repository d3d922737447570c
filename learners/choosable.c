/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/choosable.h"
#include "base/memory.h"
#include "decision/score.h"
#include "learners/place.h"

#include <math.h>
#include <stdlib.h>

/* A cell of the map. */
struct known {
    double place[CT_PLACE_AXES];
    bool is_compared; /* several allowed methods were measured */
};

struct ct_choosable {
    const struct ct_map *map;
    const bool *allowed;
    const bool *predicted; /* or NULL */
    size_t native;         /* SIZE_MAX: it is not allowed */
    size_t axes;
    bool cautious;
    bool has_both_waits; /* ranks yield in some of the compared cells, and not in others */
    struct known *cells; /* by cell of the map */
};

/* How ranks wait in a call, as the compared cells tell. */
enum wait { SPINS, YIELDS, UNKNOWN };

/* The compared cells around a call, and the call's own cell; NULL: none. */
struct around {
    struct ct_quarters quarters;
    const struct ct_cell *nearest;
    const struct ct_cell *own;
    bool own_is_compared;
    enum wait wait;
};

static bool is_compared(const struct ct_map *map, const bool *allowed, const struct ct_cell *cell)
{
    size_t measured = 0;
    for (size_t m = 0; m < map->method_count; m++)
        measured += allowed[m] && cell->methods[m].count > 0;
    return measured > 1;
}

int ct_choosable_new(const struct ct_map *map, const bool *allowed, const bool *predicted, bool cautious,
                     struct ct_choosable **ret_choosable)
{
    struct ct_choosable *choosable = ct_allocate(1, sizeof *choosable);
    struct known *cells = ct_allocate(map->cell_count, sizeof *cells);
    if (!choosable || !cells) {
        free(choosable);
        free(cells);
        return CT_E_MEMORY;
    }
    bool has[] = {[SPINS] = false, [YIELDS] = false};
    for (size_t c = 0; c < map->cell_count; c++) {
        cells[c].is_compared = is_compared(map, allowed, &map->cells[c]);
        ct_place_of(&map->cells[c].key, cells[c].place);
        has[map->cells[c].key.yield ? YIELDS : SPINS] |= cells[c].is_compared;
    }
    size_t native = ct_score_native(map);
    *choosable = (struct ct_choosable){.map = map,
                                       .allowed = allowed,
                                       .predicted = predicted,
                                       .native = native != SIZE_MAX && allowed[native] ? native : SIZE_MAX,
                                       .axes = ct_place_axes(map),
                                       .cautious = cautious && !map->exact,
                                       .has_both_waits = has[SPINS] && has[YIELDS],
                                       .cells = cells};
    *ret_choosable = choosable;
    return CT_OK;
}

void ct_choosable_free(struct ct_choosable *choosable)
{
    if (!choosable)
        return;
    free(choosable->cells);
    free(choosable);
}

/* Ranks that share CPUs yield: more ranks on a node than some that yield do so, too, and fewer than some that
 * do not, do not. */
static enum wait wait_of(const struct ct_choosable *choosable, const struct ct_cell_key *key)
{
    const struct ct_map *map = choosable->map;
    bool yields = false, spins = false;
    for (size_t c = 0; choosable->has_both_waits && c < map->cell_count; c++) {
        const struct ct_cell_key *known = &map->cells[c].key;
        yields |= known->yield && known->comm_size <= key->comm_size && known->ppn <= key->ppn;
        spins |= !known->yield && known->comm_size >= key->comm_size && known->ppn >= key->ppn;
    }
    return yields == spins ? UNKNOWN : yields ? YIELDS : SPINS;
}

static struct around find_around(const struct ct_choosable *choosable, const struct ct_cell_key *key)
{
    const struct ct_map *map = choosable->map;
    struct around around = {.wait = wait_of(choosable, key)};
    double least = INFINITY, place[CT_PLACE_AXES], way[CT_PLACE_AXES];
    ct_place_of(key, place);
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct known *known = &choosable->cells[c];
        const double square = ct_place_way(place, known->place, choosable->axes, way);
        if (square <= 0 && ct_cell_key_compare(&map->cells[c].key, key) == 0) {
            around.own = &map->cells[c];
            around.own_is_compared = known->is_compared;
            continue;
        }
        if (!known->is_compared)
            continue;
        ct_quarters_take(&around.quarters, &map->cells[c], way, square);
        if (square < least) {
            least = square;
            around.nearest = &map->cells[c];
        }
    }
    return around;
}

/* How native waits is the MPI library's: where ranks share CPUs it may take a thousand times as long as where
 * they do not, so that a cell of the one kind tells nothing of native in calls of the other. */
static bool tells_of(const struct ct_choosable *choosable, const struct around *around,
                     const struct ct_cell *near, size_t method)
{
    const enum wait wait = near->key.yield ? YIELDS : SPINS;
    return method != choosable->native || around->wait == UNKNOWN || around->wait == wait;
}

/* Do the nearest cells that measured native all say that it is far from the best? */
static bool native_is_contradicted(const struct ct_choosable *choosable, const struct around *around)
{
    bool any = false;
    for (int q = 0; q < CT_QUARTERS; q++) {
        const struct ct_cell *near = around->quarters.nearest[q];
        if (!near || near->methods[choosable->native].count == 0)
            continue;
        if (ct_cell_penalty(near, choosable->native) <= CT_CHOOSABLE_NEAR)
            return false;
        any = true;
    }
    return any;
}

/* Was native faster in the call's own cell, in each launch that measured both and over all? One of many
 * methods that are as good as native looks better in the cells around, too; here no launch says so. One
 * launch by itself is believed unless all cells around contradict it. */
static bool native_is_faster(const struct ct_choosable *choosable, const struct around *around, size_t method)
{
    /* samples: the median of fewer says little, unless all of native's are the faster ones */
    enum { FEWEST = 5, FEWEST_APART = 3 };
    const struct ct_cell *cell = around->own;
    size_t witnesses = 0;
    if (choosable->map->exact || choosable->native == SIZE_MAX)
        return false;
    const struct ct_statistics *native = &cell->methods[choosable->native], *other = &cell->methods[method];
    size_t fewest = native->high < other->low ? FEWEST_APART : FEWEST;
    bool is_faster = native->count >= fewest && other->count >= fewest && native->median < other->median;
    for (size_t i = 0; is_faster && cell->launches && i < native->launches; i++)
        for (size_t j = 0; j < other->launches; j++) {
            const struct ct_launch_median *a = &cell->launches[native->first_launch + i];
            const struct ct_launch_median *b = &cell->launches[other->first_launch + j];
            witnesses += a->launch == b->launch;
            is_faster &= a->launch != b->launch || a->median < b->median;
        }
    return is_faster && (witnesses > 1 || !native_is_contradicted(choosable, around));
}

/* Where ranks yield, native may wait for whole time slices in one launch, and not in the next. */
static bool native_is_hopeless(const struct ct_choosable *choosable, const struct around *around,
                               size_t method)
{
    return method == choosable->native && around->own->key.yield &&
           ct_cell_penalty(around->own, method) > CT_CHOOSABLE_HOPELESS;
}

static bool may_be_chosen(const struct ct_choosable *choosable, const struct around *around, size_t method)
{
    const struct ct_map *map = choosable->map;
    const struct ct_cell *closest = around->own ? around->own : around->nearest;
    if (closest && closest->native_alone && choosable->native != SIZE_MAX)
        return method == choosable->native;
    if (around->own && around->own->methods[method].failed)
        return false;
    if (around->own_is_compared && around->own->methods[method].count > 0)
        return (around->own->standings[method] != CT_STANDING_WORSE ||
                ct_cell_penalty(around->own, method) <= map->margin) &&
               !native_is_hopeless(choosable, around, method) && !native_is_faster(choosable, around, method);
    if (choosable->predicted && choosable->predicted[method])
        return true;
    for (int q = 0; q < CT_QUARTERS; q++) {
        const struct ct_cell *near = around->quarters.nearest[q];
        if (near && tells_of(choosable, around, near, method) &&
            ct_cell_penalty(near, method) <= CT_CHOOSABLE_NEAR)
            return true;
    }
    return false;
}

/* Was the method near the best in all of the nearest cells? */
static bool is_agreed(const struct ct_choosable *choosable, const struct around *around, size_t method)
{
    for (int q = 0; q < CT_QUARTERS; q++) {
        const struct ct_cell *near = around->quarters.nearest[q];
        if (near && tells_of(choosable, around, near, method) &&
            !(ct_cell_penalty(near, method) <= CT_CHOOSABLE_NEAR))
            return false;
    }
    return true;
}

/* Leaves the methods on which the nearest cells agree, if there are any, and those that a model predicts. */
static void prefer_agreed(const struct ct_choosable *choosable, const struct around *around, bool *may)
{
    const size_t count = choosable->map->method_count;
    bool any = false;
    for (size_t m = 0; m < count; m++)
        any |= may[m] && is_agreed(choosable, around, m);
    for (size_t m = 0; any && m < count; m++)
        may[m] =
            may[m] && (is_agreed(choosable, around, m) || (choosable->predicted && choosable->predicted[m]));
}

/* All that apply; native only if there is no other where ranks yield. */
static void allow_all(const struct ct_choosable *choosable, const struct around *around,
                      const struct ct_cell *call, bool *ret_may)
{
    const size_t count = choosable->map->method_count, native = choosable->native;
    size_t others = 0;
    for (size_t m = 0; m < count; m++) {
        ret_may[m] = choosable->allowed[m] && ct_score_applies(&choosable->map->methods[m], call);
        others += ret_may[m] && m != native;
    }
    if (native != SIZE_MAX && around->wait == YIELDS && others > 0)
        ret_may[native] = false;
}

void ct_choosable_at(const struct ct_choosable *choosable, const struct ct_cell_key *key, bool *ret_may)
{
    const struct ct_map *map = choosable->map;
    const struct ct_cell call = {.key = *key};
    const struct around around = find_around(choosable, key);
    bool any = false;
    for (size_t m = 0; m < map->method_count; m++) {
        ret_may[m] = choosable->allowed[m] && ct_score_applies(&map->methods[m], &call) &&
                     may_be_chosen(choosable, &around, m);
        any |= ret_may[m];
    }
    if (choosable->cautious && !around.own_is_compared && around.nearest)
        prefer_agreed(choosable, &around, ret_may);
    if (!any)
        allow_all(choosable, &around, &call, ret_may);
}

const struct ct_cell *ct_choosable_nearest(const struct ct_choosable *choosable,
                                           const struct ct_cell_key *key)
{
    const struct around around = find_around(choosable, key);
    return around.own_is_compared ? around.own : around.nearest;
}
