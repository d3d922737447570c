/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MPICH_CONDITION_H
#define CT_CODEGEN_MPICH_CONDITION_H

#include "codegen/mpich_tree.h"

/* The tests that stand as keys in MPICH's files of selections. */

/* The switches of a call. */
enum ct_mpich_flag {
    CT_MPICH_FLAG_NONE,
    CT_MPICH_FLAG_INTER,
    CT_MPICH_FLAG_NODES,
    CT_MPICH_FLAG_IN_ORDER,
    CT_MPICH_FLAG_COMMUTES,
    CT_MPICH_FLAG_BUILT_IN,
    CT_MPICH_FLAG_IN_PLACE,
    CT_MPICH_FLAG_EQUAL
};

struct ct_mpich_condition {
    const char *key;
    bool (*holds)(const struct ct_mpich_call *call, size_t n); /* NULL: a switch, or `any` */
    bool numbered;                                             /* a number follows the key */
    bool of_communicator;
    enum ct_mpich_flag flag;
    bool on;
    const char *opposite; /* which leaves nothing over, where both stand; or NULL */
};

/* The test that this key, without blanks, stands for, and its number; NULL where it is none. */
const struct ct_mpich_condition *ct_mpich_condition_find(const char *key, size_t *ret_number);

/* Does it hold for all calls? */
bool ct_mpich_condition_is_any(const struct ct_mpich_condition *test);

/* Has MPICH what it asks for, of this collective? It dies else. */
bool ct_mpich_condition_is_defined(const struct ct_mpich_condition *test, const char *collective);

/* Does it hold for this one? `settled`: only tests about the communicator led here. */
bool ct_mpich_condition_holds(const struct ct_mpich_condition *test, const struct ct_mpich_call *call,
                              size_t number, bool settled);

#endif
