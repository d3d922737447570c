/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_FLIGHT_H
#define CT_PLAN_VERIFY_VERIFIER_FLIGHT_H

#include "plan/verify/verifier_state.h"

int ct_flights_reset(struct ct_verifier *verifier);
/* Adds a step to the rank's list of flights. */
int ct_flight_begin(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t position,
                    size_t operand, uint32_t *ret_flight);
/* It has been waited for. */
void ct_flight_end(struct ct_verifier *verifier, uint32_t flight);
/* The flight that overlaps with an access to [begin, begin + n), CT_NO_FLIGHT where there is none. */
uint32_t ct_flight_in_way(const struct ct_verifier *verifier, int rank, unsigned buffer, size_t begin,
                          size_t n, bool writes);
/* The flight of that slot. */
uint32_t ct_flight_of_slot(const struct ct_verifier *verifier, int rank, unsigned slot);

#endif
