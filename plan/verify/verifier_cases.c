/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_cases.h"
#include "algorithms/routing.h"
#include "base/memory.h"
#include "plan/verify/verifier_patterns.h"
#include "plan/verify/verifier_values.h"

#include <stdlib.h>

struct visit {
    const struct ct_cases *cases;
    ct_case_visitor *visit;
    void *context;
    size_t *tables; /* of counts: by sender, and by receiver */
    struct ct_nodes nodes;
    struct ct_plan plan; /* just to count its messages */
    size_t turn;         /* rises with every call */
    size_t count_index;  /* of the count that is tried */
    size_t count_count;
    struct ct_cases_skipped skipped;
};

static size_t common_divisor(size_t a, size_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Messages that the rank sends if there is data for every rank, independent of the counts of `call`. */
static size_t messages_of_rank(struct visit *visit, const struct ct_method *method,
                               const struct ct_call *call, int rank)
{
    struct ct_call all = *call;
    size_t messages = 0;
    all.count = (size_t)call->size;
    all.send_counts = all.recv_counts = NULL;
    struct ct_call own = ct_call_of_rank(method->algorithm->collective, &all, rank);
    ct_plan_reset(&visit->plan);
    if (ct_method_build(method, &visit->plan, &own) != CT_OK)
        return 0; /* ct_verify() will say why */
    for (size_t i = 0; i < visit->plan.step_count; i++)
        messages += visit->plan.steps[i].kind == CT_STEP_SEND;
    return messages;
}

/* Does it send too many messages to be verified for that many ranks? In sparse collectives the pattern says
 * how many there are. Routes of dense collectives have P^2 blocks, however few messages carry them. */
static bool sends_too_many(struct visit *visit, const struct ct_method *method, const struct ct_call *call)
{
    struct ct_method uncut = *method;
    size_t size = (size_t)call->size, log2 = 0, most, sent = 0;
    size_t times = ct_density_of(call->size)->messages;
    if (times == 0 || call->neighbors)
        return false;
    if (ct_needs_routes(method))
        return true;
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    for (int i = 0; i < ct_parameter_count(descriptor); i++)
        if (descriptor->parameters[i]->in_bytes && descriptor->parameters[i]->least == 0)
            uncut.values[i] = 0;
    while ((size_t)1 << log2 < size)
        log2++;
    most = times * size * log2;
    for (int rank = 0; rank < call->size && sent <= most; rank++)
        sent += messages_of_rank(visit, &uncut, call, rank);
    return sent > most;
}

static int visit_method(struct visit *visit, const struct ct_method *method, const struct ct_call *call)
{
    if (!ct_method_applies(method, call, NULL)) {
        visit->skipped.by_constraints++;
        return CT_OK;
    }
    if (sends_too_many(visit, method, call)) {
        visit->skipped.by_messages++;
        return CT_OK;
    }
    return visit->visit(method, call, visit->context);
}

/* All combinations of the parameters' values or, of many, some that are spread evenly; every call begins with
 * another, so that the calls together try them all. */
static int visit_values(struct visit *visit, const struct ct_call *call)
{
    struct ct_method method = {.algorithm = visit->cases->algorithm};
    struct ct_values values[CT_PARAMETERS_MAX];
    int count = ct_parameter_count(method.algorithm->descriptor);
    size_t all = 1, most = ct_density_of(call->size)->combinations;
    for (int i = 0; i < count; i++) {
        int status = ct_parameter_tried(method.algorithm->descriptor->parameters[i], call, &values[i]);
        if (status != CT_OK)
            return status;
        all *= values[i].count;
    }
    size_t some = all < most ? all : most, step = all / some;
    while (common_divisor(all, step) > 1)
        step++;
    for (size_t k = 0, at = visit->turn++ % all; k < some; k++, at = (at + step) % all) {
        size_t rest = at;
        for (int i = 0; i < count; i++, rest /= values[i - 1].count)
            method.values[i] = values[i].items[rest % values[i].count];
        int status = visit_method(visit, &method, call);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* Layouts of ranks on nodes: blocks of two or four, groups that grow, three nodes in turn, or all but the
 * last two ranks on one node. */

static int in_blocks(int rank, int size)
{
    return rank / (size > 8 ? 4 : 2);
}

static int dealt(int rank, int size)
{
    (void)size;
    return rank % 3;
}

static int crowded(int rank, int size)
{
    return rank < size - 2 ? 7 : 3 + rank;
}

static int growing(int rank, int size)
{
    int node = 0;
    (void)size;
    for (int left = rank; left > node; left -= node)
        node++;
    return node;
}

/* If a node holds most of the ranks, its head may hold most of the data, in very many pieces. Such layouts
 * come last and are tried with few ranks only. */
static int (*const layouts[])(int rank, int size) = {in_blocks, growing, dealt, crowded};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0], LAYOUTS_OF_MANY = 2 };

static int visit_call(struct visit *visit, struct ct_call call)
{
    if (!(visit->cases->algorithm->descriptor->constraints & CT_CONSTRAINT_NODES_KNOWN))
        return visit_values(visit, &call);
    size_t count = ct_density_of(call.size)->few ? LAYOUTS_OF_MANY : LAYOUTS;
    int *labels = ct_allocate((size_t)call.size, sizeof *labels), status = labels ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        if (call.root > 0 && (size_t)call.root % count != i) /* rank 0 has been the root on all of them */
            continue;
        for (int rank = 0; rank < call.size; rank++)
            labels[rank] = layouts[i](rank, call.size);
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

/* In place and not, operations that commute and that do not, equal counts and uneven ones. Those that do not
 * commute come first: the same plan is then known to be right for those that do. */
static int visit_kinds(struct visit *visit, const struct ct_call *call)
{
    enum { IN_PLACE = 1, ORDERED = 2, UNEVEN = 4, KINDS = 8 };
    enum ct_collective collective = visit->cases->algorithm->collective;
    const struct ct_collective_description *about = &ct_collectives[collective];
    unsigned kinds = (ct_may_be_in_place(collective, true) ? IN_PLACE : 0u) |
                     (about->reduces ? ORDERED : 0u) | (about->varies ? UNEVEN : 0u);
    int status = CT_OK;
    for (unsigned i = 0; status == CT_OK && i < KINDS; i++) {
        unsigned kind = i ^ ORDERED;
        if (kind & ~kinds)
            continue;
        struct ct_call one = *call;
        one.in_place = (kind & IN_PLACE) != 0;
        one.commutative = (kind & ORDERED) == 0;
        if (kind & UNEVEN)
            ct_block_counts(collective, &one, true, visit->tables);
        status = visit_call(visit, one);
    }
    return status;
}

/* All patterns, with equal lengths and uneven ones. Which way blocks take depends on the pattern, and on the
 * count only if it is 0. So where patterns are many or large, each is tried with one of the counts, and with
 * the next one at the next size. */
static int visit_patterns(struct visit *visit, const struct ct_call *call)
{
    enum ct_collective collective = visit->cases->algorithm->collective;
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool one_for_all = about->input[0] == CT_CONTENTS_OWN;
    enum { MANY_PATTERNS = 64, SMALL_PATTERN = 16 };
    size_t patterns = ct_patterns_tried(call->size);
    bool one_count = patterns > MANY_PATTERNS || call->size > SMALL_PATTERN;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < patterns; i++) {
        if (one_count && (i + (size_t)call->size) % visit->count_count != visit->count_index)
            continue;
        bool uneven = about->varies && i % 2 == 1;
        struct ct_pattern pattern = {0};
        struct ct_edge *edges;
        size_t count;
        struct ct_call one = *call;
        one.commutative = true;
        status = ct_pattern_tried(call->size, i, call->count, uneven, &edges, &count);
        if (status != CT_OK)
            break;
        if (about->varies && one_for_all) { /* blocks differ by the rank that sends them */
            for (int rank = 0; rank < call->size; rank++)
                visit->tables[rank] = uneven && rank % 3 == 0 ? 0 : call->count + (size_t)rank % 4;
            one.send_counts = visit->tables;
            for (size_t k = 0; k < count; k++)
                edges[k].length = visit->tables[edges[k].from];
        }
        status = ct_pattern_make(call->size, edges, count, about->varies, &pattern);
        one.neighbors = pattern.ranks;
        free(edges);
        if (status == CT_OK)
            status = visit_call(visit, one);
        ct_pattern_free(&pattern);
    }
    return status;
}

int ct_cases_visit(const struct ct_cases *cases, ct_case_visitor *visit, void *context,
                   struct ct_cases_skipped *ret_skipped)
{
    enum { ELEMENT_BYTES = 8 };
    const struct ct_collective_description *about = &ct_collectives[cases->algorithm->collective];
    struct ct_values roots = ct_roots_tried(cases->algorithm->collective, cases->size);
    struct ct_values standard = ct_counts_tried(cases->algorithm->collective, cases->size);
    struct visit all = {.cases = cases, .visit = visit, .context = context, .turn = (size_t)cases->size};
    bool given = cases->counts && about->has_data;
    const size_t *counts = given ? cases->counts : standard.items;
    size_t count_count = given ? cases->count_count : standard.count, size = (size_t)cases->size;
    if (about->varies && !(all.tables = ct_allocate(2 * size * size, sizeof *all.tables)))
        return CT_E_MEMORY;
    int status = CT_OK;
    all.count_count = count_count;
    for (size_t c = 0; c < count_count; c++) {
        all.count_index = c;
        for (size_t r = 0; status == CT_OK && r < roots.count; r++) {
            const struct ct_call call = {.size = cases->size,
                                         .root = (int)roots.items[r],
                                         .count = counts[c],
                                         .unit_bytes = about->reduces ? ELEMENT_BYTES : 1};
            status = (about->is_sparse ? visit_patterns : visit_kinds)(&all, &call);
        }
    }
    free(all.tables);
    ct_plan_free(&all.plan);
    if (status == CT_OK)
        *ret_skipped = all.skipped;
    return status;
}

struct verifying {
    struct ct_verifier *verifier;
    struct ct_cases_totals *totals;
    struct ct_case_failure *failure;
};

/* Ranks on a node, where they are blocks that follow one another; else 0. */
static int ppn_of(const struct ct_nodes *nodes)
{
    int ppn = ct_node_size(nodes, 0);
    for (int rank = 0; rank < nodes->size; rank++)
        if (nodes->node_of[rank] != rank / ppn)
            return 0;
    return ppn;
}

static int verify_case(const struct ct_method *method, const struct ct_call *call, void *context)
{
    struct verifying *verifying = context;
    struct ct_verdict verdict;
    struct ct_error error = {{0}};
    int status = ct_verify_once(verifying->verifier, method, call, &error, &verdict);
    if (status == CT_OK || status == CT_E_ANSWER) {
        verifying->totals->cases++;
        verifying->totals->steps += verdict.steps;
        verifying->totals->messages += verdict.messages;
    }
    if (status == CT_E_ANSWER) {
        struct ct_case_failure *failure = verifying->failure;
        *failure =
            (struct ct_case_failure){.method = *method, .call = *call, .verdict = verdict, .error = error};
        failure->uneven = call->send_counts || call->recv_counts;
        failure->call.nodes = NULL;
        if (call->neighbors)
            ct_neighbors_format(call->neighbors, call->size, failure->pattern);
        failure->call.neighbors = NULL;
        failure->call.send_counts = failure->call.recv_counts = NULL;
        if (call->nodes) {
            ct_nodes_format(call->nodes, failure->nodes);
            failure->ppn = ppn_of(call->nodes);
        }
    }
    return status;
}

int ct_cases_verify(struct ct_verifier *verifier, const struct ct_cases *cases,
                    struct ct_cases_totals *totals, struct ct_case_failure *ret_failure)
{
    struct verifying verifying = {.verifier = verifier, .totals = totals, .failure = ret_failure};
    struct ct_cases_skipped skipped = {0};
    int status = ct_cases_visit(cases, verify_case, &verifying, &skipped);
    totals->skipped.by_constraints += skipped.by_constraints;
    totals->skipped.by_messages += skipped.by_messages;
    return status;
}
