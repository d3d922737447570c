/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/thresholds.h"
#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Does a value of the same key exceed this threshold? Only then must a search look at it. */
static bool parts_its_key(size_t threshold, unsigned bits)
{
    return ct_threshold_key(threshold, bits) == ct_threshold_key(threshold + 1, bits);
}

/* The largest number of thresholds that divide the values of one key. */
static size_t most_in_a_key(const size_t *thresholds, size_t count, unsigned bits)
{
    size_t most = 0, key = 0, here = 0;
    for (size_t i = 0; i < count; i++) {
        if (ct_threshold_key(thresholds[i], bits) != key) {
            key = ct_threshold_key(thresholds[i], bits);
            here = 0;
        }
        here += parts_its_key(thresholds[i], bits);
        most = here > most ? here : most;
    }
    return most;
}

/* The first step of a search among that many: one of 1 + 2 + ... + step places. */
static size_t first_step(size_t places)
{
    size_t step = 0;
    for (size_t reached = 0; reached < places; reached = 2 * reached + 1)
        step = step ? 2 * step : 1;
    return step;
}

/* As few bits in the key as make the search shortest. */
static void choose_bits(const size_t *thresholds, size_t count, struct ct_thresholds *ranks)
{
    ranks->step = SIZE_MAX;
    for (unsigned bits = 0; ct_threshold_key(ranks->beyond, bits) < CT_THRESHOLD_KEYS_MAX; bits++) {
        size_t step = first_step(most_in_a_key(thresholds, count, bits));
        if (step < ranks->step) {
            ranks->step = step;
            ranks->bits = bits;
        }
        if (step == 0)
            break;
    }
    ranks->keys = ct_threshold_key(ranks->beyond, ranks->bits) + 1;
}

/* All values of a key exceed the thresholds of the keys before it. */
static void fill(const size_t *thresholds, size_t count, struct ct_thresholds *ranks)
{
    size_t key = 0;
    for (size_t i = 0; i < count; i++) {
        size_t own = ct_threshold_key(thresholds[i], ranks->bits);
        for (; key <= own; key++)
            ranks->first[key] = (uint16_t)i;
    }
    for (; key < ranks->keys; key++)
        ranks->first[key] = (uint16_t)count;
}

int ct_thresholds_make(const size_t *thresholds, size_t count, struct ct_thresholds *ret_ranks)
{
    assert(count > 0 && thresholds[count - 1] < SIZE_MAX);
    for (size_t i = 1; i < count; i++)
        assert(thresholds[i - 1] < thresholds[i]);
    if (count > CT_THRESHOLDS_MAX)
        return CT_E_LIMIT;
    struct ct_thresholds ranks = {.count = count, .beyond = thresholds[count - 1] + 1};
    choose_bits(thresholds, count, &ranks);
    ranks.room = count + (ranks.step > 0 ? 2 * ranks.step - 1 : 0);
    ranks.thresholds = ct_allocate(ranks.room, sizeof *ranks.thresholds);
    ranks.first = ct_allocate(ranks.keys, sizeof *ranks.first);
    if (!ranks.thresholds || !ranks.first) {
        ct_thresholds_free(&ranks);
        return CT_E_MEMORY;
    }
    memcpy(ranks.thresholds, thresholds, count * sizeof *thresholds);
    for (size_t i = count; i < ranks.room; i++)
        ranks.thresholds[i] = SIZE_MAX;
    fill(thresholds, count, &ranks);
    *ret_ranks = ranks;
    return CT_OK;
}

void ct_thresholds_free(struct ct_thresholds *ranks)
{
    free(ranks->thresholds);
    free(ranks->first);
    *ranks = (struct ct_thresholds){0};
}
