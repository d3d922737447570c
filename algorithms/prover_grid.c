/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/prover_grid.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALUES_MAX = 80,
    ALL_ROOTS = 33,       /* up to this size every rank is the root once */
    SMALL_COUNT = 17,     /* up to here segments may be of one unit */
    ELEMENT_BYTES = 8,    /* of a unit in reductions */
    VALUES_FROM_LEAST = 4 /* so many of a parameter that is no size */
};

/* Distinct values. */
struct values {
    size_t items[VALUES_MAX];
    size_t count;
};

static void add(struct values *values, size_t value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->items[i] == value)
            return;
    if (values->count < VALUES_MAX)
        values->items[values->count++] = value;
}

static struct values roots_of(const struct ct_grid *grid)
{
    struct values roots = {.count = 0};
    size_t size = (size_t)grid->size;
    if (!ct_collectives[grid->algorithm->collective].has_root) {
        add(&roots, 0);
    } else if (size <= ALL_ROOTS) {
        for (size_t root = 0; root < size; root++)
            add(&roots, root);
    } else {
        const size_t some[] = {0, 1, size / 2, size - 1};
        for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
            add(&roots, some[i]);
    }
    return roots;
}

static struct values counts_of(const struct ct_grid *grid)
{
    struct values counts = {.count = 0};
    size_t size = (size_t)grid->size;
    const size_t standard[] = {0, 1, size - 1, size, size + 1, 17, 1000};
    if (!ct_collectives[grid->algorithm->collective].has_size)
        add(&counts, 0);
    else if (grid->counts)
        for (size_t i = 0; i < grid->count_count; i++)
            add(&counts, grid->counts[i]);
    else
        for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++)
            add(&counts, standard[i]);
    return counts;
}

/* Sizes in bytes that cut `n` units in telling ways. */
static struct values sizes_of(size_t n, size_t unit_bytes)
{
    struct values units = {.count = 0}, sizes = {.count = 0};
    const size_t pieces[] = {1, 2, 3, 5};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        add(&units, n / pieces[i] + (n % pieces[i] > 0));
        add(&units, n / pieces[i]);
    }
    if (n > 1)
        add(&units, n - 1);
    add(&sizes, 0);
    for (size_t i = 0; i < units.count; i++)
        if (units.items[i] > 1 || n <= SMALL_COUNT)
            add(&sizes, units.items[i] * unit_bytes);
    if (n > 0 && n <= SMALL_COUNT)
        add(&sizes, unit_bytes);
    if (unit_bytes > 1 && n > 1) /* not made of whole units */
        add(&sizes, (n / 2 + 1) * unit_bytes - 1);
    return sizes;
}

static int values_of(const struct ct_parameter *parameter, const struct ct_call *call,
                     struct values *ret_values)
{
    struct values wanted = {.count = 0}, values = {.count = 0};
    if (parameter->in_bytes) {
        wanted = sizes_of(call->count, call->unit_bytes);
    } else {
        size_t *sweep, count;
        int status = ct_list_parse(parameter->sweep, NULL, &sweep, &count);
        if (status != CT_OK)
            return status;
        for (size_t i = 0; i < VALUES_FROM_LEAST; i++)
            add(&wanted, parameter->least + i);
        for (size_t i = 0; i < count; i++)
            add(&wanted, sweep[i]);
        free(sweep);
    }
    for (size_t i = 0; i < wanted.count; i++)
        if (wanted.items[i] >= parameter->least && wanted.items[i] <= parameter->most)
            add(&values, wanted.items[i]);
    *ret_values = values;
    return CT_OK;
}

struct visit {
    ct_grid_visitor *visit;
    void *context;
    size_t skipped;
};

/* All values of parameter `index` and those behind it. */
static int visit_values(struct visit *visit, struct ct_method *method, const struct ct_call *call, int index)
{
    if (index == ct_algorithm_parameter_count(method->algorithm))
        return visit->visit(method, call, visit->context);
    struct values values;
    int status = values_of(method->algorithm->parameters[index], call, &values);
    for (size_t i = 0; status == CT_OK && i < values.count; i++) {
        method->values[index] = values.items[i];
        status = visit_values(visit, method, call, index + 1);
    }
    return status;
}

static int visit_call(struct visit *visit, const struct ct_algorithm *algorithm, const struct ct_call *call)
{
    if (!ct_algorithm_applies(algorithm, call, NULL)) {
        visit->skipped++;
        return CT_OK;
    }
    struct ct_method method = {.algorithm = algorithm};
    return visit_values(visit, &method, call, 0);
}

int ct_grid_visit(const struct ct_grid *grid, ct_grid_visitor *visit, void *context, size_t *ret_skipped)
{
    enum ct_collective collective = grid->algorithm->collective;
    bool reduces = ct_collectives[collective].reduces;
    /* bit 0: in place, bit 1: does not commute */
    unsigned kinds = (ct_may_be_in_place(collective, true) ? 1u : 0u) | (reduces ? 2u : 0u);
    struct values roots = roots_of(grid), counts = counts_of(grid);
    struct visit all = {.visit = visit, .context = context};
    int status = CT_OK;
    for (size_t c = 0; c < counts.count; c++) {
        for (size_t r = 0; r < roots.count; r++) {
            for (unsigned kind = 0; status == CT_OK && kind < 4; kind++) {
                if (kind & ~kinds)
                    continue;
                const struct ct_call call = {.size = grid->size,
                                             .root = (int)roots.items[r],
                                             .count = counts.items[c],
                                             .unit_bytes = reduces ? ELEMENT_BYTES : 1,
                                             .in_place = (kind & 1u) != 0,
                                             .commutative = (kind & 2u) == 0};
                status = visit_call(&all, grid->algorithm, &call);
            }
        }
    }
    if (status == CT_OK)
        *ret_skipped = all.skipped;
    return status;
}

struct proving {
    struct ct_prover *prover;
    struct ct_grid_totals *totals;
    struct ct_grid_failure *failure;
};

static int prove_case(const struct ct_method *method, const struct ct_call *call, void *context)
{
    struct proving *proving = context;
    struct ct_proof proof;
    struct ct_error error = {{0}};
    int status = ct_prove(proving->prover, method, call, &error, &proof);
    if (status == CT_OK || status == CT_E_ANSWER) {
        proving->totals->cases++;
        proving->totals->steps += proof.steps;
        proving->totals->messages += proof.messages;
    }
    if (status == CT_E_ANSWER)
        *proving->failure = (struct ct_grid_failure){*method, *call, proof, error};
    return status;
}

int ct_grid_prove(struct ct_prover *prover, const struct ct_grid *grid, struct ct_grid_totals *totals,
                  struct ct_grid_failure *ret_failure)
{
    struct proving proving = {.prover = prover, .totals = totals, .failure = ret_failure};
    size_t skipped = 0;
    int status = ct_grid_visit(grid, prove_case, &proving, &skipped);
    totals->skipped += skipped;
    return status;
}
