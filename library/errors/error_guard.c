/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/errors/error_guard.h"
#include "library/mpi/world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* State of the process, see tuner.c: whether the guard does anything, how many guards are up, and the user's
 * handler of MPI_COMM_WORLD meanwhile. */
static struct {
    atomic_bool works;
    pthread_mutex_t lock;
    unsigned up;
    MPI_Errhandler handler;
} guard = {.lock = PTHREAD_MUTEX_INITIALIZER, .handler = MPI_ERRHANDLER_NULL};

static void mute(void)
{
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &guard.handler);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

static void restore(void)
{
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, guard.handler);
    PMPI_Errhandler_free(&guard.handler);
}

static void put_up(void)
{
    pthread_mutex_lock(&guard.lock);
    if (guard.up++ == 0)
        mute();
    pthread_mutex_unlock(&guard.lock);
}

bool ct_error_guard_up(void)
{
    if (!atomic_load_explicit(&guard.works, memory_order_relaxed))
        return false;
    put_up();
    return true;
}

void ct_error_guard_down(bool is_up)
{
    if (!is_up)
        return;
    pthread_mutex_lock(&guard.lock);
    if (--guard.up == 0)
        restore();
    pthread_mutex_unlock(&guard.lock);
}

/* Where the handler of MPI_COMM_WORLD ends the job, the error does so now instead of a moment later. */
bool ct_error_guard_up_anyway(void)
{
    if (ct_world_is_alive())
        ct_error_guard_see(MPI_COMM_WORLD);
    return ct_error_guard_up();
}

static void begin_to_work(void)
{
    if (!atomic_load(&guard.works) && ct_world_is_alive())
        atomic_store(&guard.works, true);
}

int ct_error_guard_set_handler(MPI_Comm comm, MPI_Errhandler handler)
{
    begin_to_work();
    pthread_mutex_lock(&guard.lock);
    int code = PMPI_Comm_set_errhandler(comm, handler);
    if (code == MPI_SUCCESS && comm == MPI_COMM_WORLD && guard.up > 0) {
        /* Another thread is inside a call. */
        PMPI_Errhandler_free(&guard.handler);
        mute();
    }
    pthread_mutex_unlock(&guard.lock);
    return code;
}

void ct_error_guard_see(MPI_Comm comm)
{
    MPI_Errhandler handler;
    if (atomic_load(&guard.works) || PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return;
    if (handler != MPI_ERRORS_ARE_FATAL)
        begin_to_work();
    PMPI_Errhandler_free(&handler);
}
