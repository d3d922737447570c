/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_EVALUATION_H
#define CT_MODELS_EVALUATE_EVALUATION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* What is asked of an evaluation (models/evaluate/evaluate.h), and what it finds. */

struct ct_evaluation_options {
    size_t most_messages; /* the evaluation fails beyond so many; 0: CT_MESSAGES_USUAL */
    double most_seconds; /* of processor time, also a bound: some plans take long to write and send little; 0:
                            no bound */
    const volatile sig_atomic_t *stop; /* becomes nonzero if the user wants to stop; or NULL */
    bool shares_links; /* messages share links, and wait for their receive (docs/evaluation.md) */
    const int *order;  /* a permutation of the ranks, the order in which they are advanced; NULL for any */
};

/* Some seconds' work, and no more than 2 GB of memory. */
enum { CT_MESSAGES_USUAL = 1 << 24 };

struct ct_evaluation {
    double seconds; /* until the last rank leaves */
    size_t messages;
    size_t bytes;         /* sent, of all messages */
    const double *leaves; /* by rank; the evaluator's, valid until its next use */
};

#endif
