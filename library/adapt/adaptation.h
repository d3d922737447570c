/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_ADAPTATION_H
#define CT_LIBRARY_ADAPTATION_H

#include <stdbool.h>
#include <stdint.h>

/* How the method of calls that are alike is chosen while the application runs: which candidate each call
 * tries, and which of them is used from then on. Without MPI.
 *
 * All ranks of a communicator keep one of these for the same calls. What it chooses follows from the number
 * of calls and from times that the ranks have agreed on, so all ranks choose alike. The times of a rank's own
 * calls only say what that rank brings into an agreement. An agreement is due at call numbers that all ranks
 * know: at a fence, as Kumar 2005, section 6.4, calls the point at which strategies are switched. It may take
 * a few calls, which use what was chosen so far.
 *
 * A trial has stages. In each of them the candidates take turns, and those that are too slow are left out of
 * the next one. In the last stages each has several calls in a row at its turn, of which the first does not
 * count: by many methods ranks leave a call one after another, and then the next call waits for the last of
 * them, whatever its own method. Then the choice is settled, and watched: at each fence the ranks agree on
 * how long the last calls took. If they took much longer than when the choice was settled, a duel with the
 * next best candidate tells whether the method has become slow, or everything. At times that double, the
 * others are tried again, as far as that costs little.
 *
 * Where a model predicts the times of candidates, the one that it says is the fastest is settled on without a
 * trial of the others (Kumar 2005, section 6.4, switches to it at the next fence). It is measured at its
 * first fence. While another one is predicted to be faster than that, the two play a duel. A candidate
 * that is predicted, but applies to none of the calls in which it is measured, counts as infinitely slow.
 *
 * Candidate 0 is what the decision table says. It stays unless another one is clearly faster. */

enum {
    CT_ADAPTATION_CANDIDATES = 8, /* the most */
    CT_ADAPTATION_TRIES = 16,     /* the most of a candidate in a stage */
};

struct ct_adaptation {
    unsigned candidates;
    unsigned chosen;      /* candidate that is settled on, or was until this trial */
    unsigned stage;       /* number in the table of stages */
    unsigned tried;       /* set of the candidates that take turns in this stage */
    unsigned tried_count; /* number of these */
    unsigned row;         /* calls in a row that each of them has in this stage */
    unsigned uncounted;   /* the first ones of these, whose times do not count */
    bool is_at_fence;     /* an agreement is due, or under way */
    uint64_t calls;
    uint64_t begun;                         /* the calls before this stage */
    uint64_t timed_from;                    /* the number of the first call in this stage whose time counts */
    uint64_t fence;                         /* the number of calls at which the next agreement is due */
    uint64_t tried_anew;                    /* the number of calls from which the others are tried again */
    double level;                           /* how long calls by what was settled on take, in seconds */
    unsigned measured;                      /* set of the candidates whose times have been agreed on */
    double known[CT_ADAPTATION_CANDIDATES]; /* seconds, as agreed on last; else predicted; 0: neither */
    unsigned time_counts[CT_ADAPTATION_CANDIDATES];
    float times[CT_ADAPTATION_CANDIDATES][CT_ADAPTATION_TRIES]; /* of this rank's calls in this stage */
};

/* Begins with so many candidates, from 2 to CT_ADAPTATION_CANDIDATES, whose seconds are predicted, or 0 where
 * they are not; NULL: none is. Equal at all ranks. Those that are not predicted are tried, with the fastest
 * of the others. */
void ct_adaptation_begin(struct ct_adaptation *adaptation, unsigned candidates, const double *predicted);

/* Returns the candidate for the next call. */
unsigned ct_adaptation_candidate(const struct ct_adaptation *adaptation);

/* Do all calls of this stage use one candidate? */
static inline bool ct_adaptation_is_alone(const struct ct_adaptation *adaptation)
{
    return adaptation->tried_count == 1;
}

/* Does the time of the next call count? */
static inline bool ct_adaptation_is_timed(const struct ct_adaptation *adaptation)
{
    return adaptation->calls >= adaptation->timed_from && !adaptation->is_at_fence &&
           (adaptation->calls - adaptation->begun) % adaptation->row >= adaptation->uncounted;
}

/* Does the next call use what is settled on, without its time and with no agreement after it but one that is
 * due already? */
static inline bool ct_adaptation_is_quiet(const struct ct_adaptation *adaptation)
{
    return ct_adaptation_is_alone(adaptation) && !ct_adaptation_is_timed(adaptation);
}

/* Notes how many seconds the next call took at this rank, before it is counted. Only for a call whose time
 * counts and that used its candidate. */
void ct_adaptation_note(struct ct_adaptation *adaptation, double seconds);

/* Counts the call. Returns whether an agreement is due, which it is until ct_adaptation_agree(). */
static inline bool ct_adaptation_count(struct ct_adaptation *adaptation)
{
    adaptation->is_at_fence |= ++adaptation->calls == adaptation->fence;
    return adaptation->is_at_fence;
}

/* What this rank brings into the agreement that is due: the seconds of each candidate in the stage that has
 * ended, INFINITY where it has none. The mean of the shorter half of its calls, so that a few calls that were
 * disturbed do not count. */
void ct_adaptation_measured(const struct ct_adaptation *adaptation,
                            double ret_seconds[CT_ADAPTATION_CANDIDATES]);

/* Goes on after an agreement, where `seconds` are the greatest that any rank brought into it: a collective
 * has ended where its last rank has. */
void ct_adaptation_agree(struct ct_adaptation *adaptation, const double seconds[CT_ADAPTATION_CANDIDATES]);

/* Is a choice settled on, and no trial going on? */
bool ct_adaptation_is_settled(const struct ct_adaptation *adaptation);
/* Is the first stage of the first trial going on, so that a prediction could spare most of it? */
bool ct_adaptation_is_untried(const struct ct_adaptation *adaptation);
/* Does the candidate take turns in this stage? */
bool ct_adaptation_is_in_turn(const struct ct_adaptation *adaptation, unsigned candidate);
/* Is `known` what ranks have agreed on, with calls to which the candidate applied? */
bool ct_adaptation_is_measured(const struct ct_adaptation *adaptation, unsigned candidate);

#endif
