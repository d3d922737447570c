/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_CONTENTION_TEXT_H
#define CT_CLI_CONTENTION_TEXT_H

#include "algorithms/method.h"
#include "base/text.h"

/* Where the messages of a plan meet on the links of a network. */
struct ct_contention_case {
    const char *network; /* as of ct_network_parse() */
    const char *missing; /* a list of nodes that no rank is on, as of ct_list_parse(); NULL: none */
    size_t ppn;          /* successive ranks on each of the other nodes */
    size_t trials;       /* ways are drawn so often; >= 1 */
};

/* Appends round by round how many messages share a link. CT_OK; CT_E_INPUT with a line in `error` for a
 * network or a list of nodes that cannot be read, or too few nodes, and as ct_explain_flow(); CT_E_LIMIT,
 * CT_E_MEMORY. */
int ct_contention_text(const struct ct_method *method, const struct ct_call *call,
                       const struct ct_contention_case *about, struct ct_error *error, struct ct_text *text);

#endif
