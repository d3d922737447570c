/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_CONSTRAINTS_H
#define CT_ALGORITHMS_CONSTRAINTS_H

#include "plan/call.h"

/* Conditions under which an algorithm applies to a call; equal on all ranks. */
enum ct_constraint {
    CT_CONSTRAINT_COMMUTATIVE = 1 << 0,  /* the operation commutes */
    CT_CONSTRAINT_POWER_OF_TWO = 1 << 1, /* the communicator's size is one */
    CT_CONSTRAINT_EVEN = 1 << 2,         /* the communicator's size is even */
    CT_CONSTRAINT_NODES_KNOWN = 1 << 3   /* several nodes, one at least with several ranks */
};

struct ct_constraint_description {
    enum ct_constraint constraint;
    const char *name; /* as `colltune list` shows it */
    bool (*holds)(const struct ct_call *call);
};

/* All constraints, ended by an entry whose name is NULL. */
extern const struct ct_constraint_description ct_constraints[];

/* Do all of these constraints (a set of enum ct_constraint) hold for the call? *ret_failed (may be NULL) is
 * the first that does not. */
bool ct_constraints_hold(unsigned constraints, const struct ct_call *call,
                         const struct ct_constraint_description **ret_failed);

#endif
