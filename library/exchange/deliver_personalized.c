/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/deliver_personalized.h"
#include "library/communicators/meeting.h"
#include "library/mpi/backend_mpi.h"

/* A rank that has failed tells all by a count that no rank can reach. */
enum { WRONG_SHIFT = 40 };

/* Sets *ret_count to the number of blocks that this rank will get; -1 if a rank has failed. */
static void count_blocks(struct ct_delivery *delivery, int64_t *ret_count)
{
    int64_t *counts = delivery->deliverer->counts;
    MPI_Request request = MPI_REQUEST_NULL;
    int64_t own = 0;
    for (int i = 0; i < delivery->size; i++)
        counts[i] = ct_delivery_is_right(delivery) ? 0 : (int64_t)1 << WRONG_SHIFT;
    for (size_t i = 0; i < delivery->outgoing->count && ct_delivery_is_right(delivery); i++)
        counts[delivery->outgoing->destinations[i]]++;
    int code = CT_SIMULATED ? PMPI_Reduce_scatter_block(counts, &own, 1, MPI_INT64_T, MPI_SUM, delivery->comm)
                            : PMPI_Ireduce_scatter_block(counts, &own, 1, MPI_INT64_T, MPI_SUM,
                                                         delivery->comm, &request);
    ct_delivery_fail(delivery, ct_finish_request(code, &request));
    *ret_count = own >> WRONG_SHIFT ? -1 : own;
}

void ct_deliver_personalized(struct ct_delivery *delivery)
{
    MPI_Status status;
    int64_t count = 0;
    count_blocks(delivery, &count);
    if (count < 0)
        return;
    int sends = ct_delivery_send_all(delivery, false);
    for (int64_t i = 0; i < count && ct_delivery_await(delivery, MPI_ANY_SOURCE, &status); i++)
        ct_delivery_receive_block(delivery, &status);
    ct_delivery_finish_sends(delivery, delivery->sends, sends);
}
