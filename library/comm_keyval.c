/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/comm_keyval.h"

#include <pthread.h>

/* State of the process, see tuner.c: held by the thread that makes a key. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

int ct_comm_keyval(atomic_int *key, MPI_Comm_delete_attr_function *forget)
{
    int found = atomic_load_explicit(key, memory_order_acquire), made;
    if (found != MPI_KEYVAL_INVALID)
        return found;
    pthread_mutex_lock(&making);
    found = atomic_load_explicit(key, memory_order_relaxed);
    if (found == MPI_KEYVAL_INVALID &&
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, NULL) == MPI_SUCCESS) {
        found = made;
        atomic_store_explicit(key, made, memory_order_release);
    }
    pthread_mutex_unlock(&making);
    return found;
}
