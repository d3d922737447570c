/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_FEATURES_H
#define CT_DECISION_FEATURES_H

#include <stddef.h>

/* What a decision may look at: properties of a call that are equal on all its ranks. */

enum ct_feature { CT_COMM_SIZE, CT_MSG_BYTES, CT_FEATURES };

struct ct_features {
    size_t value[CT_FEATURES];
};

/* By enum ct_feature: "comm_size", "msg_bytes". */
extern const char *const ct_feature_names[CT_FEATURES];

/* The feature of that name; CT_FEATURES where there is none. */
enum ct_feature ct_feature_find(const char *name);

#endif
