/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/candidates.h"
#include "base/memory.h"
#include "models/formulas/formula.h"

#include <stdlib.h>

static bool chooses(const struct ct_prediction *prediction)
{
    return prediction->segments != CT_SEGMENT_FROM_LIST;
}

static bool is_cut(struct ct_method *method)
{
    const struct ct_formula *formula = ct_formula_find(method);
    return formula && ct_method_segment(method) && ct_formula_is_segmented(formula);
}

static void add_source(struct ct_candidates *candidates, struct ct_method method, bool cut)
{
    if (cut)
        *ct_method_segment(&method) = 0;
    if (ct_method_index(&method, candidates->sources, candidates->source_count) < candidates->source_count)
        return;
    candidates->is_cut[candidates->source_count] = cut;
    candidates->sources[candidates->source_count++] = method;
}

int ct_candidates_make(const struct ct_method *methods, size_t method_count,
                       const struct ct_prediction *prediction, struct ct_candidates *ret_candidates)
{
    struct ct_candidates candidates = {
        .sources = ct_allocate(method_count, sizeof *candidates.sources),
        .is_cut = ct_allocate(method_count, sizeof *candidates.is_cut),
        .in_cell = ct_allocate(method_count * CT_COMMUNICATION_MODELS, sizeof *candidates.in_cell)};
    if (!candidates.sources || !candidates.is_cut || !candidates.in_cell) {
        ct_candidates_free(&candidates);
        return CT_E_MEMORY;
    }
    for (size_t m = 0; m < method_count; m++) {
        struct ct_method method = methods[m];
        if (prediction->way == CT_PREDICTION_BY_PLANS || ct_formula_find(&method))
            add_source(&candidates, method, chooses(prediction) && is_cut(&method));
    }
    *ret_candidates = candidates;
    return CT_OK;
}

void ct_candidates_free(struct ct_candidates *candidates)
{
    free(candidates->sources);
    free(candidates->is_cut);
    free(candidates->in_cell);
    *candidates = (struct ct_candidates){0};
}

static void add(struct ct_candidates *candidates, const struct ct_method *method, size_t source)
{
    for (size_t i = 0; i < candidates->count; i++)
        if (ct_method_equal(&candidates->in_cell[i].method, method))
            return;
    candidates->in_cell[candidates->count++] = (struct ct_candidate){*method, source};
}

/* The source with the segment size that each of the models asked finds best. */
static int add_cut(struct ct_candidates *candidates, const struct ct_prediction *prediction,
                   const struct ct_predictor *predictor, size_t source, size_t msg_bytes,
                   struct ct_error *error)
{
    struct ct_method method = candidates->sources[source];
    const struct ct_formula *formula = ct_formula_find(&method);
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        struct ct_segment_choice choice;
        if (prediction->weights[kind] <= 0)
            continue;
        const struct ct_formula_call call =
            ct_predictor_formula_call(predictor, (enum ct_communication_model)kind, &method, msg_bytes);
        int status = ct_segment_choose(formula, (enum ct_communication_model)kind, &call,
                                       prediction->segments, error, &choice);
        if (status != CT_OK)
            return status;
        *ct_method_segment(&method) = choice.segment;
        add(candidates, &method, source);
    }
    return CT_OK;
}

int ct_candidates_of_cell(struct ct_candidates *candidates, const struct ct_prediction *prediction,
                          const struct ct_predictor *predictor, enum ct_collective collective,
                          const struct ct_call *call, size_t msg_bytes, struct ct_error *error)
{
    int status = CT_OK;
    candidates->count = 0;
    for (size_t i = 0; status == CT_OK && i < candidates->source_count; i++) {
        const struct ct_method *source = &candidates->sources[i];
        if (source->algorithm->collective != collective || !ct_method_applies(source, call, NULL))
            continue;
        if (candidates->is_cut[i])
            status = add_cut(candidates, prediction, predictor, i, msg_bytes, error);
        else
            add(candidates, source, i);
    }
    return status;
}
