/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/process/own_error.h"
#include "base/error.h"
#include "library/colltuned.h"
#include "library/mpi/backend_mpi.h"
#include "library/process/lifetime.h"

#include <stdbool.h>
#include <stdio.h>

/* The line of this thread's last error. */
static CT_PER_THREAD char last_line[sizeof(struct ct_error) + 64];

/* Calls the handler. Those that end the job print no more than the class; SMPI 3.32 crashes where it is to
 * call one of the standard's own. */
static void handle(int class, MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return;
    bool is_fatal = handler == MPI_ERRORS_ARE_FATAL, returns = handler == MPI_ERRORS_RETURN;
    PMPI_Errhandler_free(&handler);
    if (is_fatal)
        fprintf(stderr, "colltune: %s\n", last_line);
    if (is_fatal && CT_SIMULATED)
        PMPI_Abort(comm, class);
    else if (!returns)
        PMPI_Comm_call_errhandler(comm, class);
}

int ct_raise_own_error(const char *function, int code, const char *text, MPI_Comm comm)
{
    int class = MPI_ERR_OTHER;
    if (code == MPI_SUCCESS)
        return code;
    PMPI_Error_class(code, &class);
    snprintf(last_line, sizeof last_line, "%s: %s", function, text);
    handle(class, comm);
    return class;
}

int ct_enter_own(const char *function, MPI_Comm comm)
{
    int inter = false;
    if (!ct_library_begin())
        return MPI_ERR_INTERN;
    int code = PMPI_Comm_test_inter(comm, &inter);
    if (code != MPI_SUCCESS || !inter)
        return code;
    return ct_raise_own_error(function, MPI_ERR_COMM, "an intercommunicator; expected an intracommunicator",
                              comm);
}

const char *colltuned_error(void)
{
    return last_line;
}
