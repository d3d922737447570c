/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into programs of tests that have more ranks than CPUs. MPICH spins while it waits; here it yields
 * the CPU whenever its transport, UCX, has found nothing to do. So ranks that share a CPU do not wait for the
 * ends of each other's time slices. Nothing else changes, and without UCX nothing at all. */
#include <dlfcn.h>
#include <sched.h>

static unsigned (*progress)(void *worker);

__attribute__((constructor)) static void find_progress(void)
{
    *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
}

/* Stands in for the function of UCX that MPICH calls as long as it waits. */
unsigned ucp_worker_progress(void *worker)
{
    unsigned count = progress(worker);
    if (count == 0)
        sched_yield();
    return count;
}
