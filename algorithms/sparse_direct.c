/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/shared_parameters.h"
#include "algorithms/sparse.h"

static int begin(const struct ct_call *call, void **ret_rule)
{
    (void)call;
    *ret_rule = NULL;
    return CT_OK;
}

static unsigned stages(const void *rule)
{
    (void)rule;
    return 1;
}

static int next(const void *rule, unsigned stage, int holder, int destination)
{
    (void)rule;
    (void)stage;
    (void)holder;
    return destination;
}

const struct ct_forwarding ct_forwarding_direct = {.begin = begin, .stages = stages, .next = next};

/* A rank's blocks for itself. Blocks of two numbers go by way of a temporary buffer, since a copy names one
 * number. */
static void copy_own(struct ct_plan *plan, const struct ct_call *call, bool one_for_all)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    const bool numbered = !one_for_all && call->send_counts && call->recv_counts;
    size_t units = 0, used = 0;
    for (size_t i = 0; numbered && i < neighbors->out_count; i++)
        units += neighbors->out[i] == call->rank ? call->send_counts[i] : 0;
    unsigned temporary = units > 0 ? ct_temporary(plan, units) : 0;
    for (int pass = 0; pass < (numbered ? 2 : 1); pass++, used = 0) {
        for (size_t out = 0, in = 0; ct_sparse_own_pair(call, &out, &in); out++, in++) {
            struct ct_slice from = ct_sparse_sent_block(call, one_for_all, out);
            struct ct_slice to = ct_recv_block(call, (int)in);
            const struct ct_slice between = {.buffer = temporary, .offset = used, .n = from.n};
            used += from.n;
            if (from.n > 0)
                ct_copy_slice(plan, numbered && pass == 0 ? between : to,
                              numbered && pass == 1 ? between : from);
        }
        if (numbered && pass == 0)
            ct_round_end(plan);
    }
}

/* Receives are posted first and waited for last, so a bound on the sends cannot make ranks wait for each
 * other. */
static void send_directly(struct ct_plan *plan, const struct ct_call *call, bool one_for_all)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    const size_t most = ct_value_or(call, &ct_requests_parameter, 0);
    size_t sends = 0;
    for (size_t i = 0; i < neighbors->in_count; i++)
        if (neighbors->in[i] != call->rank)
            ct_post(plan, CT_STEP_RECEIVE, neighbors->in[i], ct_recv_block(call, (int)i),
                    most > 0 ? CT_DEFERRAL_AT_END : CT_DEFERRAL_IN_ROUND);
    for (size_t i = 0; i < neighbors->out_count; i++) {
        if (neighbors->out[i] == call->rank)
            continue;
        ct_send_slice(plan, neighbors->out[i], ct_sparse_sent_block(call, one_for_all, i));
        if (most > 0 && ++sends % most == 0)
            ct_round_end(plan);
    }
    copy_own(plan, call, one_for_all);
    ct_round_end(plan);
}

void ct_sparse_blocks(struct ct_plan *plan, const struct ct_call *call)
{
    send_directly(plan, call, false);
}

void ct_sparse_one_block(struct ct_plan *plan, const struct ct_call *call)
{
    send_directly(plan, call, true);
}
