/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MPICH_CONDITION_H
#define CT_CODEGEN_MPICH_CONDITION_H

#include "codegen/mpich_tree.h"

/* The conditions that are the keys in MPICH's selection files. */

/* Properties of a call that are true or false. */
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
    bool (*holds)(const struct ct_mpich_call *call, size_t n); /* NULL: a flag, or `any` */
    bool numbered;                                             /* a number follows the key */
    bool of_communicator;
    enum ct_mpich_flag flag;
    bool on;
    const char *opposite; /* if both keys stand side by side, one of them holds; or NULL */
};

/* The condition of this key (without blanks) and its number; NULL if the key is none. */
const struct ct_mpich_condition *ct_mpich_condition_find(const char *key, size_t *ret_number);

/* Does it hold for every call? */
bool ct_mpich_condition_is_any(const struct ct_mpich_condition *test);

/* Does MPICH know the value that it tests, for this collective? MPICH aborts if it does not. */
bool ct_mpich_condition_is_defined(const struct ct_mpich_condition *test, const char *collective);

/* Does it hold for this call? `settled`: only tests of the communicator led here. */
bool ct_mpich_condition_holds(const struct ct_mpich_condition *test, const struct ct_mpich_call *call,
                              size_t number, bool settled);

#endif
