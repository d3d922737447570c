/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_FLOWS_H
#define CT_MODELS_EVALUATE_FLOWS_H

#include "base/error.h"
#include "models/contention/interconnect.h"

#include <stdbool.h>

/* Messages that share the links of a network while they are in transfer: a fluid model. At each moment the
 * rates are max-min fair: no message can have more without another one having less that has no more. Shares
 * of one link are inversely proportional to the number of links on the way, since a message with a longer
 * round trip gets less. Source: Casanova and Marchal 2002, A network model for simulation of grid application
 * (RR-2002-40); Velho and Legrand 2009, Accuracy study and improvement of network simulation in the SimGrid
 * framework. */

struct ct_flows;

/* NULL without memory. */
struct ct_flows *ct_flows_new(void);
void ct_flows_free(struct ct_flows *flows);

/* Forgets everything; messages may follow, numbered from 0. `topology` is kept. CT_OK, CT_E_MEMORY. */
int ct_flows_begin(struct ct_flows *flows, const struct ct_interconnect *topology);

/* The transfer of a message begins at `begin`, not before the message that ct_flows_next() returned last was
 * done; it takes `seconds` if it has the way that was measured alone. A message within a node shares nothing.
 * CT_OK, CT_E_MEMORY. */
int ct_flows_send(struct ct_flows *flows, size_t message, double begin, double seconds, size_t from_node,
                  size_t to_node);

/* The next message that is done, in the order of time. *ret_is_any is false if none is left. CT_OK,
 * CT_E_MEMORY. */
int ct_flows_next(struct ct_flows *flows, bool *ret_is_any, size_t *ret_message, double *ret_time);

#endif
