/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/requests/file_requests.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* State of the process, see tuner.c: the handles, of which programs have few at a time. */
static struct {
    pthread_mutex_t lock;
    MPI_Request *handles;
    size_t room;
    _Atomic size_t count;
} files = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Most programs have none. */
static size_t count_now(void)
{
    return atomic_load_explicit(&files.count, memory_order_relaxed);
}

bool ct_file_requests_exist(void)
{
    return count_now() > 0;
}

/* The place of a handle; the count if it is not there. */
static size_t find_file_request(MPI_Request handle)
{
    size_t place = 0;
    while (place < count_now() && files.handles[place] != handle)
        place++;
    return place;
}

static bool make_room(void)
{
    if (count_now() < files.room)
        return true;
    size_t room = 2 * files.room + 8;
    MPI_Request *handles = realloc(files.handles, room * sizeof *handles);
    if (!handles)
        return false;
    files.handles = handles;
    files.room = room;
    return true;
}

void ct_file_request_begun(MPI_Request handle)
{
    pthread_mutex_lock(&files.lock);
    if (find_file_request(handle) == count_now() && make_room()) {
        files.handles[count_now()] = handle;
        files.count++;
    }
    pthread_mutex_unlock(&files.lock);
}

bool ct_file_request_is_known(MPI_Request handle)
{
    if (!ct_file_requests_exist())
        return false;
    pthread_mutex_lock(&files.lock);
    bool is_known = find_file_request(handle) < count_now();
    pthread_mutex_unlock(&files.lock);
    return is_known;
}

void ct_file_request_ended(MPI_Request handle)
{
    if (!ct_file_requests_exist())
        return;
    pthread_mutex_lock(&files.lock);
    size_t place = find_file_request(handle);
    if (place < count_now()) {
        files.handles[place] = files.handles[count_now() - 1];
        if (--files.count == 0) {
            free(files.handles);
            files.handles = NULL;
            files.room = 0;
        }
    }
    pthread_mutex_unlock(&files.lock);
}
