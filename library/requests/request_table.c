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
    struct ct_request *last;   /* that was found or taken */
    struct ct_request *common; /* NULL: there is none yet, and no spare one is used */
    size_t used;               /* handles that users have */
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

__attribute__((noinline)) static struct ct_request *search(MPI_Request handle)
{
    size_t index = ct_hash_find(&known_requests.table, handle_key(handle), NULL, NULL);
    struct ct_request *request = index == SIZE_MAX ? NULL : known_requests.all[index];
    if (!request || request->calls == 0)
        return NULL;
    known_requests.last = request;
    return request;
}

__attribute__((always_inline)) inline struct ct_request *ct_request_find(MPI_Request handle)
{
    struct ct_request *last = known_requests.last;
    if (!last || last->handle != handle)
        return search(handle);
    return last->calls > 0 ? last : NULL;
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

static void make_common(struct ct_channel *channel)
{
    struct ct_flight *flight = ct_flight_make(channel, 0);
    struct ct_request *common = flight ? make_request() : NULL;
    if (!common) {
        ct_flight_free(flight);
        return;
    }
    common->flight = flight;
    common->is_active = true;
    known_requests.common = common;
}

static inline void use(struct ct_request *request, struct ct_flight_comm *flights, MPI_Comm comm,
                       bool is_persistent)
{
    request->flights = flights;
    request->comm = comm;
    request->is_persistent = is_persistent;
    request->calls = 1;
    flights->references++;
    known_requests.used++;
    known_requests.last = request;
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
    if (!known_requests.common && !is_persistent)
        make_common(flights->channel);
    use(request, flights, comm, is_persistent);
    return request;
}

struct ct_request *ct_request_spare(void)
{
    struct ct_request *spare = known_requests.unused;
    return spare && spare->flight && known_requests.common ? spare : NULL;
}

void ct_request_take_spare(struct ct_flight_comm *flights, MPI_Comm comm)
{
    struct ct_request *spare = known_requests.unused;
    known_requests.unused = spare->next;
    use(spare, flights, comm, false);
}

MPI_Request ct_common_request_take(void)
{
    struct ct_request *common = known_requests.common;
    common->calls++;
    known_requests.used++;
    known_requests.last = common;
    return common->handle;
}

bool ct_common_request_give_back(struct ct_request *request)
{
    if (request != known_requests.common)
        return false;
    request->calls--;
    known_requests.used--;
    return true;
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
    request->calls = 0;
    request->next = known_requests.unused;
    known_requests.unused = request;
    known_requests.used--;
}

void ct_request_table_stop(void)
{
    if (known_requests.common && known_requests.common->calls == 0) {
        known_requests.common->next = known_requests.unused;
        known_requests.unused = known_requests.common;
        known_requests.common = NULL;
    }
    while (known_requests.unused) {
        struct ct_request *request = known_requests.unused;
        known_requests.unused = request->next;
        PMPI_Request_free(&request->handle);
        ct_flight_free(request->flight);
        request->flight = NULL;
    }
}
