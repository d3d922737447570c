/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEARNER_H
#define CT_LEARNERS_LEARNER_H

#include "base/option.h"
#include "base/progress.h"
#include "decision/map.h"
#include "decision/tree/tree.h"
#include "learners/learn_features.h"

/* A learner turns a decision map into a decision tree. Each learner is one file, which also holds its
 * options, and one line in learners.def. */

/* The learners that learners.def lists, named ct_<name>_learner. */
#define LEARNER(name) extern const struct ct_learner ct_##name##_learner;
#include "learners/learners.def"
#undef LEARNER

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

#endif
