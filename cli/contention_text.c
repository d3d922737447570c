/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/contention_text.h"
#include "base/memory.h"
#include "base/text.h"
#include "models/contention/network.h"
#include "plan/explain/explain.h"

#include <stdlib.h>

enum { MESSAGES_MOST = 1 << 22 };

/* --- where ranks are --- */

/* Gives each rank a node: nodes in order, without the missing ones. */
static int place_ranks(const struct ct_contention_case *about, const struct ct_network *network, int size,
                       struct ct_error *error, size_t **ret_node_of)
{
    size_t *missing = NULL, missing_count = 0, node = 0;
    size_t *node_of = ct_allocate((size_t)size, sizeof *node_of);
    bool *is_missing = ct_allocate(network->nodes, sizeof *is_missing);
    int status = node_of && is_missing ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && about->missing) {
        status = ct_list_parse(about->missing, error, &missing, &missing_count);
        status = status == CT_E_INPUT ? ct_fail_in(error, status, "--missing") : status;
    }
    for (size_t i = 0; status == CT_OK && i < missing_count; i++) {
        if (missing[i] >= network->nodes)
            status = ct_fail(error, CT_E_INPUT, "--missing %zu: expected nodes below %zu", missing[i],
                             network->nodes);
        else
            is_missing[missing[i]] = true;
    }
    for (int rank = 0; status == CT_OK && rank < size; rank++) {
        node += rank > 0 && (size_t)rank % about->ppn == 0;
        while (node < network->nodes && is_missing[node])
            node++;
        if (node >= network->nodes)
            status = ct_fail(error, CT_E_INPUT,
                             "--network %s: %zu nodes, %zu of them missing, with %zu ranks each; expected "
                             "room for %d ranks",
                             about->network, network->nodes, missing_count, about->ppn, size);
        else
            node_of[rank] = node;
    }
    free(missing);
    free(is_missing);
    if (status != CT_OK) {
        free(node_of);
        return status;
    }
    *ret_node_of = node_of;
    return CT_OK;
}

/* --- rounds --- */

struct counting {
    const struct ct_contention_case *about;
    struct ct_contention *contention;
    struct ct_network_message *messages;
    uint64_t random;
    size_t free_rounds, largest_sum;
    double mean_sum;
};

/* Of all trials. */
struct round_load {
    size_t messages, bytes; /* the largest */
    double mean;            /* messages on the busiest link */
};

static int count_round(struct counting *counting, size_t count, struct round_load *ret_load)
{
    struct round_load all = {0};
    double sum = 0;
    for (size_t trial = 0; trial < counting->about->trials; trial++) {
        struct ct_link_load load;
        int status =
            ct_contention_count(counting->contention, counting->messages, count, &counting->random, &load);
        if (status != CT_OK)
            return status;
        all.messages = load.messages > all.messages ? load.messages : all.messages;
        all.bytes = load.bytes > all.bytes ? load.bytes : all.bytes;
        sum += (double)load.messages;
    }
    all.mean = sum / (double)counting->about->trials;
    *ret_load = all;
    return CT_OK;
}

static int count_rounds(struct counting *counting, const struct ct_flow *flow, const size_t *node_of,
                        size_t unit_bytes, struct ct_text *text)
{
    size_t arrow = 0;
    for (size_t round = 0; round < flow->bands; round++) {
        size_t count = 0, between = 0;
        struct round_load load;
        char bytes[CT_SIZE_TEXT];
        for (; arrow < flow->count && flow->arrows[arrow].band == round; arrow++) {
            const struct ct_arrow *from = &flow->arrows[arrow];
            counting->messages[count] =
                (struct ct_network_message){node_of[from->from], node_of[from->to], from->n * unit_bytes};
            between += node_of[from->from] != node_of[from->to];
            count++;
        }
        int status = count_round(counting, count, &load);
        if (status != CT_OK)
            return status;
        ct_text_append(text, "%7zu  %8zu  %7zu  %6.2f  %12s\n", round, between, load.messages, load.mean,
                       ct_size_format(load.bytes, bytes));
        counting->free_rounds += load.messages <= 1;
        counting->largest_sum += load.messages;
        counting->mean_sum += load.mean;
    }
    return CT_OK;
}

static int write_text(const struct ct_network *network, const struct ct_flow *flow, const size_t *node_of,
                      const struct ct_method *method, const struct ct_call *call, struct counting *counting,
                      struct ct_text *text)
{
    char name[CT_METHOD_TEXT];
    counting->contention = ct_contention_new(network);
    counting->messages = ct_allocate(flow->count + 1, sizeof *counting->messages);
    int status = counting->contention && counting->messages ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        ct_text_append(
            text,
            "%s, %d ranks on %s, %zu node%s. Routes are drawn %zu time%s. Each row has the busiest "
            "link of a round: the most messages that it carries in any trial, the mean of that "
            "over the trials, and the most bytes.\n",
            ct_method_format(method, true, name), call->size, counting->about->network, network->nodes,
            ct_s(network->nodes), counting->about->trials, ct_s(counting->about->trials));
        ct_text_append(text, "%7s  %8s  %7s  %6s  %12s\n", "round", "messages", "largest", "mean", "bytes");
        status = count_rounds(counting, flow, node_of, call->unit_bytes, text);
    }
    if (status == CT_OK)
        ct_text_append(text,
                       "In %zu of %zu rounds no two messages share a link. Added up over the rounds, the "
                       "busiest links carry %zu messages at most, %.2f on average.\n",
                       counting->free_rounds, flow->bands, counting->largest_sum, counting->mean_sum);
    free(counting->messages);
    ct_contention_free(counting->contention);
    return status;
}

int ct_contention_text(const struct ct_method *method, const struct ct_call *call,
                       const struct ct_contention_case *about, struct ct_error *error, struct ct_text *text)
{
    struct counting counting = {.about = about, .random = 1};
    struct ct_network network;
    struct ct_flow flow = {0};
    size_t *node_of = NULL;
    int status = ct_network_parse(about->network, error, &network);
    if (status != CT_OK)
        return ct_fail_in(error, status, "--network");
    status = place_ranks(about, &network, call->size, error, &node_of);
    if (status == CT_OK)
        status = ct_explain_flow(method, call, MESSAGES_MOST, error, &flow);
    if (status == CT_OK)
        status = write_text(&network, &flow, node_of, method, call, &counting, text);
    ct_flow_free(&flow);
    free(node_of);
    return status == CT_OK && text->failed ? CT_E_MEMORY : status;
}
