/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_FLIGHT_STATE_H
#define CT_LIBRARY_EXECUTE_FLIGHT_STATE_H

#include "library/execute/kept_memory.h"
#include "library/execute/layout.h"
#include "library/execute/message_state.h"
#include "library/execute/short_reduction.h"
#include "plan/collective.h"

/* The buffers that a plan works on. */
struct ct_buffers {
    char *base[CT_BUFFERS_MAX];
    const MPI_Aint *at[2]; /* of SEND and RECV in v and w forms: where each rank's block begins; else NULL */
    bool packed[2];        /* SEND and RECV */
};

struct ct_channel;
struct ct_flight;
struct ct_kept_plan;
struct ct_operands;
struct ct_shortcut;

/* What the executor does with a call that nobody waits for: mpi_progress.c moves such calls, and the executor
 * calls it in turn. */
struct ct_flight_functions {
    int (*advance)(struct ct_flight *flight, enum ct_until until);
    void (*release)(struct ct_flight *flight);
};

/* A call in flight: what it works with, where it stands, and the memory that it leaves to the next call. */
struct ct_flight {
    struct ct_channel *channel;
    const struct ct_flight_functions *functions; /* NULL: of blocking calls */
    struct ct_messages messages;
    struct ct_units units;
    struct ct_layout layout; /* of a unit */
    MPI_Op op;
    struct ct_buffers buffers;
    unsigned buffers_ready; /* temporary buffers up to this one have memory */
    unsigned buffers_most;  /* so many had in calls before */
    /* The round of the plan, the part of the round and the step in it that are to be carried out next. */
    size_t round;
    size_t step;
    unsigned part;
    /* The same of a call that takes the shortcut of its kept plan; see shortcut.h. */
    const struct ct_shortcut *shortcut; /* of the call that is advanced; NULL: it has none */
    struct ct_kept_memory placed;       /* that of its own, where its blocks have places */
    bool is_short;                      /* the call has not left it */
    unsigned short_step;
    ct_short_reduction *reduction;
    struct ct_plan plan; /* where it is not a kept one */
    bool is_drained;     /* a part of the plan was carried out and forgotten */
    bool fuses;          /* it carries out the rewritten form of its kept plan */
    /* The result: of the part of the plan that was drained, or of a call that is advanced; see
     * mpi_progress.h. */
    int code;

    /* The call that is advanced, its plan if that is a kept one, and the next one of those in flight. */
    struct ct_kept_plan *kept;
    const struct ct_operands *operands;
    const struct ct_call *call;
    enum ct_collective collective;
    struct ct_flight *next;
    /* See ct_progress_add_remains(). */
    struct ct_flight *next_remaining;
    bool has_remains;
    bool is_left; /* nobody else needs it */

    struct ct_kept_memory temporary[CT_BUFFERS_MAX]; /* by buffer number */
    struct ct_kept_memory packed[2];                 /* the data of sides that are not contiguous */
    struct ct_kept_memory counts[2];                 /* of blocks, in units */
    struct ct_kept_memory places[2];                 /* of blocks, in bytes */
};

#endif
