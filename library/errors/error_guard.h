/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_ERROR_GUARD_H
#define CT_LIBRARY_ERROR_GUARD_H

#include <mpi.h>
#include <stdbool.h>

/* MPI calls that name no communicator, such as MPI_Wait and MPI_Type_size, raise their errors on
 * MPI_COMM_WORLD (MPICH 4.0.2 even for requests of other communicators), whose handler mostly ends the job.
 * The library's own calls may not do that where the user has communicators with other handlers. While the
 * guard is up, errors on MPI_COMM_WORLD only return. It costs nothing in programs that leave all error
 * handlers as they are: there each error ends the job anyway. */

/* Puts the guard up, if it works; returns whether it did, for ct_error_guard_down(). Several threads may. */
bool ct_error_guard_up(void);
/* The same where the user's handler of MPI_COMM_WORLD may have been set unseen: for a call with an argument
 * that may be anything, where the MPI library is to raise the error in another call. A handler that ends the
 * job is left alone: in MPICH 4.0.2 copies of a communicator follow the handler of MPI_COMM_WORLD until one
 * is set for it, if only the same one again. */
bool ct_error_guard_up_anyway(void);
void ct_error_guard_down(bool is_up);

/* Sets the handler of a communicator as MPI_Comm_set_errhandler does; from now on the guard works. */
int ct_error_guard_set_handler(MPI_Comm comm, MPI_Errhandler handler);
/* Looks at a communicator whose handler may have been set unseen, or inherited. */
void ct_error_guard_see(MPI_Comm comm);

#endif
