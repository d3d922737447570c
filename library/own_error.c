/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/own_error.h"
#include "base/error.h"
#include "library/backend_mpi.h"
#include "library/colltuned.h"

#include <stdio.h>

/* The line of this thread's last error. */
static CT_PER_THREAD char line[sizeof(struct ct_error) + 64];

/* Handlers that end the job print no more than the class. */
static void tell_fatal(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (PMPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS && handler == MPI_ERRORS_ARE_FATAL)
        fprintf(stderr, "colltune: %s\n", line);
    if (handler != MPI_ERRHANDLER_NULL)
        PMPI_Errhandler_free(&handler);
}

int ct_raise_own_error(const char *function, int code, const char *text, MPI_Comm comm)
{
    int class = MPI_ERR_OTHER;
    if (code == MPI_SUCCESS)
        return code;
    PMPI_Error_class(code, &class);
    snprintf(line, sizeof line, "%s: %s", function, text);
    tell_fatal(comm);
    PMPI_Comm_call_errhandler(comm, class);
    return class;
}

const char *colltuned_error(void)
{
    return line;
}
