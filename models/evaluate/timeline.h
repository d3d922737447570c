/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_TIMELINE_H
#define CT_MODELS_EVALUATE_TIMELINE_H

#include "models/evaluate/timeline_terms.h"

/* The plans of all ranks, carried out together in the order of time, with messages that share links
 * (flows.h). docs/evaluation.md has the rules. */

struct ct_timeline;

/* NULL without memory. */
struct ct_timeline *ct_timeline_new(void);
void ct_timeline_free(struct ct_timeline *timeline);

struct ct_timeline_result {
    size_t messages;
    size_t bytes;
};

/* Writes to leaves[rank] when the ranks leave. CT_OK; CT_E_ANSWER where the plans are wrong, CT_E_LIMIT
 * beyond the messages or the time allowed, both with a line in `error`; CT_E_STOPPED, CT_E_MEMORY. */
int ct_timeline_run(struct ct_timeline *timeline, const struct ct_timeline_terms *terms, double *leaves,
                    struct ct_error *error, struct ct_timeline_result *ret_result);

#endif
