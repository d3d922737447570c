/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_OPEN_NODE_H
#define CT_TESTS_OPEN_NODE_H

#include "library/node/node.h"

/* The lanes to the ranks of MPI_COMM_WORLD on this rank's node. Collective over MPI_COMM_WORLD. */
static inline struct ct_node *open_node_of_world(const struct ct_node_wishes *wishes)
{
    MPI_Comm here;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    return ct_node_open(MPI_COMM_WORLD, here, wishes);
}

#endif
