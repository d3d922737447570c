/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_TIMELINE_H
#define CT_MODELS_EVALUATE_TIMELINE_H

#include "models/contention/interconnect.h"
#include "models/evaluate/flows.h"
#include "models/model.h"
#include "plan/call.h"
#include "plan/plan.h"

#include <signal.h>

/* The plans of all ranks, carried out together in the order of time, with messages that share links
 * (flows.h). docs/evaluation.md has the rules. */

struct ct_timeline;

/* NULL without memory. */
struct ct_timeline *ct_timeline_new(void);
void ct_timeline_free(struct ct_timeline *timeline);

/* What a timeline is to find out. */
struct ct_timeline_terms {
    const struct ct_plan *plans; /* by rank */
    int size;
    size_t unit_bytes;
    const int *node_of;                     /* by rank; NULL: each rank has a node of its own */
    const struct ct_interconnect *topology; /* has at least as many nodes */
    double hop_latency;                     /* of each link of a way */
    double hops;                            /* links between the ranks that the model was measured with */
    const struct ct_model *model;
    enum ct_communication_model kind;
    size_t most_messages;
    double most_seconds;               /* of processor time; 0: no bound */
    const volatile sig_atomic_t *stop; /* or NULL */
};

struct ct_timeline_result {
    size_t messages;
    size_t bytes;
};

/* Writes to leaves[rank] when the ranks leave. CT_OK; CT_E_ANSWER where the plans are wrong, CT_E_LIMIT
 * beyond the messages or the time allowed, both with a line in `error`; CT_E_STOPPED, CT_E_MEMORY. */
int ct_timeline_run(struct ct_timeline *timeline, const struct ct_timeline_terms *terms, double *leaves,
                    struct ct_error *error, struct ct_timeline_result *ret_result);

#endif
