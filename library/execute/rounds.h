/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_ROUNDS_H
#define CT_LIBRARY_EXECUTE_ROUNDS_H

#include "library/execute/flight_state.h"

/* The rounds of a plan, carried out. */

/* Makes ready to carry out fused plans. False if this call cannot: its operation or type may not be divided
 * into pieces, or there are no lanes. */
bool ct_rounds_fuse(struct ct_flight *flight);
/* Puts the flight before the first round. */
void ct_rounds_begin(struct ct_flight *flight);
/* Puts it into a round of which the first part is that the messages have been posted. The next function posts
 * those that have not. Both return an MPI error code. */
int ct_rounds_enter(struct ct_flight *flight, const struct ct_plan *plan, size_t round);
int ct_rounds_post(struct ct_flight *flight, const struct ct_step *step);
/* Does the plan begin with the receive of a short message, and nothing else? */
bool ct_rounds_receive_first(const struct ct_flight *flight, const struct ct_plan *plan);
/* Carries out the rounds of the plan from there. CT_PENDING: call again with the same plan. */
int ct_rounds_run(struct ct_flight *flight, const struct ct_plan *plan);

#endif
