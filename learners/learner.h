/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEARNER_H
#define CT_LEARNERS_LEARNER_H

#include "decision/map.h"
#include "decision/table.h"
#include "decision/tree/tree.h"
#include "learners/learn_features.h"
#include "models/predict/predicted_times.h"

/* A learner turns a decision map into a decision tree. */

struct ct_learn_options {
    size_t max_depth;      /* tests on a path, or levels of a quadtree; SIZE_MAX: no bound */
    double threshold;      /* of a quadtree: percent, over 0 to 100: a region whose points agree to this share
                              is not split further */
    size_t max_leaves;     /* interpolate, penalty: of the tree; 0: no bound */
    double worst;          /* interpolate, penalty: the loss that no cell learned from should have, as far as
                              leaves may be had for it: 0.5 is 50 %; 0: no bound */
    bool keep_native;      /* interpolate, penalty: where nothing is surely better; after all bounds */
    size_t min_cases;      /* c45: of a test, two branches have so many cells; 1 to a million, 0: 2 */
    double confidence;     /* c45: of pruning, in percent, 0.001 to 100, 0: 25; less prunes
                              more */
    bool together;         /* c45: one tree for all collectives with a message size, then cut for each */
    bool keep_equal;       /* tests whose branches decide the same stay */
    enum ct_feature third; /* CT_FEATURE_NODES or CT_FEATURE_PPN: tested beside the two sizes;
                              CT_FEATURE_COMM_SIZE: nothing else */
    struct ct_text *notes; /* gets a line of what the user should know, each with its end; NULL: not asked */
    const char *exclude;   /* methods never to choose, as ct_learn_allowed() reads them; NULL: none */
    const struct ct_learn_features *features; /* NULL: communicator size and message size */
    struct ct_predicted_times *prior; /* interpolate: a model that says how times go on between and beyond
                                         what was measured; NULL: none */
};

/* All methods, and no bounds. */
extern const struct ct_learn_options ct_learn_standard;

struct ct_learner {
    const char *name;
    const char *text;  /* one line */
    bool any_features; /* it tests what the options say, else communicator size and message size alone */
    bool halves;       /* sizes: it goes by options.third and options.keep_equal */
    bool bounds;  /* what it learns: it goes by options.max_leaves, options.worst and options.keep_native */
    bool follows; /* models: it goes by options.prior */
    /* `allowed` by method of the map; NULL: all. CT_OK; CT_E_INPUT where no cell has a measured method that
     * is allowed; CT_E_MEMORY, CT_E_LIMIT. Caller frees *ret_tree with ct_tree_free(). */
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

/* Sets every leaf's `fallback`: its method where that always applies; else, of the methods that do and are
 * allowed, the one of least geometric-mean time over the cells that lead to this leaf, over all cells where
 * these tell nothing, and `native` at last. `allowed` is by method of the map; NULL: all. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT. */
int ct_learn_fill_fallback(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed);

/* Appends the options that differ from the standard, as a table states them, each after a blank; at least an
 * empty text. */
void ct_learn_spell_options(const struct ct_learn_options *options, struct ct_text *text);

/* Learns a table from a run: a tree for each of its collectives, or for `collective` alone where that is not
 * CT_COLLECTIVES. CT_OK; CT_E_INPUT, CT_E_SYSTEM, CT_E_MEMORY. Caller frees with ct_table_free(). */
int ct_learn_table(const struct ct_run *run, const struct ct_learner *learner,
                   const struct ct_learn_options *options, enum ct_collective collective,
                   struct ct_error *error, struct ct_table *ret_table);

#endif
