/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_LIBRARY_NEIGHBOR_TOPOLOGIES_H
#define CT_TESTS_LIBRARY_NEIGHBOR_TOPOLOGIES_H

#include <mpi.h>

/* Communicators of all ranks with topologies of all kinds. */

enum { RANKS_MOST = 16, BLOCKS_MOST = 64 };

/* Edges of a distributed graph, by kind. */
enum { EMPTY, RING, HUBS, LOOPS, DUPLICATES, RANDOM, COMPLETE, GRAPHS };

/* A distributed graph with `count` edges. */
MPI_Comm make_graph(int count, const int *from, const int *to);
MPI_Comm make_distributed(int kind);
MPI_Comm make_cartesian(int dimensions, const int periods[3], int reorder);
/* A graph whose edges go both ways. */
MPI_Comm make_path(void);

/* The neighbors of this rank, as MPI has them. */
struct neighbors {
    int rank; /* of this process */
    int in, out, sources[BLOCKS_MOST], destinations[BLOCKS_MOST];
};

void find_neighbors(struct neighbors *neighbors, MPI_Comm comm);

#endif
