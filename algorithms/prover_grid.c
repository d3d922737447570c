/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/prover_grid.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALUES_MAX = 80,
    ALL_ROOTS = 33,        /* up to this size every rank is the root once */
    SMALL_COUNT = 17,      /* up to here segments may be of one unit */
    ELEMENT_BYTES = 8,     /* of a unit in reductions */
    VALUES_FROM_LEAST = 4, /* so many of a parameter that is no size */
    COMBINATIONS_MOST = 48 /* of parameter values in one call */
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
    if (!ct_collectives[grid->algorithm->collective].has_data)
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
    struct values wanted = {.count = 0};
    ret_values->count = 0;
    if (parameter->standard_name) {
        for (size_t i = 0; i < ct_algorithm_count; i++)
            if (ct_parameter_allows(parameter, ct_algorithms[i]))
                add(ret_values, i);
        return CT_OK;
    }
    if (parameter->in_bytes) {
        wanted = sizes_of(call->count, call->unit_bytes);
    } else {
        size_t *sweep, count;
        int status = ct_parameter_sweep(parameter, &sweep, &count);
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
            add(ret_values, wanted.items[i]);
    return CT_OK;
}

struct visit {
    const struct ct_grid *grid;
    ct_grid_visitor *visit;
    void *context;
    size_t *tables; /* of counts: by sender, and by receiver */
    struct ct_nodes nodes;
    size_t skipped;
};

static size_t common_divisor(size_t a, size_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* All combinations of the parameters' values or, of many, some that are spread evenly. */
static int visit_values(struct visit *visit, const struct ct_call *call)
{
    struct ct_method method = {.algorithm = visit->grid->algorithm};
    struct values values[CT_PARAMETERS_MAX];
    int count = ct_algorithm_parameter_count(method.algorithm);
    size_t all = 1;
    for (int i = 0; i < count; i++) {
        int status = values_of(method.algorithm->parameters[i], call, &values[i]);
        if (status != CT_OK)
            return status;
        all *= values[i].count;
    }
    size_t some = all < COMBINATIONS_MOST ? all : COMBINATIONS_MOST, step = all / some;
    while (common_divisor(all, step) > 1)
        step++;
    for (size_t k = 0, at = 0; k < some; k++, at = (at + step) % all) {
        size_t rest = at;
        for (int i = 0; i < count; i++, rest /= values[i - 1].count)
            method.values[i] = values[i].items[rest % values[i].count];
        if (!ct_method_applies(&method, call, NULL)) {
            visit->skipped++;
            continue;
        }
        int status = visit->visit(&method, call, visit->context);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* Lengths of blocks around `count`, many of them 0. */
static size_t uneven(size_t count, size_t from, size_t to)
{
    return (from + 2 * to) % 3 == 0 ? 0 : count / 2 * ((from + 3 * to) % 4) + (from * to) % 3;
}

/* Gives the call counts of each rank's own. */
static void spread(struct visit *visit, struct ct_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[visit->grid->algorithm->collective];
    size_t size = (size_t)call->size, *by_sender = visit->tables, *by_receiver = visit->tables + size * size;
    if (about->result[0] != CT_PARTS_OF_EACH) {
        for (size_t i = 0; i < size; i++)
            by_sender[i] = uneven(call->count, i, i / 3);
        *(about->input[0] == CT_PARTS ? &call->send_counts : &call->recv_counts) = by_sender;
        return;
    }
    for (size_t from = 0; from < size; from++)
        for (size_t to = 0; to < size; to++)
            by_sender[from * size + to] = by_receiver[to * size + from] = uneven(call->count, from, to);
    call->send_counts = by_sender;
    call->recv_counts = by_receiver;
}

/* Ranks on nodes: in blocks of two and more, dealt in turn to three, all but the last two on one, or in
 * groups that grow. */
static int node_of(int layout, int rank, int size)
{
    int node = 0;
    switch (layout) {
    case 0:
        return rank / (size > 8 ? 4 : 2);
    case 1:
        return rank % 3;
    case 2:
        return rank < size - 2 ? 7 : 3 + rank;
    default:
        for (int left = rank; left > node; left -= node)
            node++;
        return node;
    }
}

enum { LAYOUTS = 4 };

static int visit_call(struct visit *visit, struct ct_call call)
{
    if (!(visit->grid->algorithm->constraints & CT_NODES_KNOWN))
        return visit_values(visit, &call);
    int *labels = ct_allocate((size_t)call.size, sizeof *labels), status = labels ? CT_OK : CT_E_MEMORY;
    for (int layout = 0; status == CT_OK && layout < LAYOUTS; layout++) {
        if (call.root > 0 && call.root % LAYOUTS != layout) /* rank 0 has been the root on all of them */
            continue;
        for (int rank = 0; rank < call.size; rank++)
            labels[rank] = node_of(layout, rank, call.size);
        status = ct_nodes_make(labels, call.size, &visit->nodes);
        if (status != CT_OK)
            break;
        call.nodes = &visit->nodes;
        status = visit_values(visit, &call);
        ct_nodes_free(&visit->nodes);
    }
    free(labels);
    return status;
}

int ct_grid_visit(const struct ct_grid *grid, ct_grid_visitor *visit, void *context, size_t *ret_skipped)
{
    enum { IN_PLACE = 1, ORDERED = 2, UNEVEN = 4, KINDS = 8 };
    enum ct_collective collective = grid->algorithm->collective;
    const struct ct_collective_description *about = &ct_collectives[collective];
    unsigned kinds = (ct_may_be_in_place(collective, true) ? IN_PLACE : 0u) |
                     (about->reduces ? ORDERED : 0u) | (about->varies ? UNEVEN : 0u);
    struct values roots = roots_of(grid), counts = counts_of(grid);
    struct visit all = {.grid = grid, .visit = visit, .context = context};
    size_t size = (size_t)grid->size;
    if (about->varies && !(all.tables = ct_allocate(2 * size * size, sizeof *all.tables)))
        return CT_E_MEMORY;
    int status = CT_OK;
    for (size_t c = 0; c < counts.count; c++) {
        for (size_t r = 0; r < roots.count; r++) {
            for (unsigned kind = 0; status == CT_OK && kind < KINDS; kind++) {
                if (kind & ~kinds)
                    continue;
                struct ct_call call = {.size = grid->size,
                                       .root = (int)roots.items[r],
                                       .count = counts.items[c],
                                       .unit_bytes = about->reduces ? ELEMENT_BYTES : 1,
                                       .in_place = (kind & IN_PLACE) != 0,
                                       .commutative = (kind & ORDERED) == 0};
                if (kind & UNEVEN)
                    spread(&all, &call);
                status = visit_call(&all, call);
            }
        }
    }
    free(all.tables);
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
    if (status == CT_E_ANSWER) {
        struct ct_grid_failure *failure = proving->failure;
        *failure = (struct ct_grid_failure){.method = *method, .call = *call, .proof = proof, .error = error};
        if (call->nodes)
            ct_nodes_format(call->nodes, failure->nodes);
        failure->call.nodes = NULL;
        failure->call.send_counts = failure->call.recv_counts = NULL;
    }
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
