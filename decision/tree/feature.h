/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_FEATURE_H
#define CT_DECISION_TREE_FEATURE_H

#include "plan/call.h"

#include <stddef.h>

/* What a decision may look at: properties of a call that are equal on all its ranks. What can be computed of
 * these is in decision/tree/feature_set.h. */

enum ct_feature { CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES, CT_FEATURE_NODES, CT_FEATURE_PPN, CT_FEATURES };

struct ct_features {
    size_t value[CT_FEATURES];
};

struct ct_feature_description {
    const char *name;
    const char *text; /* one line */
    bool in_bytes;    /* written with K, M and G */
};

/* By enum ct_feature. */
extern const struct ct_feature_description ct_feature_descriptions[CT_FEATURES];

/* Of a call, as all its ranks see it. Where it is not known which ranks share a node, each is taken to have
 * its own. */
struct ct_features ct_call_features(enum ct_collective collective, const struct ct_call *call);

#endif
