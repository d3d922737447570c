/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_SET_UP_H
#define CT_LIBRARY_EXECUTE_SET_UP_H

#include "algorithms/routing.h"

#include <mpi.h>

/* The set-up of sparse exchanges (algorithms/routing.h) over MPI: each rank carries out its own supersteps,
 * and letters are messages.
 *
 * Letters of a superstep go by a dynamic sparse exchange: no rank knows how many letters it will get. Their
 * sends are synchronous, so a rank whose sends are complete knows that its letters have been received. Then
 * it takes part in a non-blocking reduction, which ends when all ranks have come so far: no letter is under
 * way any more. The reduction is the maximum of all ranks' states, which the next superstep needs anyway.
 *
 * Source: Hoefler, Siebert, Lumsdaine 2010, Scalable communication protocols for dynamic sparse data
 * exchange (there with a barrier). */

/* Carries out the set-up of a call as this rank sees it. `comm` joins the ranks of the call and carries
 * set-ups alone; its errors return. *supersteps counts the supersteps that it has carried, from 0, equal on
 * all ranks: a fast rank may already be in the next set-up. Collective; all ranks return with the same
 * status: CT_OK; CT_E_INPUT where ranks disagree on who sends to whom or on a length; CT_E_LIMIT;
 * CT_E_MEMORY; CT_E_SYSTEM if the MPI library has failed. At a rank that has found something wrong, `error`
 * says what. ct_routes_free() frees *ret_routes. */
int ct_set_up(const struct ct_method *method, struct ct_call *call, MPI_Comm comm, unsigned *supersteps,
              struct ct_error *error, struct ct_routes *ret_routes);

/* The MPI error class of what ct_set_up() has returned. */
int ct_set_up_code(int status);

#endif
