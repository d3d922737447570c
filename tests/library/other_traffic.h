/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_OTHER_TRAFFIC_H
#define CT_TESTS_OTHER_TRAFFIC_H

#include <mpi.h>
#include <stdbool.h>

/* Messages of the user's, received from any source with any tag around a call, in some of them. */
struct other_traffic {
    MPI_Comm comm;
    MPI_Request requests[2];
    int sent, got, awaited;
    bool is_there;
};

/* Whether there is any, and what it carries, follows from the seed, which all ranks of `comm` have alike. */
void other_traffic_begin(struct other_traffic *traffic, MPI_Comm comm, unsigned seed);
/* False where it was disturbed. */
bool other_traffic_end(struct other_traffic *traffic);

#endif
