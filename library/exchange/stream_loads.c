/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/stream_loads.h"
#include "base/memory.h"
#include "library/mpi/message_functions.h"

#include <stdlib.h>

enum { TAG = 0 };

bool ct_load_send(struct ct_stream_loads *loads, const struct ct_stream_load *load, int to)
{
    size_t need = loads->sent_count + 1;
    if (ct_grow(&loads->requests, &loads->request_capacity, need, sizeof *loads->requests) != CT_OK ||
        ct_grow(&loads->places, &loads->place_capacity, need, sizeof *loads->places) != CT_OK ||
        ct_grow(&loads->sent, &loads->sent_capacity, need, sizeof *loads->sent) != CT_OK ||
        ct_message_functions()->isend(load->bytes, (int)load->length, MPI_BYTE, to, TAG, loads->comm,
                                      &loads->requests[loads->sent_count]) != MPI_SUCCESS)
        return false;
    loads->sent[loads->sent_count++] = *load;
    return true;
}

/* One function for all costs less than one for each. */
void ct_loads_settle(struct ct_stream_loads *loads)
{
    int some = 0;
    size_t kept = 0;
    if (loads->sent_count == 0)
        return;
    if (PMPI_Testsome((int)loads->sent_count, loads->requests, &some, loads->places, MPI_STATUSES_IGNORE) !=
        MPI_SUCCESS)
        loads->lost++;
    for (size_t i = 0; i < loads->sent_count; i++) {
        if (loads->requests[i] == MPI_REQUEST_NULL) {
            ct_load_release(loads, &loads->sent[i]);
            continue;
        }
        loads->requests[kept] = loads->requests[i];
        loads->sent[kept++] = loads->sent[i];
    }
    loads->sent_count = kept;
}

bool ct_load_receive(struct ct_stream_loads *loads, struct ct_stream_load *ret_load)
{
    MPI_Status status;
    int found = false, length = 0;
    if (PMPI_Iprobe(MPI_ANY_SOURCE, TAG, loads->comm, &found, &status) != MPI_SUCCESS) {
        loads->lost++;
        return false;
    }
    if (!found)
        return false;
    PMPI_Get_count(&status, MPI_BYTE, &length);
    struct ct_stream_load load = ct_loads_take_spare(loads);
    bool has_room = ct_grow(&load.bytes, &load.capacity, (size_t)length + 1, 1) == CT_OK;
    int code = PMPI_Recv(load.bytes, has_room ? length : 0, MPI_BYTE, status.MPI_SOURCE, TAG, loads->comm,
                         MPI_STATUS_IGNORE);
    load.length = (size_t)length;
    load.sender = status.MPI_SOURCE;
    if (!has_room || code != MPI_SUCCESS) {
        free(load.bytes);
        load = (struct ct_stream_load){0};
        loads->lost++;
    }
    *ret_load = load;
    return true;
}

bool ct_load_wait(struct ct_stream_loads *loads, const struct ct_stream_load *load)
{
    if (ct_grow(&loads->waiting, &loads->waiting_capacity, loads->waiting_count + 1,
                sizeof *loads->waiting) != CT_OK)
        return false;
    loads->waiting[loads->waiting_count++] = *load;
    return true;
}

struct ct_stream_load *ct_loads_take_waiting(struct ct_stream_loads *loads, size_t *ret_count)
{
    struct ct_stream_load *waiting = loads->waiting;
    *ret_count = loads->waiting_count;
    loads->waiting = NULL;
    loads->waiting_count = loads->waiting_capacity = 0;
    return waiting;
}

void ct_load_release(struct ct_stream_loads *loads, const struct ct_stream_load *load)
{
    if (load->capacity <= loads->spare.capacity) {
        free(load->bytes);
        return;
    }
    free(loads->spare.bytes);
    loads->spare = *load;
}

struct ct_stream_load ct_loads_take_spare(struct ct_stream_loads *loads)
{
    struct ct_stream_load spare = loads->spare;
    loads->spare = (struct ct_stream_load){0};
    return spare;
}

void ct_loads_free(struct ct_stream_loads *loads, bool is_lossy)
{
    for (size_t i = 0; i < loads->sent_count; i++) {
        if (is_lossy)
            PMPI_Request_free(&loads->requests[i]);
        else if (PMPI_Wait(&loads->requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS)
            free(loads->sent[i].bytes);
    }
    for (size_t i = 0; i < loads->waiting_count; i++)
        free(loads->waiting[i].bytes);
    free(loads->requests);
    free(loads->places);
    free(loads->sent);
    free(loads->waiting);
    free(loads->spare.bytes);
}
