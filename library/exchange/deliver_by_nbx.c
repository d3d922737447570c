/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/deliver_by_nbx.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/split_barrier.h"

static bool receive_any(struct ct_delivery *delivery)
{
    MPI_Status status;
    int found = false;
    ct_delivery_fail(delivery, PMPI_Iprobe(MPI_ANY_SOURCE, delivery->tag, delivery->comm, &found, &status));
    if (found)
        ct_delivery_receive_block(delivery, &status);
    return found;
}

void ct_deliver_by_nbx(struct ct_delivery *delivery)
{
    struct ct_patience patience = ct_progress_begin_wait();
    struct ct_split_barrier barrier;
    int sends = ct_delivery_send_all(delivery, true), are_sent = false, is_over = false;
    int code = MPI_SUCCESS;
    while (!is_over && code == MPI_SUCCESS) {
        bool has_received = receive_any(delivery);
        if (!are_sent) {
            code = PMPI_Testall(sends, delivery->sends, &are_sent, MPI_STATUSES_IGNORE);
            if (code == MPI_SUCCESS && are_sent)
                code = ct_split_barrier_enter(delivery->comm, delivery->deliverer->tag + CT_DELIVERY_TAGS,
                                              &barrier);
        } else {
            code = ct_split_barrier_test(&barrier, &is_over);
        }
        if (!has_received && !is_over)
            ct_progress_pass_time(&patience);
    }
    ct_delivery_fail(delivery, code);
}
