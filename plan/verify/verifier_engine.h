/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_ENGINE_H
#define CT_PLAN_VERIFY_VERIFIER_ENGINE_H

#include "plan/verify/verifier_state.h"

/* Carries out all plans to their end. */
int ct_verifier_run(struct ct_verifier *verifier);

#endif
