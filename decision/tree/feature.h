/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_FEATURE_H
#define CT_DECISION_TREE_FEATURE_H

#include "plan/cell_key.h"

/* What a decision may look at: keys of a call's cell, which are equal on all its ranks, in the order in which
 * trees number them. What can be computed of these is in decision/tree/feature_set.h. */

enum ct_feature {
    CT_FEATURE_COMM_SIZE,
    CT_FEATURE_MSG_BYTES,
    CT_FEATURE_NODES,
    CT_FEATURE_PPN,
    CT_FEATURE_YIELD,
    CT_FEATURE_BY,
    CT_FEATURE_MODE,
    CT_FEATURE_ROOT,
    CT_FEATURE_DEGREE, /* this and the next ones: of patterns, 0 elsewhere */
    CT_FEATURE_MEAN_DEGREE,
    CT_FEATURE_IMBALANCE,
    CT_FEATURE_ON_NODE,
    CT_FEATURES
};

struct ct_features {
    size_t value[CT_FEATURES];
};

/* By enum ct_feature: the key that it is. */
extern const struct ct_key_descriptor *const ct_feature_descriptors[CT_FEATURES];

struct ct_features ct_key_features(const struct ct_cell_key *key);
/* The features of a call, as all its ranks see it; see ct_call_key(). */
struct ct_features ct_call_features(enum ct_collective collective, const struct ct_call *call);

#endif
