/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_MESSAGE_FUNCTIONS_H
#define CT_LIBRARY_MPI_MESSAGE_FUNCTIONS_H

#include <mpi.h>

/* The MPI functions that carry the messages of plans, with those that make the communicators of messages:
 * tools follow a message from one to the other. */
struct ct_message_functions {
    __typeof__(PMPI_Send) *send;
    __typeof__(PMPI_Isend) *isend;
    __typeof__(PMPI_Recv) *recv;
    __typeof__(PMPI_Irecv) *irecv;
    __typeof__(PMPI_Sendrecv) *sendrecv;
    __typeof__(PMPI_Wait) *wait;
    __typeof__(PMPI_Waitall) *waitall;
    __typeof__(PMPI_Waitany) *waitany;
    __typeof__(PMPI_Test) *test;
    __typeof__(PMPI_Testall) *testall;
    __typeof__(PMPI_Testany) *testany;
    __typeof__(PMPI_Cancel) *cancel;
    __typeof__(PMPI_Request_free) *request_free;
    __typeof__(PMPI_Comm_create) *comm_create;
    __typeof__(PMPI_Comm_free) *comm_free;
};

/* They are the PMPI_ functions, until ct_messages_show() is called. */
const struct ct_message_functions *ct_message_functions(void);

/* Replaces them by the MPI_ functions that the program has without this library, so that tools that wrap
 * these see the messages. Called before there are any messages. The simulator has one namespace for all
 * ranks, so nothing is replaced there. */
void ct_messages_show(void);

#endif
