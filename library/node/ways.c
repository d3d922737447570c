/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/ways.h"

#include <assert.h>
#include <stdlib.h>

/* So many messages of a class show how fast a way is. The first ones through chunks find memory that nobody
 * has touched, the fewer the longer they are; and a program may send but few long ones. */
static const unsigned trials_of[CT_WAYS_LENGTHS] = {24, 24, 12, 6, 6};

/* After so many messages another way is tried again, by a few: the system may move ranks to other CPUs, and
 * what disturbed a way may be over. The least number holds after each change, and doubles up to the most.
 * There, where two of the other ways are four times as slow, trials cost one percent. */
enum { PATIENCE_LEAST = 64, PATIENCE_MOST = 1024, FEW_TRIALS = 6 };

/* What was known before such trials counts as so many messages: few may be disturbed in the same way. */
enum { KNOWN_BEFORE = 3 };

/* What a way's time counts. A copy must be clearly faster: its sender waits for it, whereas chunks that there
 * is room for let it go on before its receiver comes. */
static const double weight_of[CT_WAYS] = {1, 1, 1, 1.25};

/* The number of messages that the rate of a way remembers. */
enum { REMEMBERED = 50 };

/* So many in a row that are far from it, on the same side, were not disturbed: the ranks were moved. */
enum { MOVED = 4, REMEMBERED_THEN = 4 };
static const double far = 1.5;

unsigned ct_ways_class(size_t bytes, enum ct_meanwhile meanwhile)
{
    unsigned length = 0;
    for (size_t end = 4 * (size_t)CT_WAYS_FROM; length + 1 < CT_WAYS_LENGTHS && bytes >= end; end *= 4)
        length++;
    return length + meanwhile * CT_WAYS_LENGTHS;
}

/* Of a class, `wanted` has four bits: the way, and that some messages suffice. */
enum { BITS = 4, WAY = 3, CALM = 4 };
static_assert(BITS * CT_WAYS_CLASSES <= 64 && CT_WAYS <= WAY + 1, "a number holds what is wanted");

static unsigned bits_of(uint64_t wanted, unsigned of_class)
{
    return (unsigned)(wanted >> BITS * of_class);
}

enum ct_way ct_ways_wanted(uint64_t wanted, unsigned of_class)
{
    const unsigned way = bits_of(wanted, of_class) & WAY;
    return way < CT_WAYS ? (enum ct_way)way : CT_WAY_FETCHED;
}

bool ct_ways_watched(uint64_t wanted, unsigned of_class)
{
    return !(bits_of(wanted, of_class) & CALM);
}

double ct_ways_seconds(const struct ct_way_times *times)
{
    const double whole = times->ended - times->begun;
    const double parts = times->sent - times->begun + times->ended - times->found;
    return 0 < whole && whole < parts ? whole : parts;
}

/* The sign of the error, where it is large. */
static int error_of(double rate, double known)
{
    return (rate > far * known) - (far * rate < known);
}

/* Follows the rate by steps that become smaller (the stochastic approximation of Robbins and Monro 1951, doi
 * 10.1214/aoms/1177729586): however long a message was disturbed, it counts as one, as in a median. Steps
 * become larger again where errors keep their sign (Kesten 1958, doi 10.1214/aoms/1177706705). */
static void learn(struct ct_ways_class *own, enum ct_way way, double rate)
{
    double *known = &own->rate[way];
    unsigned *seen = &own->seen[way];
    int *beyond = &own->beyond[way];
    const int error = error_of(rate, *known);
    *seen += *seen < REMEMBERED;
    *beyond = error * *beyond > 0 ? *beyond + error : error;
    const unsigned remembered = abs(*beyond) >= MOVED && *seen > REMEMBERED_THEN ? REMEMBERED_THEN : *seen;
    const double step = 1.0 / remembered;
    const double most = *known * (1 + step), least = *known * (1 - step);
    *known = *seen == 1 || (least < rate && rate < most) ? rate : rate < least ? least : most;
}

/* How many of the ways a class has, in their order. */
static int ways_of(const struct ct_ways *ways, unsigned length)
{
    const bool copies = ways->can_copy && length > 0;
    static_assert(CT_WAYS_COPIES_FROM == 4 * CT_WAYS_FROM, "the first length is not copied");
    return copies ? CT_WAYS : CT_WAY_COPY;
}

/* The first way that is still to be tried; `count`: there is none. */
static int untried(const struct ct_ways_class *own, int count, unsigned trials)
{
    int way = 0;
    while (way < count && own->seen[way] >= trials)
        way++;
    return way;
}

static enum ct_way best_of(const struct ct_ways_class *own, int count)
{
    int best = 0;
    for (int way = 1; way < count; way++)
        if (weight_of[way] * own->rate[way] < weight_of[best] * own->rate[best])
            best = way;
    return (enum ct_way)best;
}

/* The way that the next messages shall go. */
static enum ct_way choose(struct ct_ways_class *own, int count, unsigned first_trials)
{
    const int way = untried(own, count, own->is_settled ? KNOWN_BEFORE + FEW_TRIALS : first_trials);
    if (way < count)
        return (enum ct_way)way;
    const enum ct_way best = best_of(own, count);
    if (!own->is_settled || own->best != best) {
        own->is_settled = true;
        own->best = best;
        own->confirmed = 0;
        own->patience = PATIENCE_LEAST;
    }
    if (++own->confirmed < own->patience)
        return best;
    own->confirmed = 0;
    own->patience = own->patience < PATIENCE_MOST ? 2 * own->patience : PATIENCE_MOST;
    do
        own->retried = (own->retried + 1) % count;
    while (own->retried == best);
    own->seen[own->retried] = KNOWN_BEFORE;
    return own->retried;
}

void ct_ways_note(struct ct_ways *ways, unsigned of_class, enum ct_way way, size_t bytes, double seconds)
{
    const unsigned length = of_class % CT_WAYS_LENGTHS;
    struct ct_ways_class *own = &ways->classes[of_class];
    learn(own, way, seconds / (double)bytes);
    const enum ct_way next = choose(own, ways_of(ways, length), trials_of[length]);
    const bool is_calm = own->is_settled && next == own->best && own->beyond[next] == 0;
    const uint64_t bits = next | (is_calm ? CALM : 0), shift = BITS * of_class;
    ways->wanted = (ways->wanted & ~((uint64_t)(WAY | CALM) << shift)) | bits << shift;
}
