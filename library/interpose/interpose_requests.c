/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that wait for, test and free one request, which may be ours, and that start requests. To MPI's
 * own functions ours are requests that are not active: they find nothing to wait for in them, and do not move
 * the calls. */
#include "library/execute/mpi_progress.h"
#include "library/interpose/interpose_internal.h"
#include "library/interpose/interpose_requests_internal.h"
#include "library/requests/file_requests.h"

#if !CT_SIMULATED

/* Are there requests that the library knows of, of its own or of files? Without them functions are left to
 * MPI at once: some programs test requests of their own millions of times. */
static ALWAYS_INLINE bool knows_requests(void)
{
    return ct_requests_exist() || ct_file_requests_exist();
}

static int end_one(struct ct_request *request, MPI_Request *handle, MPI_Status *status)
{
    ct_set_empty_status(status);
    return ct_request_end(request, handle);
}

/* A request that is not ours. Its handle is looked at only where there is one. */
static int test_other(MPI_Request *handle, int *flag, MPI_Status *status)
{
    MPI_Request before = handle ? *handle : MPI_REQUEST_NULL;
    int code = PMPI_Test(handle, flag, status);
    if (code != MPI_SUCCESS || *flag)
        ct_file_request_ended(before);
    return code;
}

__attribute__((noinline)) static int test_one(MPI_Request *handle, int *flag, MPI_Status *status)
{
    struct ct_request *request = NULL;
    if (ct_may_be_ours(handle) && flag) {
        ct_requests_move();
        request = ct_find_active_request(*handle);
    }
    if (!request)
        return test_other(handle, flag, status);
    *flag = !ct_request_is_pending(request);
    return *flag ? end_one(request, handle, status) : MPI_SUCCESS;
}

INTERPOSED int MPI_Test(MPI_Request *handle, int *flag, MPI_Status *status)
{
    return knows_requests() ? test_one(handle, flag, status) : PMPI_Test(handle, flag, status);
}

__attribute__((noinline)) static int wait_for_other(MPI_Request *handle, MPI_Status *status)
{
    struct ct_patience patience = ct_progress_begin_wait();
    MPI_Request before = handle ? *handle : MPI_REQUEST_NULL;
    int done = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !done && ct_progress_takes_turns()) {
        ct_requests_pass_time(&patience);
        code = PMPI_Test(handle, &done, status);
    }
    if (!done && code == MPI_SUCCESS)
        code = PMPI_Wait(handle, status);
    ct_file_request_ended(before);
    return code;
}

__attribute__((noinline)) static int wait_for_one(MPI_Request *handle, MPI_Status *status)
{
    struct ct_request *request = ct_may_be_ours(handle) ? ct_find_active_request(*handle) : NULL;
    if (!request)
        return wait_for_other(handle, status);
    ct_request_wait(request);
    return end_one(request, handle, status);
}

INTERPOSED int MPI_Wait(MPI_Request *handle, MPI_Status *status)
{
    return knows_requests() || ct_progress_takes_turns() ? wait_for_one(handle, status)
                                                         : PMPI_Wait(handle, status);
}

INTERPOSED int MPI_Request_get_status(MPI_Request handle, int *flag, MPI_Status *status)
{
    struct ct_request *request = NULL;
    if (ct_requests_exist() && flag) {
        ct_requests_move();
        request = ct_find_active_request(handle);
    }
    if (!request)
        return PMPI_Request_get_status(handle, flag, status);
    *flag = !ct_request_is_pending(request);
    if (*flag)
        ct_set_empty_status(status);
    return MPI_SUCCESS;
}

INTERPOSED int MPI_Request_free(MPI_Request *handle)
{
    struct ct_request *request = ct_may_be_ours(handle) ? ct_request_find(*handle) : NULL;
    if (!request)
        return PMPI_Request_free(handle);
    ct_request_free(request, handle);
    return MPI_SUCCESS;
}

static int start_one(MPI_Request *handle)
{
    struct ct_request *request = ct_may_be_ours(handle) ? ct_request_find(*handle) : NULL;
    return request && !ct_request_is_active(request) ? ct_request_start(request) : PMPI_Start(handle);
}

INTERPOSED int MPI_Start(MPI_Request *handle)
{
    return start_one(handle);
}

INTERPOSED int MPI_Startall(int count, MPI_Request *handles)
{
    int code = MPI_SUCCESS;
    if (!ct_may_be_ours(handles) || count < 0)
        return PMPI_Startall(count, handles);
    for (int i = 0; i < count && code == MPI_SUCCESS; i++)
        code = start_one(&handles[i]);
    return code;
}

#else

/* ISO C wants a declaration in every file. */
typedef int ct_interpose_requests_nothing;

#endif
