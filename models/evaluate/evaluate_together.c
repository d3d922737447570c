/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/evaluate_together.h"
#include "algorithms/routing.h"
#include "models/evaluate/all_plans.h"

#include <math.h>

/* Plans of more steps are not held at a time. */
enum { STEPS_TOGETHER = 1 << 23, STEPS_OF_MESSAGE = 4 };

/* The model's routes or topology, or one switch for all nodes of the call. */
static int find_topology(const struct ct_evaluation_subject *subject, const struct ct_model *model,
                         size_t nodes, struct ct_error *error, struct ct_interconnect *ret_topology)
{
    int status = CT_OK;
    if (model->routes)
        *ret_topology = ct_interconnect_of_routes(model->routes);
    else if (model->topology)
        status = ct_interconnect_parse(model->topology, error, ret_topology);
    else
        *ret_topology = ct_interconnect_switch(nodes);
    if (status == CT_OK && nodes > ret_topology->nodes)
        status = ct_fail(error, CT_E_INPUT, "%d ranks on %zu nodes: the topology %.60s has %zu",
                         subject->call->size, nodes, model->routes ? "of the model" : model->topology,
                         ret_topology->nodes);
    return status;
}

static int run(struct ct_timeline *timeline, const struct ct_evaluation_subject *subject,
               const struct ct_plan *plans, const struct ct_model *model, enum ct_communication_model kind,
               double *leaves, struct ct_error *error, struct ct_evaluation *ret_evaluation)
{
    const struct ct_call *call = subject->call;
    const bool has_nodes = call->nodes && model->links[CT_LINK_NODE].known[kind];
    const size_t nodes = (size_t)(has_nodes ? call->nodes->count : call->size);
    struct ct_interconnect topology = {0};
    struct ct_timeline_result result = {0};
    const struct ct_timeline_terms terms = {.plans = plans,
                                            .size = call->size,
                                            .unit_bytes = call->unit_bytes,
                                            .node_of = has_nodes ? call->nodes->node_of : NULL,
                                            .topology = &topology,
                                            .hop_latency = model->hop_latency,
                                            .hops = model->hops,
                                            .model = model,
                                            .kind = kind,
                                            .most_messages = subject->options.most_messages,
                                            .most_seconds = subject->options.most_seconds,
                                            .stop = subject->options.stop};
    int status = find_topology(subject, model, nodes, error, &topology);
    if (status == CT_OK)
        status = ct_timeline_run(timeline, &terms, leaves, error, &result);
    if (status != CT_OK)
        return status;
    *ret_evaluation =
        (struct ct_evaluation){.messages = result.messages, .bytes = result.bytes, .leaves = leaves};
    for (int rank = 0; rank < call->size; rank++)
        ret_evaluation->seconds = fmax(ret_evaluation->seconds, leaves[rank]);
    return CT_OK;
}

int ct_evaluate_together(struct ct_timeline *timeline, const struct ct_evaluation_subject *subject,
                         const struct ct_model *model, enum ct_communication_model kind, double *leaves,
                         struct ct_error *error, struct ct_evaluation *ret_evaluation, bool *ret_is_done)
{
    const size_t most = subject->options.most_messages;
    const size_t most_steps =
        most < STEPS_TOGETHER / STEPS_OF_MESSAGE ? STEPS_OF_MESSAGE * most : STEPS_TOGETHER;
    struct ct_plan *plans = NULL;
    *ret_is_done = true;
    if (subject->plans)
        return run(timeline, subject, subject->plans, model, kind, leaves, error, ret_evaluation);
    int status = ct_all_plans_make(subject->method, subject->call, most_steps, &plans);
    if (status == CT_E_LIMIT) {
        *ret_is_done = false;
        return CT_OK;
    }
    if (status != CT_OK)
        return status;
    status = run(timeline, subject, plans, model, kind, leaves, error, ret_evaluation);
    ct_plans_free_all(plans, subject->call->size);
    return status;
}
