/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_ARGUMENTS_H
#define CT_LIBRARY_ARGUMENTS_H

#include "library/execute/executor.h"

/* Wrong arguments of a collective, as far as one rank sees them at entry. A call that has any goes to the MPI
 * library before a message is sent, so that the library's own collective reports it on the user's
 * communicator. What is wrong at one rank alone counts only if the MPI library refuses it, too: the other
 * ranks carry out a plan, which this rank would leave. */

/* Where a call's two buffers may not lie to each other. */
struct ct_alias {
    bool is_refused;
    ptrdiff_t distance; /* that of the send buffer from the receive buffer, in bytes */
};

static inline bool ct_is_aliased(const struct ct_alias *alias, const void *send, const void *recv)
{
    return alias->is_refused && (uintptr_t)send - (uintptr_t)recv == (uintptr_t)alias->distance;
}

/* Makes that of a call into that of a like one whose blocks are as many times as long as `to` is to `from`.
 */
static inline void ct_alias_resize(struct ct_alias *alias, size_t from, size_t to)
{
    const size_t step = (size_t)(alias->distance / (ptrdiff_t)from);
    alias->distance = (ptrdiff_t)(step * to); /* a negative one wraps around and back */
}

/* May the call be carried out? Looks at counts, types, the operation and whether it goes with the type (MPI
 * 4.0, sections 6.9.2 and 6.9.4), the root, null and aliased buffers, and MPI_IN_PLACE where it has no
 * meaning. Arguments that mean nothing at this rank may be anything. Sets *ret_alias and *ret_is_cut
 * if it returns true. *ret_is_cut: the block that this rank sends to itself is longer than the one that it
 * receives. That is an error of this rank's, but other ranks wait for its messages. */
bool ct_arguments_are_sound(struct ct_channel *channel, enum ct_collective collective,
                            const struct ct_operands *operands, struct ct_alias *ret_alias, bool *ret_is_cut);

#endif
