/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/making.h"

#include <pthread.h>

/* State of the process, see tuner.c. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t released;
    int under_way; /* for the application */
    int held;      /* by threads that make private communicators */
} making = {.lock = PTHREAD_MUTEX_INITIALIZER, .released = PTHREAD_COND_INITIALIZER};

void ct_making_begin(void)
{
    pthread_mutex_lock(&making.lock);
    while (making.held > 0)
        pthread_cond_wait(&making.released, &making.lock);
    making.under_way++;
    pthread_mutex_unlock(&making.lock);
}

int ct_making_end(int code)
{
    pthread_mutex_lock(&making.lock);
    making.under_way--;
    pthread_mutex_unlock(&making.lock);
    return code;
}

bool ct_making_is_under_way(void)
{
    pthread_mutex_lock(&making.lock);
    bool is_under_way = making.under_way > 0;
    pthread_mutex_unlock(&making.lock);
    return is_under_way;
}

bool ct_making_hold(void)
{
    pthread_mutex_lock(&making.lock);
    making.held++;
    bool is_free = making.under_way == 0;
    pthread_mutex_unlock(&making.lock);
    return is_free;
}

void ct_making_release(void)
{
    pthread_mutex_lock(&making.lock);
    if (--making.held == 0)
        pthread_cond_broadcast(&making.released);
    pthread_mutex_unlock(&making.lock);
}
