/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_BACKEND_MPI_H
#define CT_LIBRARY_MPI_BACKEND_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

/* Differences between the real and the simulated backend of an MPI program. Only this file tests whether the
 * MPI is the simulator's; other files test CT_SIMULATED, or call these functions.
 *
 * In the simulator times repeat exactly, all ranks share one process and one clock, and local work takes no
 * time unless it is charged: reductions with gamma, copies with delta per byte, given as flops per byte in
 * COLLTUNE_GAMMA_FLOPS and COLLTUNE_DELTA_FLOPS. */

/* CT_MPI_NAME is the name of the MPI that this is compiled for, as in library/decide/origin.c; "" if it is
 * none of those. Relatives of MPICH share its handles and its module mpi_f08. */
#if defined SMPI_H
#define CT_MPI_NAME "smpi"
#elif defined OPEN_MPI
#define CT_MPI_NAME "openmpi"
#elif defined MPICH_VERSION
#define CT_MPI_NAME "mpich"
#define CT_MPICH    1
#else
#define CT_MPI_NAME ""
#endif
#ifndef CT_MPICH
#define CT_MPICH 0
#endif

/* Does the MPI library itself yield the CPU while it waits, where ranks outnumber CPUs? Open MPI does, if its
 * launcher knows: conjugate gradients on 8 ranks and 2 CPUs are then a third faster than by tests of ours. */
#ifdef OPEN_MPI
#define CT_MPI_YIELDS 1
#else
#define CT_MPI_YIELDS 0
#endif

#ifdef SMPI_H

#include <simgrid/actor.h>

#define CT_SIMULATED 1

/* A static object of which each thread of a rank has its own. Simulated ranks share threads, and the
 * simulator gives each rank its own static objects. */
#define CT_PER_THREAD

void ct_charge_reduce(size_t bytes);
void ct_charge_copy(size_t bytes);

static inline void ct_sleep_until(double time)
{
    sg_actor_sleep_until(time);
}

static inline void ct_sleep_for(double seconds)
{
    sg_actor_sleep_for(seconds);
}

#else

#define CT_SIMULATED  0

/* The model spares a function call for each use. The library needs little of such memory, so it can also be
 * loaded when the program runs. */
#define CT_PER_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

/* Real time needs no charges. */
static inline void ct_charge_reduce(size_t bytes)
{
    (void)bytes;
}
static inline void ct_charge_copy(size_t bytes)
{
    (void)bytes;
}
static inline void ct_sleep_until(double time)
{
    (void)time;
}
static inline void ct_sleep_for(double seconds)
{
    (void)seconds;
}

#endif

/* Has a receive brought so many bytes? MPI_Get_count takes longer than all else that is done with a short
 * message; the fields are what it reads. The simulator's statuses do not always tell. */
static inline bool ct_has_received(const MPI_Status *status, size_t bytes)
{
#if defined MPICH_NUMVERSION
    size_t high = (size_t)(unsigned)status->count_hi_and_cancelled >> 1;
    return ((size_t)(unsigned)status->count_lo | high << 32) == bytes;
#elif defined OMPI_MAJOR_VERSION
    return status->_ucount == bytes;
#else
    (void)status;
    (void)bytes;
    return true;
#endif
}

/* Seconds on this rank's monotonic clock. */
static inline double ct_own_clock(void)
{
    struct timespec time;
    if (CT_SIMULATED)
        return PMPI_Wtime();
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Does the simulator charge messages within a node as the channel through shared memory? The platform's costs
 * of it are in the environment then (measure/backend/node_platform.h). */
static inline bool ct_simulates_shared_node(void)
{
    return CT_SIMULATED && getenv("COLLTUNE_NODE_COSTS") != NULL;
}

/* Significant digits of a time. In the simulator further digits are rounding errors, which depend on the
 * absolute time. */
enum { CT_TIME_DIGITS = CT_SIMULATED ? 7 : 9 };

#endif
