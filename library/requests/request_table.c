/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/requests/request_table.h"
#include "base/hash.h"
#include "base/memory.h"
#include "library/execute/mpi_progress.h"
#include "library/requests/request_state.h"

#include <stdlib.h>
#include <string.h>

/* State of the process, see tuner.c: all requests that were ever made. */
static struct {
    struct ct_request **all;
    size_t made;
    size_t capacity;
    struct ct_hash_table table; /* their numbers, by handle */
    struct ct_request *unused;
    struct ct_request *last; /* that was found or taken */
    size_t used;
} known_requests;

bool ct_requests_exist(void)
{
    return known_requests.used > 0;
}

static uint64_t handle_key(MPI_Request handle)
{
    uint64_t key = 0;
    _Static_assert(sizeof handle <= sizeof key, "handles are numbers or addresses");
    memcpy(&key, &handle, sizeof handle);
    return key;
}

struct ct_request *ct_request_find(MPI_Request handle)
{
    struct ct_request *request = known_requests.last;
    if (!request || request->handle != handle) {
        size_t index = ct_hash_find(&known_requests.table, handle_key(handle), NULL, NULL);
        request = index == SIZE_MAX ? NULL : known_requests.all[index];
    }
    if (!request || !request->flights)
        return NULL;
    known_requests.last = request;
    return request;
}

/* NULL without memory. */
static struct ct_request *make_request(void)
{
    struct ct_request *request = ct_allocate(1, sizeof *request);
    MPI_Request handle;
    if (!request ||
        PMPI_Recv_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &handle) != MPI_SUCCESS) {
        free(request);
        return NULL;
    }
    if (ct_grow(&known_requests.all, &known_requests.capacity, known_requests.made + 1,
                sizeof(struct ct_request *)) != CT_OK ||
        ct_hash_add(&known_requests.table, handle_key(handle), known_requests.made) != CT_OK) {
        PMPI_Request_free(&handle);
        free(request);
        return NULL;
    }
    request->handle = handle;
    known_requests.all[known_requests.made++] = request;
    return request;
}

struct ct_request *ct_request_take(struct ct_flight_comm *flights, MPI_Comm comm, bool is_persistent)
{
    struct ct_request *request = known_requests.unused;
    int tag =
        ct_flight_comm_tag(flights, is_persistent); /* also where there is no memory, as at other ranks */
    if (request)
        known_requests.unused = request->next;
    else if (!(request = make_request()))
        return NULL;
    if (request->flight)
        ct_flight_reuse(request->flight, flights->channel, tag);
    else
        request->flight = ct_flight_make(flights->channel, tag);
    request->flights = flights;
    request->comm = comm;
    request->is_persistent = is_persistent;
    flights->references++;
    known_requests.used++;
    return known_requests.last = request;
}

void ct_request_give_back(struct ct_request *request)
{
    if (request->flight)
        ct_flight_leave_plan(request->flight);
    if (request->flight && request->flight->messages.transfers.count > 0) {
        /* Another call of another channel cannot go on with what a failed one has left. */
        ct_progress_free(request->flight);
        request->flight = NULL;
    }
    if (request->holds_types)
        ct_held_types_release(&request->held);
    ct_flight_comm_release(request->flights);
    request->flights = NULL;
    request->next = known_requests.unused;
    known_requests.unused = request;
    known_requests.used--;
}

void ct_request_table_stop(void)
{
    while (known_requests.unused) {
        struct ct_request *request = known_requests.unused;
        known_requests.unused = request->next;
        PMPI_Request_free(&request->handle);
        ct_flight_free(request->flight);
        request->flight = NULL;
    }
}
