/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_NODE_PLATFORM_H
#define CT_MEASURE_BACKEND_NODE_PLATFORM_H

#include "measure/backend/toolchain.h"

/* A platform of the simulator that charges messages between ranks of one host as the channel through shared
 * memory does, for the methods of the MPI and ours alike. SimGrid has one CPU time of a message for all pairs
 * of hosts in its configuration; for another time within a host it wants a function, which a platform may
 * bring that is a shared library (node_platform.cpp). It loads the file that COLLTUNE_PLATFORM names, and
 * reads COLLTUNE_NODE_COSTS: for each regime of the channel (plan/node_channel.h) "SECONDS:SECONDS PER BYTE"
 * at either end, separated by semicolons. Messages between hosts cost what the file says.
 *
 * With COLLTUNE_ROUTES it writes the ways between the hosts that COLLTUNE_HOSTS names line by line to that
 * file (platform_routes.h), and ends the job. */

/* Words for smpirun: it would warn for each host that the function replaces the configuration. */
#define CT_NODE_PLATFORM_OPTIONS "--log=smpi_host.thres:error "

/* Compiles the library with the C++ compiler wrapper of the simulator's MPI, unless it is kept. CT_OK;
 * CT_E_SYSTEM with a line in `error` that says what to install; CT_E_MEMORY. Caller frees *ret_path. */
int ct_node_platform_keep(const struct ct_mpi *mpi, struct ct_error *error, char **ret_path);

#endif
