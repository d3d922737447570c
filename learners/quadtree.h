/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_QUADTREE_H
#define CT_LEARNERS_QUADTREE_H

#include "learners/learner.h"

/* Quadtree encoding of a decision map, after Pjesivac-Grbovic 2007, section 5.3.
 *
 * Communicator sizes and message sizes are the two sides of a square of 2^k x 2^k points, which is cut into
 * four by halving both sides, again and again, by number of points and not by value. A side of n < 2^k sizes
 * is spread over the square evenly: size i stands at the points ceil(i 2^k / n) up to those of i + 1. The
 * replicas only place the cuts: a size belongs whole to the half that its first point lies in, counts once,
 * and a cut that leaves all sizes on one side gives no test.
 *
 * A quadrant becomes a leaf where all its points have the same best method; where the share of one method
 * reaches the threshold; or at the greatest depth. It then takes the method of most points; in a tie that of
 * its upper right corner (largest communicator, largest message) if that is in the tie, else the first in the
 * map. Points that were not measured take the method of the nearest one that was (best_grid.h).
 *
 * With options.third the square is a cube, and a cut gives eight octants: nodes or processes per node are its
 * third side. Otherwise cells that differ in these alone share a point.
 *
 * As a binary tree, a quadrant is a test of the communicator size over tests of the message size, and an
 * octant has one of the third below these; each at most at the last size of the lower part. Regions at the
 * edge reach to infinity. Branches that came out the same are one; so are two tests of one feature in a row,
 * where what lies between their thresholds decides as what lies beyond one of them. With options.keep_equal
 * they stay apart, and the tree shows the quadrants as they were cut. */
extern const struct ct_learner ct_quadtree_learner;

#endif
