/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/comm_keyval.h"

#include <assert.h>
#include <pthread.h>

enum { KEYS_MOST = 8 }; /* more than there are files that keep something with communicators */

/* State of the process, see tuner.c: the keys that MPI has given out; the lock is held by a thread that makes
 * one. */
static struct {
    pthread_mutex_t lock;
    int keys[KEYS_MOST];
    int count;
} keyvals_made = {.lock = PTHREAD_MUTEX_INITIALIZER};

int ct_comm_keyval(atomic_int *key, MPI_Comm_delete_attr_function *forget)
{
    int found = atomic_load_explicit(key, memory_order_acquire), given;
    if (found != MPI_KEYVAL_INVALID)
        return found;
    pthread_mutex_lock(&keyvals_made.lock);
    found = atomic_load_explicit(key, memory_order_relaxed);
    if (found == MPI_KEYVAL_INVALID &&
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &given, NULL) == MPI_SUCCESS) {
        assert(keyvals_made.count < KEYS_MOST);
        keyvals_made.keys[keyvals_made.count++] = found = given;
        atomic_store_explicit(key, given, memory_order_release);
    }
    pthread_mutex_unlock(&keyvals_made.lock);
    return found;
}

void ct_comm_keyvals_forget(MPI_Comm comm)
{
    void *value;
    for (int i = 0; i < keyvals_made.count; i++) {
        int found = 0;
        if (PMPI_Comm_get_attr(comm, keyvals_made.keys[i], &value, &found) == MPI_SUCCESS && found)
            PMPI_Comm_delete_attr(comm, keyvals_made.keys[i]);
    }
}
