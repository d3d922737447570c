/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/message_functions.h"
#include "library/mpi/backend_mpi.h"

#include <dlfcn.h>

/* State of the process, see tuner.c. */
static struct ct_message_functions called = {
    .send = PMPI_Send,
    .isend = PMPI_Isend,
    .recv = PMPI_Recv,
    .irecv = PMPI_Irecv,
    .sendrecv = PMPI_Sendrecv,
    .wait = PMPI_Wait,
    .waitall = PMPI_Waitall,
    .waitany = PMPI_Waitany,
    .test = PMPI_Test,
    .testall = PMPI_Testall,
    .testany = PMPI_Testany,
    .cancel = PMPI_Cancel,
    .request_free = PMPI_Request_free,
    .comm_create = PMPI_Comm_create,
    .comm_free = PMPI_Comm_free,
};

static const struct {
    const char *name;
    size_t place; /* in struct ct_message_functions */
} names[] = {
    {"MPI_Send", offsetof(struct ct_message_functions, send)},
    {"MPI_Isend", offsetof(struct ct_message_functions, isend)},
    {"MPI_Recv", offsetof(struct ct_message_functions, recv)},
    {"MPI_Irecv", offsetof(struct ct_message_functions, irecv)},
    {"MPI_Sendrecv", offsetof(struct ct_message_functions, sendrecv)},
    {"MPI_Wait", offsetof(struct ct_message_functions, wait)},
    {"MPI_Waitall", offsetof(struct ct_message_functions, waitall)},
    {"MPI_Waitany", offsetof(struct ct_message_functions, waitany)},
    {"MPI_Test", offsetof(struct ct_message_functions, test)},
    {"MPI_Testall", offsetof(struct ct_message_functions, testall)},
    {"MPI_Testany", offsetof(struct ct_message_functions, testany)},
    {"MPI_Cancel", offsetof(struct ct_message_functions, cancel)},
    {"MPI_Request_free", offsetof(struct ct_message_functions, request_free)},
    {"MPI_Comm_create", offsetof(struct ct_message_functions, comm_create)},
    {"MPI_Comm_free", offsetof(struct ct_message_functions, comm_free)},
};

const struct ct_message_functions *ct_message_functions(void)
{
    return &called;
}

/* Is it a function of this library, or of the program that the library is linked into? */
static bool is_own(const void *function)
{
    Dl_info own, other;
    return dladdr(&called, &own) && dladdr(function, &other) && own.dli_fbase == other.dli_fbase;
}

/* A tool may have been loaded before this library, or after it. The library's own functions of these names
 * are for the program's calls. NULL where the MPI is linked statically. */
static void *function_called(const char *name)
{
    void *first = dlsym(RTLD_DEFAULT, name);
    return first && is_own(first) ? dlsym(RTLD_NEXT, name) : first;
}

void ct_messages_show(void)
{
    for (size_t i = 0; !CT_SIMULATED && i < sizeof names / sizeof names[0]; i++) {
        void *function = function_called(names[i].name);
        if (function)
            *(void **)((char *)&called + names[i].place) = function;
    }
}
