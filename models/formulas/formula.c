/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/formulas/formula_rows.h"

#include <string.h>

const struct ct_formula *const ct_formulas[] = {
    &ct_formula_barrier_linear,
    &ct_formula_barrier_double_ring,
    &ct_formula_barrier_recursive_doubling,
    &ct_formula_barrier_dissemination,
    &ct_formula_bcast_linear,
    &ct_formula_bcast_pipeline,
    &ct_formula_bcast_binomial,
    &ct_formula_bcast_binary,
    &ct_formula_bcast_split_binary,
    &ct_formula_scatter_linear,
    &ct_formula_scatter_binomial,
    &ct_formula_gather_linear,
    &ct_formula_gather_linear_sync,
    &ct_formula_gather_binomial,
    &ct_formula_allgather_bruck,
    &ct_formula_allgather_recursive_doubling,
    &ct_formula_allgather_ring,
    &ct_formula_allgather_neighbor_exchange,
    &ct_formula_alltoall_linear,
    &ct_formula_alltoall_pairwise,
    &ct_formula_alltoall_bruck,
    &ct_formula_reduce_linear,
    &ct_formula_reduce_pipeline,
    &ct_formula_reduce_binomial,
    &ct_formula_reduce_binary,
    &ct_formula_reduce_rabenseifner,
    &ct_formula_reduce_scatter_recursive_halving,
    &ct_formula_reduce_scatter_ring,
    &ct_formula_allreduce_recursive_doubling,
    &ct_formula_allreduce_ring,
    &ct_formula_allreduce_ring_segmented,
    &ct_formula_allreduce_rabenseifner,
    &ct_formula_scan_linear,
    &ct_formula_scan_linear_segmented,
    &ct_formula_scan_recursive_doubling,
};
const size_t ct_formula_count = sizeof ct_formulas / sizeof ct_formulas[0];

/* Collectives whose equal blocks are another's: the tables' names of those that have rows. */
static const struct {
    enum ct_collective form;
    enum ct_collective of;
} forms[] = {{CT_COLLECTIVE_ALLGATHERV, CT_COLLECTIVE_ALLGATHER},
             {CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, CT_COLLECTIVE_REDUCE_SCATTER}};

static enum ct_collective collective_of(const struct ct_method *method)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (forms[i].form == method->algorithm->collective)
            return forms[i].of;
    return method->algorithm->collective;
}

/* The tables know of no other radix than 2. */
static bool has_the_tables_radix(const struct ct_method *method)
{
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++)
        if (method->algorithm->descriptor->parameters[i] == &ct_radix_parameter && method->values[i] != 2)
            return false;
    return true;
}

const struct ct_formula *ct_formula_find(const struct ct_method *method)
{
    if (!has_the_tables_radix(method))
        return NULL;
    for (size_t i = 0; i < ct_formula_count; i++)
        if (ct_formulas[i]->collective == collective_of(method) &&
            strcmp(ct_formulas[i]->algorithm, method->algorithm->name) == 0)
            return ct_formulas[i];
    return NULL;
}

double ct_formula_segment(const struct ct_method *method)
{
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++)
        if (method->algorithm->descriptor->parameters[i]->in_bytes)
            return (double)method->values[i];
    return 0;
}

static double parts_of(enum ct_formula_cut cut, double ranks)
{
    return cut == CT_CUT_HALVES ? 2 : cut == CT_CUT_BLOCKS ? ranks : 1;
}

double ct_formula_part(const struct ct_formula *formula, double ranks, double bytes)
{
    return ceil(bytes / parts_of(formula->cut, ranks));
}

static void cut(const struct ct_formula *formula, double segment, struct ct_formula_terms *x)
{
    double part = ct_formula_part(formula, x->P, x->m);
    bool is_cut = formula->cut != CT_CUT_NOTHING && segment > 0 && segment < part;
    x->m_s = is_cut ? segment : part;
    x->n_s = parts_of(formula->cut, x->P) * (is_cut ? ceil(part / segment) : 1);
    if (formula->cut == CT_CUT_FIRST) {
        x->m_s = fmin(segment, x->m);
        x->n_s = 1;
    }
}

struct ct_formula_terms ct_formula_terms_of(const struct ct_formula *formula,
                                            enum ct_communication_model model,
                                            const struct ct_formula_call *call)
{
    const struct ct_link *link = call->link;
    struct ct_formula_terms x = {
        .P = call->ranks, .m = call->bytes, .gamma = call->gamma, .delta = call->delta};
    cut(formula, call->segment, &x);
    if (model == CT_MODEL_HOCKNEY) {
        x.alpha = link->hockney.alpha;
        x.beta = link->hockney.beta;
    } else if (model == CT_MODEL_LOGGP) {
        x.L = link->loggp.latency;
        x.o = link->loggp.overhead;
        x.g = link->loggp.gap;
        x.G = link->loggp.gap_per_byte;
    } else {
        x.L = link->plogp.latency;
        x.plogp = &link->plogp;
    }
    return x;
}

static double seconds_by(const struct ct_formula *formula, enum ct_communication_model model,
                         const struct ct_formula_call *call,
                         double (*seconds)(const struct ct_formula_terms *x))
{
    if (!call->link->known[model])
        return NAN;
    if (call->ranks < 2 || (call->bytes <= 0 && ct_collectives[formula->collective].has_data))
        return 0;
    const struct ct_formula_terms x = ct_formula_terms_of(formula, model, call);
    return seconds(&x);
}

double ct_formula_seconds(const struct ct_formula *formula, enum ct_communication_model model,
                          const struct ct_formula_call *call)
{
    return seconds_by(formula, model, call, formula->cells[model].seconds);
}

double ct_formula_seconds_printed(const struct ct_formula *formula, enum ct_communication_model model,
                                  const struct ct_formula_call *call)
{
    const struct ct_formula_cell *cell = &formula->cells[model];
    return seconds_by(formula, model, call, cell->printed ? cell->printed : cell->seconds);
}
