/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_DOZE_H
#define CT_LIBRARY_NODE_DOZE_H

#include <stdatomic.h>
#include <stdint.h>

/* Ranks that share CPUs and have waited for long sleep, so that they leave the CPU to those that work. A rank
 * says that it sleeps, looks once more at what it waits for, and then sleeps. Others first change what it
 * waits for and then look whether it sleeps. Both separate the two by a sequentially consistent fence, so one
 * of them sees what the other has done, and no rank sleeps through the change. */

/* The rank is about to sleep. */
static inline void ct_doze_announce(_Atomic uint32_t *asleep)
{
    atomic_store_explicit(asleep, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
}

static inline void ct_doze_renounce(_Atomic uint32_t *asleep)
{
    atomic_store_explicit(asleep, 0, memory_order_relaxed);
}

/* Sleeps until another rank calls ct_doze_wake(), at most a millisecond, since the MPI library may need this
 * rank, too. */
void ct_doze(_Atomic uint32_t *asleep);

void ct_doze_wake_now(_Atomic uint32_t *asleep);

/* Wakes a rank if it sleeps. */
static inline void ct_doze_wake(_Atomic uint32_t *asleep)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(asleep, memory_order_relaxed))
        ct_doze_wake_now(asleep);
}

#endif
