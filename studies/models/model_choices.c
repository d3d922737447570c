/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/models/model_choices.h"

#include "base/memory.h"
#include "models/formulas/formula.h"
#include "models/predict/vote.h"

#include <math.h>
#include <stdlib.h>

enum { ELEMENT_BYTES = 8 }; /* reductions sum doubles */

const char *const choice_way_names[CHOICE_WAYS] = {"formulas", "plans", "shared"};

static void find_best(struct ct_cell *cell, size_t method_count)
{
    cell->best = SIZE_MAX;
    for (size_t m = 0; m < method_count; m++)
        if (cell->methods[m].count > 0 &&
            (cell->best == SIZE_MAX || cell->methods[m].median < cell->methods[cell->best].median))
            cell->best = m;
}

int choices_restrict(struct ct_map *map, const char *methods, struct ct_error *error)
{
    struct ct_method *list = NULL;
    size_t count = 0;
    int status = ct_methods_parse(methods, map->collective, error, &list, &count);
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++) {
        for (size_t m = 0; m < map->method_count; m++)
            if (ct_is_native(map->methods[m].algorithm) ||
                ct_method_index(&map->methods[m], list, count) == count)
                map->cells[c].methods[m].count = 0;
        find_best(&map->cells[c], map->method_count);
    }
    free(list);
    return status;
}

struct choosing {
    const struct ct_map *map;
    const struct ct_model *model;
    struct ct_evaluator *evaluator;
    struct ct_error *error;
    double *times[CT_COMMUNICATION_MODELS]; /* in the cell, by method */
};

static int time_by_formula(const struct choosing *choosing, const struct ct_method *method,
                           const struct ct_cell *cell, enum ct_communication_model kind, double *ret_seconds)
{
    const struct ct_formula *formula = ct_formula_find(method);
    const struct ct_formula_call call = {.link = &choosing->model->links[CT_LINK_NETWORK],
                                         .gamma = choosing->model->gamma,
                                         .delta = choosing->model->delta,
                                         .ranks = (double)cell->key.comm_size,
                                         .bytes = (double)cell->key.msg_bytes,
                                         .segment = ct_formula_segment(method)};
    *ret_seconds = formula ? ct_formula_seconds(formula, kind, &call) : NAN;
    return CT_OK;
}

static int time_by_evaluation(const struct choosing *choosing, const struct ct_method *method,
                              const struct ct_cell *cell, enum ct_communication_model kind, bool shares_links,
                              double *ret_seconds)
{
    const struct ct_evaluation_options options = {.shares_links = shares_links};
    size_t unit = ct_collectives[choosing->map->collective].reduces ? ELEMENT_BYTES : 1;
    const struct ct_call call = {.size = (int)cell->key.comm_size,
                                 .count = cell->key.msg_bytes / unit,
                                 .unit_bytes = unit,
                                 .commutative = true};
    struct ct_evaluation evaluation;
    int status = ct_evaluate(choosing->evaluator, method, &call, choosing->model, kind, &options,
                             choosing->error, &evaluation);
    if (status == CT_OK)
        *ret_seconds = evaluation.seconds;
    return status;
}

static int time_by_plans(const struct choosing *choosing, const struct ct_method *method,
                         const struct ct_cell *cell, enum ct_communication_model kind, double *ret_seconds)
{
    return time_by_evaluation(choosing, method, cell, kind, false, ret_seconds);
}

static int time_by_sharing(const struct choosing *choosing, const struct ct_method *method,
                           const struct ct_cell *cell, enum ct_communication_model kind, double *ret_seconds)
{
    return time_by_evaluation(choosing, method, cell, kind, true, ret_seconds);
}

static int (*const timers[CHOICE_WAYS])(const struct choosing *, const struct ct_method *,
                                        const struct ct_cell *, enum ct_communication_model,
                                        double *) = {[CHOICE_BY_FORMULAS] = time_by_formula,
                                                     [CHOICE_BY_PLANS] = time_by_plans,
                                                     [CHOICE_BY_SHARING] = time_by_sharing};

static size_t least(const double *times, size_t count)
{
    size_t best = SIZE_MAX;
    for (size_t m = 0; m < count; m++)
        if (!isnan(times[m]) && (best == SIZE_MAX || times[m] < times[best]))
            best = m;
    return best;
}

/* The method of most votes, of which the followed model knows which it is. */
static void choose(const struct choosing *choosing, size_t cell, struct choices *choices)
{
    static const double weights[CT_COMMUNICATION_MODELS] = {1, 1, 1};
    size_t count = choosing->map->method_count;
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        choices->of[kind][cell] = least(choosing->times[kind], count);
    enum ct_communication_model followed = ct_vote((const double *const *)choosing->times, weights, count);
    choices->of[CHOICE_BY_VOTE][cell] = choices->of[followed][cell];
}

static int choose_all(const struct choosing *choosing, enum choice_way way, struct choices *choices)
{
    const struct ct_map *map = choosing->map;
    int status = CT_OK;
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++) {
        for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
            for (size_t m = 0; status == CT_OK && m < map->method_count; m++) {
                choosing->times[kind][m] = NAN;
                if (map->cells[c].methods[m].count > 0)
                    status = timers[way](choosing, &map->methods[m], &map->cells[c],
                                         (enum ct_communication_model)kind, &choosing->times[kind][m]);
            }
        if (status == CT_OK)
            choose(choosing, c, choices);
    }
    return status;
}

static int check(const struct ct_map *map, const struct ct_model *model, struct ct_error *error)
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (!model->links[CT_LINK_NETWORK].known[kind])
            return ct_fail(error, CT_E_INPUT, "the model %s does not know %s of the network", model->name,
                           ct_communication_model_names[kind]);
    if (ct_collectives[map->collective].varies)
        return ct_fail(error, CT_E_INPUT, "%s: blocks may differ, expected a collective of equal blocks",
                       ct_collectives[map->collective].name);
    return CT_OK;
}

int choices_make(const struct ct_map *map, const struct ct_model *model, enum choice_way way,
                 struct ct_error *error, struct choices *ret_choices)
{
    struct choosing choosing = {.map = map, .model = model, .error = error, .evaluator = ct_evaluator_new()};
    *ret_choices = (struct choices){{NULL}};
    int status = check(map, model, error);
    if (status == CT_OK && !choosing.evaluator)
        status = CT_E_MEMORY;
    for (int i = 0; status == CT_OK && i < CHOICE_SOURCES; i++)
        if (!(ret_choices->of[i] = ct_allocate(map->cell_count, sizeof *ret_choices->of[i])))
            status = CT_E_MEMORY;
    for (int i = 0; status == CT_OK && i < CT_COMMUNICATION_MODELS; i++)
        if (!(choosing.times[i] = ct_allocate(map->method_count, sizeof *choosing.times[i])))
            status = CT_E_MEMORY;
    if (status == CT_OK)
        status = choose_all(&choosing, way, ret_choices);
    for (int i = 0; i < CT_COMMUNICATION_MODELS; i++)
        free(choosing.times[i]);
    ct_evaluator_free(choosing.evaluator);
    return status;
}

void choices_free(struct choices *choices)
{
    for (int i = 0; i < CHOICE_SOURCES; i++)
        free(choices->of[i]);
    *choices = (struct choices){{NULL}};
}
