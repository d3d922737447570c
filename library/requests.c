/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/requests.h"
#include "base/memory.h"
#include "library/channel.h"
#include "library/error_guard.h"
#include "library/mpi_progress.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct ct_request {
    MPI_Request handle;
    struct ct_flight_comm *flights;
    MPI_Comm comm; /* the user's */
    struct ct_operands operands;
    struct ct_call call;
    struct ct_choice *choice;
    struct ct_flight *flight;
    bool is_persistent;
    bool is_active;   /* begun, and the user has not yet seen its end */
    bool is_complete; /* and the MPI library knows it where it can */
    struct ct_request *next;
};

/* State of the process, see tuner.c: all requests, the last one that was made first. */
static struct {
    atomic_uint count;
    pthread_mutex_t lock;
    struct ct_request *first;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

__attribute__((always_inline)) inline bool ct_requests_exist(void)
{
    return atomic_load_explicit(&state.count, memory_order_relaxed) > 0;
}

/* --- the MPI library's requests --- */

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    PMPI_Status_set_cancelled(status, 0);
    return PMPI_Status_set_elements(status, MPI_BYTE, 0);
}

static int nothing_to_free(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

/* Collectives cannot be cancelled. */
static int nothing_to_cancel(void *extra, int is_complete)
{
    (void)extra;
    (void)is_complete;
    return MPI_SUCCESS;
}

static int make_handle(bool is_persistent, MPI_Comm comm, MPI_Request *ret_handle)
{
    return is_persistent ? PMPI_Recv_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, ret_handle)
                         : PMPI_Grequest_start(query, nothing_to_free, nothing_to_cancel, NULL, ret_handle);
}

static void tell_completion(struct ct_request *request)
{
    if (!request->is_persistent)
        PMPI_Grequest_complete(request->handle);
    request->is_complete = true;
}

/* Frees the handle of a request that the user never gets. */
static void drop_handle(struct ct_request *request)
{
    if (request->handle == MPI_REQUEST_NULL)
        return;
    tell_completion(request);
    PMPI_Request_free(&request->handle);
}

/* --- our own --- */

/* The handler gets the class of an error, as in blocking calls: its code names a function of the library's.
 */
static int raise_error(int code, MPI_Comm comm)
{
    int class = MPI_ERR_OTHER;
    PMPI_Error_class(code, &class);
    PMPI_Comm_call_errhandler(comm, class);
    return class;
}

static void delete (struct ct_request *request)
{
    ct_flight_free(request->flight);
    if (request->flights)
        ct_flight_comm_release(request->flights);
    free(request);
}

static void insert(struct ct_request *request)
{
    pthread_mutex_lock(&state.lock);
    request->next = state.first;
    state.first = request;
    atomic_fetch_add(&state.count, 1);
    pthread_mutex_unlock(&state.lock);
}

static void take_out(struct ct_request *request)
{
    pthread_mutex_lock(&state.lock);
    struct ct_request **place = &state.first;
    while (*place != request)
        place = &(*place)->next;
    *place = request->next;
    atomic_fetch_sub(&state.count, 1);
    pthread_mutex_unlock(&state.lock);
}

struct ct_request *ct_request_find(MPI_Request handle)
{
    pthread_mutex_lock(&state.lock);
    struct ct_request *request = state.first;
    while (request && request->handle != handle)
        request = request->next;
    pthread_mutex_unlock(&state.lock);
    return request;
}

static int begin(struct ct_request *request)
{
    enum ct_collective collective = request->choice->method.algorithm->collective;
    int code = ct_flight_begin(request->flight, collective, &request->operands, &request->call);
    if (code != MPI_SUCCESS)
        return code;
    request->is_active = true;
    request->is_complete = false;
    ct_progress_add(request->flight);
    return MPI_SUCCESS;
}

/* Decides on the method of the call, and writes its plan. False: the call must be native. */
static bool prepare(struct ct_request *request, enum ct_collective collective, int *ret_code)
{
    struct ct_known_call known;
    struct ct_flight_comm *flights = request->flights;
    if (!ct_know_call(collective, &request->operands, flights->channel, flights->agreement, &known) ||
        ct_is_native(known.choice->method.algorithm))
        return false;
    request->choice = known.choice;
    request->flight = ct_flight_make(flights->channel, ct_flight_comm_tag(flights, request->is_persistent));
    int code = MPI_ERR_NO_MEM;
    if (request->flight)
        code = ct_flight_describe(request->flight, collective, &request->operands, &request->call);
    if (code == MPI_SUCCESS)
        code = ct_flight_plan(request->flight, &request->choice->method, &request->call);
    *ret_code = code;
    return true;
}

bool ct_request_make(struct ct_flight_comm *flights, enum ct_collective collective,
                     const struct ct_operands *operands, MPI_Comm comm, bool is_persistent, int *ret_code,
                     MPI_Request *ret_request)
{
    struct ct_request *request = ct_allocate(1, sizeof *request);
    if (!request) {
        *ret_code = MPI_ERR_NO_MEM;
        return true;
    }
    *request = (struct ct_request){.handle = MPI_REQUEST_NULL,
                                   .flights = flights,
                                   .comm = comm,
                                   .operands = *operands,
                                   .is_persistent = is_persistent};
    flights->references++;
    bool is_guarded = ct_error_guard_up();
    int code = MPI_SUCCESS;
    bool is_ours = prepare(request, collective, &code);
    if (is_ours && code == MPI_SUCCESS)
        code = make_handle(is_persistent, comm, &request->handle);
    if (is_ours && code == MPI_SUCCESS && !is_persistent)
        code = begin(request);
    ct_error_guard_down(is_guarded);
    if (!is_ours || code != MPI_SUCCESS) {
        drop_handle(request);
        delete (request);
        *ret_code = code;
        return is_ours;
    }
    insert(request);
    ct_requests_move();
    *ret_request = request->handle;
    *ret_code = MPI_SUCCESS;
    return true;
}

void ct_requests_move(void)
{
    if (ct_progress_is_needed()) {
        bool is_guarded = ct_error_guard_up();
        ct_progress();
        ct_error_guard_down(is_guarded);
    }
    pthread_mutex_lock(&state.lock);
    for (struct ct_request *request = state.first; request; request = request->next)
        if (request->is_active && !request->is_complete && !ct_request_is_pending(request))
            tell_completion(request);
    pthread_mutex_unlock(&state.lock);
}

bool ct_request_is_pending(const struct ct_request *request)
{
    return request->is_active &&
           atomic_load_explicit(&request->flight->code, memory_order_acquire) == CT_PENDING;
}

bool ct_request_is_persistent(const struct ct_request *request)
{
    return request->is_persistent;
}

bool ct_request_is_active(const struct ct_request *request)
{
    return request->is_active;
}

int ct_request_start(struct ct_request *request)
{
    assert(request->is_persistent && !request->is_active);
    bool is_guarded = ct_error_guard_up();
    int code = begin(request);
    ct_error_guard_down(is_guarded);
    ct_requests_move();
    return code == MPI_SUCCESS ? code : raise_error(code, request->comm);
}

int ct_request_end(struct ct_request *request)
{
    int code = atomic_load(&request->flight->code);
    MPI_Comm comm = request->comm;
    request->is_active = false;
    ct_tuner_count(request->choice, request->flight->messages.sent);
    request->flight->messages.sent = 0;
    if (!request->is_persistent) {
        take_out(request);
        delete (request);
    }
    return code == MPI_SUCCESS ? code : raise_error(code, comm);
}

void ct_request_free(struct ct_request *request)
{
    take_out(request);
    delete (request);
}
