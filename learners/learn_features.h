/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEARN_FEATURES_H
#define CT_LEARNERS_LEARN_FEATURES_H

#include "base/option.h"
#include "decision/map.h"
#include "decision/tree/feature_set.h"

/* The features that a learner may test. Starts as all zeroes; caller frees with ct_learn_features_free(). */
struct ct_learn_features {
    struct ct_feature_set set;
    size_t numbers[CT_FEATURES_MAX]; /* in the set */
    size_t count;
    bool listed; /* ct_learn_features_list() was called */
    bool usual;  /* it was called for the default list alone, because nobody listed features */
};

/* The default list. Those of patterns tell no cells of other collectives apart. */
#define CT_LEARN_FEATURES                                                                                    \
    "comm_size,msg_bytes,degree,mean_degree,imbalance,on_node,relative_degree,most_bytes,mean_bytes"

/* Adds features by their names, separated by commas. CT_OK; CT_E_INPUT with a line in `error`; CT_E_MEMORY,
 * CT_E_LIMIT. */
int ct_learn_features_list(struct ct_learn_features *features, const char *list, struct ct_error *error);

/* Adds one feature from "NAME=FORMULA". Errors as for ct_learn_features_list(). */
int ct_learn_features_define(struct ct_learn_features *features, const char *definition,
                             struct ct_error *error);

/* Adds the default list unless a list was given. As ct_learn_features_list(). */
int ct_learn_features_complete(struct ct_learn_features *features, struct ct_error *error);

/* Reads --features or --feature for tables of options (`read` in base/option.h). */
int ct_learn_features_read(const struct ct_option *option, const char *word, void *settings,
                           struct ct_error *error);

/* Appends them as options of a table, each after a blank: " features=comm_size,even feature=NAME=FORMULA";
 * nothing for the default list. */
void ct_learn_features_spell(const struct ct_learn_features *features, struct ct_text *text);

void ct_learn_features_free(struct ct_learn_features *features);

/* Features that a learner tests, in the order asked for; ties go to the first. */
struct ct_feature_columns {
    const struct ct_feature_set *set; /* for ct_feature_take() into the tree */
    size_t numbers[CT_FEATURES_MAX];  /* in the set */
    size_t count;
};

/* The `features` (NULL: the default list) that differ between cells of the map, because a test of any other
 * would not tell cells apart. If the collective has no message size, features of it are left out, too.
 * `features` must live as long as the result. */
struct ct_feature_columns ct_feature_columns_of(const struct ct_map *map,
                                                const struct ct_learn_features *features);

/* The values of a call, one for each column. */
void ct_feature_columns_take(const struct ct_feature_columns *columns, const struct ct_features *call,
                             size_t *ret_values);

#endif
