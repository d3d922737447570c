/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_REPORT_SYNTHETIC_H
#define CT_TESTS_REPORT_SYNTHETIC_H

#include "decision/map.h"
#include "decision/tree/tree.h"

/* Runs and tables that no machine made: times from simple formulas with seeded noise, always the same. */

/* The collective's whole sweep over `comm_sizes` and `msg_sizes` (lists as users write them). A cell in 17
 * lacks a method, so that holes are tried too. */
struct ct_map synthetic_map(enum ct_collective collective, const char *comm_sizes, const char *msg_sizes);

/* A tree of a few leaves for the collective, with the methods in `spellings`, which has four. */
struct ct_decision_tree synthetic_tree(enum ct_collective collective, const char *const spellings[4]);

#endif
