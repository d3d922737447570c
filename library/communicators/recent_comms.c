/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/recent_comms.h"
#include "library/mpi/backend_mpi.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* State of the process, see tuner.c: how many communicators have been forgotten. */
static atomic_uint comms_forgotten;

/* The communicators that this thread has looked up last, since PMPI_Comm_get_attr() costs more than the rest
 * of the way in. A handle may come back as another communicator, so an entry counts only as long as none has
 * been forgotten since it was written. Whoever calls a collective on a new communicator comes after its
 * creation, which comes after the old one was freed, on whatever thread, by the program's or MPI's
 * synchronisation; so it sees the number that the delete function has counted up. The number wraps only after
 * 2^32 communicators have been freed between two calls on one. */
enum { RECENT = 8 };
static CT_PER_THREAD struct {
    MPI_Comm comm;
    unsigned forgotten;          /* the number at which it was looked up */
    struct ct_private_comm *own; /* NULL: an empty entry */
} recent[RECENT];

static inline size_t recent_entry(MPI_Comm comm)
{
    /* Handles are small numbers, or addresses of large objects. */
    uintptr_t handle = (uintptr_t)comm;
    return (handle ^ handle >> 9) % RECENT;
}

/* Inline also where it is called, in files that are compiled with this one: it is most of the way to a native
 * call. */
__attribute__((always_inline)) inline struct ct_private_comm *ct_recent_comm(MPI_Comm comm)
{
    size_t entry = recent_entry(comm);
    bool is_valid = recent[entry].comm == comm &&
                    recent[entry].forgotten == atomic_load_explicit(&comms_forgotten, memory_order_relaxed);
    return is_valid ? recent[entry].own : NULL;
}

unsigned ct_recent_comms_forgotten(void)
{
    return atomic_load_explicit(&comms_forgotten, memory_order_relaxed);
}

void ct_recent_comm_note(MPI_Comm comm, unsigned forgotten, struct ct_private_comm *own)
{
    size_t entry = recent_entry(comm);
    recent[entry].comm = comm;
    recent[entry].forgotten = forgotten;
    recent[entry].own = own;
}

void ct_recent_comms_forget(void)
{
    atomic_fetch_add(&comms_forgotten, 1);
}
