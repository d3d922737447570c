/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_WAYS_H
#define CT_LIBRARY_NODE_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which way long messages of a lane arrive sooner, in chunks or in one copy out of the sender's memory,
 * depends on where the two CPUs are: close ones exchange cache lines quickly, and both ranks copy at the same
 * time; far ones take several times as long for each line of a chunk, while the kernel's copy is hardly
 * slower. Nothing tells how far they are, so the receiver times some messages of both ways, and tells the
 * sender. */

/* Messages from CT_WAYS_FROM bytes on, by powers of four; beyond the last class the way is always the same.
 */
enum { CT_WAYS_FROM = 16 << 10, CT_WAYS_CLASSES = 3 };

struct ct_ways {
    struct ct_ways_class {
        double rate[2];   /* seconds a byte: about the median lately, in chunks and by copies */
        unsigned seen[2]; /* messages since the way is tried */
        int beyond[2];    /* messages in a row that took far longer than the rate says; negative: far less */
        bool is_settled;  /* both ways were tried */
        bool is_copied;   /* by what both ways took */
        unsigned confirmed; /* messages since the other way was tried, or the choice changed */
        unsigned patience;  /* after so many the other way is tried again */
    } classes[CT_WAYS_CLASSES];
    uint64_t copies; /* by bit of a class: the sender shall let its messages be copied */
};

/* The class of a message of so many bytes; CT_WAYS_CLASSES where its way does not depend on times. */
unsigned ct_ways_class(size_t bytes);

/* Takes how long a message of a class took: its receiver from when it found it, or its sender, whichever took
 * longer. */
void ct_ways_note(struct ct_ways *ways, unsigned of_class, bool is_copy, size_t bytes, double seconds);

#endif
