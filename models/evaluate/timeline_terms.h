/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_TIMELINE_TERMS_H
#define CT_MODELS_EVALUATE_TIMELINE_TERMS_H

#include "models/contention/interconnect.h"
#include "models/model.h"
#include "plan/plan.h"

#include <signal.h>

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

/* The node of a rank. */
static inline int ct_timeline_node_of(const struct ct_timeline_terms *terms, int rank)
{
    return terms->node_of ? terms->node_of[rank] : rank;
}

#endif
