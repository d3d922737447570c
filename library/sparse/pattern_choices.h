/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PATTERN_CHOICES_H
#define CT_LIBRARY_PATTERN_CHOICES_H

#include "library/decide/tuner.h"
#include "library/execute/channel_state.h"
#include "plan/pattern_features.h"

/* Calls whose method depends on the pattern (ct_choice.depends_on_pattern) are decided when the ranks agree:
 * the features of the pattern take two allreduces in the first call with its lengths; each later call takes a
 * small one, by which the ranks see that no length has changed anywhere. A few decisions are kept, for
 * applications that exchange blocks of several lengths in turn.
 *
 * That allreduce may take longer than all messages of the exchange. So the ranks settle on what was decided
 * CT_SETTLED_AFTER times in a row (settled_choices.h): further calls on the communicator follow it. If it is
 * native or a method that needs no routes, they do so whatever their lengths, and no longer agree. By a
 * method that needs routes they do until the ranks find, in an agreement on the lengths of the routes, that
 * these have changed. */

/* The features of a call's pattern, equal on all ranks. `channel` is that of blocking calls. Collective.
 * Returns an MPI error code. */
int ct_pattern_features_agree(struct ct_channel *channel, enum ct_collective collective,
                              const struct ct_call *call, struct ct_pattern_features *ret_features);

/* The choice for a non-blocking call, at this rank alone, but the same at all: once the ranks have settled,
 * by the pattern of the call that they decided last; else native. */
struct ct_choice *ct_pattern_choice_nonblocking(const struct ct_topology *topology,
                                                enum ct_agreement agreement, enum ct_collective collective,
                                                const struct ct_call *call);

/* Decides on a call that depends on the pattern, or finds the decision that was made for its lengths; then
 * does what ct_sparse_call_prepare() does. *ret_choice is what was decided, the same at all ranks;
 * *ret_method carries it out, unless it is native. Of a method that the ranks have settled on it finds no
 * routes. Collective; errors as there. */
int ct_pattern_choice_make(struct ct_channel *channel, MPI_Comm comm, enum ct_agreement agreement,
                           enum ct_collective collective, struct ct_call *call, struct ct_choice **ret_choice,
                           struct ct_method *ret_method);

#endif
