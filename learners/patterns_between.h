/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_PATTERNS_BETWEEN_H
#define CT_LEARNERS_PATTERNS_BETWEEN_H

#include "learners/loss_learner.h"

/* Calls of a sparse collective between the measured ones and one step beyond them, with pessimistic times of
 * the methods there. A pattern to come is seldom like a measured one: it lies somewhere between several of
 * them, or has more ranks or longer messages. `linear` needs no pattern to be good on it, and it is what
 * everybody would do by hand; any other method has to be expected not to be slower. So in a call between two
 * measured ones each method takes, in relation to `linear`, the longer of its times there; beyond the last
 * one the trend goes on, unless that would shorten it.
 *
 * Neighbors are: the next message size, and the next communicator size, of one pattern; and the cells of
 * other patterns whose sizes and features are nearest. */

/* The points of the map (ct_points_of_map()), and those of the calls between. The same points as without,
 * where the map has no times of `linear`. As ct_make_points. */
ct_make_points ct_points_with_calls_between;

#endif
