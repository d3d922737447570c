/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_UNKNOWN_SOURCES_H
#define CT_LIBRARY_EXCHANGE_UNKNOWN_SOURCES_H

#include "library/decide/unknown_method.h"
#include "library/exchange/exchanged_blocks.h"

#include <mpi.h>

/* Brings blocks to ranks that do not know from whom they receive, in one of three ways.
 *
 * nbx: sends are synchronous, so a rank whose sends are complete knows that its blocks have been received.
 * Then it enters a non-blocking barrier, which ends when all ranks have come so far. (Hoefler, Siebert,
 * Lumsdaine 2010, Scalable communication protocols for dynamic sparse data exchange.)
 *
 * personalized: a reduction tells each rank how many blocks it will get; it needs a number for each rank of
 * the communicator.
 *
 * grid: blocks travel along the dimensions of a grid of all ranks, with their sources and destinations. A
 * rank sends one message to each of its neighbors in the grid, also where it has no block for it, so that all
 * ranks know how many to expect (Kumar 2005, section 3.3). */

/* What exchanges on a communicator reuse. */
struct ct_deliverer;

/* `comm` joins the ranks; nobody else receives messages of the three tags from `tag` on. At this rank alone;
 * NULL without memory. */
struct ct_deliverer *ct_deliverer_make(const struct ct_unknown_method *method, MPI_Comm comm, int tag);
void ct_deliverer_free(struct ct_deliverer *deliverer); /* NULL is none */

/* Carries out one exchange. `code` is MPI_SUCCESS, or the class of an error that this rank has found before:
 * then it sends nothing, but takes part. Collective. Returns the greatest error class of all ranks, the same
 * at all of them; MPI_ERR_COUNT where grid has more than INT_MAX bytes for a neighbor. ct_incoming_free()
 * frees *ret_incoming. */
int ct_deliver(struct ct_deliverer *deliverer, int code, const struct ct_outgoing *outgoing,
               struct ct_incoming *ret_incoming);
void ct_incoming_free(struct ct_incoming *incoming);

#endif
