/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CARRIED_CHANNEL_H
#define CT_LIBRARY_CARRIED_CHANNEL_H

#include <stdbool.h>

/* Channels on the carrier (carrier.h), and who of their ranks shares a node. */
struct ct_channel;

/* Opens a channel on the carrier that knows which of its ranks share a node. False without memory; then it
 * may be there, to be closed. */
bool ct_carried_channel_open(const int *ranks, int rank, int size, struct ct_channel **ret_channel);

/* Turns ranks in MPI_COMM_WORLD into labels of their nodes. False if some are not known, or of another
 * MPI_COMM_WORLD, which all ranks on the carrier see alike. */
bool ct_label_nodes(int *ranks, int size);

#endif
