/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_INTERPOSE_INTERPOSE_INTERNAL_H
#define CT_LIBRARY_INTERPOSE_INTERPOSE_INTERNAL_H

#include "library/communicators/meeting.h"
#include "library/communicators/private_comm.h"
#include "library/communicators/recent_comms.h"
#include "library/execute/native_call.h"
#include "library/mpi/backend_mpi.h"

/* The way from an interposed function to the call that it makes; see interpose.c and interpose_large.c. */

/* The simulator loads a program after itself, so that its own functions would be found first. There ours are
 * hidden, which binds the program that they are linked into to them. */
#if CT_SIMULATED
#define INTERPOSED __attribute__((visibility("hidden")))
#else
#define INTERPOSED COLLTUNED_API
#endif

/* What is inline in the function of each collective, where the collective is a constant. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Carries out a call that is not known yet. */
int ct_interposed_decide(enum ct_collective collective, struct ct_operands operands, MPI_Comm comm);

/* Carries out a call that repeats the method of `known`, which has its arrays, but not yet its buffers and
 * form. */
int ct_interposed_repeat(void *send, void *recv, bool is_large, struct ct_known_call *known, MPI_Comm comm,
                         struct ct_private_comm *own);

/* Begins a non-blocking call that moves data and has no root. */
int ct_interposed_begin(enum ct_collective collective, struct ct_side send, struct ct_side recv,
                        MPI_Comm comm, MPI_Request *request);
/* Makes the request of a persistent call that moves data, or none; `root` is 0 where it has none. */
int ct_interposed_prepare(enum ct_collective collective, struct ct_side send, struct ct_side recv, int root,
                          MPI_Comm comm, MPI_Info info, MPI_Request *request);

/* Calls the MPI library's own function, which blocks without moving the calls in flight. */
static ALWAYS_INLINE int ct_interposed_native(enum ct_collective collective,
                                              const struct ct_operands *operands, MPI_Comm comm)
{
    if (ct_meetings_are_held())
        ct_meet_comm(comm);
    return ct_native_call(collective, operands, comm);
}

/* Passes the user's call on. */
static ALWAYS_INLINE int ct_interposed_pass_on(struct ct_choice *choice, enum ct_collective collective,
                                               const struct ct_operands *operands, MPI_Comm comm)
{
    ct_tuner_count(choice, 0);
    return ct_interposed_native(collective, operands, comm);
}

/* A copy of the operands, field by field, so that the compiler keeps the original in registers. */
static ALWAYS_INLINE struct ct_operands in_memory(struct ct_operands operands)
{
    const struct ct_side *send = &operands.send, *recv = &operands.recv;
    return (struct ct_operands){{send->buffer, send->count, send->type, send->counts, send->displacements,
                                 send->types, send->is_large, send->has_large_places},
                                {recv->buffer, recv->count, recv->type, recv->counts, recv->displacements,
                                 recv->types, recv->is_large, recv->has_large_places},
                                operands.op,
                                operands.root,
                                operands.own_code};
}

static ALWAYS_INLINE bool has_known_arrays(const struct ct_known_call *known, struct ct_operands operands)
{
    const struct ct_operands copy = in_memory(operands);
    return ct_is_known_arrays(known, &copy);
}

/* The way in, inline in the function of each collective. Calls that are only passed on may cost next to
 * nothing, and so must their way: it calls nothing else, so that no register is saved. */
static ALWAYS_INLINE int ct_interposed_call(enum ct_collective collective, bool reduces,
                                            struct ct_operands operands, MPI_Comm comm)
{
    struct ct_private_comm *own = ct_recent_comm(comm);
    if (own && own->bypasses[collective] && !ct_meetings_are_held()) {
        ct_tuner_count(own->bypasses[collective], 0);
        return ct_native_call(collective, &operands, comm);
    }
    struct ct_known_call *known = own ? ct_known_call_find(own->known, collective, &operands) : NULL;
    if (known && ct_is_known_method(known, collective, reduces, &operands) &&
        (!ct_has_arrays(&operands) || has_known_arrays(known, operands))) {
        if (known->is_plain && known->choice->is_passed_on && !ct_meetings_are_held() &&
            ct_private_comm_count_alone(own)) {
            ct_tuner_count(known->choice, 0);
            return ct_native_call(collective, &operands, comm);
        }
        if (ct_has_arrays(&operands))
            ct_known_call_set_arrays(known, &operands);
        return ct_interposed_repeat(operands.send.buffer, operands.recv.buffer, operands.recv.is_large, known,
                                    comm, own);
    }
    return ct_interposed_decide(collective, in_memory(operands), comm);
}

/* --- sides, from arguments with int counts and with large ones --- */

static inline struct ct_side ct_small_side(const void *buffer, int count, MPI_Datatype type)
{
    return (struct ct_side){.buffer = (void *)buffer, .count = (size_t)count, .type = type};
}

static inline struct ct_side ct_small_blocks(const void *buffer, const int *counts, const int *displacements,
                                             MPI_Datatype type, const MPI_Datatype *types)
{
    return (struct ct_side){(void *)buffer, 0, type, counts, displacements, types, false, false};
}

static inline struct ct_side ct_large_side(const void *buffer, MPI_Count count, MPI_Datatype type)
{
    return (struct ct_side){.buffer = (void *)buffer, .count = (size_t)count, .type = type, .is_large = true};
}

static inline struct ct_side ct_large_blocks(const void *buffer, const MPI_Count *counts,
                                             const MPI_Aint *displacements, MPI_Datatype type,
                                             const MPI_Datatype *types)
{
    return (struct ct_side){(void *)buffer, 0, type, counts, displacements, types, true, true};
}

/* --- the calls --- */

/* A collective that moves data, or none. */
static ALWAYS_INLINE int ct_interposed_move(enum ct_collective collective, struct ct_side send,
                                            struct ct_side recv, int root, MPI_Comm comm)
{
    const struct ct_operands operands = {.send = send, .recv = recv, .root = root};
    return ct_interposed_call(collective, false, operands, comm);
}

/* A reduction. */
static ALWAYS_INLINE int ct_interposed_reduce(enum ct_collective collective, const void *send,
                                              struct ct_side recv, MPI_Op op, int root, MPI_Comm comm)
{
    const struct ct_operands operands = {
        .send = {.buffer = (void *)send, .is_large = recv.is_large}, .recv = recv, .op = op, .root = root};
    return ct_interposed_call(collective, true, operands, comm);
}

#endif
