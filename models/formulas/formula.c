/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/formulas/formula.h"

#include <assert.h>
#include <string.h>

extern const struct ct_formula_table ct_formulas_barrier, ct_formulas_bcast, ct_formulas_scatter,
    ct_formulas_allgather, ct_formulas_alltoall, ct_formulas_reduce, ct_formulas_reduce_scatter,
    ct_formulas_allreduce, ct_formulas_scan;

static const struct {
    const char *name; /* of the file: formulas_NAME.c */
    const struct ct_formula_table *table;
} tables[] = {
    {"barrier", &ct_formulas_barrier},
    {"bcast", &ct_formulas_bcast},
    {"scatter", &ct_formulas_scatter},
    {"allgather", &ct_formulas_allgather},
    {"alltoall", &ct_formulas_alltoall},
    {"reduce", &ct_formulas_reduce},
    {"reduce_scatter", &ct_formulas_reduce_scatter},
    {"allreduce", &ct_formulas_allreduce},
    {"scan", &ct_formulas_scan},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

const struct ct_formula *ct_formula_at(size_t index)
{
    for (size_t t = 0; t < TABLES; index -= tables[t++].table->count)
        if (index < tables[t].table->count)
            return &tables[t].table->rows[index];
    return NULL;
}

const struct ct_formula_table *ct_formula_table_of(const struct ct_formula *formula, const char **ret_name)
{
    size_t t = 0;
    while (formula < tables[t].table->rows || formula >= tables[t].table->rows + tables[t].table->count) {
        t++;
        assert(t < TABLES);
    }
    *ret_name = tables[t].name;
    return tables[t].table;
}

/* Collectives whose calls with equal blocks are those of another one. */
static enum ct_collective collective_with_rows(enum ct_collective collective)
{
    return collective == CT_COLLECTIVE_ALLGATHERV             ? CT_COLLECTIVE_ALLGATHER
           : collective == CT_COLLECTIVE_REDUCE_SCATTER_BLOCK ? CT_COLLECTIVE_REDUCE_SCATTER
                                                              : collective;
}

/* The tables have no other radix. */
static bool has_radix_2(const struct ct_method *method)
{
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++)
        if (method->algorithm->descriptor->parameters[i] == &ct_radix_parameter && method->values[i] != 2)
            return false;
    return true;
}

const struct ct_formula *ct_formula_find(const struct ct_method *method)
{
    const char *collective = ct_collectives[collective_with_rows(method->algorithm->collective)].name;
    const struct ct_formula *formula = NULL;
    if (!has_radix_2(method))
        return NULL;
    for (size_t i = 0; (formula = ct_formula_at(i)); i++)
        if (strcmp(formula->collective, collective) == 0 &&
            strcmp(formula->algorithm, method->algorithm->name) == 0)
            break;
    return formula;
}

enum ct_collective ct_formula_collective(const struct ct_formula *formula)
{
    return ct_collective_find(formula->collective);
}

const char *ct_formula_class(const struct ct_formula *formula, enum ct_communication_model model,
                             size_t ranks)
{
    static const char signs[] = "=><~";
    static const char *const names[] = {"equal", "upper bound", "lower bound", "inconsistent"};
    bool is_power = (ranks & (ranks - 1)) == 0;
    const char *sign = strchr(signs, formula->against_plans[3 * (int)model + !is_power]);
    assert(sign && *sign);
    return names[sign - signs];
}

bool ct_formula_is_segmented(const struct ct_formula *formula)
{
    return formula->cut != CT_CUT_NOTHING && formula->cut != CT_CUT_FIRST;
}

double ct_formula_segment(const struct ct_method *method)
{
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++)
        if (method->algorithm->descriptor->parameters[i]->in_bytes)
            return (double)method->values[i];
    return 0;
}

struct ct_formula_terms ct_formula_terms_of(const struct ct_formula *formula,
                                            enum ct_communication_model model,
                                            const struct ct_formula_call *call)
{
    const struct ct_link *link = call->link;
    struct ct_formula_terms x = {
        .model = model, .P = call->ranks, .m = call->bytes, .gamma = call->gamma, .delta = call->delta};
    assert(call->ranks >= 2 && link->known[model]);
    ct_formula_cut(formula, call->segment, &x);
    const struct ct_link *sized = ct_link_of_size(link, x.m_s);
    if (model == CT_MODEL_HOCKNEY) {
        x.alpha = sized->hockney.alpha;
        x.beta = sized->hockney.beta;
    } else if (model == CT_MODEL_LOGGP) {
        x.L = sized->loggp.latency;
        x.o = sized->loggp.overhead;
        x.g = sized->loggp.gap;
        x.G = sized->loggp.gap_per_byte;
    } else {
        x.L = link->plogp.latency;
        x.plogp = &link->plogp;
    }
    return x;
}

double ct_formula_seconds(const struct ct_formula *formula, enum ct_communication_model model,
                          const struct ct_formula_call *call)
{
    if (!call->link->known[model])
        return NAN;
    if (call->ranks < 2 || (call->bytes <= 0 && ct_collectives[ct_formula_collective(formula)].has_data))
        return 0;
    const struct ct_formula_terms x = ct_formula_terms_of(formula, model, call);
    return formula->seconds[model](&x);
}
