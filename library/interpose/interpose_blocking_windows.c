/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions on windows. */
#include "library/communicators/access_epochs.h"
#include "library/interpose/interpose_blocking_internal.h"

#if BLOCKING_TAKEN_OVER

INTERPOSED int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                              MPI_Win *ret_window)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Win_create(base, size, unit, info, comm, ret_window));
}

INTERPOSED int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *ret_base,
                                MPI_Win *ret_window)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Win_allocate(size, unit, info, comm, ret_base, ret_window));
}

INTERPOSED int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *ret_base,
                                       MPI_Win *ret_window)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Win_allocate_shared(size, unit, info, comm, ret_base, ret_window));
}

INTERPOSED int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *ret_window)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Win_create_dynamic(info, comm, ret_window));
}

INTERPOSED int MPI_Win_free(MPI_Win *window)
{
    if (ct_meetings_are_held())
        ct_meet_window(*window);
    return PMPI_Win_free(window);
}

/* MPICH holds a barrier here. */
INTERPOSED int MPI_Win_set_info(MPI_Win window, MPI_Info info)
{
    ct_meet_window(window);
    return PMPI_Win_set_info(window, info);
}

INTERPOSED int MPI_Win_fence(int assertion, MPI_Win window)
{
    ct_meet_window(window);
    return PMPI_Win_fence(assertion, window);
}

INTERPOSED int MPI_Win_wait(MPI_Win window)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int done = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !done && ct_progress_takes_turns()) {
        ct_progress_pass_time(&patience);
        code = PMPI_Win_test(window, &done);
    }
    return code == MPI_SUCCESS && !done ? PMPI_Win_wait(window) : code;
}

/* Start or complete may wait for post at the targets. A program with several windows may post and start them
 * in different orders: the number of notices is right all the same. */

INTERPOSED int MPI_Win_post(MPI_Group group, int assertion, MPI_Win window)
{
    int code = PMPI_Win_post(group, assertion, window);
    if (code == MPI_SUCCESS)
        ct_notify_group(group);
    return code;
}

INTERPOSED int MPI_Win_start(MPI_Group group, int assertion, MPI_Win window)
{
    if (!ct_access_epoch_is_open(window))
        ct_await_notices(group);
    int code = PMPI_Win_start(group, assertion, window);
    if (code == MPI_SUCCESS)
        ct_access_epoch_begun(window);
    return code;
}

/* The rest has no non-blocking form. Programs repeat some of it until another rank has written something. */

INTERPOSED int MPI_Win_test(MPI_Win window, int *flag)
{
    ct_progress_once();
    return PMPI_Win_test(window, flag);
}

INTERPOSED int MPI_Win_complete(MPI_Win window)
{
    ct_progress_once();
    int code = PMPI_Win_complete(window);
    if (code == MPI_SUCCESS)
        ct_access_epoch_ended(window);
    return code;
}

INTERPOSED int MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_lock(lock_type, rank, assertion, window);
}

INTERPOSED int MPI_Win_lock_all(int assertion, MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_lock_all(assertion, window);
}

INTERPOSED int MPI_Win_unlock(int rank, MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_unlock(rank, window);
}

INTERPOSED int MPI_Win_unlock_all(MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_unlock_all(window);
}

INTERPOSED int MPI_Win_flush(int rank, MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_flush(rank, window);
}

INTERPOSED int MPI_Win_flush_all(MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_flush_all(window);
}

INTERPOSED int MPI_Win_flush_local(int rank, MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_flush_local(rank, window);
}

INTERPOSED int MPI_Win_flush_local_all(MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_flush_local_all(window);
}

INTERPOSED int MPI_Win_sync(MPI_Win window)
{
    ct_progress_once();
    return PMPI_Win_sync(window);
}

#if CT_HAS_LARGE_FORMS

INTERPOSED int MPI_Win_create_c(void *base, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm,
                                MPI_Win *ret_window)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Win_create_c(base, size, unit, info, comm, ret_window));
}

INTERPOSED int MPI_Win_allocate_c(MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *ret_base,
                                  MPI_Win *ret_window)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Win_allocate_c(size, unit, info, comm, ret_base, ret_window));
}

INTERPOSED int MPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm,
                                         void *ret_base, MPI_Win *ret_window)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_Win_allocate_shared_c(size, unit, info, comm, ret_base, ret_window));
}

#endif

#endif
