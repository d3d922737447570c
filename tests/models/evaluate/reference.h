/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_REFERENCE_H
#define CT_TESTS_REFERENCE_H

#include "models/model.h"
#include "plan/call.h"

/* The rules of models/evaluate/evaluate.h once more, slow and in another way: each rank is carried out alone,
 * step by step, with what is believed of when messages are sent, over and over until nothing changes any
 * more. */

enum { REFERENCE_RANKS = 32 };

/* When each rank leaves. False where it does not come to rest or messages do not match. */
bool reference_evaluate(const struct ct_plan *plans, const struct ct_call *call, const struct ct_model *model,
                        enum ct_communication_model kind, double ret_leaves[REFERENCE_RANKS]);

#endif
