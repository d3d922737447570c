/* SPDX-License-Identifier: BSD-3-Clause */
/* odd_requests FILE [native|wrong]: rare uses of requests. Each case is a row of requests of several kinds,
 * one letter each: collectives that a tuned library may take over, messages, and requests that stand for
 * nothing. Every function that completes requests completes every row. Writes what MPI tells about them to
 * FILE.RANK, as far as the standard defines it and it does not depend on time, so that two runs can be
 * compared. With `wrong` a status is read wrongly, which the comparison must notice; `native`: no library is
 * there. */
#include "request_ends.h"
#include "request_rows.h"

#include <string.h>

enum { MANY = 200 };

static const char *const rows[] = {
    "",    "n",    "i",     "iqn",   "c",        "b",        "p",          "cr s",        "rcs",    "ncnsr",
    "bcp", "pRSp", "piRqS", "gcrsg", "xcx",      "cxrsn",    "ipcqbRSsrn", "cccccccccc",  "ppppii", "gp",
    "tcs", "stc",  "ctsrs", "rtpss", "nnnncnnn", "rssrcbrs", "SSRRcpcpgn", "bbbbccccpppp"};

static void free_persistent(struct request_row *row)
{
    for (int i = 0; i < row->count; i++)
        if (is_persistent(row->kinds[i]) && row->requests[i] != MPI_REQUEST_NULL) {
            MPI_Request_free(&row->requests[i]);
            if (row->requests[i] != MPI_REQUEST_NULL)
                fprintf(row->run->out, "  %d stays\n", i);
        }
}

static void try_rows(struct request_row *row)
{
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (size_t w = 0; w < WAYS; w++) {
            if (strchr(rows[r], TOO_SHORT) && !ways[w].tells_errors)
                continue;
            fprintf(row->run->out, "%s by %s\n", rows[r], ways[w].name);
            begin_row(row, rows[r]);
            ways[w].complete(row);
            /* Persistent ones again, this time each by itself. */
            for (int i = 0; i < row->count && !strchr(rows[r], TOO_SHORT); i++)
                if (strchr("pRS", row->kinds[i])) {
                    row->out[i][0] += 7;
                    replace_persistent(row, i, i + 1);
                    MPI_Start(&row->requests[i]);
                }
            for (int i = 0; i < row->count && !strchr(rows[r], TOO_SHORT); i++)
                if (is_persistent(row->kinds[i])) {
                    row->seen[i] = false;
                    MPI_Wait(&row->requests[i], MPI_STATUS_IGNORE);
                    note(row, i, NULL);
                }
            free_persistent(row);
        }
}

/* Many at a time, by every function. */
static void try_many(struct request_row *row)
{
    static char kinds[MANY + 1];
    for (int i = 0; i < MANY; i++)
        kinds[i] = "cbpcnsrg"[i % 8];
    for (size_t w = 0; w < WAYS; w++) {
        fprintf(row->run->out, "many by %s\n", ways[w].name);
        begin_row(row, kinds);
        ways[w].complete(row);
        free_persistent(row);
    }
}

/* Requests of messages that are freed while active, beside collectives in flight. */
static void try_freed(const struct odd_run *run)
{
    const int next = (run->rank + 1) % run->size, before = (run->rank + run->size - 1) % run->size;
    for (int i = 0; i < 20; i++) {
        int out = 100 * i + run->rank, twice = out + 1, in = -1, second = -1, sum = -1;
        MPI_Request request, send, persistent;
        MPI_Iallreduce(&out, &sum, 1, MPI_INT, MPI_SUM, run->comm, &request);
        MPI_Isend(&out, 1, MPI_INT, next, 8, run->comm, &send);
        MPI_Request_free(&send);
        MPI_Send_init(&twice, 1, MPI_INT, next, 9, run->comm, &persistent);
        MPI_Start(&persistent);
        MPI_Request_free(&persistent);
        tell(run, "freed", send == MPI_REQUEST_NULL && persistent == MPI_REQUEST_NULL);
        MPI_Recv(&in, 1, MPI_INT, before, 8, run->comm, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, before, 9, run->comm, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(run->comm);
        tell(run, "in", in);
        tell(run, "second", second);
        tell(run, "sum", sum);
        fputc('\n', run->out);
    }
}

/* Wrong arguments while a collective is in flight: the same error as ever, and the call goes on. */
static void try_wrong_arguments(const struct odd_run *run)
{
    int out = run->rank, sum = -1, index = 0, flag = 0, indices[1];
    MPI_Request request, none = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Iallreduce(&out, &sum, 1, MPI_INT, MPI_SUM, run->comm, &request);
    note_code(run, "waitall", MPI_Waitall(-1, &request, &status));
    note_code(run, "waitany", MPI_Waitany(-1, &request, &index, &status));
    note_code(run, "waitsome", MPI_Waitsome(-1, &request, &index, indices, &status));
    note_code(run, "testall", MPI_Testall(-1, &request, &flag, &status));
    note_code(run, "testany", MPI_Testany(-1, &request, &index, &flag, &status));
    note_code(run, "testsome", MPI_Testsome(-1, &request, &index, indices, &status));
    note_code(run, "startall", MPI_Startall(-1, &request));
    note_code(run, "wait without request", MPI_Wait(NULL, &status));
    note_code(run, "test without request", MPI_Test(NULL, &flag, &status));
    note_code(run, "start without request", MPI_Start(NULL));
    note_code(run, "start of nothing", MPI_Start(&none));
    note_code(run, "free of nothing", MPI_Request_free(&none));
    note_code(run, "free without request", MPI_Request_free(NULL));
    note_code(run, "waitall without requests", MPI_Waitall(1, NULL, &status));
    note_code(run, "waitany without requests", MPI_Waitany(1, NULL, &index, &status));
    note_code(run, "waitsome without requests", MPI_Waitsome(1, NULL, &index, indices, &status));
    note_code(run, "testall without requests", MPI_Testall(1, NULL, &flag, &status));
    note_code(run, "testany without requests", MPI_Testany(1, NULL, &index, &flag, &status));
    note_code(run, "testsome without requests", MPI_Testsome(1, NULL, &index, indices, &status));
    note_code(run, "startall without requests", MPI_Startall(1, NULL));
    note_code(run, "test without flag", MPI_Test(&request, NULL, &status));
    note_code(run, "get_status without flag", MPI_Request_get_status(request, NULL, &status));
    note_code(run, "testall without flag", MPI_Testall(1, &request, NULL, &status));
    note_code(run, "testany without flag", MPI_Testany(1, &request, &index, NULL, &status));
    note_code(run, "testany without index", MPI_Testany(1, &request, NULL, &flag, &status));
    note_code(run, "waitany without index", MPI_Waitany(1, &request, NULL, &status));
    note_code(run, "waitsome without count", MPI_Waitsome(1, &request, NULL, indices, &status));
    note_code(run, "testsome without indices", MPI_Testsome(1, &request, &index, NULL, &status));
    note_code(run, "none of none", MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    note_code(run, "wait", MPI_Wait(&request, &status));
    tell(run, "sum", sum);
    fputc('\n', run->out);
}

int main(int argc, char **argv)
{
    static struct request_row row;
    struct odd_run run = {0};
    char name[4096];
    row.run = &run;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &run.size);
    snprintf(name, sizeof name, "%s.%d", argc > 1 ? argv[1] : "odd_requests", run.rank);
    run.is_wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
    run.is_native = argc > 2;
    run.out = fopen(name, "w");
    if (!run.out)
        MPI_Abort(MPI_COMM_WORLD, 1);
    setvbuf(run.out, NULL, _IOLBF, 0); /* a run that hangs shows where */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &run.comm);
    MPI_Barrier(run.comm); /* the library takes over what follows a blocking collective */
    try_rows(&row);
    try_many(&row);
    try_freed(&run);
    try_wrong_arguments(&run);
    MPI_Comm_free(&run.comm);
    fclose(run.out);
    MPI_Finalize();
    return 0;
}
