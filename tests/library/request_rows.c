/* SPDX-License-Identifier: BSD-3-Clause */
#include "request_rows.h"

#include <string.h>
#include <unistd.h>

enum { REPLACED = 100 };

static int query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_BYTE, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 33;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

bool is_collective(char kind)
{
    return kind == REDUCE || kind == MEET || kind == STARTED;
}

bool is_persistent(char kind)
{
    return strchr("piRSq", kind) != NULL;
}

bool is_empty(char kind)
{
    return kind == UNSTARTED || kind == INACTIVE_RECV || kind == NOTHING;
}

/* Persistent collectives as the standard has them. Those of MPICH 4.0.2 itself are waited for again and again
 * by MPI_Waitany, fail in MPI_Testall, and block MPI_Waitall before they are started. So natively, and before
 * MPI 4, blocking ones and persistent receives of empty messages stand for them. */
static bool has_persistent(const struct request_row *row)
{
    return MPI_VERSION >= 4 && !row->run->is_native;
}

static void make_persistent(struct request_row *row, int i)
{
#if MPI_VERSION >= 4
    if (has_persistent(row)) {
        MPI_Allreduce_init(row->out[i], row->in[i], 2, MPI_INT, MPI_SUM, row->run->comm, MPI_INFO_NULL,
                           &row->requests[i]);
        return;
    }
#endif
    MPI_Recv_init(NULL, 0, MPI_INT, row->run->rank, REPLACED + i, row->run->comm, &row->requests[i]);
}

void replace_persistent(struct request_row *row, int begin, int end)
{
    for (int i = begin; i < end && !has_persistent(row); i++)
        if (row->kinds[i] == STARTED) {
            MPI_Allreduce(row->out[i], row->in[i], 2, MPI_INT, MPI_SUM, row->run->comm);
            MPI_Send(NULL, 0, MPI_INT, row->run->rank, REPLACED + i, row->run->comm);
        }
}

static void make(struct request_row *row, int i)
{
    const int next = (row->run->rank + 1) % row->run->size,
              before = (row->run->rank + row->run->size - 1) % row->run->size;
    static int length = 12;
    int *in = row->in[i], *out = row->out[i];
    MPI_Request *request = &row->requests[i];
    out[0] = 1000 * row->run->round + i;
    out[1] = row->run->rank;
    in[0] = in[1] = -1;
    switch (row->kinds[i]) {
    case REDUCE:
        MPI_Iallreduce(out, in, 2, MPI_INT, MPI_SUM, row->run->comm, request);
        break;
    case MEET:
        MPI_Ibarrier(row->run->comm, request);
        break;
    case STARTED:
    case UNSTARTED:
        make_persistent(row, i);
        break;
    case SEND:
        MPI_Isend(out, 2, MPI_INT, next, 5, row->run->comm, request);
        break;
    case RECEIVE:
        MPI_Irecv(in, 2, MPI_INT, before, 5, row->run->comm, request);
        break;
    case TOO_SHORT:
        MPI_Irecv(in, 1, MPI_INT, before, 5, row->run->comm, request);
        break;
    case START_SEND:
        MPI_Send_init(out, 2, MPI_INT, next, 6, row->run->comm, request);
        break;
    case START_RECV:
    case INACTIVE_RECV:
        MPI_Recv_init(in, 2, MPI_INT, before, 6, row->run->comm, request);
        break;
    case CANCELLED:
        MPI_Irecv(in, 2, MPI_INT, before, 77, row->run->comm, request);
        MPI_Cancel(request);
        break;
    case GENERAL:
        MPI_Grequest_start(query, release, cancel, &length, request);
        MPI_Grequest_complete(*request);
        break;
    default:
        *request = MPI_REQUEST_NULL;
        break;
    }
}

/* Starts runs of persistent requests together. */
static void start(struct request_row *row)
{
    for (int i = 0; i < row->count; i++) {
        int end = i;
        while (end < row->count && strchr("pRS", row->kinds[end]))
            end++;
        replace_persistent(row, i, end);
        if (end - i == 1)
            MPI_Start(&row->requests[i]);
        else if (end > i)
            MPI_Startall(end - i, &row->requests[i]);
        i = end > i ? end - 1 : i;
    }
}

void begin_row(struct request_row *row, const char *kinds)
{
    row->count = 0;
    row->run->round++;
    for (; *kinds; kinds++)
        if (*kinds != ' ')
            row->kinds[row->count++] = *kinds;
    row->kinds[row->count] = '\0';
    if (row->run->round % (2 * row->run->size) == row->run->rank)
        usleep(500); /* the others find what is not complete yet */
    for (int i = 0; i < row->count; i++) {
        row->seen[i] = false;
        memset(&row->statuses[i], 0, sizeof row->statuses[i]);
        row->statuses[i].MPI_ERROR = ERROR_BEFORE;
        make(row, i);
    }
    start(row);
}
