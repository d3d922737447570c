/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_CONTEXTS_H
#define CT_LIBRARY_NODE_CONTEXTS_H

#include <stdatomic.h>
#include <stdint.h>

/* The contexts that a rank gives to channels, see node.h: numbers from 1 on, of which no two channels have
 * the same at a time. A number that is given back serves again only after all others, since ranks of a
 * channel close it at different times. Several threads may call. */

enum { CT_LANE_CONTEXTS = 1 << 20, CT_CONTEXT_WORDS = CT_LANE_CONTEXTS / 64, CT_NO_CONTEXT = 0 };

/* Zeroed: all are free. */
struct ct_contexts {
    atomic_uint next;
    _Atomic uint64_t in_use[CT_CONTEXT_WORDS]; /* a bit of each */
};

/* Returns a number that is not in use; CT_NO_CONTEXT if all are. */
unsigned ct_context_take(struct ct_contexts *contexts);
/* CT_NO_CONTEXT is nothing to give back. */
void ct_context_give_back(struct ct_contexts *contexts, unsigned context);

#endif
