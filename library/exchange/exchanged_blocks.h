/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_EXCHANGED_BLOCKS_H
#define CT_LIBRARY_EXCHANGE_EXCHANGED_BLOCKS_H

#include <stddef.h>

/* Blocks of ranks that do not know from whom they receive. */

/* The blocks of this rank, end to end. A block has at most INT_MAX bytes. */
struct ct_outgoing {
    size_t count;
    const int *destinations;
    const size_t *lengths;
    const void *data;
};

/* Blocks for this rank, end to end, by source; those of one source in its order. */
struct ct_incoming {
    size_t count;
    int *sources;
    size_t *lengths;
    char *data;
};

#endif
