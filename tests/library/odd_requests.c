/* SPDX-License-Identifier: BSD-3-Clause */
/* odd_requests FILE [native|wrong]: rare uses of requests. Each case is a row of requests of several kinds,
 * one letter each: collectives that a tuned library may take over, messages, and requests that stand for
 * nothing. Every function that completes requests completes every row. Writes what MPI tells about them to
 * FILE.RANK, as far as the standard defines it and it does not depend on time, so that two runs can be
 * compared. With `wrong` a status is read wrongly, which the comparison must notice; `native`: no library is
 * there. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 300, ERROR_BEFORE = 4711, MANY = 200, REPLACED = 100 };

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

static const char *const rows[] = {
    "",    "n",    "i",     "iqn",   "c",        "b",        "p",          "cr s",        "rcs",    "ncnsr",
    "bcp", "pRSp", "piRqS", "gcrsg", "xcx",      "cxrsn",    "ipcqbRSsrn", "cccccccccc",  "ppppii", "gp",
    "tcs", "stc",  "ctsrs", "rtpss", "nnnncnnn", "rssrcbrs", "SSRRcpcpgn", "bbbbccccpppp"};

static struct {
    FILE *out;
    int rank, size;
    MPI_Comm comm;
    bool is_wrong, is_native;
    int round;
} all;

/* A row of requests, and what they stand for. */
static struct row {
    int count;
    char kinds[MOST + 1];
    MPI_Request requests[MOST];
    MPI_Status statuses[MOST];
    int in[MOST][2], out[MOST][2];
    bool seen[MOST]; /* the request's end */
} row;

static void tell(const char *what, long value)
{
    fprintf(all.out, " %s %ld", what, value);
}

static int class_of(int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

/* --- rows --- */

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

static bool is_collective(char kind)
{
    return kind == REDUCE || kind == MEET || kind == STARTED;
}

static bool is_persistent(char kind)
{
    return strchr("piRSq", kind) != NULL;
}

/* Requests that stand for nothing have an empty status. */
static bool is_empty(char kind)
{
    return kind == UNSTARTED || kind == INACTIVE_RECV || kind == NOTHING;
}

/* Persistent collectives as the standard has them. Those of MPICH 4.0.2 itself are waited for again and again
 * by MPI_Waitany, fail in MPI_Testall, and block MPI_Waitall before they are started. So natively, and before
 * MPI 4, blocking ones and persistent receives of empty messages stand for them. */
static bool has_persistent(void)
{
    return MPI_VERSION >= 4 && !all.is_native;
}

static void make_persistent(int i)
{
#if MPI_VERSION >= 4
    if (has_persistent()) {
        MPI_Allreduce_init(row.out[i], row.in[i], 2, MPI_INT, MPI_SUM, all.comm, MPI_INFO_NULL,
                           &row.requests[i]);
        return;
    }
#endif
    MPI_Recv_init(NULL, 0, MPI_INT, all.rank, REPLACED + i, all.comm, &row.requests[i]);
}

static void replace_persistent(int begin, int end)
{
    for (int i = begin; i < end && !has_persistent(); i++)
        if (row.kinds[i] == STARTED) {
            MPI_Allreduce(row.out[i], row.in[i], 2, MPI_INT, MPI_SUM, all.comm);
            MPI_Send(NULL, 0, MPI_INT, all.rank, REPLACED + i, all.comm);
        }
}

static void make(int i)
{
    const int next = (all.rank + 1) % all.size, before = (all.rank + all.size - 1) % all.size;
    static int length = 12;
    int *in = row.in[i], *out = row.out[i];
    MPI_Request *request = &row.requests[i];
    out[0] = 1000 * all.round + i;
    out[1] = all.rank;
    in[0] = in[1] = -1;
    switch (row.kinds[i]) {
    case REDUCE:
        MPI_Iallreduce(out, in, 2, MPI_INT, MPI_SUM, all.comm, request);
        break;
    case MEET:
        MPI_Ibarrier(all.comm, request);
        break;
    case STARTED:
    case UNSTARTED:
        make_persistent(i);
        break;
    case SEND:
        MPI_Isend(out, 2, MPI_INT, next, 5, all.comm, request);
        break;
    case RECEIVE:
        MPI_Irecv(in, 2, MPI_INT, before, 5, all.comm, request);
        break;
    case TOO_SHORT:
        MPI_Irecv(in, 1, MPI_INT, before, 5, all.comm, request);
        break;
    case START_SEND:
        MPI_Send_init(out, 2, MPI_INT, next, 6, all.comm, request);
        break;
    case START_RECV:
    case INACTIVE_RECV:
        MPI_Recv_init(in, 2, MPI_INT, before, 6, all.comm, request);
        break;
    case CANCELLED:
        MPI_Irecv(in, 2, MPI_INT, before, 77, all.comm, request);
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
static void start(void)
{
    for (int i = 0; i < row.count; i++) {
        int end = i;
        while (end < row.count && strchr("pRS", row.kinds[end]))
            end++;
        replace_persistent(i, end);
        if (end - i == 1)
            MPI_Start(&row.requests[i]);
        else if (end > i)
            MPI_Startall(end - i, &row.requests[i]);
        i = end > i ? end - 1 : i;
    }
}

static void begin(const char *kinds)
{
    row.count = 0;
    all.round++;
    for (; *kinds; kinds++)
        if (*kinds != ' ')
            row.kinds[row.count++] = *kinds;
    row.kinds[row.count] = '\0';
    if (all.round % (2 * all.size) == all.rank)
        usleep(500); /* the others find what is not complete yet */
    for (int i = 0; i < row.count; i++) {
        row.seen[i] = false;
        memset(&row.statuses[i], 0, sizeof row.statuses[i]);
        row.statuses[i].MPI_ERROR = ERROR_BEFORE;
        make(i);
    }
    start();
}

/* --- what is told about them --- */

static void tell_status(char kind, MPI_Status *status)
{
    int count = 0, is_cancelled = 0;
    tell("error", class_of(status->MPI_ERROR));
    if (is_collective(kind) || strchr("sS", kind))
        return; /* the rest is not defined */
    MPI_Test_cancelled(status, &is_cancelled);
    tell("cancelled", is_cancelled);
    if (is_cancelled)
        return;
    if (kind != TOO_SHORT) {
        MPI_Get_count(status, MPI_INT, &count);
        tell("count", all.is_wrong ? count + 1 : count);
    }
    tell("source", status->MPI_SOURCE);
    tell("tag", status->MPI_TAG);
}

/* The request at a place has come to its end, as its status says unless that is NULL. */
static void note(int place, MPI_Status *status)
{
    char kind = row.kinds[place];
    fprintf(all.out, "  %c%d", kind, place);
    tell("null", row.requests[place] == MPI_REQUEST_NULL);
    if (kind != TOO_SHORT)
        for (int i = 0; i < 2; i++)
            tell("is", row.in[place][i]);
    if (status)
        tell_status(kind, status);
    fputc('\n', all.out);
    if (row.seen[place])
        fprintf(all.out, "  again: %d\n", place);
    row.seen[place] = true;
}

static void note_code(const char *what, int code)
{
    fprintf(all.out, "  %s: %d\n", what, class_of(code));
}

/* Requests whose end can be told. */
static int active(void)
{
    int n = 0;
    for (int i = 0; i < row.count; i++)
        n += !is_empty(row.kinds[i]) && !row.seen[i];
    return n;
}

/* --- functions that complete requests --- */

/* All have ended, or one has failed: then others may be pending still, as their statuses say. Errors of
 * statuses are set for certain where one has failed, and by MPI_Waitall for active requests. */
static void end_all(int code, bool is_waitall)
{
    for (int i = 0; i < row.count; i++) {
        MPI_Status *status = &row.statuses[i];
        if (code == MPI_SUCCESS && (!is_waitall || is_empty(row.kinds[i])))
            status->MPI_ERROR = MPI_SUCCESS;
        else if (code != MPI_SUCCESS && class_of(status->MPI_ERROR) == MPI_ERR_PENDING)
            status->MPI_ERROR = MPI_Wait(&row.requests[i], status);
        note(i, status);
    }
}

static void wait_all(void)
{
    int code = MPI_Waitall(row.count, row.requests, row.statuses);
    note_code("waitall", code);
    end_all(code, true);
}

static void wait_all_ignoring(void)
{
    note_code("waitall", MPI_Waitall(row.count, row.requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < row.count; i++)
        note(i, NULL);
}

static void test_all(void)
{
    int flag = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !flag)
        code = MPI_Testall(row.count, row.requests, &flag, row.statuses);
    note_code("testall", code);
    end_all(code, false);
}

/* Completions one by one come in any order: they are told in the order of the row. */
static struct {
    MPI_Status status;
    int code;
    bool is_set;
} told[MOST];

static void keep(int place, int code, const MPI_Status *status)
{
    if (told[place].is_set)
        fprintf(all.out, "  again: %d\n", place);
    told[place].is_set = row.seen[place] = true;
    told[place].code = code;
    told[place].status = *status;
}

static void tell_kept(bool has_status)
{
    for (int i = 0; i < row.count; i++) {
        if (!told[i].is_set)
            continue;
        told[i].is_set = row.seen[i] = false;
        note_code("code", told[i].code);
        note(i, has_status ? &told[i].status : NULL);
    }
}

static void any(bool waits, bool has_status)
{
    MPI_Status status;
    int index = 0, code = MPI_SUCCESS, flag = true;
    for (int n = active(); n >= 0; n -= flag) { /* the last time there is none left */
        index = -77;
        memset(&status, 0, sizeof status);
        status.MPI_ERROR = ERROR_BEFORE;
        MPI_Status *wanted = has_status ? &status : MPI_STATUS_IGNORE;
        if (waits)
            code = MPI_Waitany(row.count, row.requests, &index, wanted);
        else
            code = MPI_Testany(row.count, row.requests, &index, &flag, wanted);
        if (flag && index >= 0)
            keep(index, code, &status);
    }
    tell_kept(has_status);
    fprintf(all.out, "  at the end: %d %d", index == MPI_UNDEFINED, flag);
    if (has_status && !strpbrk(row.kinds, "piRSq")) /* MPICH 4.0.2 sets none of inactive ones alone */
        tell_status(NOTHING, &status);
    fputc('\n', all.out);
}

static void wait_any(void)
{
    any(true, true);
}

static void wait_any_ignoring(void)
{
    any(true, false);
}

static void test_any(void)
{
    any(false, true);
}

static void some(bool waits, bool has_statuses)
{
    int indices[MOST], count = 0, code = MPI_SUCCESS;
    while (count != MPI_UNDEFINED) {
        MPI_Status *statuses = has_statuses ? row.statuses : MPI_STATUSES_IGNORE;
        if (waits)
            code = MPI_Waitsome(row.count, row.requests, &count, indices, statuses);
        else
            code = MPI_Testsome(row.count, row.requests, &count, indices, statuses);
        if (code != MPI_SUCCESS && class_of(code) != MPI_ERR_IN_STATUS) {
            note_code("some", code);
            break;
        }
        if (waits && count == 0)
            fputs("  waited for none\n", all.out);
        for (int i = 0; count != MPI_UNDEFINED && i < count; i++) {
            int error = code == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_IN_STATUS;
            if (has_statuses && code == MPI_SUCCESS)
                row.statuses[i].MPI_ERROR = MPI_SUCCESS;
            if (has_statuses) /* which others come with one that fails depends on time */
                error = row.statuses[i].MPI_ERROR;
            keep(indices[i], error, &row.statuses[i]);
        }
    }
    tell_kept(has_statuses);
}

static void wait_some(void)
{
    some(true, true);
}

static void wait_some_ignoring(void)
{
    some(true, false);
}

static void test_some(void)
{
    some(false, true);
}

/* Each rank in another order. */
static void wait_each(void)
{
    for (int k = 0; k < row.count; k++) {
        int i = all.rank % 2 ? row.count - 1 - k : k;
        keep(i, MPI_Wait(&row.requests[i], &row.statuses[i]), &row.statuses[i]);
    }
    tell_kept(true);
}

static void test_each(void)
{
    for (int k = 0; k < row.count; k++) {
        int i = all.rank % 2 ? k : row.count - 1 - k, flag = false, code = MPI_SUCCESS;
        while (code == MPI_SUCCESS && !flag)
            code = MPI_Test(&row.requests[i], &flag, &row.statuses[i]);
        keep(i, code, &row.statuses[i]);
    }
    tell_kept(true);
}

/* Looks first, as often as it takes, and once more; then the request is complete, and still there. */
static void look(void)
{
    for (int i = 0; i < row.count; i++) {
        MPI_Request before = row.requests[i];
        MPI_Status status = row.statuses[i];
        int flag = false, code = MPI_SUCCESS;
        if (strchr("tx", row.kinds[i]))
            continue; /* natively that depends on the MPI */
        while (code == MPI_SUCCESS && !flag)
            code = MPI_Request_get_status(row.requests[i], &flag, &status);
        fprintf(all.out, "  %c%d", row.kinds[i], i);
        tell("code", class_of(code));
        tell_status(row.kinds[i], &status);
        MPI_Request_get_status(row.requests[i], &flag, MPI_STATUS_IGNORE);
        tell("flag", flag);
        tell("still there", row.requests[i] == before);
        fputc('\n', all.out);
    }
    wait_all();
}

static const struct {
    const char *name;
    void (*complete)(void);
    bool tells_errors; /* or it cannot be told which request has failed */
} ways[] = {{"waitall", wait_all, true},
            {"waitall without statuses", wait_all_ignoring, false},
            {"testall", test_all, true},
            {"waitany", wait_any, true},
            {"waitany without status", wait_any_ignoring, true},
            {"testany", test_any, true},
            {"waitsome", wait_some, true},
            {"waitsome without statuses", wait_some_ignoring, false},
            {"testsome", test_some, true},
            {"wait", wait_each, true},
            {"test", test_each, true},
            {"get_status", look, true}};

/* --- cases --- */

static void free_persistent(void)
{
    for (int i = 0; i < row.count; i++)
        if (is_persistent(row.kinds[i]) && row.requests[i] != MPI_REQUEST_NULL) {
            MPI_Request_free(&row.requests[i]);
            if (row.requests[i] != MPI_REQUEST_NULL)
                fprintf(all.out, "  %d stays\n", i);
        }
}

static void try_rows(void)
{
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
            if (strchr(rows[r], TOO_SHORT) && !ways[w].tells_errors)
                continue;
            fprintf(all.out, "%s by %s\n", rows[r], ways[w].name);
            begin(rows[r]);
            ways[w].complete();
            /* Persistent ones again, this time each by itself. */
            for (int i = 0; i < row.count && !strchr(rows[r], TOO_SHORT); i++)
                if (strchr("pRS", row.kinds[i])) {
                    row.out[i][0] += 7;
                    replace_persistent(i, i + 1);
                    MPI_Start(&row.requests[i]);
                }
            for (int i = 0; i < row.count && !strchr(rows[r], TOO_SHORT); i++)
                if (is_persistent(row.kinds[i])) {
                    row.seen[i] = false;
                    MPI_Wait(&row.requests[i], MPI_STATUS_IGNORE);
                    note(i, NULL);
                }
            free_persistent();
        }
}

/* Many at a time, by every function. */
static void try_many(void)
{
    static char kinds[MANY + 1];
    for (int i = 0; i < MANY; i++)
        kinds[i] = "cbpcnsrg"[i % 8];
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        fprintf(all.out, "many by %s\n", ways[w].name);
        begin(kinds);
        ways[w].complete();
        free_persistent();
    }
}

/* Requests of messages that are freed while active, beside collectives in flight. */
static void try_freed(void)
{
    const int next = (all.rank + 1) % all.size, before = (all.rank + all.size - 1) % all.size;
    for (int i = 0; i < 20; i++) {
        int out = 100 * i + all.rank, twice = out + 1, in = -1, second = -1, sum = -1;
        MPI_Request request, send, persistent;
        MPI_Iallreduce(&out, &sum, 1, MPI_INT, MPI_SUM, all.comm, &request);
        MPI_Isend(&out, 1, MPI_INT, next, 8, all.comm, &send);
        MPI_Request_free(&send);
        MPI_Send_init(&twice, 1, MPI_INT, next, 9, all.comm, &persistent);
        MPI_Start(&persistent);
        MPI_Request_free(&persistent);
        tell("freed", send == MPI_REQUEST_NULL && persistent == MPI_REQUEST_NULL);
        MPI_Recv(&in, 1, MPI_INT, before, 8, all.comm, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, before, 9, all.comm, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(all.comm);
        tell("in", in);
        tell("second", second);
        tell("sum", sum);
        fputc('\n', all.out);
    }
}

/* Wrong arguments while a collective is in flight: the same error as ever, and the call goes on. */
static void try_wrong_arguments(void)
{
    int out = all.rank, sum = -1, index = 0, flag = 0, indices[1];
    MPI_Request request, none = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Iallreduce(&out, &sum, 1, MPI_INT, MPI_SUM, all.comm, &request);
    note_code("waitall", MPI_Waitall(-1, &request, &status));
    note_code("waitany", MPI_Waitany(-1, &request, &index, &status));
    note_code("waitsome", MPI_Waitsome(-1, &request, &index, indices, &status));
    note_code("testall", MPI_Testall(-1, &request, &flag, &status));
    note_code("testany", MPI_Testany(-1, &request, &index, &flag, &status));
    note_code("testsome", MPI_Testsome(-1, &request, &index, indices, &status));
    note_code("startall", MPI_Startall(-1, &request));
    note_code("wait without request", MPI_Wait(NULL, &status));
    note_code("test without request", MPI_Test(NULL, &flag, &status));
    note_code("start without request", MPI_Start(NULL));
    note_code("start of nothing", MPI_Start(&none));
    note_code("free of nothing", MPI_Request_free(&none));
    note_code("free without request", MPI_Request_free(NULL));
    note_code("waitall without requests", MPI_Waitall(1, NULL, &status));
    note_code("waitany without requests", MPI_Waitany(1, NULL, &index, &status));
    note_code("waitsome without requests", MPI_Waitsome(1, NULL, &index, indices, &status));
    note_code("testall without requests", MPI_Testall(1, NULL, &flag, &status));
    note_code("testany without requests", MPI_Testany(1, NULL, &index, &flag, &status));
    note_code("testsome without requests", MPI_Testsome(1, NULL, &index, indices, &status));
    note_code("startall without requests", MPI_Startall(1, NULL));
    note_code("test without flag", MPI_Test(&request, NULL, &status));
    note_code("get_status without flag", MPI_Request_get_status(request, NULL, &status));
    note_code("testall without flag", MPI_Testall(1, &request, NULL, &status));
    note_code("testany without flag", MPI_Testany(1, &request, &index, NULL, &status));
    note_code("testany without index", MPI_Testany(1, &request, NULL, &flag, &status));
    note_code("waitany without index", MPI_Waitany(1, &request, NULL, &status));
    note_code("waitsome without count", MPI_Waitsome(1, &request, NULL, indices, &status));
    note_code("testsome without indices", MPI_Testsome(1, &request, &index, NULL, &status));
    note_code("none of none", MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    note_code("wait", MPI_Wait(&request, &status));
    tell("sum", sum);
    fputc('\n', all.out);
}

int main(int argc, char **argv)
{
    char name[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all.size);
    snprintf(name, sizeof name, "%s.%d", argc > 1 ? argv[1] : "odd_requests", all.rank);
    all.is_wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
    all.is_native = argc > 2;
    all.out = fopen(name, "w");
    if (!all.out)
        MPI_Abort(MPI_COMM_WORLD, 1);
    setvbuf(all.out, NULL, _IOLBF, 0); /* a run that hangs shows where */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &all.comm);
    MPI_Barrier(all.comm); /* the library takes over what follows a blocking collective */
    try_rows();
    try_many();
    try_freed();
    try_wrong_arguments();
    MPI_Comm_free(&all.comm);
    fclose(all.out);
    MPI_Finalize();
    return 0;
}
