/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_DESCRIPTOR_H
#define CT_ALGORITHMS_DESCRIPTOR_H

#include "algorithms/constraints.h"
#include "algorithms/parameter.h"
#include "plan/call.h"

#include <assert.h>

/* What an algorithm is. Listings, dispatch, sweeps, class names, verification and generated code derive from
 * its descriptor; nothing repeats it. */

/* How an algorithm forwards blocks whose ways no rank knows alone: in stages, from holder to holder. From
 * this the routes are set up, see algorithms/routing.h. */
struct ct_letters;

struct ct_forwarding {
    /* Begins the set-up at one rank. *ret_rule is what next() is told; NULL is none; freed by end(), which
     * may be NULL. CT_OK, CT_E_MEMORY. */
    int (*begin)(const struct ct_call *call, void **ret_rule);
    void (*end)(void *rule);
    /* A superstep in which ranks find out what the rule needs, before the first stage; NULL: nothing. As
     * ct_routing_step(); `all_wait`: no rank was active in the last superstep. *ret_done: this rank needs no
     * further one; then no rank does. */
    int (*prepare)(void *rule, bool all_wait, const struct ct_letters *inbox, struct ct_letters *outbox,
                   bool *ret_active, bool *ret_done);
    /* Equal on all ranks. */
    unsigned (*stages)(const void *rule);
    /* The rank to which `holder`, whose rule this is, sends a block for `destination` in a stage; `holder`
     * itself: it keeps it. After the last stage all blocks must have arrived. */
    int (*next)(const void *rule, unsigned stage, int holder, int destination);
};

/* The one description of an algorithm, in its file, for all collectives that it carries out. Costs are in
 * Hockney's terms: alpha is the latency, beta the time to transfer a byte, gamma to combine and delta to copy
 * one; P ranks, n of them on each node, a message size of m bytes, cut into n_s segments of m_s bytes; k is
 * the radix. They neglect what overlaps. */
struct ct_descriptor {
    const char *text;   /* one line */
    const char *source; /* where it is described */
    const char *cost;
    unsigned constraints;                                     /* of enum ct_constraint */
    const struct ct_parameter *parameters[CT_PARAMETERS_MAX]; /* in the order of spelling; then NULL */
    /* Writes one rank's plan; NULL in `native`, which the MPI library carries out, and in `foreign`. */
    void (*build)(struct ct_plan *plan, const struct ct_call *call);
    /* Of algorithms whose plans need routes: those of sparse collectives, and of alltoallv; else NULL. */
    const struct ct_forwarding *forwarding;
};

struct ct_algorithm {
    enum ct_collective collective;
    const char *name;
    const struct ct_descriptor *descriptor;
};

/* Is it carried out by a plan? Otherwise it is native or foreign. */
static inline bool ct_has_plan(const struct ct_algorithm *algorithm)
{
    return algorithm->descriptor->build;
}

/* How many parameters the algorithm has. */
static inline int ct_parameter_count(const struct ct_descriptor *descriptor)
{
    int count = 0;
    while (count < CT_PARAMETERS_MAX && descriptor->parameters[count])
        count++;
    return count;
}

/* The value that the call gives to a parameter; `fixed` where its algorithm does not have it. */
static inline size_t ct_value_or(const struct ct_call *call, const struct ct_parameter *parameter,
                                 size_t fixed)
{
    for (int i = 0; i < CT_PARAMETERS_MAX; i++)
        if (call->descriptor->parameters[i] == parameter)
            return call->values[i];
    return fixed;
}

/* The same of a parameter that the algorithm must have. */
static inline size_t ct_value(const struct ct_call *call, const struct ct_parameter *parameter)
{
    size_t value = ct_value_or(call, parameter, 0);
    assert(value == ct_value_or(call, parameter, 1) && "the algorithm has the parameter");
    return value;
}

/* The descriptors that registry.def lists, named ct_<collective>_<name>. */
#define ALGORITHM(collective, name)       extern const struct ct_descriptor ct_##collective##_##name;
#define VARIANT(collective, folder, name) ALGORITHM(collective, name)
#include "algorithms/registry.def"

#endif
