/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PRESENCE_H
#define CT_LIBRARY_PRESENCE_H

/* Which ranks of this node have loaded the library? This must be known before the first message: a rank
 * without the library answers none, and could take it for one of its own. So each rank with the library
 * counts itself before MPI_Init, in memory that is shared by the ranks which one daemon has started for one
 * job. In MPICH and Open MPI no rank leaves MPI_Init before all ranks of its node have entered it, so then
 * all have been counted. If an MPI library does not wait, ranks may be missed, but not by some of them alone:
 * the first rank that looks writes down the verdict, and all go by it. Where these are all ranks of the job,
 * they share the node, and MPI need not be asked who does.
 *
 * A library with another FORMAT counts elsewhere, so it is missed, too. */

enum ct_presence_verdict {
    CT_PRESENCE_UNKNOWN, /* the launcher does not say how many ranks there are, or is not known */
    CT_PRESENCE_ALL,     /* all ranks of the node have the library */
    CT_PRESENCE_SOME     /* others have not */
};

struct ct_presence_board;

struct ct_presence {
    int expected; /* ranks; 0: it is not known how many */
    struct ct_presence_board *board;
    char path[96];
};

/* Counts this rank. Before MPI is first begun, once. */
void ct_presence_announce(struct ct_presence *ret_presence);

/* Gives the verdict, the same at all ranks that were counted together. After MPI was first begun, once.
 * *ret_counted is the number of ranks that have the library, at one of them, which is to tell the user; else
 * 0. */
enum ct_presence_verdict ct_presence_conclude(struct ct_presence *presence, unsigned *ret_counted);

#endif
