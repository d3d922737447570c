/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_verdict.h"

const char *const ct_flaw_names[CT_FLAWS] = {
    [CT_FLAW_NONE] = "none",
    [CT_FLAW_PLAN] = "malformed plan",
    [CT_FLAW_STEP] = "malformed step",
    [CT_FLAW_PEER] = "wrong peer",
    [CT_FLAW_BOUNDS] = "out of bounds",
    [CT_FLAW_SLOT] = "wrong slot",
    [CT_FLAW_WRITE] = "forbidden write",
    [CT_FLAW_UNDEFINED] = "undefined data",
    [CT_FLAW_CONFLICT] = "conflict",
    [CT_FLAW_LENGTH] = "lengths differ",
    [CT_FLAW_UNMATCHED] = "unmatched message",
    [CT_FLAW_DEADLOCK] = "deadlock",
    [CT_FLAW_MISPLACED] = "misplaced data",
    [CT_FLAW_ORDER] = "out of rank order",
    [CT_FLAW_LOST] = "lost or doubled data",
    [CT_FLAW_UNEQUAL] = "unequal expressions",
    [CT_FLAW_DEAD_STORE] = "dead store",
    [CT_FLAW_EARLY] = "leaves early",
};
