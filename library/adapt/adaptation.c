/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/adapt/adaptation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The stages of a trial come first, in their order; the others are begun by a fence while the choice is
 * settled. A stage of the trial keeps candidates that take at most `slack` times as long as its best one, and
 * no more than `most`. With eight candidates and agreements that take 8 calls, a trial takes 192 calls. */
enum stage { FIRST_LOOK, SECOND_LOOK, THIRD_LOOK, LAST_LOOK, SETTLED, DUEL, STAGES };

static const struct {
    unsigned tries;     /* of each candidate; of the choice in SETTLED the last calls before a fence */
    unsigned row;       /* tries in a row */
    unsigned uncounted; /* the first ones of these */
    double slack;
    unsigned most;
} stages[STAGES] = {
    [FIRST_LOOK] = {2, 1, 0, 4, 8},    /* what is hopeless costs two calls */
    [SECOND_LOOK] = {4, 1, 0, 1.5, 6}, /* the first two calls by a method write its plan */
    [THIRD_LOOK] = {8, 4, 1, 1.25, 4}, [LAST_LOOK] = {CT_ADAPTATION_TRIES, 4, 1, 1, 1},
    [SETTLED] = {3, 1, 0, 1, 1},       [DUEL] = {4, 1, 0, 1, 1},
};

/* The calls between fences while the choice is settled. A method that turns slow two calls before a fence is
 * noticed at the next one; with an agreement that takes 8 calls and a duel it is called 48 times at most. */
enum { WATCH_PERIOD = 30 };

/* The choice is settled again if calls take so many times as long as when it was settled. */
static const double noticed = 1.5;

/* Another candidate must be so much faster than the choice to take its place: what is as fast would be
 * exchanged for ever. */
static const double gain_of_trial = 0.97, gain_of_duel = 0.9;

/* After so many calls the others are tried again, and once more whenever their number has doubled. Each of
 * them only as far as its tries take no longer than that share of all calls, by what is known of it. */
enum { FIRST_ANEW = 2048 };
static const double share_of_tries = 1.0 / 512;

static bool is_in(unsigned set, unsigned candidate)
{
    return set >> candidate & 1;
}

static unsigned set_of(unsigned candidate)
{
    return 1U << candidate;
}

static void begin_stage(struct ct_adaptation *adaptation, enum stage stage, unsigned tried)
{
    adaptation->stage = stage;
    adaptation->tried = tried;
    adaptation->tried_count = 0;
    for (unsigned i = 0; i < adaptation->candidates; i++)
        adaptation->tried_count += is_in(tried, i);
    adaptation->row = stages[stage].row;
    adaptation->uncounted = stages[stage].uncounted;
    adaptation->is_at_fence = false;
    adaptation->begun = adaptation->calls;
    unsigned turns = stages[stage].tries * adaptation->tried_count;
    uint64_t fence = stage == SETTLED ? adaptation->fence + WATCH_PERIOD : 0,
             soonest = adaptation->calls + turns;
    adaptation->fence = fence > soonest ? fence : soonest;
    adaptation->timed_from = adaptation->fence - turns;
    memset(adaptation->time_counts, 0, sizeof adaptation->time_counts);
    assert(is_in(tried, adaptation->chosen) || stage < SETTLED);
}

bool ct_adaptation_is_settled(const struct ct_adaptation *adaptation)
{
    return adaptation->stage >= SETTLED;
}

/* At a fence an agreement is about to end the stage. */
bool ct_adaptation_is_untried(const struct ct_adaptation *adaptation)
{
    return adaptation->stage == FIRST_LOOK && !adaptation->is_at_fence;
}

bool ct_adaptation_is_in_turn(const struct ct_adaptation *adaptation, unsigned candidate)
{
    return is_in(adaptation->tried, candidate);
}

bool ct_adaptation_is_measured(const struct ct_adaptation *adaptation, unsigned candidate)
{
    return is_in(adaptation->measured, candidate) && adaptation->known[candidate] < INFINITY;
}

/* The fastest of a set that is not empty, by what is known. */
static unsigned fastest(const struct ct_adaptation *adaptation, unsigned set)
{
    unsigned best = CT_ADAPTATION_CANDIDATES;
    for (unsigned i = 0; i < adaptation->candidates; i++)
        if (is_in(set, i) &&
            (best == CT_ADAPTATION_CANDIDATES || adaptation->known[i] < adaptation->known[best]))
            best = i;
    assert(best < CT_ADAPTATION_CANDIDATES);
    return best;
}

/* The order of turns shifts from round to round, so that a candidate does not always meet the same call of an
 * application that calls in a rhythm. Calls at a fence use what was fastest before this stage. */
unsigned ct_adaptation_candidate(const struct ct_adaptation *adaptation)
{
    if (adaptation->tried_count == 1)
        return adaptation->chosen;
    if (adaptation->is_at_fence)
        return fastest(adaptation, adaptation->tried);
    const uint64_t turn = (adaptation->calls - adaptation->begun) / adaptation->row;
    const uint64_t count = adaptation->tried_count;
    unsigned place = (unsigned)((turn + turn / count) % count), candidate = 0;
    while (!is_in(adaptation->tried, candidate) || place-- > 0)
        candidate++;
    return candidate;
}

void ct_adaptation_note(struct ct_adaptation *adaptation, double seconds)
{
    assert(ct_adaptation_is_timed(adaptation));
    unsigned candidate = ct_adaptation_candidate(adaptation);
    unsigned *count = &adaptation->time_counts[candidate];
    assert(*count < CT_ADAPTATION_TRIES);
    adaptation->times[candidate][(*count)++] = (float)seconds;
}

static int by_time(const void *left, const void *right)
{
    const float *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The mean of the lower half of sorted times, without the lowest eighth. Disturbances only make calls longer,
 * so a few that were disturbed do not count; and it varies less than the median where all calls vary. */
static double mean_of_lower_half(const float *times, unsigned count)
{
    unsigned begin = count / 8, end = (count + 1) / 2;
    double sum = 0;
    for (unsigned i = begin; i < end; i++)
        sum += (double)times[i];
    return sum / (end - begin);
}

void ct_adaptation_measured(const struct ct_adaptation *adaptation,
                            double ret_seconds[CT_ADAPTATION_CANDIDATES])
{
    for (unsigned i = 0; i < CT_ADAPTATION_CANDIDATES; i++) {
        float times[CT_ADAPTATION_TRIES];
        unsigned count = adaptation->time_counts[i];
        ret_seconds[i] = INFINITY;
        if (count == 0)
            continue;
        memcpy(times, adaptation->times[i], count * sizeof *times);
        qsort(times, count, sizeof *times, by_time);
        ret_seconds[i] = mean_of_lower_half(times, count);
    }
}

/* Those of a set that are known to take at most `seconds`. */
static unsigned within(const struct ct_adaptation *adaptation, unsigned set, double seconds)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < adaptation->candidates; i++)
        if (is_in(set, i) && adaptation->known[i] <= seconds)
            kept |= set_of(i);
    return kept;
}

static unsigned fastest_few(const struct ct_adaptation *adaptation, unsigned set, unsigned most)
{
    unsigned kept = 0;
    for (unsigned i = 0; set && i < most; i++) {
        unsigned best = fastest(adaptation, set);
        kept |= set_of(best);
        set &= ~set_of(best);
    }
    return kept;
}

static void settle(struct ct_adaptation *adaptation, double level)
{
    adaptation->level = level;
    begin_stage(adaptation, SETTLED, set_of(adaptation->chosen));
}

/* The faster one of the choice and the best of a set. */
static void choose(struct ct_adaptation *adaptation, unsigned set, double gain)
{
    unsigned best = fastest(adaptation, set);
    if (!is_in(set, adaptation->chosen) ||
        adaptation->known[best] < gain * adaptation->known[adaptation->chosen])
        adaptation->chosen = best;
}

void ct_adaptation_begin(struct ct_adaptation *adaptation, unsigned candidates, const double *predicted)
{
    unsigned tried = set_of(candidates) - 1, foretold = 0;
    assert(candidates >= 2 && candidates <= CT_ADAPTATION_CANDIDATES);
    *adaptation = (struct ct_adaptation){.candidates = candidates, .tried_anew = FIRST_ANEW};
    for (unsigned i = 0; predicted && i < candidates; i++) {
        adaptation->known[i] = predicted[i];
        foretold |= predicted[i] > 0 ? set_of(i) : 0;
    }
    if (foretold) {
        choose(adaptation, foretold, gain_of_trial);
        tried = (tried & ~foretold) | set_of(adaptation->chosen);
    }
    if (tried == set_of(adaptation->chosen))
        settle(adaptation, adaptation->known[adaptation->chosen]);
    else
        begin_stage(adaptation, FIRST_LOOK, tried);
}

static void end_stage_of_trial(struct ct_adaptation *adaptation)
{
    enum stage stage = (enum stage)adaptation->stage;
    unsigned best = fastest(adaptation, adaptation->tried);
    double most = stages[stage].slack * adaptation->known[best];
    unsigned kept = within(adaptation, adaptation->tried, most);
    kept = fastest_few(adaptation, kept, stages[stage].most);
    if (!is_in(kept, adaptation->chosen) || stage == LAST_LOOK)
        choose(adaptation, adaptation->tried, gain_of_trial);
    if (stage == LAST_LOOK || kept == set_of(best))
        settle(adaptation, adaptation->known[adaptation->chosen]);
    else
        begin_stage(adaptation, (enum stage)(stage + 1), kept);
}

/* Without the library of mathematics, which the tuned library does not need. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Has the choice lost? Then whatever may be faster than it is takes part in a new trial. If no call has timed
 * the choice, its time leaves nothing out; then what is hopeless beside the winner is left out. */
static void end_duel(struct ct_adaptation *adaptation)
{
    unsigned loser = adaptation->chosen, all = set_of(adaptation->candidates) - 1;
    choose(adaptation, adaptation->tried, gain_of_duel);
    if (adaptation->chosen == loser) {
        settle(adaptation, larger(adaptation->level, adaptation->known[loser]));
        return;
    }
    double most = adaptation->known[loser];
    if (most == INFINITY)
        most = stages[FIRST_LOOK].slack * adaptation->known[adaptation->chosen];
    unsigned hopeful = within(adaptation, all & ~set_of(loser), most);
    begin_stage(adaptation, SECOND_LOOK, hopeful);
}

/* The others that may be tried again for little. */
static unsigned cheap(const struct ct_adaptation *adaptation, unsigned others)
{
    double budget = share_of_tries * (double)adaptation->calls * adaptation->level;
    return within(adaptation, others, budget / stages[DUEL].tries);
}

/* Is one of the others predicted to be faster than the choice has turned out to be? Then it is tried. */
static unsigned predicted_faster(const struct ct_adaptation *adaptation, unsigned others)
{
    double seconds = gain_of_duel * adaptation->known[adaptation->chosen];
    return fastest_few(adaptation, within(adaptation, others & ~adaptation->measured, seconds), 1);
}

static void watch(struct ct_adaptation *adaptation)
{
    unsigned chosen = adaptation->chosen, others = (set_of(adaptation->candidates) - 1) & ~set_of(chosen);
    double now = adaptation->known[chosen];
    unsigned rivals = predicted_faster(adaptation, others);
    if (!rivals && now > noticed * adaptation->level) {
        adaptation->level = now;
        rivals = fastest_few(adaptation, within(adaptation, others, now), 1);
    } else if (!rivals) {
        /* What was measured in a trial, or while all was slow, is followed downwards by and by. It is
         * INFINITY after a fence at which no call had timed the choice. */
        if (adaptation->level == INFINITY)
            adaptation->level = now;
        else if (now < adaptation->level)
            adaptation->level += (now - adaptation->level) / 4;
        if (adaptation->calls >= adaptation->tried_anew) {
            rivals = cheap(adaptation, others);
            adaptation->tried_anew *= 2;
        }
    }
    begin_stage(adaptation, rivals ? DUEL : SETTLED, set_of(chosen) | rivals);
}

/* Takes over what was agreed on. After its trial, calls to which a candidate does not apply teach nothing if
 * it was measured. Else its prediction gives way to INFINITY, so that it is neither kept nor tried for ever.
 */
static void learn(struct ct_adaptation *adaptation, const double seconds[CT_ADAPTATION_CANDIDATES])
{
    unsigned chosen = adaptation->chosen;
    bool was_measured = is_in(adaptation->measured, chosen);
    for (unsigned i = 0; i < adaptation->candidates; i++) {
        bool is_kept =
            adaptation->stage >= SETTLED && is_in(adaptation->measured, i) && seconds[i] == INFINITY;
        if (!is_in(adaptation->tried, i) || is_kept)
            continue;
        adaptation->known[i] = seconds[i];
        adaptation->measured |= set_of(i);
    }
    if (!was_measured && is_in(adaptation->measured, chosen))
        adaptation->level = adaptation->known[chosen];
}

void ct_adaptation_agree(struct ct_adaptation *adaptation, const double seconds[CT_ADAPTATION_CANDIDATES])
{
    assert(adaptation->is_at_fence);
    learn(adaptation, seconds);
    if (adaptation->stage == SETTLED)
        watch(adaptation);
    else if (adaptation->stage == DUEL)
        end_duel(adaptation);
    else
        end_stage_of_trial(adaptation);
}
