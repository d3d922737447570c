/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/making.h"

#include <pthread.h>

/* State of the process, see tuner.c. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t released;
    int under_way; /* for the application */
    int held;      /* by threads that make private communicators */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .released = PTHREAD_COND_INITIALIZER};

void ct_making_begin(void)
{
    pthread_mutex_lock(&state.lock);
    while (state.held > 0)
        pthread_cond_wait(&state.released, &state.lock);
    state.under_way++;
    pthread_mutex_unlock(&state.lock);
}

int ct_making_end(int code)
{
    pthread_mutex_lock(&state.lock);
    state.under_way--;
    pthread_mutex_unlock(&state.lock);
    return code;
}

bool ct_making_is_under_way(void)
{
    pthread_mutex_lock(&state.lock);
    bool is_under_way = state.under_way > 0;
    pthread_mutex_unlock(&state.lock);
    return is_under_way;
}

bool ct_making_hold(void)
{
    pthread_mutex_lock(&state.lock);
    state.held++;
    bool is_free = state.under_way == 0;
    pthread_mutex_unlock(&state.lock);
    return is_free;
}

void ct_making_release(void)
{
    pthread_mutex_lock(&state.lock);
    if (--state.held == 0)
        pthread_cond_broadcast(&state.released);
    pthread_mutex_unlock(&state.lock);
}
