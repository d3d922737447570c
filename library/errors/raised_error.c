/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/errors/raised_error.h"
#include "library/mpi/backend_mpi.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { CALL_NAME = 64 };

/* The error whose handler this thread is in. */
static CT_PER_THREAD struct {
    bool is_handled;
    int class;
    enum ct_collective collective;
    enum ct_call_mode mode;
} raised;

/* The function that the user has called. */
static void name_call(enum ct_collective collective, enum ct_call_mode mode, char name[CALL_NAME])
{
    const char *own = ct_collectives[collective].name;
    bool begins = mode == CT_MODE_NONBLOCKING;
    snprintf(name, CALL_NAME, "MPI_%s%c%s%s", begins ? "I" : "", begins ? own[0] : toupper(own[0]), own + 1,
             mode == CT_MODE_PERSISTENT ? "_init" : "");
}

/* Of an error with long arguments MPICH 4.0.2 writes more than MPI_MAX_ERROR_STRING bytes: where it cuts a
 * part of the text it leaves no end, and appends the next one where it finds a 0. */
static int error_string(int code, char *text, int *length)
{
    char whole[4 * MPI_MAX_ERROR_STRING] = "";
    if (!text || !length)
        return PMPI_Error_string(code, text, length);
    int result = PMPI_Error_string(code, whole, length);
    if (result == MPI_SUCCESS)
        *length = snprintf(text, MPI_MAX_ERROR_STRING, "%.*s", MPI_MAX_ERROR_STRING - 1, whole);
    return result;
}

/* Handlers that end the job print no more than the class. */
static void tell_fatal(int code, MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    char text[MPI_MAX_ERROR_STRING], name[CALL_NAME];
    int length;
    if (PMPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS && handler == MPI_ERRORS_ARE_FATAL &&
        error_string(code, text, &length) == MPI_SUCCESS) {
        name_call(raised.collective, raised.mode, name);
        fprintf(stderr, "colltune: %s: %s\n", name, text);
    }
    if (handler != MPI_ERRHANDLER_NULL)
        PMPI_Errhandler_free(&handler);
}

int ct_raise_error(enum ct_collective collective, enum ct_call_mode mode, int code, MPI_Comm comm)
{
    int class = MPI_ERR_OTHER;
    PMPI_Error_class(code, &class);
    raised.collective = collective;
    raised.mode = mode;
    raised.class = class;
    raised.is_handled = true;
    tell_fatal(code, comm);
    PMPI_Comm_call_errhandler(comm, class);
    raised.is_handled = false;
    return class;
}

int ct_raised_error_string(int code, char *text, int *length)
{
    char own[MPI_MAX_ERROR_STRING], name[CALL_NAME];
    int result = error_string(code, text, length);
    if (result != MPI_SUCCESS || !raised.is_handled || code != raised.class)
        return result;
    name_call(raised.collective, raised.mode, name);
    snprintf(own, sizeof own, "%s: %.*s", name, (int)(sizeof own - CALL_NAME - 2), text);
    *length = (int)strlen(own);
    memcpy(text, own, (size_t)*length + 1);
    return MPI_SUCCESS;
}
