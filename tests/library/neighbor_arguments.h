/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_LIBRARY_NEIGHBOR_ARGUMENTS_H
#define CT_TESTS_LIBRARY_NEIGHBOR_ARGUMENTS_H

#include "neighbor_topologies.h"

/* Arguments of neighborhood collectives, and the calls of each form that take them. */

enum { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, COLLECTIVES };
enum { BLOCKING, NONBLOCKING, PERSISTENT, MODES };
extern const char *const neighbor_names[COLLECTIVES];

enum { LENGTH_MOST = 4, SPREAD = 3, ROOM = BLOCKS_MOST * LENGTH_MOST * SPREAD };

struct arguments {
    struct neighbors neighbors;
    int longer_from; /* blocks of this rank have other lengths than usual; -1: of none */
    /* set_arguments fills in the following. */
    int collective;
    MPI_Datatype type, types[BLOCKS_MOST];
    int count, send_counts[BLOCKS_MOST], recv_counts[BLOCKS_MOST];
    int send_places[BLOCKS_MOST], recv_places[BLOCKS_MOST]; /* in elements */
    MPI_Aint send_bytes[BLOCKS_MOST], recv_bytes[BLOCKS_MOST];
    int send[ROOM];
};

/* Lengths follow from the round, which all ranks have alike. */
void set_arguments(struct arguments *args, int collective, int round, MPI_Datatype type);

/* `recv` has ROOM elements. */
int call_tuned(const struct arguments *args, int mode, int *recv, MPI_Comm comm);
/* The same result by messages along each edge. */
void call_by_hand(const struct arguments *args, int *recv, MPI_Comm comm);

#endif
