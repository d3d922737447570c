/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/topology.h"
#include "base/memory.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/comm_keyval.h"
#include "library/mpi/message_functions.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTIVES = CT_MPI_COLLECTIVES - CT_DENSE_COLLECTIVES };

enum { HELD_MAX = 256 };

/* State of the process, see tuner.c: the attribute keys, how many topologies have a communicator, and the
 * number of the routes made last. */
static struct {
    atomic_int keyval;
    atomic_int keyval_of_all;
    atomic_int held;
    atomic_uint routes;
} topologies = {.keyval = MPI_KEYVAL_INVALID, .keyval_of_all = MPI_KEYVAL_INVALID};

unsigned ct_topology_number_routes(void)
{
    return atomic_fetch_add(&topologies.routes, 1) + 1;
}

bool ct_topology_may_open(const struct ct_topology *topology)
{
    return topology->comm != MPI_COMM_NULL || atomic_load(&topologies.held) < HELD_MAX;
}

int ct_topology_open(MPI_Comm comm, struct ct_topology *topology)
{
    MPI_Group group;
    if (topology->comm != MPI_COMM_NULL)
        return MPI_SUCCESS;
    int code = PMPI_Comm_group(comm, &group);
    if (code != MPI_SUCCESS)
        return code;
    code = ct_message_functions()->comm_create(comm, group, &topology->comm);
    PMPI_Group_free(&group);
    if (code != MPI_SUCCESS) {
        topology->comm = MPI_COMM_NULL;
        return code;
    }
    atomic_fetch_add(&topologies.held, 1);
    return PMPI_Comm_set_errhandler(topology->comm, MPI_ERRORS_RETURN);
}

void ct_topology_forget_routes(struct ct_topology *topology, const struct ct_method *method)
{
    for (struct ct_kept_routes **place = &topology->routes, *kept; (kept = *place);) {
        if (method && !ct_method_equal(&kept->method, method)) {
            place = &kept->next;
            continue;
        }
        *place = kept->next;
        ct_routes_free(&kept->routes);
        free(kept->lengths[CT_BUFFER_SEND]);
        free(kept->lengths[CT_BUFFER_RECV]);
        free(kept);
    }
}

static void forget_choices(struct ct_topology *topology)
{
    for (int i = 0; i < COLLECTIVES * CT_PATTERN_CHOICES; i++) {
        struct ct_pattern_choice *choice =
            &topology->choices[i / CT_PATTERN_CHOICES].items[i % CT_PATTERN_CHOICES];
        free(choice->lengths[CT_BUFFER_SEND]);
        free(choice->lengths[CT_BUFFER_RECV]);
        *choice = (struct ct_pattern_choice){0};
    }
}

void ct_topology_release(struct ct_topology *topology)
{
    if (!topology || --topology->references > 0)
        return;
    ct_topology_forget_routes(topology, NULL);
    forget_choices(topology);
    if (topology->comm != MPI_COMM_NULL) {
        ct_message_functions()->comm_free(&topology->comm);
        atomic_fetch_sub(&topologies.held, 1);
    }
    free(topology->ranks);
    free(topology->places[CT_BUFFER_SEND]);
    free(topology->places[CT_BUFFER_RECV]);
    free(topology);
}

/* The attribute's delete function. */
static int forget_topology(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    ct_topology_release(value);
    return MPI_SUCCESS;
}

/* By CT_BUFFER_SEND destinations, by CT_BUFFER_RECV sources. */
struct lists {
    size_t count[2];
    int *ranks[2];
    size_t *places[2]; /* of sources, where they stand in another order */
};

static bool allocate(struct lists *lists, int out, int in)
{
    lists->count[CT_BUFFER_SEND] = (size_t)out;
    lists->count[CT_BUFFER_RECV] = (size_t)in;
    for (int i = 0; i < 2; i++) {
        lists->ranks[i] = ct_allocate(lists->count[i] + 1, sizeof *lists->ranks[i]);
        lists->places[i] = ct_allocate(lists->count[i] + 1, sizeof *lists->places[i]);
        for (size_t k = 0; lists->places[i] && k < lists->count[i]; k++)
            lists->places[i][k] = k;
    }
    return lists->ranks[0] && lists->ranks[1] && lists->places[0] && lists->places[1];
}

/* --- the neighbors as MPI has them --- */

/* The simulator's MPI lacks these functions. */
#if CT_SIMULATED

static int list(MPI_Comm comm, int kind, struct lists *lists)
{
    (void)comm;
    (void)kind;
    (void)lists;
    return MPI_ERR_TOPOLOGY;
}

static int find_kind(MPI_Comm comm, int *ret_kind)
{
    (void)comm;
    *ret_kind = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

#else

static int list_distributed(MPI_Comm comm, struct lists *lists)
{
    int in, out, weighted;
    int code = PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    if (code != MPI_SUCCESS)
        return code;
    int *weights = ct_allocate((size_t)in + (size_t)out + 1, sizeof *weights);
    code = weights && allocate(lists, out, in)
               ? PMPI_Dist_graph_neighbors(comm, in, lists->ranks[CT_BUFFER_RECV], weights, out,
                                           lists->ranks[CT_BUFFER_SEND], weights + in)
               : MPI_ERR_NO_MEM;
    free(weights);
    return code;
}

static int list_graph(MPI_Comm comm, struct lists *lists)
{
    int rank, count;
    int code = PMPI_Comm_rank(comm, &rank);
    if (code == MPI_SUCCESS)
        code = PMPI_Graph_neighbors_count(comm, rank, &count);
    if (code != MPI_SUCCESS)
        return code;
    if (!allocate(lists, count, count))
        return MPI_ERR_NO_MEM;
    code = PMPI_Graph_neighbors(comm, rank, count, lists->ranks[CT_BUFFER_SEND]);
    memcpy(lists->ranks[CT_BUFFER_RECV], lists->ranks[CT_BUFFER_SEND], (size_t)count * sizeof(int));
    return code;
}

static int list_cartesian(MPI_Comm comm, struct lists *lists)
{
    int dimensions;
    int code = PMPI_Cartdim_get(comm, &dimensions);
    if (code != MPI_SUCCESS)
        return code;
    if (!allocate(lists, 2 * dimensions, 2 * dimensions))
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < dimensions && code == MPI_SUCCESS; i++) {
        int *out = lists->ranks[CT_BUFFER_SEND] + 2 * i, *in = lists->ranks[CT_BUFFER_RECV] + 2 * i;
        code = PMPI_Cart_shift(comm, i, 1, &out[0], &out[1]);
        bool is_same = out[0] == out[1];
        in[0] = out[0];
        in[1] = out[1];
        if (is_same) {
            lists->places[CT_BUFFER_RECV][2 * i] = (size_t)(2 * i + 1);
            lists->places[CT_BUFFER_RECV][2 * i + 1] = (size_t)(2 * i);
        }
    }
    return code;
}

static int list(MPI_Comm comm, int kind, struct lists *lists)
{
    if (kind == MPI_DIST_GRAPH)
        return list_distributed(comm, lists);
    return kind == MPI_GRAPH ? list_graph(comm, lists) : list_cartesian(comm, lists);
}

/* The number of ranks that a grid or a graph has. */
static int count_ranks(MPI_Comm comm, int kind, int *ret_count)
{
    int dimensions, edges, count = 1;
    if (kind == MPI_GRAPH)
        return PMPI_Graphdims_get(comm, ret_count, &edges);
    int code = PMPI_Cartdim_get(comm, &dimensions);
    if (code != MPI_SUCCESS)
        return code;
    int *numbers = ct_allocate(3 * (size_t)dimensions + 1, sizeof *numbers);
    code = numbers ? PMPI_Cart_get(comm, dimensions, numbers, numbers + dimensions, numbers + 2 * dimensions)
                   : MPI_ERR_NO_MEM;
    for (int i = 0; i < dimensions && code == MPI_SUCCESS; i++)
        count *= numbers[i];
    free(numbers);
    if (code == MPI_SUCCESS)
        *ret_count = count;
    return code;
}

/* Open MPI 4.1.4 gives what MPI_Comm_create_group makes the topology of the communicator that it is made
 * from, even if it has fewer ranks. Then MPI_Cart_shift may divide by zero. *ret_kind is MPI_UNDEFINED there.
 */
static int find_kind(MPI_Comm comm, int *ret_kind)
{
    int size, count, code = PMPI_Topo_test(comm, ret_kind);
    if (code != MPI_SUCCESS || *ret_kind == MPI_UNDEFINED || *ret_kind == MPI_DIST_GRAPH)
        return code;
    code = PMPI_Comm_size(comm, &size);
    if (code == MPI_SUCCESS)
        code = count_ranks(comm, *ret_kind, &count);
    if (code == MPI_SUCCESS && count != size)
        *ret_kind = MPI_UNDEFINED;
    return code;
}

#endif

/* --- as plans have them --- */

/* Leaves MPI_PROC_NULL out. Returns how many neighbors are left. */
static size_t leave_out(struct lists *lists, int side)
{
    size_t kept = 0;
    for (size_t i = 0; i < lists->count[side]; i++) {
        if (lists->ranks[side][i] == MPI_PROC_NULL)
            continue;
        lists->ranks[side][kept] = lists->ranks[side][i];
        lists->places[side][kept++] = lists->places[side][i];
    }
    return kept;
}

static bool are_in_order(const size_t *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (places[i] != i)
            return false;
    return true;
}

static void take(struct lists *lists, struct ct_topology *topology)
{
    size_t counts[2];
    for (int side = 0; side < 2; side++) {
        counts[side] = leave_out(lists, side);
        topology->blocks[side] = lists->count[side];
        if (are_in_order(lists->places[side], counts[side]))
            continue;
        topology->places[side] = lists->places[side];
        lists->places[side] = NULL;
    }
    size_t out = counts[CT_BUFFER_SEND], in = counts[CT_BUFFER_RECV];
    memcpy(topology->ranks, lists->ranks[CT_BUFFER_SEND], out * sizeof *topology->ranks);
    memcpy(topology->ranks + out, lists->ranks[CT_BUFFER_RECV], in * sizeof *topology->ranks);
    topology->neighbors = (struct ct_neighbors){
        .out_count = out, .out = topology->ranks, .in_count = in, .in = topology->ranks + out};
}

/* Frees the lists. */
static int make_topology(struct lists *lists, int code, struct ct_topology **ret_topology)
{
    struct ct_topology *topology = code == MPI_SUCCESS ? ct_allocate(1, sizeof *topology) : NULL;
    if (code == MPI_SUCCESS && !topology)
        code = MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS) {
        *topology = (struct ct_topology){.references = 1, .comm = MPI_COMM_NULL};
        topology->ranks = ct_allocate(lists->count[0] + lists->count[1] + 1, sizeof *topology->ranks);
        if (topology->ranks)
            take(lists, topology);
        else
            code = MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < 2; i++) {
        free(lists->ranks[i]);
        free(lists->places[i]);
    }
    if (code == MPI_SUCCESS)
        *ret_topology = topology;
    else
        free(topology);
    return code;
}

/* The topology that is kept with a communicator under that key; NULL if there is none yet. */
static int find(MPI_Comm comm, atomic_int *keyval, struct ct_topology **ret_topology)
{
    int key = ct_comm_keyval(keyval, forget_topology), found = false;
    *ret_topology = NULL;
    if (key == MPI_KEYVAL_INVALID)
        return MPI_ERR_NO_MEM;
    int code = PMPI_Comm_get_attr(comm, key, ret_topology, &found);
    if (code != MPI_SUCCESS || !found)
        *ret_topology = NULL;
    return code;
}

/* Keeps it with the communicator, whose it becomes, also on failure. */
static int keep(MPI_Comm comm, const atomic_int *keyval, struct ct_topology *topology)
{
    int code = PMPI_Comm_set_attr(comm, atomic_load(keyval), topology);
    if (code != MPI_SUCCESS)
        ct_topology_release(topology);
    return code;
}

int ct_topology_attach(MPI_Comm comm, const struct ct_neighbors *neighbors)
{
    struct lists lists = {0};
    struct ct_topology *topology;
    int code = find(comm, &topologies.keyval, &topology);
    if (code != MPI_SUCCESS)
        return code;
    code =
        allocate(&lists, (int)neighbors->out_count, (int)neighbors->in_count) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS && neighbors->out_count > 0)
        memcpy(lists.ranks[CT_BUFFER_SEND], neighbors->out, neighbors->out_count * sizeof(int));
    if (code == MPI_SUCCESS && neighbors->in_count > 0)
        memcpy(lists.ranks[CT_BUFFER_RECV], neighbors->in, neighbors->in_count * sizeof(int));
    code = make_topology(&lists, code, &topology);
    return code == MPI_SUCCESS ? keep(comm, &topologies.keyval, topology) : code;
}

int ct_topology_of_all(MPI_Comm comm, struct ct_topology **ret_topology)
{
    struct ct_topology *topology;
    int code = find(comm, &topologies.keyval_of_all, &topology);
    if (code == MPI_SUCCESS && !topology) {
        topology = ct_allocate(1, sizeof *topology);
        if (!topology)
            return MPI_ERR_NO_MEM;
        *topology = (struct ct_topology){.references = 1, .comm = MPI_COMM_NULL};
        code = keep(comm, &topologies.keyval_of_all, topology);
    }
    if (code == MPI_SUCCESS)
        *ret_topology = topology;
    return code;
}

int ct_topology_of(MPI_Comm comm, struct ct_topology **ret_topology)
{
    struct ct_topology *topology = NULL;
    struct lists lists = {0};
    int kind, code = find_kind(comm, &kind);
    *ret_topology = NULL;
    if (code != MPI_SUCCESS || (kind == MPI_UNDEFINED && !CT_SIMULATED))
        return code;
    code = find(comm, &topologies.keyval, &topology);
    if (code == MPI_SUCCESS && !topology && !CT_SIMULATED) {
        code = make_topology(&lists, list(comm, kind, &lists), &topology);
        if (code == MPI_SUCCESS)
            code = keep(comm, &topologies.keyval, topology);
    }
    if (code != MPI_SUCCESS || !topology)
        return code;
    topology->references++;
    *ret_topology = topology;
    return MPI_SUCCESS;
}
