/* SPDX-License-Identifier: BSD-3-Clause */
#include "request_ends.h"

#include <string.h>

void tell(const struct odd_run *run, const char *what, long value)
{
    fprintf(run->out, " %s %ld", what, value);
}

static int class_of(int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

static void tell_status(const struct request_row *row, char kind, MPI_Status *status)
{
    int count = 0, is_cancelled = 0;
    tell(row->run, "error", class_of(status->MPI_ERROR));
    if (is_collective(kind) || strchr("sS", kind))
        return; /* the rest is not defined */
    MPI_Test_cancelled(status, &is_cancelled);
    tell(row->run, "cancelled", is_cancelled);
    if (is_cancelled)
        return;
    if (kind != TOO_SHORT) {
        MPI_Get_count(status, MPI_INT, &count);
        tell(row->run, "count", row->run->is_wrong ? count + 1 : count);
    }
    tell(row->run, "source", status->MPI_SOURCE);
    tell(row->run, "tag", status->MPI_TAG);
}

/* The request at a place has come to its end, as its status says unless that is NULL. */
void note(struct request_row *row, int place, MPI_Status *status)
{
    char kind = row->kinds[place];
    fprintf(row->run->out, "  %c%d", kind, place);
    tell(row->run, "null", row->requests[place] == MPI_REQUEST_NULL);
    if (kind != TOO_SHORT)
        for (int i = 0; i < 2; i++)
            tell(row->run, "is", row->in[place][i]);
    if (status)
        tell_status(row, kind, status);
    fputc('\n', row->run->out);
    if (row->seen[place])
        fprintf(row->run->out, "  again: %d\n", place);
    row->seen[place] = true;
}

void note_code(const struct odd_run *run, const char *what, int code)
{
    fprintf(run->out, "  %s: %d\n", what, class_of(code));
}

/* Requests whose end can be told. */
static int active(const struct request_row *row)
{
    int n = 0;
    for (int i = 0; i < row->count; i++)
        n += !is_empty(row->kinds[i]) && !row->seen[i];
    return n;
}

/* --- functions that complete requests --- */

/* All have ended, or one has failed: then others may be pending still, as their statuses say. Errors of
 * statuses are set for certain where one has failed, and by MPI_Waitall for active requests. */
static void end_all(struct request_row *row, int code, bool is_waitall)
{
    for (int i = 0; i < row->count; i++) {
        MPI_Status *status = &row->statuses[i];
        if (code == MPI_SUCCESS && (!is_waitall || is_empty(row->kinds[i])))
            status->MPI_ERROR = MPI_SUCCESS;
        else if (code != MPI_SUCCESS && class_of(status->MPI_ERROR) == MPI_ERR_PENDING)
            status->MPI_ERROR = MPI_Wait(&row->requests[i], status);
        note(row, i, status);
    }
}

static void wait_all(struct request_row *row)
{
    int code = MPI_Waitall(row->count, row->requests, row->statuses);
    note_code(row->run, "waitall", code);
    end_all(row, code, true);
}

static void wait_all_ignoring(struct request_row *row)
{
    note_code(row->run, "waitall", MPI_Waitall(row->count, row->requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < row->count; i++)
        note(row, i, NULL);
}

static void test_all(struct request_row *row)
{
    int flag = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !flag)
        code = MPI_Testall(row->count, row->requests, &flag, row->statuses);
    note_code(row->run, "testall", code);
    end_all(row, code, false);
}

/* Completions one by one come in any order: they are told in the order of the row. */
static void keep(struct request_row *row, int place, int code, const MPI_Status *status)
{
    if (row->kept[place].is_set)
        fprintf(row->run->out, "  again: %d\n", place);
    row->kept[place].is_set = row->seen[place] = true;
    row->kept[place].code = code;
    row->kept[place].status = *status;
}

static void tell_kept(struct request_row *row, bool has_status)
{
    for (int i = 0; i < row->count; i++) {
        if (!row->kept[i].is_set)
            continue;
        row->kept[i].is_set = row->seen[i] = false;
        note_code(row->run, "code", row->kept[i].code);
        note(row, i, has_status ? &row->kept[i].status : NULL);
    }
}

static void any(struct request_row *row, bool waits, bool has_status)
{
    MPI_Status status;
    int index = 0, code = MPI_SUCCESS, flag = true;
    for (int n = active(row); n >= 0; n -= flag) { /* the last time there is none left */
        index = -77;
        memset(&status, 0, sizeof status);
        status.MPI_ERROR = ERROR_BEFORE;
        MPI_Status *wanted = has_status ? &status : MPI_STATUS_IGNORE;
        if (waits)
            code = MPI_Waitany(row->count, row->requests, &index, wanted);
        else
            code = MPI_Testany(row->count, row->requests, &index, &flag, wanted);
        if (flag && index >= 0)
            keep(row, index, code, &status);
    }
    tell_kept(row, has_status);
    fprintf(row->run->out, "  at the end: %d %d", index == MPI_UNDEFINED, flag);
    if (has_status && !strpbrk(row->kinds, "piRSq")) /* MPICH 4.0.2 sets none of inactive ones alone */
        tell_status(row, NOTHING, &status);
    fputc('\n', row->run->out);
}

static void wait_any(struct request_row *row)
{
    any(row, true, true);
}

static void wait_any_ignoring(struct request_row *row)
{
    any(row, true, false);
}

static void test_any(struct request_row *row)
{
    any(row, false, true);
}

static void some(struct request_row *row, bool waits, bool has_statuses)
{
    int indices[MOST], count = 0, code = MPI_SUCCESS;
    while (count != MPI_UNDEFINED) {
        MPI_Status *statuses = has_statuses ? row->statuses : MPI_STATUSES_IGNORE;
        if (waits)
            code = MPI_Waitsome(row->count, row->requests, &count, indices, statuses);
        else
            code = MPI_Testsome(row->count, row->requests, &count, indices, statuses);
        if (code != MPI_SUCCESS && class_of(code) != MPI_ERR_IN_STATUS) {
            note_code(row->run, "some", code);
            break;
        }
        if (waits && count == 0)
            fputs("  waited for none\n", row->run->out);
        for (int i = 0; count != MPI_UNDEFINED && i < count; i++) {
            int error = code == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_IN_STATUS;
            if (has_statuses && code == MPI_SUCCESS)
                row->statuses[i].MPI_ERROR = MPI_SUCCESS;
            if (has_statuses) /* which others come with one that fails depends on time */
                error = row->statuses[i].MPI_ERROR;
            keep(row, indices[i], error, &row->statuses[i]);
        }
    }
    tell_kept(row, has_statuses);
}

static void wait_some(struct request_row *row)
{
    some(row, true, true);
}

static void wait_some_ignoring(struct request_row *row)
{
    some(row, true, false);
}

static void test_some(struct request_row *row)
{
    some(row, false, true);
}

/* Each rank in another order. */
static void wait_each(struct request_row *row)
{
    for (int k = 0; k < row->count; k++) {
        int i = row->run->rank % 2 ? row->count - 1 - k : k;
        keep(row, i, MPI_Wait(&row->requests[i], &row->statuses[i]), &row->statuses[i]);
    }
    tell_kept(row, true);
}

static void test_each(struct request_row *row)
{
    for (int k = 0; k < row->count; k++) {
        int i = row->run->rank % 2 ? k : row->count - 1 - k, flag = false, code = MPI_SUCCESS;
        while (code == MPI_SUCCESS && !flag)
            code = MPI_Test(&row->requests[i], &flag, &row->statuses[i]);
        keep(row, i, code, &row->statuses[i]);
    }
    tell_kept(row, true);
}

/* Looks first, as often as it takes, and once more; then the request is complete, and still there. */
static void look(struct request_row *row)
{
    for (int i = 0; i < row->count; i++) {
        MPI_Request before = row->requests[i];
        MPI_Status status = row->statuses[i];
        int flag = false, code = MPI_SUCCESS;
        if (strchr("tx", row->kinds[i]))
            continue; /* natively that depends on the MPI */
        while (code == MPI_SUCCESS && !flag)
            code = MPI_Request_get_status(row->requests[i], &flag, &status);
        fprintf(row->run->out, "  %c%d", row->kinds[i], i);
        tell(row->run, "code", class_of(code));
        tell_status(row, row->kinds[i], &status);
        MPI_Request_get_status(row->requests[i], &flag, MPI_STATUS_IGNORE);
        tell(row->run, "flag", flag);
        tell(row->run, "still there", row->requests[i] == before);
        fputc('\n', row->run->out);
    }
    wait_all(row);
}

const struct way ways[WAYS] = {{"waitall", wait_all, true},
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
