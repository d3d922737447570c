/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_TOPOLOGY_H
#define CT_LIBRARY_EXECUTE_TOPOLOGY_H

#include "algorithms/method.h"
#include "plan/pattern_features.h"
#include "plan/routes.h"

struct ct_choice;

#include <mpi.h>
#include <stdbool.h>

/* What all ranks decided for calls of a sparse collective with these lengths, as this rank sees them. */
struct ct_pattern_choice {
    struct ct_choice *choice; /* NULL: nothing */
    struct ct_method method;  /* that carries out such calls: the choice's, or `linear` */
    size_t count;             /* of the own block, or of all, */
    size_t *lengths[2];  /* and those of destinations and sources, by CT_BUFFER_SEND and CT_BUFFER_RECV */
    size_t agreed_count; /* the count by which plans are written */
    struct ct_pattern_features features;
};

/* As many decisions are kept for each sparse collective. Ranks decide together, so they have the same ones at
 * the same places. */
enum { CT_PATTERN_CHOICES = 4 };
struct ct_pattern_choices {
    struct ct_pattern_choice items[CT_PATTERN_CHOICES];
    unsigned next;                       /* place of the next one */
    struct ct_choice *last;              /* what was decided last, */
    unsigned alike;                      /* so many times in a row */
    struct ct_choice *settled;           /* for further calls; NULL: none */
    struct ct_pattern_features features; /* of the call that was decided last */
};

/* The neighbors of this rank on a communicator with a topology, as plans know them (plan/neighbors.h), and
 * the routes that were set up for them. MPI has blocks for MPI_PROC_NULL, too, beyond the ends of a Cartesian
 * grid that is not periodic; plans have none, so their blocks may have other numbers than the user's.
 *
 * In a periodic dimension of one or two ranks both neighbors are the same rank. What is sent in the negative
 * direction then arrives from the positive one (MPI 4.0, section 8.6), so these sources stand the other way
 * round. */

/* Routes that are kept: one entry for each method. */
struct ct_kept_routes {
    struct ct_kept_routes *next;
    struct ct_method method;
    size_t count;       /* lengths of v and w forms that they were made for: the own block, */
    size_t *lengths[2]; /* and those of destinations and sources, by CT_BUFFER_SEND and CT_BUFFER_RECV */
    size_t agreed;      /* of the other forms: the one length of all blocks, on which the ranks agreed last */
    unsigned alike;     /* so many times in a row they found that no length had changed */
    unsigned calls;     /* since they settled on the lengths */
    struct ct_lengths routed; /* what the call under way points to */
    struct ct_routes routes;
};

struct ct_topology {
    int references;
    struct ct_neighbors neighbors; /* without lengths */
    int *ranks;                    /* what both of its lists point to */
    size_t blocks[2];    /* that the user has, by CT_BUFFER_SEND and CT_BUFFER_RECV, with MPI_PROC_NULL */
    size_t *places[2];   /* by block of plans: its number among the user's; NULL: they are the same */
    MPI_Comm comm;       /* of set-ups; MPI_COMM_NULL before the first */
    unsigned supersteps; /* that it has carried */
    struct ct_kept_routes *routes;
    struct ct_pattern_choices choices[CT_MPI_COLLECTIVES - CT_DENSE_COLLECTIVES]; /* by sparse collective */
};

/* The number of a plan's block among the user's. */
static inline size_t ct_topology_place(const struct ct_topology *topology, unsigned buffer, size_t block)
{
    return topology && topology->places[buffer] ? topology->places[buffer][block] : block;
}

/* A number for routes that no others of this process have. */
unsigned ct_topology_number_routes(void);

/* Finds the topology of an intracommunicator, which is kept with it, at this rank alone. *ret_topology is
 * NULL where it has none, else a reference, to be released. Returns an MPI error code. */
int ct_topology_of(MPI_Comm comm, struct ct_topology **ret_topology);

/* Finds the topology of an intracommunicator in calls of dense collectives, which has no lists: each rank has
 * all ranks as destinations and sources. It is made at the first call, at this rank alone, and kept with the
 * communicator, whose it is. Returns an MPI error code. */
int ct_topology_of_all(MPI_Comm comm, struct ct_topology **ret_topology);

/* Gives a communicator of the caller's these neighbors, as if MPI had made it so; the simulator's MPI lacks
 * topologies. Lengths are not kept. At this rank alone. Returns an MPI error code. */
int ct_topology_attach(MPI_Comm comm, const struct ct_neighbors *neighbors);

/* Frees the routes that are kept for a method, as before its first call; those of all methods if it is NULL.
 * All ranks call it between the same calls. */
void ct_topology_forget_routes(struct ct_topology *topology, const struct ct_method *method);

/* May this rank make the communicator of set-ups, or is it there? MPI libraries hold a limited number of
 * communicators (MPICH 2046), which applications may need themselves, so only so many topologies have one. */
bool ct_topology_may_open(const struct ct_topology *topology);

/* Makes the communicator of set-ups, unless it is there. Collective over `comm`. Returns an MPI error code; a
 * lack of communicators is one at all ranks. */
int ct_topology_open(MPI_Comm comm, struct ct_topology *topology);

/* Ends a reference; NULL is none. */
void ct_topology_release(struct ct_topology *topology);

#endif
