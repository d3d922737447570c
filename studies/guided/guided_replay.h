/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_GUIDED_REPLAY_H
#define CT_STUDIES_GUIDED_REPLAY_H

#include "decision/map.h"
#include "decision/score.h"
#include "measure/sweep/guide.h"
#include "measure/sweep/guide_axes.h"

#include <stdint.h>

/* A guided sweep without a machine: what it wants to measure is looked up in the map of an exhaustive run. */

struct guided_replay {
    const struct ct_map *truth; /* not owned */
    struct ct_guide_axes axes;
    struct ct_cell_key *keys; /* by point */
    struct ct_guide_space space;
    size_t all;    /* repetitions of the truth */
    size_t most;   /* repetitions after which to stop; 0: none */
    uint64_t seed; /* of GUIDED_REPLAY_BY_CHANCE */
    size_t round;  /* number of the last one */
    size_t cells;  /* measured so far */
    size_t repetitions;
};

/* Nothing measured yet. The map has a cell at most for each placement and message size, and outlives the
 * replay. CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees. */
int guided_replay_begin(const struct ct_map *truth, struct guided_replay *ret_replay);
void guided_replay_free(struct guided_replay *replay);

/* The space's point of a cell of the truth. */
size_t guided_replay_point(const struct guided_replay *replay, const struct ct_cell *cell);

/* Measures the next round; *ret_any is false where there was nothing left to measure, or no repetitions left.
 * CT_OK, CT_E_MEMORY. */
int guided_replay_step(struct guided_replay *replay, const struct ct_guide_rules *rules, bool *ret_any);

/* How to go on once no box is to be halved. Both measure the methods that are expected to gain something in a
 * cell, those that are best around it, native, and others in turn; a round has a quarter of the slots that
 * are measured. */
enum guided_replay_further {
    GUIDED_REPLAY_BY_GAIN,  /* the cells of largest expected gain, as sweeps do */
    GUIDED_REPLAY_BY_CHANCE /* any cells, for comparison */
};

/* Measures the next round, which lies anywhere; *ret_any is false where there was nothing left that is
 * expected to gain enough (of GUIDED_REPLAY_BY_CHANCE: nothing left), or no repetitions left. CT_OK,
 * CT_E_MEMORY, CT_E_LIMIT. */
int guided_replay_further(struct guided_replay *replay, const struct ct_guide_rules *rules,
                          enum guided_replay_further way, struct ct_error *error, bool *ret_any);

/* The map that a run of what was measured so far would give. Computed times are compared directly; of
 * measured ones the standings in a cell stay as they are if its best method is still there. CT_OK,
 * CT_E_MEMORY. Caller frees. */
int guided_replay_map(const struct guided_replay *replay, struct ct_map *ret_map);

/* Learns from that map with a learner and its usual options, and scores the tree against the truth. CT_OK;
 * errors of both. */
int guided_replay_score(const struct guided_replay *replay, const char *learner, struct ct_error *error,
                        struct ct_penalty *ret_penalty);

#endif
