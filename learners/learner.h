/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEARNER_H
#define CT_LEARNERS_LEARNER_H

#include "base/option.h"
#include "base/progress.h"
#include "decision/map.h"
#include "decision/table.h"
#include "decision/tree/tree.h"
#include "learners/learn_features.h"

/* A learner turns a decision map into a decision tree. Each learner is one file, which also holds its
 * options, and one line in learners.def. */

/* Calls of a collective. */
struct ct_learn_calls {
    enum ct_collective collective;
    struct ct_cell_key key;
};

/* Settings that all learners have. The settings of a learner with options of its own begin with these. */
struct ct_learn_settings {
    const struct ct_learner *learner;
    const char *exclude; /* methods never to choose, as ct_learn_allowed() reads them; NULL: none */
    const char *target;  /* the library that the table is for, as the table states it; NULL: ours */
    bool (*target_has)(const void *context, const struct ct_method *method); /* can it carry it out? */
    const void *target_context;
    const struct ct_learn_calls *native_in; /* cells in which native is chosen if it is allowed, by learners
                                               that follow the rules of choosable.h */
    size_t native_in_count;
    struct ct_learn_features features;
    bool joint;                   /* one tree is learned for all collectives with a message size */
    struct ct_text *notes;        /* gets lines about what was learned; NULL: not wanted */
    const struct ct_watch *watch; /* or NULL */
};

/* The row for a learner's table of options; learn_feature_options.def has the rows for `features`. */
#define CT_LEARN_EXCLUDE_OPTION                                                                              \
    {                                                                                                        \
        "exclude", 'x', "METHODS", CT_OPTION_TEXT, offsetof(struct ct_learn_settings, exclude),              \
            .text = "never choose these methods, for example \"native\" or \"bcast/chain:radix=4\"; "        \
                    "separate several by commas"                                                             \
    }

struct ct_learner {
    const char *name;
    const char *text;                /* one line */
    const struct ct_option *options; /* of the settings; the table ends with a name of NULL */
    size_t settings_size;
    bool knows_patterns; /* learns maps of sparse collectives, too */

    /* `allowed` is by method of the map; NULL: all. CT_OK; CT_E_INPUT if no cell has a measured method that
     * is allowed; CT_E_MEMORY, CT_E_LIMIT. Caller frees *ret_tree with ct_tree_free(). */
    int (*learn)(const struct ct_map *map, const struct ct_learn_settings *settings, const bool *allowed,
                 struct ct_error *error, struct ct_decision_tree *ret_tree);

    /* Learns one tree for the maps of several collectives; NULL in learners without `joint`. ret_trees[i]
     * gets the tree of maps[i]; NULL: not wanted. As learn(); on failure no tree is left to free. */
    int (*learn_joint)(const struct ct_map *maps, size_t count, const struct ct_learn_settings *settings,
                       struct ct_error *error, struct ct_decision_tree *const *ret_trees);

    /* Called once after the options were read, and when the settings are freed; either may be NULL. CT_OK, or
     * a failure with a line in `error`. */
    int (*prepare)(struct ct_learn_settings *settings, struct ct_error *error);
    void (*release)(struct ct_learn_settings *settings);
};

/* All learners, ended by NULL; the first is the default. */
extern const struct ct_learner *const ct_learners[];

/* The learner of that name; NULL if there is none. */
const struct ct_learner *ct_learner_find(const char *name);

/* An option as the user gives it. */
struct ct_learn_word {
    const char *name;  /* long name, without dashes */
    const char *value; /* NULL for a flag */
};

/* The settings of a learner with these options, which must live as long. CT_OK; CT_E_INPUT with a line in
 * `error` if the learner has no such option or the value is wrong; CT_E_MEMORY; as prepare(). Free with
 * ct_learn_settings_free(). */
int ct_learn_settings_new(const struct ct_learner *learner, const struct ct_learn_word *words, size_t count,
                          const struct ct_watch *watch, struct ct_error *error,
                          struct ct_learn_settings **ret_settings);
void ct_learn_settings_free(struct ct_learn_settings *settings); /* NULL is allowed */

/* Appends the options that differ from their defaults, as a table states them: "max-depth=3 exclude=native".
 */
void ct_learn_settings_spell(const struct ct_learn_settings *settings, struct ct_text *text);

/* By method of the map: may it be chosen? `exclude` is a list of methods, with or without their collective:
 * an algorithm alone ("native", "bcast/chain") means it with all parameters, a method ("bcast/chain:radix=4")
 * itself. Items of other collectives are ignored; an item that no collective has is CT_E_INPUT. Caller frees
 * *ret_allowed. */
int ct_learn_allowed(const struct ct_map *map, const char *exclude, struct ct_error *error,
                     bool **ret_allowed);

/* The same for all that the settings say: `exclude`, and what the target can carry out. */
int ct_learn_permitted(const struct ct_map *map, const struct ct_learn_settings *settings,
                       struct ct_error *error, bool **ret_allowed);

/* Splits the cells of a map: `*ret_kept` gets those that `keep` (by cell) names, `*ret_others` the rest
 * (NULL: not wanted). Both keep the order of the cells and borrow everything from the map but `cells`. CT_OK,
 * CT_E_MEMORY. Caller frees ret_kept->cells, which holds the cells of both. */
int ct_learn_split(const struct ct_map *map, const bool *keep, struct ct_map *ret_kept,
                   struct ct_map *ret_others);

/* Cells by group: those of group g are order[first[g]] up to order[first[g + 1]], in the map's order. */
struct ct_cell_groups {
    size_t *first;
    size_t *order;
};

/* `group` is by cell, below `group_count`. CT_OK, CT_E_MEMORY. Caller frees with ct_cell_groups_free(). */
int ct_cell_groups_make(const size_t *group, size_t cell_count, size_t group_count,
                        struct ct_cell_groups *ret_groups);
void ct_cell_groups_free(struct ct_cell_groups *groups);

/* Gives every leaf the allowed method with the least geometric-mean time over the cells that lead to it; a
 * leaf without cells keeps its method. Errors as of ct_learn_fill_fallback(). */
int ct_learn_best_leaves(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed);

/* Sets every leaf's `fallback`: its method if that always applies; otherwise, of the methods that always
 * apply and are allowed, the one with the least geometric-mean time over the cells that lead to this leaf;
 * over all cells if these have none; `native` if there is none at all. `allowed` is by method of the map;
 * NULL: all. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_learn_fill_fallback(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed);

/* Ends a learner's learn() that made the tree with this status: fills in fallbacks as above and moves the
 * tree to *ret_tree; on failure frees it and writes a line of error. */
int ct_learn_finish(const struct ct_map *map, const bool *allowed, int status, struct ct_decision_tree *tree,
                    struct ct_error *error, struct ct_decision_tree *ret_tree);

/* Learns one tree from one map with the methods that the settings allow. As the learner's learn(). */
int ct_learn_map(const struct ct_map *map, const struct ct_learn_settings *settings, struct ct_error *error,
                 struct ct_decision_tree *ret_tree);

/* Maps of the run's collectives that have a message size, for joint learning; `ret_maps` has room for
 * CT_COLLECTIVES. CT_OK; CT_E_INPUT if there are fewer than two; as ct_map_make(). Caller frees each with
 * ct_map_free(). */
int ct_learn_joint_maps(const struct ct_run *run, struct ct_error *error, struct ct_map *ret_maps,
                        size_t *ret_count);

/* Learns a table from a run: a tree for each of its collectives, or for `collective` alone if that is not
 * CT_COLLECTIVES. CT_OK; CT_E_INPUT, CT_E_SYSTEM, CT_E_MEMORY. Caller frees with ct_table_free(). */
int ct_learn_table(const struct ct_run *run, const struct ct_learn_settings *settings,
                   enum ct_collective collective, struct ct_error *error, struct ct_table *ret_table);

#endif
