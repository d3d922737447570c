/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/ways.h"

#include <stdlib.h>

/* So many messages of a class show how fast a way is. The first ones through chunks find memory that nobody
 * has touched, the fewer the longer they are; and a program may send but few long ones. */
static const unsigned trials_of[CT_WAYS_CLASSES] = {24, 12, 6};

/* After so many messages the other way is tried again, by a few: the system may move ranks to other CPUs, and
 * what disturbed a way may be over. The least number holds after each change, and doubles up to the most.
 * There, where the other way is four times as slow, trials cost one percent. */
enum { PATIENCE_LEAST = 64, PATIENCE_MOST = 2048, FEW_TRIALS = 6 };

/* What was known before such trials counts as so many messages: few may be disturbed in the same way. */
enum { KNOWN_BEFORE = 3 };

/* A copy must be clearly faster. The sender waits for it, and it is timed as a whole; of chunks that the
 * sender filled before, only the receiver's part is. */
static const double clearly = 0.8;

/* The number of messages that the rate of a way remembers. */
enum { REMEMBERED = 50 };

/* So many in a row that are far from it, on the same side, were not disturbed: the ranks were moved. */
enum { MOVED = 4, REMEMBERED_THEN = 4 };
static const double far = 1.5;

unsigned ct_ways_class(size_t bytes)
{
    unsigned of_class = 0;
    size_t end = 4 * (size_t)CT_WAYS_FROM;
    if (bytes < CT_WAYS_FROM)
        return CT_WAYS_CLASSES;
    /* the last class ends with eight times its beginning */
    for (; of_class + 1 < CT_WAYS_CLASSES && bytes >= end; end *= 4)
        of_class++;
    return of_class;
}

/* The sign of the error, where it is large. */
static int error_of(double rate, double known)
{
    return (rate > far * known) - (far * rate < known);
}

/* Follows the rate by steps that become smaller (the stochastic approximation of Robbins and Monro 1951, doi
 * 10.1214/aoms/1177729586): however long a message was disturbed, it counts as one, as in a median. Steps
 * become larger again where errors keep their sign (Kesten 1958, doi 10.1214/aoms/1177706705). */
static void learn(struct ct_ways_class *own, bool is_copy, double rate)
{
    double *known = &own->rate[is_copy];
    unsigned *seen = &own->seen[is_copy];
    int *beyond = &own->beyond[is_copy];
    const int error = error_of(rate, *known);
    *seen += *seen < REMEMBERED;
    *beyond = error * *beyond > 0 ? *beyond + error : error;
    const unsigned remembered = abs(*beyond) >= MOVED && *seen > REMEMBERED_THEN ? REMEMBERED_THEN : *seen;
    const double step = 1.0 / remembered;
    const double most = *known * (1 + step), least = *known * (1 - step);
    *known = *seen == 1 || (least < rate && rate < most) ? rate : rate < least ? least : most;
}

/* Shall messages be copied? */
static bool wants_copy(struct ct_ways_class *own, unsigned first_trials)
{
    const unsigned trials = own->is_settled ? KNOWN_BEFORE + FEW_TRIALS : first_trials;
    if (own->seen[false] < trials)
        return false;
    if (own->seen[true] < trials)
        return true;
    const bool is_faster = own->rate[true] < clearly * own->rate[false];
    if (!own->is_settled || own->is_copied != is_faster) {
        own->is_settled = true;
        own->is_copied = is_faster;
        own->confirmed = 0;
        own->patience = PATIENCE_LEAST;
    }
    if (++own->confirmed < own->patience)
        return is_faster;
    own->confirmed = 0;
    own->patience = own->patience < PATIENCE_MOST ? 2 * own->patience : PATIENCE_MOST;
    own->seen[!is_faster] = KNOWN_BEFORE;
    return !is_faster;
}

void ct_ways_note(struct ct_ways *ways, unsigned of_class, bool is_copy, size_t bytes, double seconds)
{
    const uint64_t bit = (uint64_t)1 << of_class;
    struct ct_ways_class *own = &ways->classes[of_class];
    learn(own, is_copy, seconds / (double)bytes);
    ways->copies = wants_copy(own, trials_of[of_class]) ? ways->copies | bit : ways->copies & ~bit;
}
