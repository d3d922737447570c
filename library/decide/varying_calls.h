/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_VARYING_CALLS_H
#define CT_LIBRARY_VARYING_CALLS_H

#include "algorithms/scaled_plans.h"
#include "decision/tree/feature.h"
#include "library/decide/known_calls.h"

/* Calls that differ from earlier ones in their counts alone, as in programs that broadcast texts. They have
 * the description of the last one but for the counts, and only the method is decided on. Sparse collectives
 * are not among them. */

struct ct_varying_call {
    bool is_known;
    enum ct_collective collective;
    struct ct_known_call known; /* its own collective is CT_COLLECTIVES, since none repeats it */
    bool has_lengths;           /* blocks have lengths of their own */
    bool has_count[2]; /* by CT_BUFFER_SEND and CT_BUFFER_RECV: that of the side means something here */
    struct ct_features features;
    struct ct_scaled_plans plans;
};

/* Those of a communicator: the last calls of a few collectives, roots, types and operations. */
enum { CT_VARYING_CALLS = 4, CT_SEEN_TAGS = 64 };
struct ct_varying_calls {
    struct ct_varying_call last[CT_VARYING_CALLS];
    uint32_t seen[CT_SEEN_TAGS]; /* tags of calls, and of calls without their counts */
};

/* Describes a call that is not known, in *ret_call, by the last one that differs from it in its counts
 * alone. Where blocks have one length, all counts must be as many times those of the last one. If it has come
 * itself not long ago, it is worth an entry among the known calls instead. False: the call is described as a
 * whole, in *ret_call->known if that is not NULL, where ct_varying_call_keep() is next. */
bool ct_varying_call_resize(struct ct_varying_calls *calls, struct ct_channel *channel,
                            enum ct_collective collective, const struct ct_operands *operands,
                            enum ct_agreement agreement, struct ct_varying_call **ret_call);

/* Lets later calls be described by this one, after ct_known_call_keep(). */
void ct_varying_call_keep(struct ct_varying_call *call, enum ct_collective collective);

void ct_varying_calls_free(struct ct_varying_calls *calls);

#endif
