/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_REQUEST_STATE_H
#define CT_LIBRARY_REQUEST_STATE_H

#include "library/communicators/flight_comm.h"
#include "library/requests/held_types.h"

/* A request and its call. */
struct ct_request {
    MPI_Request handle;             /* for good */
    struct ct_flight_comm *flights; /* of the common request: none */
    MPI_Comm comm;                  /* the user's */
    struct ct_operands operands;
    struct ct_held_types held; /* of the operands */
    bool holds_types;
    struct ct_call call;
    struct ct_choice *choice;
    struct ct_flight *flight; /* its memory serves again */
    uint64_t begun;           /* if calls are recorded */
    size_t calls;             /* that it stands for: 0: unused; 1, or more if it is the common one */
    bool is_persistent;
    bool is_active;          /* begun, and the user has not yet seen its end */
    bool is_cut;             /* see struct ct_known_call */
    struct ct_request *next; /* in a list of those that are unused, or dropped */
};

#endif
