/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEARNER_H
#define CT_LEARNERS_LEARNER_H

#include "decision/map.h"
#include "decision/table.h"
#include "decision/tree.h"
#include "learners/learn_features.h"

/* A learner turns a decision map into a decision tree. */

struct ct_learn_options {
    size_t max_depth;    /* levels of the learner's tree; SIZE_MAX: no bound */
    double threshold;    /* percent, over 0 to 100: a region whose points agree to this share is not split
                            further */
    const char *exclude; /* methods never to choose, as ct_learn_allowed() reads them; NULL: none */
    const struct ct_learn_features *features; /* NULL: communicator size and message size */
};

/* An exact tree of all methods. */
extern const struct ct_learn_options ct_learn_standard;

struct ct_learner {
    const char *name;
    const char *text;  /* one line */
    bool any_features; /* it tests what the options say, else communicator size and message size alone */
    /* `allowed` by method of the map. CT_OK; CT_E_INPUT where no cell has a measured method that is allowed;
     * CT_E_MEMORY, CT_E_LIMIT. Caller frees *ret_tree with ct_tree_free(). */
    int (*learn)(const struct ct_map *map, const struct ct_learn_options *options, const bool *allowed,
                 struct ct_error *error, struct ct_decision_tree *ret_tree);
};

/* All learners, ended by NULL; the first is the standard one. */
extern const struct ct_learner *const ct_learners[];

/* The learner of that name; NULL where there is none. */
const struct ct_learner *ct_learner_find(const char *name);

/* Are these options that the learner takes? CT_OK; CT_E_INPUT with a line in `error`. */
int ct_learn_check(const struct ct_learner *learner, const struct ct_learn_options *options,
                   struct ct_error *error);

/* By method of the map: may it be chosen? `exclude` is a list of methods, with or without their collective:
 * an algorithm alone ("native", "bcast/chain") means it with all parameters, a method ("bcast/chain:radix=4")
 * itself. Items of other collectives are passed over; one that no collective has is CT_E_INPUT. Caller frees
 * *ret_allowed. */
int ct_learn_allowed(const struct ct_map *map, const char *exclude, struct ct_error *error,
                     bool **ret_allowed);

/* Sets every leaf's `otherwise`: its method where that always applies; else, of the methods that do and are
 * allowed, the one of least geometric-mean time over the cells that lead to this leaf, over all cells where
 * these tell nothing, and `native` at last. `allowed` is by method of the map; NULL: all. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT. */
int ct_learn_fill_otherwise(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed);

/* Learns a table from a run: a tree for each of its collectives, or for `collective` alone where that is not
 * CT_COLLECTIVES. CT_OK; CT_E_INPUT, CT_E_SYSTEM, CT_E_MEMORY. Caller frees with ct_table_free(). */
int ct_learn_table(const struct ct_run *run, const struct ct_learner *learner,
                   const struct ct_learn_options *options, enum ct_collective collective,
                   struct ct_error *error, struct ct_table *ret_table);

#endif
