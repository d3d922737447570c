/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that wait for or test several requests, among which may be ours. */
#include "base/memory.h"
#include "library/execute/message_errors.h"
#include "library/execute/mpi_progress.h"
#include "library/interpose/interpose_internal.h"
#include "library/interpose/interpose_requests_internal.h"
#include "library/requests/file_requests.h"

#if !CT_SIMULATED

#include <stdlib.h>
#include <string.h>

/* Must functions that wait do so by tests? */
static bool waits_here(void)
{
    return ct_requests_exist() || ct_progress_takes_turns();
}

/* Is there anything that a test moves, beside what MPI does itself? */
static ALWAYS_INLINE bool moves_calls(void)
{
    return ct_requests_exist() || ct_progress_is_needed();
}

/* The requests of ours among some, by their places there. */
struct ours {
    struct ct_request **requests; /* NULL at the places of others */
    bool is_pending;              /* one of them */
};

/* False without memory. */
static bool find_ours(int count, const MPI_Request *handles, struct ours *ret_ours)
{
    struct ct_request **requests = calloc(count > 0 ? (size_t)count : 1, sizeof *requests);
    ret_ours->requests = requests;
    ret_ours->is_pending = false;
    for (int i = 0; requests && i < count; i++) {
        struct ct_request *request = ct_find_active_request(handles[i]);
        if (!request)
            continue;
        requests[i] = request;
        ret_ours->is_pending = ret_ours->is_pending || ct_request_is_pending(request);
    }
    return requests != NULL;
}

/* Is there a request whose call has completed? MPI's functions do not find it. */
static bool is_hidden(const struct ours *ours, int place)
{
    const struct ct_request *request = ours->requests[place];
    return request && !ct_request_is_pending(request);
}

/* The user sees the end of the request at a place. */
static int end_ours(struct ours *ours, int place, MPI_Request *handles)
{
    struct ct_request *request = ours->requests[place];
    ours->requests[place] = NULL;
    return request ? ct_request_end(request, &handles[place]) : MPI_SUCCESS;
}

/* The same where errors go to the statuses. */
static int end_in_status(struct ours *ours, int place, MPI_Request *handles, MPI_Status *status)
{
    int code = end_ours(ours, place, handles);
    if (code == MPI_SUCCESS)
        return code;
    if (status)
        status->MPI_ERROR = code;
    return MPI_ERR_IN_STATUS;
}

static MPI_Status *status_at(MPI_Status *statuses, int place)
{
    return statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[place];
}

/* MPI sets the errors of statuses only if there are any, and one of ours may follow. */
static void set_right(MPI_Status *statuses, int count)
{
    for (int i = 0; statuses != MPI_STATUSES_IGNORE && i < count; i++)
        statuses[i].MPI_ERROR = MPI_SUCCESS;
}

static int test_all(int count, MPI_Request *handles, int *flag, MPI_Status *statuses)
{
    struct ours ours;
    if (!ct_may_be_ours(handles) || !flag)
        return PMPI_Testall(count, handles, flag, statuses);
    if (!find_ours(count, handles, &ours))
        return MPI_ERR_NO_MEM;
    int code = MPI_SUCCESS;
    *flag = false;
    if (!ours.is_pending)
        code = PMPI_Testall(count, handles, flag, statuses);
    if (*flag && code == MPI_SUCCESS)
        set_right(statuses, count);
    /* Where one has failed, those without error have ended, too, whatever MPI makes of the flag. */
    bool has_ended = *flag || ct_is_in_status(code);
    for (int i = 0; has_ended && i < count; i++) {
        int own = end_in_status(&ours, i, handles, status_at(statuses, i));
        code = own != MPI_SUCCESS ? own : code;
    }
    free(ours.requests);
    return code;
}

INTERPOSED int MPI_Testall(int count, MPI_Request *handles, int *flag, MPI_Status *statuses)
{
    if (!moves_calls())
        return PMPI_Testall(count, handles, flag, statuses);
    ct_requests_move();
    return test_all(count, handles, flag, statuses);
}

/* The user's statuses of requests that have completed, at their places. MPI sets errors only if there are
 * any; then it sets all. */
static void take_statuses(int some, const int *places, const MPI_Status *found, bool has_errors,
                          MPI_Status *statuses)
{
    for (int i = 0; i < some && statuses != MPI_STATUSES_IGNORE; i++) {
        int before = statuses[places[i]].MPI_ERROR;
        statuses[places[i]] = found[i];
        if (!has_errors)
            statuses[places[i]].MPI_ERROR = before;
    }
}

/* What a wait for several requests works with: arrays with room for all. */
struct waits {
    MPI_Request *left; /* those that have not completed */
    MPI_Request *tested;
    int *places;
    MPI_Status *found;
};

static void free_waits(struct waits *waits)
{
    free(waits->left);
    free(waits->tested);
    free(waits->places);
    free(waits->found);
}

/* False without memory. */
static bool make_waits(int count, struct waits *ret_waits)
{
    *ret_waits = (struct waits){ct_allocate((size_t)count, sizeof *ret_waits->left),
                                ct_allocate((size_t)count, sizeof *ret_waits->tested),
                                ct_allocate((size_t)count, sizeof *ret_waits->places),
                                ct_allocate((size_t)count, sizeof *ret_waits->found)};
    if (ret_waits->left && ret_waits->tested && ret_waits->places && ret_waits->found)
        return true;
    free_waits(ret_waits);
    return false;
}

/* The requests that may be tested now: of those of collective functions on files only the first one. */
static void select_requests(int count, const MPI_Request *handles, MPI_Request *ret_tested)
{
    bool has_file = false;
    for (int i = 0; i < count; i++) {
        bool is_file = handles[i] != MPI_REQUEST_NULL && ct_file_request_is_known(handles[i]);
        ret_tested[i] = is_file && has_file ? MPI_REQUEST_NULL : handles[i];
        has_file |= is_file;
    }
}

/* Tests the requests that are left, and not ours, once. Not by PMPI_Testall(), in which MPICH 4.0.2 aborts or
 * waits for ever where there are requests of files. A request that has completed is left out from then on:
 * MPICH 4.0.2 finds its own persistent collectives complete again and again. */
static int test_others(int count, MPI_Request *handles, int *some, struct waits *waits)
{
    select_requests(count, waits->left, waits->tested);
    int code = PMPI_Testsome(count, waits->tested, some, waits->places, waits->found);
    if (code != MPI_SUCCESS && !ct_is_in_status(code))
        return code;
    for (int i = 0; *some != MPI_UNDEFINED && i < *some; i++) {
        const int place = waits->places[i];
        ct_file_request_ended(handles[place]);
        handles[place] = waits->tested[place];
        waits->left[place] = MPI_REQUEST_NULL;
    }
    return code;
}

/* Waits for the requests that are not ours. */
static int wait_for_others(int count, MPI_Request *handles, MPI_Status *statuses, struct waits *waits)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int some = 0, result = MPI_SUCCESS;
    memcpy(waits->left, handles, (size_t)count * sizeof *handles);
    while (some != MPI_UNDEFINED) {
        int code = test_others(count, handles, &some, waits);
        if (code != MPI_SUCCESS && !ct_is_in_status(code))
            return code;
        if (code != MPI_SUCCESS && result == MPI_SUCCESS) {
            set_right(statuses, count);
            result = code;
        }
        if (code == MPI_SUCCESS && result != MPI_SUCCESS)
            set_right(waits->found, some == MPI_UNDEFINED ? 0 : some);
        take_statuses(some, waits->places, waits->found, result != MPI_SUCCESS, statuses);
        if (some == 0)
            ct_requests_pass_time(&patience);
    }
    return result;
}

/* Waits for ours when the others are complete: meanwhile they move. */
static int wait_all(int count, MPI_Request *handles, MPI_Status *statuses, struct ours *ours,
                    struct waits *waits)
{
    for (int i = 0; i < count && statuses != MPI_STATUSES_IGNORE; i++)
        ct_set_empty_status(&statuses[i]);
    int code = wait_for_others(count, handles, statuses, waits);
    if (code != MPI_SUCCESS && !ct_is_in_status(code))
        return code;
    if (code == MPI_SUCCESS)
        set_right(statuses, count);
    for (int i = 0; i < count; i++) {
        if (ours->requests[i])
            ct_request_wait(ours->requests[i]);
        int own = end_in_status(ours, i, handles, status_at(statuses, i));
        code = own != MPI_SUCCESS ? own : code;
    }
    return code;
}

INTERPOSED int MPI_Waitall(int count, MPI_Request *handles, MPI_Status *statuses)
{
    struct ours ours;
    struct waits waits;
    if ((!waits_here() && !ct_file_requests_exist()) || count <= 0 || !handles)
        return PMPI_Waitall(count, handles, statuses);
    if (!make_waits(count, &waits))
        return MPI_ERR_NO_MEM;
    int code =
        find_ours(count, handles, &ours) ? wait_all(count, handles, statuses, &ours, &waits) : MPI_ERR_NO_MEM;
    free(ours.requests);
    free_waits(&waits);
    return code;
}

static int test_found(int count, MPI_Request *handles, struct ours *ours, int *index, int *flag,
                      MPI_Status *status)
{
    for (int i = 0; i < count; i++) {
        if (!is_hidden(ours, i))
            continue;
        *index = i;
        *flag = true;
        ct_set_empty_status(status);
        return end_ours(ours, i, handles);
    }
    int code = PMPI_Testany(count, handles, index, flag, status);
    if (code != MPI_SUCCESS || !*flag)
        return code;
    if (*index == MPI_UNDEFINED)
        *flag = !ours->is_pending;
    if (*flag && *index == MPI_UNDEFINED)
        ct_set_empty_status(status);
    return MPI_SUCCESS;
}

static int test_any(int count, MPI_Request *handles, int *index, int *flag, MPI_Status *status)
{
    struct ours ours;
    if (!ct_may_be_ours(handles) || !index || !flag)
        return PMPI_Testany(count, handles, index, flag, status);
    if (!find_ours(count, handles, &ours))
        return MPI_ERR_NO_MEM;
    int code = test_found(count, handles, &ours, index, flag, status);
    free(ours.requests);
    return code;
}

INTERPOSED int MPI_Testany(int count, MPI_Request *handles, int *index, int *flag, MPI_Status *status)
{
    if (!moves_calls())
        return PMPI_Testany(count, handles, index, flag, status);
    ct_requests_move();
    return test_any(count, handles, index, flag, status);
}

INTERPOSED int MPI_Waitany(int count, MPI_Request *handles, int *index, MPI_Status *status)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int done = false, code = MPI_SUCCESS;
    if (!waits_here() || count <= 0 || !handles || !index)
        return PMPI_Waitany(count, handles, index, status);
    while (code == MPI_SUCCESS && !done) {
        ct_requests_pass_time(&patience);
        code = test_any(count, handles, index, &done, status);
    }
    return code;
}

static int test_some(int count, MPI_Request *handles, int *found, int *indices, MPI_Status *statuses)
{
    struct ours ours;
    if (!ct_may_be_ours(handles) || !found || !indices)
        return PMPI_Testsome(count, handles, found, indices, statuses);
    if (!find_ours(count, handles, &ours))
        return MPI_ERR_NO_MEM;
    *found = 0;
    int code = PMPI_Testsome(count, handles, found, indices, statuses);
    bool has_active = *found != MPI_UNDEFINED || ours.is_pending;
    int some = *found == MPI_UNDEFINED ? 0 : *found;
    if (code == MPI_SUCCESS)
        set_right(statuses, some);
    for (int place = 0; place < count; place++) {
        if (!is_hidden(&ours, place))
            continue;
        ct_set_empty_status(status_at(statuses, some));
        if (statuses != MPI_STATUSES_IGNORE)
            statuses[some].MPI_ERROR = MPI_SUCCESS;
        int own = end_in_status(&ours, place, handles, status_at(statuses, some));
        code = own != MPI_SUCCESS ? own : code;
        indices[some++] = place;
    }
    *found = has_active || some > 0 ? some : MPI_UNDEFINED;
    free(ours.requests);
    return code;
}

INTERPOSED int MPI_Testsome(int count, MPI_Request *handles, int *found, int *indices, MPI_Status *statuses)
{
    if (!moves_calls())
        return PMPI_Testsome(count, handles, found, indices, statuses);
    ct_requests_move();
    return test_some(count, handles, found, indices, statuses);
}

INTERPOSED int MPI_Waitsome(int count, MPI_Request *handles, int *found, int *indices, MPI_Status *statuses)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int code = MPI_SUCCESS;
    if (!waits_here() || count <= 0 || !handles || !found || !indices)
        return PMPI_Waitsome(count, handles, found, indices, statuses);
    do {
        ct_requests_pass_time(&patience);
        code = test_some(count, handles, found, indices, statuses);
    } while (code == MPI_SUCCESS && *found == 0);
    return code;
}

#else

/* ISO C wants a declaration in every file. */
typedef int ct_interpose_request_arrays_nothing;

#endif
