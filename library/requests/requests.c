/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/requests/requests.h"
#include "library/communicators/private_comm.h"
#include "library/decide/profile.h"
#include "library/errors/error_guard.h"
#include "library/errors/raised_error.h"
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/mpi_progress.h"
#include "library/requests/request_state.h"
#include "library/requests/request_table.h"
#include "library/sparse/pattern_choices.h"
#include "library/sparse/sparse_calls.h"

#include <assert.h>

/* State of the process, see tuner.c: requests that the user has freed while their calls were in flight. */
static struct ct_request *dropped_requests;

static enum ct_call_mode mode_of(bool is_persistent)
{
    return is_persistent ? CT_MODE_PERSISTENT : CT_MODE_NONBLOCKING;
}

/* Sends what can be sent now. */
static inline void depart(struct ct_request *request)
{
    struct ct_flight *flight = request->flight;
    request->is_active = true;
    if (ct_tuner()->profile)
        request->begun = ct_profile_now();
    flight->code = ct_flight_may_rest(flight) ? CT_PENDING : ct_flight_advance(flight, CT_UNTIL_POSTED);
    if (flight->code == CT_PENDING)
        ct_progress_add(flight);
}

static int begin_request(struct ct_request *request)
{
    enum ct_collective collective = request->choice->method.algorithm->collective;
    int code = ct_flight_begin(request->flight, collective, &request->operands, &request->call);
    if (code == MPI_SUCCESS)
        depart(request);
    return code;
}

/* Finds what is known about the call, or finds it out; NULL: the call must be native, as *ret_native is. */
static struct ct_known_call *know(struct ct_flight_comm *flights, enum ct_collective collective,
                                  const struct ct_operands *operands, bool is_persistent,
                                  struct ct_choice **ret_native)
{
    struct ct_known_call *known = ct_known_call_entry(flights->known[is_persistent], collective, operands);
    *ret_native = ct_tuner_native(collective);
    if (!ct_is_known_method(known, collective, ct_collectives[collective].reduces, operands) ||
        (ct_has_arrays(operands) && !ct_is_known_arrays(known, operands)) ||
        !ct_is_known_description(known, operands->send.buffer, operands->recv.buffer)) {
        if (!ct_know_call(collective, mode_of(is_persistent), operands, flights->channel, flights->agreement,
                          known))
            return NULL;
        ct_known_call_keep(known, collective, flights->channel);
        if (known->has_own_op) /* which is not asked about here */
            known->collective = CT_COLLECTIVES;
    } else if (ct_has_short_way(known, known->choice)) {
        return known;
    }
    if (known->choice->depends_on_pattern)
        return ct_can_be_held(collective, operands) ? known : NULL;
    if (ct_is_native(known->choice->method.algorithm))
        *ret_native = known->choice;
    else if (ct_can_be_held(collective, operands))
        return known;
    return NULL;
}

/* The program may free types of its own before the call is complete, and wrappers their tables of types. */
static int hold_types(struct ct_request *request, enum ct_collective collective,
                      const struct ct_known_call *known)
{
    request->holds_types = false;
    if (known->collective == collective && !known->has_derived && !request->operands.send.types &&
        !request->operands.recv.types)
        return MPI_SUCCESS;
    const struct ct_channel *channel = request->flights->channel;
    const size_t blocks[] = {ct_channel_blocks(channel, collective, CT_BUFFER_SEND),
                             ct_channel_blocks(channel, collective, CT_BUFFER_RECV)};
    int code = ct_types_hold(collective, known->call.rank, blocks, &request->operands, &request->held);
    request->holds_types = code == MPI_SUCCESS;
    return code;
}

static bool has_tables(const struct ct_call *call)
{
    return call->send_counts || call->recv_counts;
}

/* Agrees on a persistent call by a method that forwards blocks, as blocking calls do. Non-blocking calls
 * cannot wait for an agreement, and follow one that was made before. */
static int find_routes(struct ct_request *request, struct ct_method *method)
{
    *method = request->choice->method;
    if (!ct_needs_routes(method))
        return MPI_SUCCESS;
    if (!request->is_persistent) {
        if (!ct_sparse_call_is_settled(request->flights->channel, request->comm, method, &request->call))
            *method = ct_sparse_direct_method(method->algorithm->collective);
        return MPI_SUCCESS;
    }
    struct ct_private_comm *own = ct_private_comm_of(request->comm);
    if (own && own->code != MPI_SUCCESS)
        return own->code;
    return own && own->channel ? ct_sparse_call_prepare(own->channel, request->comm, &request->choice->method,
                                                        &request->call, method)
                               : MPI_ERR_INTERN;
}

/* Takes the call over, and makes its plan. */
static int prepare_request(struct ct_request *request, enum ct_collective collective,
                           const struct ct_known_call *known, const struct ct_operands *operands)
{
    request->choice = known->choice;
    request->is_cut = known->is_cut;
    request->operands = *operands;
    request->operands.own_code = known->operands.own_code;
    request->call = known->call;
    int code = hold_types(request, collective, known);
    if (code == MPI_SUCCESS && !request->flight)
        code = MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS &&
        has_tables(&request->call)) /* the tables of `known` are those of the last call */
        code = ct_flight_describe(request->flight, collective, &request->operands, &request->call);
    struct ct_method method;
    if (code == MPI_SUCCESS)
        code = find_routes(request, &method);
    if (code == MPI_SUCCESS)
        code = ct_flight_plan(request->flight, &method, &request->call, request->is_persistent);
    request->call.routed = NULL; /* it is valid no longer */
    return code;
}

/* Decides on a persistent call that depends on the pattern, together with the other ranks. It does not stay
 * known, since others with the same arguments may have another pattern at other ranks. */
static int decide_by_pattern(struct ct_known_call *known, enum ct_collective collective, MPI_Comm comm)
{
    struct ct_private_comm *own = ct_private_comm_of(comm);
    struct ct_call call = known->call;
    struct ct_method method;
    if (own && own->code != MPI_SUCCESS)
        return own->code;
    if (!own || !own->channel)
        return MPI_ERR_INTERN;
    known->collective = CT_COLLECTIVES;
    return ct_pattern_choice_make(own->channel, comm, own->agreement, collective, &call, &known->choice,
                                  &method);
}

/* Decides on a call that depends on the pattern: a non-blocking one by what the ranks have settled on. */
static int decide_request(struct ct_flight_comm *flights, struct ct_known_call *known,
                          enum ct_collective collective, MPI_Comm comm, bool is_persistent)
{
    if (is_persistent)
        return decide_by_pattern(known, collective, comm);
    known->choice = ct_pattern_choice_nonblocking(flights->channel->topology, flights->agreement, collective,
                                                  &known->call);
    return MPI_SUCCESS;
}

/* A call that has begun its short way waits there, and from now on keeps what it was called with. */
__attribute__((noinline)) static void stay_short(struct ct_request *request,
                                                 const struct ct_known_call *known, void *send, void *recv,
                                                 bool is_large)
{
    request->choice = known->choice;
    request->holds_types = false;
    request->is_cut = false;
    request->is_active = true;
    request->operands = known->operands;
    request->operands.send.buffer = send;
    request->operands.recv.buffer = recv;
    request->operands.send.is_large = request->operands.recv.is_large = is_large;
    request->call = known->call;
    ct_flight_go_on_short(request->flight, &known->shorter, known->collective, &request->operands,
                          &request->call);
    ct_progress_add(request->flight);
}

/* Notes it for later calls, which may repeat this one. */
static void note_short_way(const struct ct_request *request, enum ct_collective collective,
                           struct ct_known_call *known)
{
    if (request->is_persistent || request->is_cut || request->holds_types ||
        known->collective != collective ||
        ct_needs_routes(&known->choice->method)) /* which may settle, or make other routes */
        return;
    known->shorter_by = known->choice;
    known->version = known->choice->version;
    ct_flight_find_short(request->flight, &known->shorter);
}

/* A call that is not begun the short way, which it may leave to later ones. */
__attribute__((noinline)) static int make_call(struct ct_request *request, enum ct_collective collective,
                                               struct ct_known_call *known,
                                               const struct ct_operands *operands)
{
    int code = prepare_request(request, collective, known, operands);
    if (code == MPI_SUCCESS && !request->is_persistent)
        code = begin_request(request);
    if (code == MPI_SUCCESS)
        note_short_way(request, collective, known);
    return code;
}

bool ct_request_make(struct ct_flight_comm *flights, enum ct_collective collective,
                     const struct ct_operands *operands, MPI_Comm comm, bool is_persistent, int *ret_code,
                     MPI_Request *ret_handle)
{
    if (flights->code != MPI_SUCCESS) {
        *ret_code = flights->code;
        return true;
    }
    bool is_guarded = ct_error_guard_up();
    int code = MPI_ERR_NO_MEM;
    struct ct_choice *native;
    struct ct_known_call *known = know(flights, collective, operands, is_persistent, &native);
    struct ct_known_call *depending = known && known->choice->depends_on_pattern ? known : NULL;
    struct ct_choice *by_pattern = depending ? known->choice : NULL;
    if (depending) {
        int decided = decide_request(flights, known, collective, comm, is_persistent);
        if (decided != MPI_SUCCESS) {
            ct_error_guard_down(is_guarded);
            *ret_code = decided;
            return true;
        }
        if (ct_is_native(known->choice->method.algorithm)) {
            native = known->choice;
            known = NULL;
        }
    }
    struct ct_request *request = known ? ct_request_take(flights, comm, is_persistent) : NULL;
    if (request) {
        code = make_call(request, collective, known, operands);
        if (code == MPI_SUCCESS)
            *ret_handle = request->handle;
        else
            ct_request_give_back(request);
    }
    if (depending) { /* the next call like it may have another choice */
        depending->choice = by_pattern;
        depending->shorter.kept = NULL;
    }
    ct_error_guard_down(is_guarded);
    if (!known) /* of a persistent request the calls to come are not seen */
        ct_tuner_count(native, 0);
    *ret_code = code;
    return known != NULL;
}

/* A call on its short way needs no guard, since it calls no function of MPI. Mostly it is complete at once,
 * and then needs no request of its own. */
bool ct_request_repeat(struct ct_flight_comm *flights, const struct ct_known_call *known, void *send,
                       void *recv, bool is_large, MPI_Comm comm, MPI_Request *ret_handle)
{
    struct ct_request *spare = ct_request_spare();
    if (!spare || !ct_has_short_way(known, known->choice) || !ct_is_known_description(known, send, recv) ||
        ct_tuner()->profile ||
        !ct_flight_begin_short(spare->flight, flights->channel, &known->shorter, send, recv))
        return false;
    ct_flight_set_tag(spare->flight, ct_flight_comm_tag(flights, false));
    if (ct_flight_run_short(spare->flight)) {
        ct_tuner_count(known->choice, spare->flight->messages.sent);
        spare->flight->messages.sent = 0;
        *ret_handle = ct_common_request_take();
    } else {
        ct_request_take_spare(flights, comm);
        stay_short(spare, known, send, recv, is_large);
        *ret_handle = spare->handle;
    }
    return true;
}

/* The time goes from the beginning of the call until the user saw its end. */
__attribute__((noinline)) static void note_time(const struct ct_request *request)
{
    ct_profile_add(ct_tuner()->profile, mode_of(request->is_persistent), request->choice, &request->call,
                   ct_profile_now() - request->begun);
}

/* Notes a call that has ended. */
static inline void note(struct ct_request *request)
{
    ct_tuner_count(request->choice, request->flight->messages.sent);
    request->flight->messages.sent = 0;
    if (ct_tuner()->profile)
        note_time(request);
}

__attribute__((noinline)) static int tell_error(const struct ct_request *request, int code)
{
    return ct_raise_error(request->choice->method.algorithm->collective, mode_of(request->is_persistent),
                          code, request->comm);
}

/* Gives requests back that the user has freed, and whose calls have ended. */
static void sweep(void)
{
    for (struct ct_request **place = &dropped_requests; *place;) {
        struct ct_request *request = *place;
        if (ct_request_is_pending(request)) {
            place = &request->next;
            continue;
        }
        *place = request->next;
        request->is_active = false;
        note(request);
        ct_request_give_back(request);
    }
}

void ct_requests_move(void)
{
    if (ct_progress_is_needed()) {
        bool is_guarded = ct_error_guard_up();
        ct_progress();
        ct_error_guard_down(is_guarded);
    }
    if (dropped_requests)
        sweep();
}

void ct_requests_pass_time(struct ct_patience *patience)
{
    if (ct_progress_is_needed())
        ct_requests_move();
    else
        ct_patience_rest(patience);
}

bool ct_request_is_pending(const struct ct_request *request)
{
    return request->is_active && request->flight->code == CT_PENDING;
}

bool ct_request_is_active(const struct ct_request *request)
{
    return request->is_active;
}

/* Any start but that of a call that takes its shortcut again. */
__attribute__((noinline)) static int start(struct ct_request *request)
{
    bool is_guarded = ct_error_guard_up();
    int code = MPI_SUCCESS;
    if (ct_flight_begin_again(request->flight))
        depart(request);
    else
        code = begin_request(request);
    ct_error_guard_down(is_guarded);
    return code == MPI_SUCCESS ? code : tell_error(request, code);
}

int ct_request_start(struct ct_request *request)
{
    struct ct_flight *flight = request->flight;
    assert(request->is_persistent && !request->is_active);
    if (ct_tuner()->profile || !ct_flight_begin_again(flight))
        return start(request);
    request->is_active = true;
    if (!ct_flight_run_short(flight))
        ct_progress_add(flight);
    return MPI_SUCCESS;
}

__attribute__((noinline)) static void wait_for(struct ct_request *request)
{
    bool is_guarded = ct_error_guard_up();
    ct_progress_wait(request->flight);
    ct_error_guard_down(is_guarded);
}

void ct_request_wait(struct ct_request *request)
{
    if (ct_request_is_pending(request))
        wait_for(request);
}

int ct_request_end(struct ct_request *request, MPI_Request *handle)
{
    if (ct_common_request_give_back(request)) {
        *handle = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    int code = request->flight->code;
    if (code == MPI_SUCCESS && request->is_cut)
        code = MPI_ERR_TRUNCATE;
    request->is_active = false;
    note(request);
    if (!request->is_persistent) {
        ct_request_give_back(request);
        *handle = MPI_REQUEST_NULL;
    }
    return code == MPI_SUCCESS ? code : tell_error(request, code);
}

void ct_request_free(struct ct_request *request, MPI_Request *handle)
{
    *handle = MPI_REQUEST_NULL;
    if (ct_common_request_give_back(request))
        return;
    if (ct_request_is_pending(request)) {
        request->next = dropped_requests;
        dropped_requests = request;
        return;
    }
    request->is_active = false;
    ct_request_give_back(request);
}
