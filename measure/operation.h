/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_OPERATION_H
#define CT_MEASURE_OPERATION_H

#include <stdbool.h>
#include <stddef.h>

/* Operations of the reductions that are measured: what ranks put in, and what must come out. All values are
 * whole numbers, so that results are exact in any order, in ints (modulo 2^32) as in doubles. */

enum ct_operation {
    CT_OPERATION_SUM, /* the usual one */
    CT_OPERATION_PROD,
    CT_OPERATION_MAX,
    CT_OPERATION_USER,    /* the sum, by a function of the program */
    CT_OPERATION_ORDERED, /* one that does not commute, by a function of the program */
    CT_OPERATIONS
};

enum { CT_OPERATION_PERIOD = 1024 }; /* values repeat after so many positions */

struct ct_operation_description {
    const char *name;
    bool commutes;
    bool is_users;                              /* no operation of MPI */
    double (*value)(int rank, size_t position); /* what a rank puts in, position < CT_OPERATION_PERIOD */
    double (*combine)(double left, double right);
    double (*of_first)(size_t ranks, size_t position); /* the result over the first ranks; NULL: combine */
};

extern const struct ct_operation_description ct_operations[CT_OPERATIONS];

/* What must come out at a position, over the first `ranks` ranks, of which there is at least one. */
double ct_operation_result(enum ct_operation operation, size_t ranks, size_t position);

/* The operation of that name; CT_OPERATIONS if there is none. */
enum ct_operation ct_operation_find(const char *name);
/* The name at an index, for options; NULL behind the last. */
const char *ct_operation_choice(size_t index);

#endif
