/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_RUN_LENGTHS_H
#define CT_LEARNERS_RUN_LENGTHS_H

#include "learners/learner.h"

/* Run-length encoding of a decision map, as in OCC (Pjesivac-Grbovic 2007, section A.1.1) and in the rule
 * files of Open MPI: for each communicator size the list of runs of message sizes with one best method. It is
 * exact: it says of every cell what the map says, and so takes no options that make trees smaller.
 *
 * As a tree, the communicator sizes are a chain of tests, each at most a size that was measured, and behind
 * each of them stands the chain of its runs; what is larger than all that was measured is as the largest.
 * Communicator sizes that follow one another with the same runs are one. Cells that were not measured take
 * the method of the nearest one that was (best_grid.h). */
extern const struct ct_learner ct_run_lengths_learner;

#endif
