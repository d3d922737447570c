/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_MESSAGE_H
#define CT_PLAN_VERIFY_VERIFIER_MESSAGE_H

#include "plan/verify/verifier_state.h"

/* Empties the queues. CT_OK or CT_E_MEMORY. */
int ct_channels_reset(struct ct_verifier *verifier);
/* Posts a flight; where its other end is posted already, the message moves and both are done. */
int ct_verifier_post(struct ct_verifier *verifier, uint32_t flight);

#endif
