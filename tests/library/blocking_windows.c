/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of windows. */
#include "blocking.h"

#include <unistd.h>

static int free_window(int code, MPI_Win *window)
{
    return code == MPI_SUCCESS ? PMPI_Win_free(window) : code;
}

static int win_create(void)
{
    MPI_Win window;
    return free_window(MPI_Win_create(to, sizeof to, 1, MPI_INFO_NULL, all.comm, &window), &window);
}

static int win_allocate(void)
{
    MPI_Win window;
    void *memory;
    return free_window(MPI_Win_allocate(8, 1, MPI_INFO_NULL, all.comm, &memory, &window), &window);
}

static int win_allocate_shared(void)
{
    MPI_Win window;
    void *memory;
    return free_window(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, all.comm, &memory, &window), &window);
}

static int win_create_dynamic(void)
{
    MPI_Win window;
    return free_window(MPI_Win_create_dynamic(MPI_INFO_NULL, all.comm, &window), &window);
}

static int win_set_info(void)
{
    return MPI_Win_set_info(all.window, all.info);
}

static int win_fence(void)
{
    return MPI_Win_fence(0, all.window);
}

static MPI_Group group_of(int rank)
{
    MPI_Group group, one;
    MPI_Comm_group(all.comm, &group);
    MPI_Group_incl(group, 1, &rank, &one);
    MPI_Group_free(&group);
    return one;
}

static int win_wait(void)
{
    MPI_Group group = group_of(other());
    int code = MPI_Win_post(group, 0, all.window);
    MPI_Group_free(&group);
    return code == MPI_SUCCESS ? MPI_Win_wait(all.window) : code;
}

static int win_complete(void)
{
    MPI_Group group = group_of(other());
    int code = MPI_Win_start(group, 0, all.window);
    MPI_Group_free(&group);
    return code == MPI_SUCCESS ? MPI_Win_complete(all.window) : code;
}

/* Rank 1 looks at its memory until rank 2 has written there, and leaves the lock to it meanwhile. */
static int win_lock(void)
{
    int written = 0, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !written) {
        code = MPI_Win_lock(MPI_LOCK_SHARED, BLOCKED, 0, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Get(&written, 1, MPI_INT, BLOCKED, 0, 1, MPI_INT, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_unlock(BLOCKED, all.window);
        usleep(100);
    }
    return code;
}

static int win_write(void)
{
    const int one = 1;
    int code = MPI_Win_lock(MPI_LOCK_EXCLUSIVE, BLOCKED, 0, all.window);
    if (code == MPI_SUCCESS)
        code = MPI_Put(&one, 1, MPI_INT, BLOCKED, 0, 1, MPI_INT, all.window);
    return code == MPI_SUCCESS ? MPI_Win_unlock(BLOCKED, all.window) : code;
}

/* The same in an epoch of all ranks. */
static int win_lock_all(void)
{
    int written = 0, code = MPI_Win_lock_all(0, all.window);
    while (code == MPI_SUCCESS && !written) {
        code = MPI_Fetch_and_op(NULL, &written, MPI_INT, BLOCKED, 0, MPI_NO_OP, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_flush_local(BLOCKED, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_sync(all.window);
    }
    return code == MPI_SUCCESS ? MPI_Win_unlock_all(all.window) : code;
}

static int win_add(void)
{
    const int one = 1;
    int code = MPI_Win_lock_all(0, all.window);
    if (code == MPI_SUCCESS)
        code = MPI_Accumulate(&one, 1, MPI_INT, BLOCKED, 0, 1, MPI_INT, MPI_SUM, all.window);
    if (code == MPI_SUCCESS)
        code = MPI_Win_flush_all(all.window);
    return code == MPI_SUCCESS ? MPI_Win_unlock_all(all.window) : code;
}

/* The same, looked at in other ways. */
static int win_flush(void)
{
    int written = 0, code = MPI_Win_lock_all(0, all.window);
    while (code == MPI_SUCCESS && !written) {
        code = MPI_Get(&written, 1, MPI_INT, BLOCKED, 0, 1, MPI_INT, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_flush(BLOCKED, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_flush_local_all(all.window);
    }
    return code == MPI_SUCCESS ? MPI_Win_unlock_all(all.window) : code;
}

static int win_test(void)
{
    MPI_Group group = group_of(other());
    int done = false, code = MPI_Win_post(group, 0, all.window);
    MPI_Group_free(&group);
    while (code == MPI_SUCCESS && !done)
        code = MPI_Win_test(all.window, &done);
    return code;
}

static int win_free(void)
{
    return MPI_Win_free(&all.window);
}

const struct trial window_trials[] = {
    {"Win_create", win_create, NULL},
    {"Win_allocate", win_allocate, NULL},
    {"Win_allocate_shared", win_allocate_shared, NULL},
    {"Win_create_dynamic", win_create_dynamic, NULL},
    {"Win_set_info", win_set_info, NULL},
    {"Win_fence", win_fence, NULL},
    {"Win_wait", win_wait, win_complete},
    {"Win_start", win_complete, win_wait},
    {"Win_lock", win_lock, win_write},
    {"Win_lock_all", win_lock_all, win_add},
    {"Win_flush", win_flush, win_add},
    {"Win_test", win_test, win_complete},
    {"Win_free", win_free, NULL},
    {0},
};
