/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_LAUNCH_ENVIRONMENT_H
#define CT_LIBRARY_MPI_LAUNCH_ENVIRONMENT_H

#include <stdbool.h>

/* What the environment says of how this process was launched, for decisions before or without messages. */

/* The number that the launcher gave this rank, mostly its rank in MPI_COMM_WORLD; -1 if it is not known. */
int ct_launch_rank(void);
/* The number of ranks that were launched on this node; 0 if it is not known. */
int ct_launch_ranks_on_node(void);

/* May the MPI library act as if the ranks of this node were on several? Tests have it do so. */
bool ct_launch_plays_nodes(void);

/* The process that started ranks of this node. */
struct ct_launch_daemon {
    const char *names; /* that it may have, between blanks */
    const char *job;   /* the variable that tells its jobs apart; NULL: it has one */
};

/* Returns how many ranks the daemon that started this one started for this job, itself included; 0 if that is
 * not known exactly. */
int ct_launch_siblings(struct ct_launch_daemon *ret_daemon);

#endif
