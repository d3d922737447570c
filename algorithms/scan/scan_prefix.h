/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_SCAN_SCAN_PREFIX_H
#define CT_ALGORITHMS_SCAN_SCAN_PREFIX_H

#include "plan/call.h"

/* The data that a rank of a scan or exscan has combined: its input and that of the ranks just before it, as
 * far as received. The result grows in CT_BUFFER_RECV; in exscan it lacks this rank's input, so the sum for
 * other ranks is combined a second time, in a buffer of its own. */
struct ct_prefix {
    const struct ct_call *call;
    bool exclusive;
    unsigned sum;   /* the buffer to send: this rank's input, and with it all that has come in */
    unsigned total; /* exscan: where the sum is combined; 0 where there is none yet */
    unsigned spare; /* where data comes in that is to be combined; 0 where there is none yet */
    bool begun;     /* something has come in */
};

/* May leave a local step in the round being written. */
struct ct_prefix ct_prefix_begin(struct ct_plan *plan, const struct ct_call *call, bool exclusive);

/* Receives from `peer` the sum over the ranks just before those combined here, in the round being written,
 * where the old sum may be on its way to others, and then combines it. `is_sent`: so that the new sum is sent
 * some time. Ends the round. */
void ct_prefix_receive(struct ct_plan *plan, struct ct_prefix *prefix, int peer, bool is_sent);

#endif
