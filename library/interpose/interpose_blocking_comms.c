/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that make and free communicators. MPI_Comm_free waits for no rank. */
#include "library/interpose/interpose_blocking_internal.h"

#if BLOCKING_TAKEN_OVER

INTERPOSED int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Comm_dup(comm, ret_comm));
}

INTERPOSED int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Comm_dup_with_info(comm, info, ret_comm));
}

INTERPOSED int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Comm_create(comm, group, ret_comm));
}

INTERPOSED int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Comm_split(comm, color, key, ret_comm));
}

INTERPOSED int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Comm_split_type(comm, split_type, key, info, ret_comm));
}

INTERPOSED int MPI_Comm_disconnect(MPI_Comm *comm)
{
    if (ct_meetings_are_held())
        ct_meet_comm(*comm);
    return PMPI_Comm_disconnect(comm);
}

INTERPOSED int MPI_Cart_create(MPI_Comm comm, int ndims, const int *dims, const int *periods, int reorder,
                               MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Cart_create(comm, ndims, dims, periods, reorder, ret_comm));
}

INTERPOSED int MPI_Cart_sub(MPI_Comm comm, const int *kept, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Cart_sub(comm, kept, ret_comm));
}

INTERPOSED int MPI_Graph_create(MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder,
                                MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Graph_create(comm, nodes, index, edges, reorder, ret_comm));
}

INTERPOSED int MPI_Dist_graph_create(MPI_Comm comm, int n, const int *sources, const int *degrees,
                                     const int *destinations, const int *weights, MPI_Info info, int reorder,
                                     MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(
        PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, ret_comm));
}

INTERPOSED int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int *sources,
                                              const int *source_weights, int outdegree,
                                              const int *destinations, const int *dest_weights, MPI_Info info,
                                              int reorder, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree,
                                                         destinations, dest_weights, info, reorder,
                                                         ret_comm));
}

INTERPOSED int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *ret_comm)
{
    ct_meet_group(group);
    ct_making_begin();
    return ct_making_end(PMPI_Comm_create_group(comm, group, tag, ret_comm));
}

INTERPOSED int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peer_comm, int remote_leader, int tag,
                                    MPI_Comm *ret_comm)
{
    ct_meet_through_leaders(comm, leader, peer_comm, remote_leader);
    ct_making_begin();
    return ct_making_end(PMPI_Intercomm_create(comm, leader, peer_comm, remote_leader, tag, ret_comm));
}

INTERPOSED int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Intercomm_merge(comm, high, ret_comm));
}

/* Native MPI may synchronise here. */
INTERPOSED int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info)
{
    ct_meet_comm(comm);
    return PMPI_Comm_set_info(comm, info);
}

#if MPI_VERSION >= 4

INTERPOSED int MPI_Comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info,
                                          MPI_Errhandler handler, MPI_Comm *ret_comm)
{
    ct_meet_group(group);
    ct_making_begin();
    return ct_making_end(PMPI_Comm_create_from_group(group, tag, info, handler, ret_comm));
}

INTERPOSED int MPI_Intercomm_create_from_groups(MPI_Group group, int leader, MPI_Group remote_group,
                                                int remote_leader, const char *tag, MPI_Info info,
                                                MPI_Errhandler handler, MPI_Comm *ret_comm)
{
    ct_meet_leading_groups(group, leader, remote_group, remote_leader);
    ct_making_begin();
    return ct_making_end(PMPI_Intercomm_create_from_groups(group, leader, remote_group, remote_leader, tag,
                                                           info, handler, ret_comm));
}

#endif

/* Here the ranks of this side meet; no means is known to meet those of the other. */

INTERPOSED int MPI_Comm_spawn(const char *command, char **arguments, int most, MPI_Info info, int root,
                              MPI_Comm comm, MPI_Comm *ret_comm, int *ret_codes)
{
    ct_meet_comm(comm);
    return PMPI_Comm_spawn(command, arguments, most, info, root, comm, ret_comm, ret_codes);
}

INTERPOSED int MPI_Comm_spawn_multiple(int count, char **commands, char ***arguments, const int *most,
                                       const MPI_Info *infos, int root, MPI_Comm comm, MPI_Comm *ret_comm,
                                       int *ret_codes)
{
    ct_meet_comm(comm);
    return PMPI_Comm_spawn_multiple(count, commands, arguments, most, infos, root, comm, ret_comm, ret_codes);
}

INTERPOSED int MPI_Comm_accept(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    return PMPI_Comm_accept(port, info, root, comm, ret_comm);
}

INTERPOSED int MPI_Comm_connect(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *ret_comm)
{
    ct_meet_comm(comm);
    return PMPI_Comm_connect(port, info, root, comm, ret_comm);
}

#endif
