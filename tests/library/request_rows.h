/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_REQUEST_ROWS_H
#define CT_TESTS_REQUEST_ROWS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

/* Rows of requests of several kinds, which the program odd_requests makes and completes. */

/* A run of that program. */
struct odd_run {
    FILE *out; /* what MPI tells about the requests */
    int rank, size;
    MPI_Comm comm;
    bool is_wrong, is_native;
    int round;
};

/* The kinds of requests. Each rank sends to the next one and receives from the one before, in the order of
 * the row. */
enum kind {
    REDUCE = 'c',     /* MPI_Iallreduce */
    MEET = 'b',       /* MPI_Ibarrier */
    STARTED = 'p',    /* a persistent collective, started */
    UNSTARTED = 'i',  /* one that is not */
    SEND = 's',       /* MPI_Isend */
    RECEIVE = 'r',    /* MPI_Irecv */
    START_SEND = 'S', /* a persistent send, started */
    START_RECV = 'R', /* a persistent receive, started */
    INACTIVE_RECV = 'q' /* one that is not */,
    TOO_SHORT = 't', /* MPI_Irecv of less than what SEND sends */
    CANCELLED = 'x', /* MPI_Irecv that is cancelled */
    GENERAL = 'g',   /* a generalized request, complete */
    NOTHING = 'n'    /* MPI_REQUEST_NULL */
};

/* A row of requests, and what they stand for. */
enum { MOST = 300, ERROR_BEFORE = 4711 };
struct request_row {
    struct odd_run *run;
    int count;
    char kinds[MOST + 1];
    MPI_Request requests[MOST];
    MPI_Status statuses[MOST];
    int in[MOST][2], out[MOST][2];
    bool seen[MOST]; /* the request's end */
    struct {         /* of requests that have ended, but are not told about yet */
        MPI_Status status;
        int code;
        bool is_set;
    } kept[MOST];
};

bool is_collective(char kind);
bool is_persistent(char kind);
/* Requests that stand for nothing have an empty status. */
bool is_empty(char kind);

/* Makes the requests of a row and starts those that are started. */
void begin_row(struct request_row *row, const char *kinds);

/* For the requests from `begin` to `end` - 1 that are started: where another request stands for a persistent
 * collective, does what the collective would do. */
void replace_persistent(struct request_row *row, int begin, int end);

#endif
