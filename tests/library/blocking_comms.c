/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that make communicators, change and free them. */
#include "blocking.h"

static const int ones[RANKS] = {1, 1, 1};

static int free_comm(int code, MPI_Comm *comm)
{
    return code == MPI_SUCCESS && *comm != MPI_COMM_NULL ? MPI_Comm_free(comm) : code;
}

static int disconnect(void)
{
    return MPI_Comm_disconnect(&all.spare);
}

static int duplicate(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Comm_dup(all.comm, &comm), &comm);
}

static int dup_with_info(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Comm_dup_with_info(all.comm, MPI_INFO_NULL, &comm), &comm);
}

static int create(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group;
    MPI_Comm_group(all.comm, &group);
    int code = MPI_Comm_create(all.comm, group, &comm);
    MPI_Group_free(&group);
    return free_comm(code, &comm);
}

/* Of ranks 1 and 2. */
static int create_group(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group, pair;
    MPI_Comm_group(all.comm, &group);
    MPI_Group_incl(group, 2, (const int[]){BLOCKED, LATE}, &pair);
    int code = MPI_Comm_create_group(all.comm, pair, TAG, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&pair);
    return free_comm(code, &comm);
}

static int split(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Comm_split(all.comm, 0, 0, &comm), &comm);
}

static int split_type(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Comm_split_type(all.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm), &comm);
}

static int cart_create(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Cart_create(all.comm, 1, (const int[]){RANKS}, (const int[]){true}, false, &comm),
                     &comm);
}

static int cart_sub(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Cart_sub(all.ring, (const int[]){true}, &comm), &comm);
}

static int graph_create(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(
        MPI_Graph_create(all.comm, RANKS, (const int[]){1, 2, 3}, (const int[]){1, 2, 0}, false, &comm),
        &comm);
}

static int dist_graph_create(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int next = (all.rank + 1) % RANKS;
    return free_comm(
        MPI_Dist_graph_create(all.comm, 1, &all.rank, ones, &next, ones, MPI_INFO_NULL, false, &comm), &comm);
}

static int dist_graph_create_adjacent(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int next = (all.rank + 1) % RANKS, before = (all.rank + RANKS - 1) % RANKS;
    return free_comm(MPI_Dist_graph_create_adjacent(all.comm, 1, &before, ones, 1, &next, ones, MPI_INFO_NULL,
                                                    false, &comm),
                     &comm);
}

/* Rank 0, who does not wait, is no leader. */
static int intercomm_create(void)
{
    MPI_Comm comm = MPI_COMM_NULL, own;
    bool blocked = all.rank == BLOCKED;
    MPI_Comm_split(all.comm, blocked, 0, &own);
    int code = MPI_Intercomm_create(own, !blocked, all.comm, blocked ? LATE : BLOCKED, TAG, &comm);
    MPI_Comm_free(&own);
    return free_comm(code, &comm);
}

static int intercomm_merge(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Intercomm_merge(all.inter, all.rank == BLOCKED, &comm), &comm);
}

static int comm_set_info(void)
{
    return MPI_Comm_set_info(all.comm, all.info);
}

#if MPI_VERSION >= 4
static int create_from_group(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group;
    MPI_Comm_group(all.comm, &group);
    int code = MPI_Comm_create_from_group(group, "of all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    return free_comm(code, &comm);
}

/* Rank 1 on one side, the others on the other. */
static int intercomm_create_from_groups(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group, one, others;
    bool blocked = all.rank == BLOCKED;
    MPI_Comm_group(all.comm, &group);
    MPI_Group_incl(group, 1, (const int[]){BLOCKED}, &one);
    MPI_Group_excl(group, 1, (const int[]){BLOCKED}, &others);
    int code = MPI_Intercomm_create_from_groups(blocked ? one : others, !blocked, blocked ? others : one,
                                                blocked, "of both", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&one);
    MPI_Group_free(&others);
    return free_comm(code, &comm);
}
#endif

const struct trial comm_trials[] = {
    {"Comm_dup", duplicate, NULL},
    {"Comm_dup_with_info", dup_with_info, NULL},
    {"Comm_create", create, NULL},
    {"Comm_create_group", create_group, create_group},
    {"Comm_split", split, NULL},
    {"Comm_split_type", split_type, NULL},
    {"Cart_create", cart_create, NULL},
    {"Cart_sub", cart_sub, NULL},
    {"Graph_create", graph_create, NULL},
    {"Dist_graph_create", dist_graph_create, NULL},
    {"Dist_graph_create_adjacent", dist_graph_create_adjacent, NULL},
    {"Intercomm_create", intercomm_create, NULL},
    {"Intercomm_merge", intercomm_merge, NULL},
    {"Comm_set_info", comm_set_info, NULL},
    {"Comm_disconnect", disconnect, NULL},
#if MPI_VERSION >= 4
    {"Comm_create_from_group", create_from_group, NULL},
    {"Intercomm_create_from_groups", intercomm_create_from_groups, NULL},
#endif
    {0},
};
