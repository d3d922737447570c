/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_EXPLAIN_EXPLAIN_H
#define CT_PLAN_EXPLAIN_EXPLAIN_H

#include "algorithms/method.h"
#include "base/text.h"
#include "plan/explain/explain_flow.h"

/* Plans for people: in words, and as pictures. */

enum ct_explain_format { CT_EXPLAIN_TEXT, CT_EXPLAIN_DOT, CT_EXPLAIN_SVG };

/* Appends the plans of a method for a call (call->rank is ignored, call->in_place as in ct_verify()) to
 * `text`: of `rank`, or of all where that is -1. Pictures show the messages of all ranks, or those of one
 * rank, by round: each message in the first round by which both its ends can be posted. If the call says
 * which ranks share a node, all forms tell which messages stay within nodes, and plans are shown as the
 * library carries them out there (see fuse.h) or, if `plain`, as the algorithm has written them. CT_OK; with
 * a line in `error` CT_E_ANSWER where the method has no plan, CT_E_INPUT where it does not apply to the call,
 * CT_E_LIMIT where there is too much to draw; CT_E_MEMORY. */
int ct_explain(const struct ct_method *method, const struct ct_call *call, int rank,
               enum ct_explain_format format, bool plain, struct ct_error *error, struct ct_text *text);

/* The messages of the plans of all ranks, at most `most`, as the algorithm has written them. As ct_explain();
 * CT_E_LIMIT for more messages. ct_flow_free() frees. */
int ct_explain_flow(const struct ct_method *method, const struct ct_call *call, size_t most,
                    struct ct_error *error, struct ct_flow *ret_flow);

#endif
