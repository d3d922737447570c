/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_VERDICT_H
#define CT_PLAN_VERIFY_VERIFIER_VERDICT_H

#include <stddef.h>

/* Kinds of errors. */
enum ct_flaw {
    CT_FLAW_NONE,
    CT_FLAW_PLAN,       /* rounds do not cover the steps, or building failed */
    CT_FLAW_STEP,       /* unknown kind, local step of no length, reduction where nothing is reduced */
    CT_FLAW_PEER,       /* no such rank, or the rank itself */
    CT_FLAW_BOUNDS,     /* no such buffer or block, or beyond its end */
    CT_FLAW_SLOT,       /* slot unknown, taken twice, or never waited for */
    CT_FLAW_WRITE,      /* to CT_BUFFER_SEND, or to CT_BUFFER_RECV outside the result */
    CT_FLAW_UNDEFINED,  /* reads data that were never written, or the result is not complete */
    CT_FLAW_CONFLICT,   /* touches what a step in flight writes, or writes what one reads */
    CT_FLAW_LENGTH,     /* a message's send and receive differ in length */
    CT_FLAW_UNMATCHED,  /* a message that is never received, or never sent */
    CT_FLAW_DEADLOCK,   /* ranks wait for each other */
    CT_FLAW_MISPLACED,  /* other units than belong there, or of different positions combined */
    CT_FLAW_ORDER,      /* combined out of rank order */
    CT_FLAW_LOST,       /* the result lacks a rank's data or holds it more than once */
    CT_FLAW_UNEQUAL,    /* ranks compute the same result by different expressions */
    CT_FLAW_DEAD_STORE, /* stored, never read, and not the result */
    CT_FLAW_EARLY,      /* leaves a barrier before all have entered */
    CT_FLAWS
};

/* "deadlock", "dead store", ... */
extern const char *const ct_flaw_names[CT_FLAWS];

/* Traffic of one rank. */
struct ct_traffic {
    size_t messages; /* sent */
    size_t units;    /* sent */
};

struct ct_verdict {
    enum ct_flaw flaw; /* CT_FLAW_NONE: verified. Else where, counted from 0: */
    int rank;
    size_t round;
    size_t step; /* within the round */
    int peer;    /* -1 where none is involved */

    size_t steps;    /* of all ranks */
    size_t messages; /* sent by all ranks */
    size_t units;
    const struct ct_traffic *traffic; /* by rank; the verifier's, valid until its next verification */
};

#endif
