/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/delivery.h"
#include "base/memory.h"
#include "library/communicators/meeting.h"
#include "library/execute/mpi_progress.h"
#include "library/mpi/backend_mpi.h"

void ct_delivery_fail(struct ct_delivery *delivery, int code)
{
    int class = code;
    if (code != MPI_SUCCESS && PMPI_Error_class(code, &class) == MPI_SUCCESS && class > delivery->code)
        delivery->code = class;
}

bool ct_delivery_is_right(const struct ct_delivery *delivery)
{
    return delivery->code == MPI_SUCCESS;
}

char *ct_bytes_extend(struct ct_bytes *bytes, size_t more)
{
    if (ct_grow(&bytes->items, &bytes->capacity, bytes->count + more + 1, 1) != CT_OK)
        return NULL;
    bytes->count += more;
    return bytes->items + bytes->count - more;
}

/* --- what arrives --- */

char *ct_delivery_make_room(struct ct_delivery *delivery, int source, size_t length)
{
    struct ct_incoming *arrived = &delivery->arrived;
    if (!ct_delivery_is_right(delivery))
        return NULL;
    char *room = NULL;
    if (ct_grow(&arrived->sources, &delivery->source_capacity, arrived->count + 1,
                sizeof *arrived->sources) == CT_OK &&
        ct_grow(&arrived->lengths, &delivery->length_capacity, arrived->count + 1,
                sizeof *arrived->lengths) == CT_OK)
        room = ct_bytes_extend(&delivery->data, length);
    if (!room) {
        ct_delivery_fail(delivery, MPI_ERR_NO_MEM);
        return NULL;
    }
    arrived->sources[arrived->count] = source;
    arrived->lengths[arrived->count++] = length;
    return room;
}

void ct_delivery_receive_block(struct ct_delivery *delivery, const MPI_Status *status)
{
    int count = 0;
    ct_delivery_fail(delivery, PMPI_Get_count(status, MPI_BYTE, &count));
    char *room = ct_delivery_make_room(delivery, status->MPI_SOURCE, (size_t)count);
    int code = PMPI_Recv(room, room ? count : 0, MPI_BYTE, status->MPI_SOURCE, delivery->tag, delivery->comm,
                         MPI_STATUS_IGNORE);
    if (room)
        ct_delivery_fail(delivery, code);
}

/* The simulator charges each look, so it is asked to wait. */
bool ct_delivery_await(struct ct_delivery *delivery, int source, MPI_Status *status)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int found = false, code = MPI_SUCCESS;
    if (CT_SIMULATED)
        code = PMPI_Probe(source, delivery->tag, delivery->comm, status);
    while (!CT_SIMULATED && code == MPI_SUCCESS && !found) {
        code = PMPI_Iprobe(source, delivery->tag, delivery->comm, &found, status);
        if (!found)
            ct_progress_pass_time(&patience);
    }
    ct_delivery_fail(delivery, code);
    return code == MPI_SUCCESS;
}

/* --- what is sent --- */

int ct_delivery_send_block(struct ct_delivery *delivery, bool is_synchronous, const void *data, size_t length,
                           int destination, MPI_Request *request)
{
    int code =
        is_synchronous
            ? PMPI_Issend(data, (int)length, MPI_BYTE, destination, delivery->tag, delivery->comm, request)
            : PMPI_Isend(data, (int)length, MPI_BYTE, destination, delivery->tag, delivery->comm, request);
    ct_delivery_fail(delivery, code);
    return code;
}

int ct_delivery_send_all(struct ct_delivery *delivery, bool is_synchronous)
{
    const struct ct_outgoing *outgoing = delivery->outgoing;
    const char *data = outgoing->data;
    int begun = 0;
    for (size_t i = 0; i < outgoing->count && ct_delivery_is_right(delivery); i++) {
        if (ct_delivery_send_block(delivery, is_synchronous, data, outgoing->lengths[i],
                                   outgoing->destinations[i], &delivery->sends[begun]) == MPI_SUCCESS)
            begun++;
        data += outgoing->lengths[i];
    }
    return begun;
}

void ct_delivery_finish_sends(struct ct_delivery *delivery, MPI_Request *sends, int count)
{
    for (int i = 0; i < count; i++)
        ct_delivery_fail(delivery, ct_finish_request(MPI_SUCCESS, &sends[i]));
}
