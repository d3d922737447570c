/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "base/memory.h"
#include "learners/c45/c45_sort.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The quicksort of c45_sort.c where a pivot has few numbers above it, or few below. Moving each number once a
 * pivot would take quadratic time; but seen as moves in an array, few numbers change their slots:
 *
 * - few above: they are taken out, and the others close up. Slots are left empty instead.
 * - few below: each of these goes, and the first of the numbers above takes its slot.
 * - equal to the pivot: each goes, and the last of the smaller ones takes its slot.
 *
 * Which these are is found by the least and greatest numbers of groups of slots, of groups of groups, ... */

enum { FAN = 16, LAYERS_MAX = 8 };

struct layer {
    float *least, *most; /* by group, of the numbers that are still there */
    uint32_t *counts;    /* of these */
    size_t groups;
};

struct peel {
    struct ct_c45_item *slots; /* empty ones have a key that is no number */
    size_t slot_count;
    struct layer layers[LAYERS_MAX]; /* groups of slots first */
    size_t layer_count;
    size_t head, tail;       /* slots: all before the one are empty, and from the other on */
    struct ct_c45_item *out; /* what has come to its place, or to the range that it is to be sorted in */
    size_t from, to;         /* of `out`: what is still in slots */
    size_t *found;           /* slots that were asked for */
    size_t found_count;
    uint32_t *ring; /* room for turns() */
};

/* --- slots --- */

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool is_empty(const struct peel *peel, size_t slot)
{
    return peel->slots[slot].key != peel->slots[slot].key;
}

static void sum_slots(const struct peel *peel, size_t group)
{
    const size_t end = least_of((group + 1) * FAN, peel->slot_count);
    float least = INFINITY, most = -INFINITY;
    uint32_t count = 0;
    for (size_t i = group * FAN; i < end; i++) {
        float key = peel->slots[i].key;
        least = key < least ? key : least;
        most = key > most ? key : most;
        count += key == key;
    }
    const struct layer *layer = &peel->layers[0];
    layer->least[group] = least;
    layer->most[group] = most;
    layer->counts[group] = count;
}

static void sum_groups(const struct layer *below, const struct layer *layer, size_t group)
{
    const size_t end = least_of((group + 1) * FAN, below->groups);
    float least = INFINITY, most = -INFINITY;
    uint32_t count = 0;
    for (size_t i = group * FAN; i < end; i++) {
        least = below->least[i] < least ? below->least[i] : least;
        most = below->most[i] > most ? below->most[i] : most;
        count += below->counts[i];
    }
    layer->least[group] = least;
    layer->most[group] = most;
    layer->counts[group] = count;
}

static void put(struct peel *peel, size_t slot, struct ct_c45_item item)
{
    size_t group = slot / FAN;
    peel->slots[slot] = item;
    sum_slots(peel, group);
    for (size_t l = 1; l < peel->layer_count; l++)
        sum_groups(&peel->layers[l - 1], &peel->layers[l], group /= FAN);
}

static struct ct_c45_item take(struct peel *peel, size_t slot)
{
    struct ct_c45_item item = peel->slots[slot];
    put(peel, slot, (struct ct_c45_item){.key = NAN});
    while (peel->head < peel->tail && is_empty(peel, peel->head))
        peel->head++;
    while (peel->tail > peel->head && is_empty(peel, peel->tail - 1))
        peel->tail--;
    return item;
}

/* Takes what is in `slot`, and has the number of slot `other` come there. */
static struct ct_c45_item replace(struct peel *peel, size_t slot, size_t other)
{
    struct ct_c45_item item = peel->slots[slot];
    if (slot == other)
        return take(peel, slot);
    put(peel, slot, take(peel, other));
    return item;
}

/* How many there are before a slot. */
static size_t rank(const struct peel *peel, size_t slot)
{
    size_t count = 0, group = slot / FAN;
    for (size_t i = group * FAN; i < slot; i++)
        count += !is_empty(peel, i);
    for (size_t l = 0; l < peel->layer_count; l++, group /= FAN)
        for (size_t i = group - group % FAN; i < group; i++)
            count += peel->layers[l].counts[i];
    return count;
}

/* Notes the slots, rising, of numbers from `least` to `most` in groups `first` to `end` - 1 of a layer, of
 * slots themselves at layer 0. False where they are more than the limit. */
static bool find(struct peel *peel, size_t layer, size_t first, size_t end, float least, float most,
                 size_t limit)
{
    for (size_t i = first; layer == 0 && i < end; i++) {
        if (!(peel->slots[i].key >= least && peel->slots[i].key <= most))
            continue;
        if (peel->found_count == limit)
            return false;
        peel->found[peel->found_count++] = i;
    }
    if (layer == 0)
        return true;
    const struct layer *here = &peel->layers[layer - 1];
    const size_t below = layer > 1 ? peel->layers[layer - 2].groups : peel->slot_count;
    for (size_t i = first; i < end; i++)
        if (here->most[i] >= least && here->least[i] <= most &&
            !find(peel, layer - 1, i * FAN, least_of((i + 1) * FAN, below), least, most, limit))
            return false;
    return true;
}

static bool find_all(struct peel *peel, float least, float most, size_t limit)
{
    peel->found_count = 0;
    return find(peel, peel->layer_count, 0, peel->layers[peel->layer_count - 1].groups, least, most, limit);
}

/* --- the quicksort's moves --- */

/* What is above comes into a queue; each number below that comes after it sends the queue's first behind its
 * last. Where each ends, by lots: the last to come is told from where the queue begins, then the one before
 * it among the places that are left. `found` are the slots, ret_places[i] the place of the i-th. */
static void turn_queue(const struct peel *peel, uint32_t *ret_places)
{
    uint32_t *left = peel->ring; /* Fenwick tree: places that are left */
    const size_t count = peel->found_count;
    size_t begin = 0, behind = peel->to - peel->from, bit = 1;
    for (size_t i = 1; i <= count; i++)
        left[i] = (uint32_t)(i & -i);
    while (2 * bit <= count)
        bit *= 2;
    for (size_t i = count; i > 0; i--) {
        /* one alone does not turn, wherever it is */
        size_t here = i > 1 ? rank(peel, peel->found[i - 1]) : 0, turns = (behind - here - 1) % i;
        behind = here;
        begin = (begin + i - turns) % i;
        size_t skip = (begin + i - 1) % i, place = 0;
        begin -= begin > 0;
        for (size_t step = bit; step > 0; step /= 2)
            if (place + step <= count && left[place + step] <= skip) {
                place += step;
                skip -= left[place];
            }
        ret_places[i - 1] = (uint32_t)place;
        for (size_t p = place + 1; p <= count; p += p & -p)
            left[p]--;
    }
}

/* The pivot and what equals it, the last of all that are there, go behind the others. */
static void take_equal(struct peel *peel, float pivot)
{
    find_all(peel, pivot, pivot, peel->slot_count);
    for (size_t i = peel->found_count; i-- > 0;)
        peel->out[--peel->to] = replace(peel, peel->found[i], peel->tail - 1);
}

/* `found` are the few above the pivot. */
static void take_above(struct peel *peel, float pivot)
{
    const size_t count = peel->found_count;
    uint32_t *places = peel->ring + count + 1;
    turn_queue(peel, places);
    peel->to -= count;
    for (size_t i = 0; i < count; i++)
        peel->out[peel->to + places[i]] = take(peel, peel->found[i]);
    ct_c45_sort_items(peel->out + peel->to, count);
    take_equal(peel, pivot);
}

/* `found` are the few that are not above it, the pivot itself last. */
static void take_below(struct peel *peel, float pivot)
{
    struct ct_c45_item *out = peel->out + peel->from;
    const size_t count = peel->found_count - 1;
    for (size_t i = 0; i <= count; i++)
        out[i] = replace(peel, peel->found[i], peel->head);
    ct_c45_sort_items(out, ct_c45_part_equal(out, count, pivot));
    peel->from += count + 1;
}

/* One pivot; false, and nothing has changed, where it has many numbers on both sides. */
static bool step(struct peel *peel)
{
    enum { FIRST = 4, TIMES = 4 };
    const float pivot = peel->slots[peel->tail - 1].key;
    const size_t most = (peel->to - peel->from) / CT_C45_PEEL_SHARE + FIRST;
    for (size_t limit = FIRST; limit <= most; limit *= TIMES) {
        if (find_all(peel, nextafterf(pivot, INFINITY), INFINITY, limit)) {
            take_above(peel, pivot);
            return true;
        }
        if (find_all(peel, -INFINITY, pivot, limit)) {
            take_below(peel, pivot);
            return true;
        }
    }
    return false;
}

/* --- all of it --- */

static int make_layer(struct peel *peel, size_t groups)
{
    struct layer *layer = &peel->layers[peel->layer_count++];
    layer->groups = groups;
    layer->least = ct_allocate(groups, sizeof *layer->least);
    layer->most = ct_allocate(groups, sizeof *layer->most);
    layer->counts = ct_allocate(groups, sizeof *layer->counts);
    return layer->least && layer->most && layer->counts ? CT_OK : CT_E_MEMORY;
}

static int make(struct peel *peel, struct ct_c45_item *items, size_t count)
{
    *peel = (struct peel){.slots = items, .slot_count = count, .tail = count, .to = count};
    peel->out = ct_allocate(count, sizeof *peel->out);
    peel->found = ct_allocate(count, sizeof *peel->found);
    peel->ring = ct_allocate(2 * count + 1, sizeof *peel->ring);
    int status = peel->out && peel->found && peel->ring ? CT_OK : CT_E_MEMORY;
    size_t groups = count;
    do
        groups = (groups + FAN - 1) / FAN;
    while (status == CT_OK && (status = make_layer(peel, groups)) == CT_OK && groups > FAN);
    for (size_t i = 0; status == CT_OK && i < peel->layers[0].groups; i++)
        sum_slots(peel, i);
    for (size_t l = 1; status == CT_OK && l < peel->layer_count; l++)
        for (size_t i = 0; i < peel->layers[l].groups; i++)
            sum_groups(&peel->layers[l - 1], &peel->layers[l], i);
    return status;
}

static void end(struct peel *peel)
{
    for (size_t l = 0; l < peel->layer_count; l++) {
        free(peel->layers[l].least);
        free(peel->layers[l].most);
        free(peel->layers[l].counts);
    }
    free(peel->out);
    free(peel->found);
    free(peel->ring);
}

void ct_c45_peel_items(struct ct_c45_item *items, size_t count, size_t *ret_from, size_t *ret_to)
{
    struct peel peel;
    int status = make(&peel, items, count);
    /* at half of them the slots are closed up */
    while (status == CT_OK && peel.to - peel.from > count / 2 && step(&peel))
        ;
    if (status == CT_OK) {
        size_t place = peel.from;
        for (size_t i = peel.head; i < peel.tail; i++)
            if (!is_empty(&peel, i))
                peel.out[place++] = peel.slots[i];
        memcpy(items, peel.out, count * sizeof *items);
    }
    *ret_from = peel.from;
    *ret_to = peel.to;
    end(&peel);
}
