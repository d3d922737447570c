/* SPDX-License-Identifier: BSD-3-Clause */
#include "neighbor_topologies.h"

#include <string.h>

MPI_Comm make_graph(int count, const int *from, const int *to)
{
    MPI_Comm comm;
    int sources[BLOCKS_MOST], destinations[BLOCKS_MOST], weights[BLOCKS_MOST] = {0}, in = 0, out = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < count; i++) {
        if (to[i] == rank)
            sources[in++] = from[i];
        if (from[i] == rank)
            destinations[out++] = to[i];
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, weights, out, destinations, weights,
                                   MPI_INFO_NULL, 0, &comm);
    return comm;
}

static unsigned next(unsigned *state)
{
    return (*state = *state * 1103515245 + 12345) >> 16;
}

MPI_Comm make_distributed(int kind)
{
    static int from[BLOCKS_MOST], to[BLOCKS_MOST];
    unsigned state = 7;
    int count = 0, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size && kind == RING; i++)
        from[count] = i, to[count++] = (i + 1) % size;
    for (int i = 1; i < size && kind == HUBS; i++) {
        from[count] = 0, to[count++] = i;
        from[count] = i, to[count++] = size - 1;
    }
    for (int i = 0; i < size && kind == LOOPS; i += 2) {
        from[count] = i, to[count++] = i;
        from[count] = i, to[count++] = size - 1 - i;
    }
    for (int i = 0; i < 3 * size && kind == DUPLICATES; i++)
        from[count] = i % size, to[count++] = (i + i % 2) % size;
    for (int i = 0; i < 3 * size && kind == RANDOM; i++)
        from[count] = (int)(next(&state) % (unsigned)size),
        to[count++] = (int)(next(&state) % (unsigned)size);
    for (int i = 0; i < size * size && kind == COMPLETE && size * size <= BLOCKS_MOST; i++)
        from[count] = i / size, to[count++] = i % size;
    return make_graph(count, from, to);
}

MPI_Comm make_cartesian(int dimensions, const int periods[3], int reorder)
{
    MPI_Comm comm;
    int lengths[3] = {0}, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, dimensions, lengths);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, lengths, periods, reorder, &comm);
    return comm;
}

MPI_Comm make_path(void)
{
    MPI_Comm comm;
    int ends[RANKS_MOST], edges[2 * RANKS_MOST], count = 0, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        if (i > 0)
            edges[count++] = i - 1;
        if (i < size - 1)
            edges[count++] = i + 1;
        ends[i] = count;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 0, &comm);
    return comm;
}

void find_neighbors(struct neighbors *neighbors, MPI_Comm comm)
{
    int *in = &neighbors->in, *out = &neighbors->out;
    int *sources = neighbors->sources, *destinations = neighbors->destinations;
    int kind, weights[2][BLOCKS_MOST], dimensions;
    MPI_Comm_rank(comm, &neighbors->rank);
    MPI_Topo_test(comm, &kind);
    if (kind == MPI_DIST_GRAPH) {
        MPI_Dist_graph_neighbors_count(comm, in, out, &kind);
        MPI_Dist_graph_neighbors(comm, *in, sources, weights[0], *out, destinations, weights[1]);
        return;
    }
    if (kind == MPI_GRAPH) {
        MPI_Graph_neighbors_count(comm, neighbors->rank, out);
        MPI_Graph_neighbors(comm, neighbors->rank, *out, destinations);
    } else {
        MPI_Cartdim_get(comm, &dimensions);
        *out = 2 * dimensions;
        for (int i = 0; i < dimensions; i++)
            MPI_Cart_shift(comm, i, 1, &destinations[2 * i], &destinations[2 * i + 1]);
    }
    *in = *out;
    memcpy(sources, destinations, sizeof neighbors->sources);
}
