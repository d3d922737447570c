/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_LIBRARY_BLOCKING_H
#define CT_TESTS_LIBRARY_BLOCKING_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* What the trials of blocking.c share. */

/* The same program tries the large-count forms. */
#ifdef LARGE_FORMS
#include "large_forms.h"
typedef MPI_Count block_count;
typedef MPI_Aint block_place, block_bytes;
#else
typedef int block_count, block_place, block_bytes;
#endif

enum { RANKS = 3, BLOCKED = 1, LATE = 2, TAG = 5, LONG = 1 << 20, SECONDS = 30 };

/* What all trials use. */
struct all {
    int rank;
    MPI_Comm comm, ring, inter; /* of all; a ring of all; between rank 1 and the others */
    MPI_Comm reversed;          /* of all, the last one first */
    MPI_Comm spare;             /* of all, to be freed */
    MPI_Win window;
    MPI_File file;
    MPI_Info info; /* empty */
    const char *path;
    int *shared;
    const char *name; /* of the function that is tried */
    char *data;       /* LONG bytes */
    MPI_Status status;
};
extern struct all all;

extern int to[RANKS]; /* a buffer */

/* `answer` is what rank 2 calls, if it calls something else, and rank 0 calls nothing. */
struct trial {
    const char *name;
    int (*call)(void);
    int (*answer)(void);
};

/* Ended by zeroes. */
extern const struct trial message_trials[], collective_trials[], comm_trials[], window_trials[],
    file_trials[];

/* The other one of the rank that blocks and the one that is late. */
static inline int other(void)
{
    return BLOCKED + LATE - all.rank;
}

#endif
