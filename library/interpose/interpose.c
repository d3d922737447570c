/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI functions that the tuned library takes over. */
#include "library/adapt/adapted_calls.h"
#include "library/decide/profile.h"
#include "library/decide/settled_choices.h"
#include "library/errors/error_guard.h"
#include "library/errors/raised_error.h"
#include "library/execute/channel.h"
#include "library/execute/native_call.h"
#include "library/interpose/interpose_internal.h"
#include "library/process/lifetime.h"
#include "library/sparse/consistency.h"
#include "library/sparse/pattern_choices.h"
#include "library/sparse/sparse_calls.h"

/* The user's handler may free the communicator, and with it `own`. */
static int raise_error(enum ct_collective collective, int code, MPI_Comm comm,
                       const struct ct_private_comm *own)
{
    ct_private_comm_leave(own);
    return ct_raise_error(collective, CT_MODE_BLOCKING, code, comm);
}

/* Compares the call with those of the other ranks, if COLLTUNE_CHECK asks for it. */
static int check(enum ct_collective collective, const struct ct_known_call *known, MPI_Comm comm,
                 struct ct_private_comm *own)
{
    /* Where the settings of ranks differ, none of them counts. */
    if (!ct_tuner()->configuration.check || own->agreement != CT_AGREEMENT_AGREED)
        return MPI_SUCCESS;
    if (!known) /* the others count theirs */
        ct_private_comm_count(own);
    bool is_guarded = ct_error_guard_up();
    int code = ct_consistency_check(own->channel, comm, ++own->checked, collective, known);
    ct_error_guard_down(is_guarded);
    return code;
}

static void find_short_way(const struct ct_choice *choice, struct ct_known_call *known,
                           struct ct_private_comm *own)
{
    known->shorter_by = choice;
    known->version = choice->version;
    if (!ct_tuner()->configuration.check)
        ct_short_call_find(own->channel, &known->shorter);
}

/* Carries out a call that repeats `known` in its short way, which is one of this choice. */
static int carry_out_short(struct ct_choice *choice, struct ct_known_call *known, MPI_Comm comm,
                           struct ct_private_comm *own)
{
    uint64_t before = ct_channel_messages(own->channel);
    bool is_guarded = ct_error_guard_up();
    int code =
        ct_execute_short(own->channel, &known->shorter, &choice->method, &known->operands, &known->call);
    ct_error_guard_down(is_guarded);
    ct_tuner_count(choice, ct_channel_messages(own->channel) - before);
    return code == MPI_SUCCESS ? code : raise_error(known->collective, code, comm, own);
}

/* Carries out a call by a plan, after an agreement where the method forwards blocks. *ret_sent gets the
 * messages of the plan. */
static int carry_out_plan(const struct ct_method *method, struct ct_known_call *known, MPI_Comm comm,
                          struct ct_private_comm *own, uint64_t *ret_sent)
{
    struct ct_method agreed;
    *ret_sent = 0;
    if (ct_needs_routes(method)) {
        int code = ct_sparse_call_follow(own->channel, comm, method, &known->call, &agreed);
        if (code != MPI_SUCCESS)
            return code;
        method = &agreed;
    }
    const uint64_t before = ct_channel_messages(own->channel);
    int code = known->plans
                   ? ct_execute_once(own->channel, method, &known->operands, &known->call, known->plans)
                   : ct_execute_call(own->channel, method, &known->operands, &known->call);
    *ret_sent = ct_channel_messages(own->channel) - before;
    return code;
}

/* Carries out the call that `known` holds by this choice. */
static int carry_out_by(struct ct_choice *choice, struct ct_known_call *known, enum ct_collective collective,
                        MPI_Comm comm, struct ct_private_comm *own)
{
    struct ct_profile *profile = ct_tuner()->profile;
    uint64_t begun = profile ? ct_profile_now() : 0;
    int code;
    if (ct_is_native(choice->method.algorithm)) {
        ct_tuner_count(choice, 0);
        code = ct_interposed_native(collective, &known->operands, comm);
    } else {
        uint64_t sent;
        bool is_guarded = ct_error_guard_up();
        code = carry_out_plan(&choice->method, known, comm, own, &sent);
        if (code == MPI_SUCCESS && known->is_cut)
            code = MPI_ERR_TRUNCATE;
        ct_error_guard_down(is_guarded);
        if (!ct_needs_routes(&choice->method) && known->collective == collective && !known->is_cut &&
            !known->has_own_op && !profile)
            find_short_way(choice, known, own);
        ct_tuner_count(choice, sent);
        if (code != MPI_SUCCESS)
            code = raise_error(collective, code, comm, own);
    }
    if (profile)
        ct_profile_add(profile, CT_MODE_BLOCKING, choice, &known->call, ct_profile_now() - begun);
    return code;
}

/* Carries out a call whose method depends on the pattern. Once the ranks have settled on a method that needs
 * no routes, calls like this one no longer depend on it. */
static int carry_out_by_pattern(struct ct_known_call *known, enum ct_collective collective, MPI_Comm comm,
                                struct ct_private_comm *own)
{
    struct ct_choice *settled = ct_pattern_choice_settled(own->channel->topology, collective);
    if (settled) {
        known->call.routes = NULL;
        known->call.routed = NULL;
        if (ct_needs_routes(&settled->method)) /* the ranks may leave it again */
            return carry_out_by(settled, known, collective, comm, own);
        known->choice = settled;
        return ct_is_passed_on(known) ? ct_interposed_pass_on(settled, collective, &known->operands, comm)
                                      : carry_out_by(settled, known, collective, comm, own);
    }
    struct ct_profile *profile = ct_tuner()->profile;
    const uint64_t begun = profile ? ct_profile_now() : 0;
    struct ct_choice *choice = NULL;
    struct ct_method method;
    bool is_guarded = ct_error_guard_up();
    int code = ct_pattern_choice_make(own->channel, comm, own->agreement, collective, &known->call, &choice,
                                      &method);
    const uint64_t before = ct_channel_messages(own->channel);
    bool is_native = code == MPI_SUCCESS && ct_is_native(choice->method.algorithm);
    if (code == MPI_SUCCESS && !is_native)
        code = ct_execute_call(own->channel, &method, &known->operands, &known->call);
    ct_error_guard_down(is_guarded);
    if (choice)
        ct_tuner_count(choice, ct_channel_messages(own->channel) - before);
    if (is_native)
        code = ct_interposed_native(collective, &known->operands, comm);
    else if (code != MPI_SUCCESS)
        code = raise_error(collective, code, comm, own);
    if (choice && profile)
        ct_profile_add(profile, CT_MODE_BLOCKING, choice, &known->call, ct_profile_now() - begun);
    return code;
}

/* Carries out the call that `known` holds, one of a class that is adapted. */
static int carry_out_adapted(struct ct_known_call *known, enum ct_collective collective, MPI_Comm comm,
                             struct ct_private_comm *own)
{
    struct ct_adapted_call call;
    bool is_guarded = ct_error_guard_up();
    int begun = ct_adapted_call_begin(known, &call);
    ct_error_guard_down(is_guarded);
    if (begun != MPI_SUCCESS)
        return raise_error(collective, begun, comm, own);
    int code = call.is_alone && ct_has_short_way(known, call.choice)
                   ? carry_out_short(call.choice, known, comm, own)
                   : carry_out_by(call.choice, known, collective, comm, own);
    is_guarded = ct_error_guard_up();
    int ended = ct_adapted_call_end(known, &call);
    ct_error_guard_down(is_guarded);
    return code == MPI_SUCCESS && ended != MPI_SUCCESS ? raise_error(collective, ended, comm, own) : code;
}

/* Carries out the call that `known` holds. */
static int carry_out(struct ct_known_call *known, enum ct_collective collective, MPI_Comm comm,
                     struct ct_private_comm *own)
{
    if (ct_is_passed_on(known))
        return ct_interposed_pass_on(known->choice, collective, &known->operands, comm);
    int code = check(collective, known, comm, own);
    if (code != MPI_SUCCESS)
        return raise_error(collective, code, comm, own);
    if (known->choice->depends_on_pattern)
        return carry_out_by_pattern(known, collective, comm, own);
    return known->adapted ? carry_out_adapted(known, collective, comm, own)
                          : carry_out_by(known->choice, known, collective, comm, own);
}

/* After an error the call has been left before it was raised. */
static int leave(int code, const struct ct_private_comm *own)
{
    if (code == MPI_SUCCESS)
        ct_private_comm_leave(own);
    return code;
}

/* Carries out a call that repeats `known`, with its description. */
static int repeat(struct ct_known_call *known, MPI_Comm comm, struct ct_private_comm *own)
{
    struct ct_choice *choice = known->adapted                           ? ct_adapted_call_pass(known)
                               : ct_has_short_way(known, known->choice) ? known->choice
                                                                        : NULL;
    return leave(choice ? carry_out_short(choice, known, comm, own)
                        : carry_out(known, known->collective, comm, own),
                 own);
}

/* Asked of the MPI library each time: nobody tells when an operation is freed. */
static bool has_known_op(const struct ct_known_call *known)
{
    int commutes;
    if (!known->has_own_op)
        return true;
    bool is_guarded = ct_error_guard_up();
    int code = PMPI_Op_commutative(known->operands.op, &commutes);
    ct_error_guard_down(is_guarded);
    return code == MPI_SUCCESS && !commutes == !known->call.commutative;
}

/* Is it known from another communicator of the same ranks, which shares what is kept? */
static bool is_known(const struct ct_known_call *known, enum ct_collective collective,
                     const struct ct_operands *operands)
{
    return ct_is_known_method(known, collective, ct_collectives[collective].reduces, operands) &&
           (!ct_has_arrays(operands) || ct_is_known_arrays(known, operands)) &&
           ct_is_known_description(known, operands->send.buffer, operands->recv.buffer) &&
           has_known_op(known);
}

__attribute__((noinline)) int ct_interposed_decide(enum ct_collective collective, struct ct_operands operands,
                                                   MPI_Comm comm)
{
    const bool may_be_known = comm != MPI_COMM_NULL && ct_library_begin();
    struct ct_private_comm *own = may_be_known ? ct_private_comm_of(comm) : NULL;
    if (own && own->code != MPI_SUCCESS && !own->bypasses[collective]) {
        if (own->count)
            ct_private_comm_count(own);
        return raise_error(collective, own->code, comm, own);
    }
    if (!own || !own->channel || own->bypasses[collective]) {
        if (ct_tuner_is_started())
            ct_tuner_count(ct_tuner_native(collective), 0);
        return ct_interposed_native(collective, &operands, comm);
    }
    struct ct_known_call *known = ct_known_call_find(own->known, collective, &operands);
    if (is_known(known, collective, &operands)) {
        ct_private_comm_count(own);
        operands.own_code = known->operands.own_code;
        known->operands = operands;
        return repeat(known, comm, own);
    }
    struct ct_varying_call *varying;
    bool is_sound =
        ct_varying_call_resize(&own->varying, own->channel, collective, &operands, own->agreement, &varying);
    if (is_sound) {
        known = &varying->known;
    } else {
        known = varying ? &varying->known : ct_known_call_entry(own->known, collective, &operands);
        bool is_guarded = ct_error_guard_up();
        is_sound = ct_know_call(collective, CT_MODE_BLOCKING, &operands, own->channel, own->agreement, known);
        ct_error_guard_down(is_guarded);
        if (is_sound)
            ct_known_call_keep(known, collective, own->channel);
        if (is_sound && varying)
            ct_varying_call_keep(varying, collective);
    }
    if (is_sound) {
        ct_private_comm_count(own);
        known->adapted = ct_adapted_class_of(own->adapted, collective, known);
        known->is_plain = !known->adapted && !known->has_derived && !known->has_own_op;
        return leave(carry_out(known, collective, comm, own), own);
    }
    /* The other ranks, whose arguments may be right, compare theirs. The error is the MPI library's to raise.
     */
    check(collective, NULL, comm, own);
    return ct_native_call(collective, &operands, comm);
}

static inline void set_buffers(struct ct_operands *operands, void *send, void *recv, bool is_large)
{
    operands->send.buffer = send;
    operands->recv.buffer = recv;
    operands->send.is_large = operands->recv.is_large = is_large;
}

__attribute__((noinline)) int ct_interposed_repeat(void *send, void *recv, bool is_large,
                                                   struct ct_known_call *known, MPI_Comm comm,
                                                   struct ct_private_comm *own)
{
    if (!ct_is_known_description(known, send, recv) || !has_known_op(known)) {
        struct ct_operands operands = known->operands; /* what is known stays as it is */
        set_buffers(&operands, send, recv, is_large);
        return ct_interposed_decide(known->collective, operands, comm);
    }
    ct_private_comm_count(own);
    set_buffers(&known->operands, send, recv, is_large);
    return repeat(known, comm, own);
}

/* --- the collectives --- */

INTERPOSED int MPI_Barrier(MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_BARRIER, (struct ct_side){0}, (struct ct_side){0}, 0, comm);
}

INTERPOSED int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_BCAST, (struct ct_side){0}, ct_small_side(buffer, count, type),
                              root, comm);
}

INTERPOSED int MPI_Scatter(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                           int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_SCATTER, ct_small_side(send, send_count, send_type),
                              ct_small_side(recv, recv_count, recv_type), root, comm);
}

INTERPOSED int MPI_Scatterv(const void *send, const int *send_counts, const int *send_places,
                            MPI_Datatype send_type, void *recv, int recv_count, MPI_Datatype recv_type,
                            int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_SCATTERV,
                              ct_small_blocks(send, send_counts, send_places, send_type, NULL),
                              ct_small_side(recv, recv_count, recv_type), root, comm);
}

INTERPOSED int MPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                          int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_GATHER, ct_small_side(send, send_count, send_type),
                              ct_small_side(recv, recv_count, recv_type), root, comm);
}

INTERPOSED int MPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                           const int *recv_counts, const int *recv_places, MPI_Datatype recv_type, int root,
                           MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_GATHERV, ct_small_side(send, send_count, send_type),
                              ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), root, comm);
}

INTERPOSED int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                             int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLGATHER, ct_small_side(send, send_count, send_type),
                              ct_small_side(recv, recv_count, recv_type), 0, comm);
}

INTERPOSED int MPI_Allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                              const int *recv_counts, const int *recv_places, MPI_Datatype recv_type,
                              MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLGATHERV, ct_small_side(send, send_count, send_type),
                              ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                            int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLTOALL, ct_small_side(send, send_count, send_type),
                              ct_small_side(recv, recv_count, recv_type), 0, comm);
}

INTERPOSED int MPI_Alltoallv(const void *send, const int *send_counts, const int *send_places,
                             MPI_Datatype send_type, void *recv, const int *recv_counts,
                             const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLTOALLV,
                              ct_small_blocks(send, send_counts, send_places, send_type, NULL),
                              ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Alltoallw(const void *send, const int *send_counts, const int *send_places,
                             const MPI_Datatype *send_types, void *recv, const int *recv_counts,
                             const int *recv_places, const MPI_Datatype *recv_types, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLTOALLW,
                              ct_small_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
                              ct_small_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types),
                              0, comm);
}

INTERPOSED int MPI_Reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root,
                          MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_REDUCE, send, ct_small_side(recv, count, type), op, root, comm);
}

INTERPOSED int MPI_Reduce_scatter_block(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, send, ct_small_side(recv, count, type),
                                op, 0, comm);
}

INTERPOSED int MPI_Reduce_scatter(const void *send, void *recv, const int *counts, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_REDUCE_SCATTER, send,
                                ct_small_blocks(recv, counts, NULL, type, NULL), op, 0, comm);
}

INTERPOSED int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_ALLREDUCE, send, ct_small_side(recv, count, type), op, 0, comm);
}

INTERPOSED int MPI_Scan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_SCAN, send, ct_small_side(recv, count, type), op, 0, comm);
}

INTERPOSED int MPI_Exscan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_EXSCAN, send, ct_small_side(recv, count, type), op, 0, comm);
}

/* --- beginning and end, and error handlers --- */

INTERPOSED int MPI_Init(int *argc, char ***argv)
{
    ct_library_announce();
    int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS)
        ct_library_begin_in_world();
    return code;
}

INTERPOSED int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    ct_library_announce();
    int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS)
        ct_library_begin_in_world();
    return code;
}

#if MPI_VERSION >= 4
INTERPOSED int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
    ct_library_announce();
    int code = PMPI_Session_init(info, handler, session);
    if (code == MPI_SUCCESS)
        ct_library_count_ranks();
    return code;
}
#endif

INTERPOSED int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    return ct_error_guard_set_handler(comm, handler);
}

INTERPOSED int MPI_Abort(MPI_Comm comm, int code)
{
    ct_library_abort();
    return PMPI_Abort(comm, code);
}

#if CT_SIMULATED
INTERPOSED int MPI_Finalize(void)
{
    ct_library_end();
    return PMPI_Finalize();
}
#endif
