/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_EXCHANGE_ARGUMENTS_H
#define CT_LIBRARY_EXCHANGE_EXCHANGE_ARGUMENTS_H

#include "base/error.h"
#include "library/exchange/exchange_comm.h"

#include <mpi.h>

/* The arguments of the functions that make an exchange. */
struct ct_exchange_arguments {
    const char *function;
    MPI_Comm comm;
    int destination_count;
    const int *destinations;
    const size_t *lengths;
    int source_count; /* COLLTUNED_UNKNOWN: the others are not there */
    const int *sources;
    const size_t *source_lengths; /* may be NULL */
};

/* What is found out of them, and what is wrong. */
struct ct_exchange_finding {
    int rank;
    int size;
    int code; /* of this rank alone, or of all */
    struct ct_error error;
};

/* Something is wrong, which is told if nothing was before. */
void ct_exchange_fail(struct ct_exchange_finding *finding, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Begins a function, and finds what is kept with the communicator. What is wrong with
 * the arguments goes to *finding, since the other ranks must be told. Returns MPI_SUCCESS, or the class of an
 * error that has been raised. */
int ct_exchange_enter(const struct ct_exchange_arguments *arguments, struct ct_exchange_finding *finding,
                      struct ct_exchange_comm **ret_own);

/* All ranks have agreed on the class, which is raised; a rank that has found something else wrong says that.
 * Returns the class. */
int ct_exchange_raise(const struct ct_exchange_arguments *arguments,
                      const struct ct_exchange_finding *finding, int class);

#endif
