/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/score_launches.h"
#include "base/memory.h"
#include "decision/cell_group.h"
#include "decision/map_launches.h"

#include <math.h>
#include <stdlib.h>

/* Who chooses. */
enum chooser { TREE, NATIVE, SINGLE, CHOOSERS };

/* What a chooser lost so far in a cell, over the launches held out. */
struct loss {
    double logs; /* of the ratios, added up */
    size_t launches;
};

struct crossing {
    const struct ct_map *map;
    size_t *choices; /* of the tree, by cell */
    size_t native;
    size_t single;       /* of all folds; SIZE_MAX where there is none */
    bool disagree;       /* the folds have different ones */
    size_t folds;        /* with any best to measure against */
    struct loss *losses; /* [chooser * cells + cell] */
};

static size_t choice_of(const struct crossing *crossing, enum chooser chooser, size_t cell, size_t single)
{
    const size_t choices[CHOOSERS] = {crossing->choices[cell], crossing->native, single};
    return choices[chooser];
}

/* One launch held out; the others chose. */
static void take_fold(struct crossing *crossing, const struct ct_map *others, const struct ct_map *held_out)
{
    size_t cells = crossing->map->cell_count, single = ct_group_best(others, NULL, cells, NULL);
    bool any = false;
    for (size_t c = 0; c < cells; c++) {
        const struct ct_statistics *timed = held_out->cells[c].methods;
        size_t best = others->cells[c].best;
        if (best == SIZE_MAX || timed[best].count == 0)
            continue;
        any = true;
        for (int k = 0; k < CHOOSERS; k++) {
            size_t choice = choice_of(crossing, (enum chooser)k, c, single);
            if (choice == SIZE_MAX || timed[choice].count == 0)
                continue;
            struct loss *loss = &crossing->losses[(size_t)k * cells + c];
            loss->logs += log(timed[choice].median / timed[best].median);
            loss->launches++;
        }
    }
    if (!any)
        return;
    crossing->disagree |= crossing->folds > 0 && single != crossing->single;
    crossing->single = single;
    crossing->folds++;
}

static int take_folds(struct crossing *crossing)
{
    uint32_t *launches;
    size_t count;
    int status = ct_map_launches(crossing->map, &launches, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_map others = {0}, held_out = {0};
        status = ct_map_part(crossing->map, launches[i], true, &others);
        if (status == CT_OK)
            status = ct_map_part(crossing->map, launches[i], false, &held_out);
        if (status == CT_OK)
            take_fold(crossing, &others, &held_out);
        ct_map_free(&others);
        ct_map_free(&held_out);
    }
    free(launches);
    return status;
}

static int summarize(const struct crossing *crossing, struct ct_score *score)
{
    struct ct_penalty *const penalties[CHOOSERS] = {&score->tree, &score->native, &score->single};
    const bool there[CHOOSERS] = {true, crossing->native != SIZE_MAX, crossing->single != SIZE_MAX};
    struct ct_mean_interval *const means[CHOOSERS] = {&score->tree_mean, &score->native_mean,
                                                      &score->single_mean};
    size_t cells = crossing->map->cell_count;
    double *of_cells = ct_allocate(cells, sizeof *of_cells);
    size_t *comm_sizes = ct_allocate(cells, sizeof *comm_sizes);
    int status = of_cells && comm_sizes ? CT_OK : CT_E_MEMORY;
    for (size_t c = 0; status == CT_OK && c < cells; c++)
        comm_sizes[c] = crossing->map->cells[c].key.comm_size;
    for (int k = 0; status == CT_OK && k < CHOOSERS; k++) {
        for (size_t c = 0; c < cells; c++) {
            const struct loss *loss = &crossing->losses[(size_t)k * cells + c];
            of_cells[c] = loss->launches > 0 ? expm1(loss->logs / (double)loss->launches) : NAN;
        }
        status = ct_bootstrap_mean(of_cells, comm_sizes, there[k] ? cells : 0, means[k]);
        *penalties[k] = there[k] ? ct_penalty_summarize(of_cells, cells) : (struct ct_penalty){0};
    }
    free(of_cells);
    free(comm_sizes);
    if (status != CT_OK)
        return status;
    if (crossing->disagree)
        score->single_method = (struct ct_method){0};
    else if (crossing->single != SIZE_MAX)
        score->single_method = crossing->map->methods[crossing->single];
    return CT_OK;
}

int ct_score_cross_launches(const struct ct_decision_tree *tree, const struct ct_map *map,
                            struct ct_error *error, struct ct_score *ret_score)
{
    struct ct_score score;
    int status = ct_score_tree(tree, map, error, &score);
    if (status != CT_OK)
        return status;
    struct crossing crossing = {.map = map, .native = ct_score_native(map), .single = SIZE_MAX};
    size_t room;
    bool fits = ct_multiply(map->cell_count, CHOOSERS, &room);
    crossing.choices = ct_allocate(map->cell_count, sizeof *crossing.choices);
    crossing.losses = fits ? ct_allocate(room, sizeof *crossing.losses) : NULL;
    status = crossing.choices && crossing.losses ? CT_OK : CT_E_MEMORY;
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++)
        crossing.choices[c] = ct_score_choice(tree, map, &map->cells[c]);
    if (status == CT_OK)
        status = take_folds(&crossing);
    if (status == CT_OK && crossing.folds > 0)
        status = summarize(&crossing, &score);
    free(crossing.choices);
    free(crossing.losses);
    if (status != CT_OK)
        return ct_fail(error, status, "out of memory");
    if (crossing.folds == 0)
        return ct_fail(error, CT_E_ANSWER,
                       "no cell of %s has two launches, so the best cannot be chosen on other launches than "
                       "those that score it: measure with --launches 2 or more",
                       ct_collectives[map->collective].name);
    *ret_score = score;
    return CT_OK;
}
