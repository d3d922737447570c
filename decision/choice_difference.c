/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/choice_difference.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void ct_choice_difference_free(struct ct_choice_difference *difference)
{
    free(difference->pairs);
    *difference = (struct ct_choice_difference){0};
}

/* `cell` is NULL where nothing was measured. */
static struct ct_choice_pair compare(const struct ct_decision_tree *const trees[2], const struct ct_map *map,
                                     const struct ct_cell *cell, struct ct_cell_key key)
{
    struct ct_choice_pair pair = {.key = key, .slowdowns = {NAN, NAN}};
    for (int i = 0; i < 2; i++) {
        pair.methods[i] = ct_score_method(trees[i], &key);
        if (cell)
            pair.slowdowns[i] = ct_cell_penalty(cell, ct_map_find_method(map, pair.methods[i]));
    }
    pair.differs = !ct_method_equal(pair.methods[0], pair.methods[1]);
    return pair;
}

static int summarize(struct ct_choice_difference *difference)
{
    double *penalties = ct_allocate(difference->count + 1, sizeof *penalties), logs = 0;
    if (!penalties)
        return CT_E_MEMORY;
    for (size_t i = 0; i < difference->count; i++) {
        const struct ct_choice_pair *pair = &difference->pairs[i];
        const double log_ratio = log1p(pair->slowdowns[1]) - log1p(pair->slowdowns[0]);
        difference->differ += pair->differs;
        if (!pair->differs || isnan(log_ratio))
            continue;
        difference->timed++;
        logs += log_ratio;
    }
    for (int tree = 0; tree < 2; tree++) {
        for (size_t i = 0; i < difference->count; i++)
            penalties[i] = difference->pairs[i].slowdowns[tree];
        difference->penalties[tree] = ct_penalty_summarize(penalties, difference->count);
    }
    difference->ratio = difference->timed > 0 ? exp(logs / (double)difference->timed) : NAN;
    free(penalties);
    return CT_OK;
}

int ct_choice_difference_find(const struct ct_decision_tree *first, const struct ct_decision_tree *second,
                              const struct ct_map *map, const struct ct_cell_key *keys, size_t count,
                              struct ct_choice_difference *ret_difference)
{
    const struct ct_decision_tree *const trees[2] = {first, second};
    struct ct_choice_difference difference = {.collective = first->collective,
                                              .count = map ? map->cell_count : count};
    difference.pairs = ct_allocate(difference.count + 1, sizeof *difference.pairs);
    int status = difference.pairs ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < difference.count; i++)
        difference.pairs[i] =
            compare(trees, map, map ? &map->cells[i] : NULL, map ? map->cells[i].key : keys[i]);
    if (status == CT_OK)
        status = summarize(&difference);
    if (status == CT_OK)
        *ret_difference = difference;
    else
        ct_choice_difference_free(&difference);
    return status;
}
