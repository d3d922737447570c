/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/ways.h"

/* So many messages show how fast a way is. The first ones through chunks find memory that nobody has touched.
 */
enum { TRIALS = 24 };

/* After so many messages the other way is tried again, by a few: the system may move ranks to other CPUs.
 * Where it is four times as slow, that costs one percent. */
enum { SETTLED_MOST = 2048, FEW_TRIALS = 6 };

/* A copy must be clearly faster. The sender waits for it, and it is timed as a whole; of chunks that the
 * sender filled before, only the receiver's part is. */
static const double clearly = 0.8;

/* Slower messages make the rate forget that faster ones were seen. */
static const double forgetting = 0.05;

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

static void learn(struct ct_ways_class *own, bool is_copy, double rate)
{
    double *known = &own->rate[is_copy];
    if (*known == 0 || rate < *known)
        *known = rate;
    else
        *known += forgetting * (rate - *known);
    own->seen[is_copy] += own->seen[is_copy] < TRIALS;
}

/* Shall messages be copied? */
static bool wants_copy(struct ct_ways_class *own)
{
    if (own->seen[false] < TRIALS)
        return false;
    if (own->seen[true] < TRIALS)
        return true;
    bool is_faster = own->rate[true] < clearly * own->rate[false];
    if (++own->settled < SETTLED_MOST)
        return is_faster;
    own->settled = 0;
    own->seen[!is_faster] = TRIALS - FEW_TRIALS;
    own->rate[!is_faster] = 0;
    return !is_faster;
}

void ct_ways_note(struct ct_ways *ways, unsigned of_class, bool is_copy, size_t bytes, double seconds)
{
    const uint64_t bit = (uint64_t)1 << of_class;
    struct ct_ways_class *own = &ways->classes[of_class];
    learn(own, is_copy, seconds / (double)bytes);
    ways->copies = wants_copy(own) ? ways->copies | bit : ways->copies & ~bit;
}
