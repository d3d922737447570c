/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/feature.h"

const struct ct_key_descriptor *const ct_feature_descriptors[CT_FEATURES] = {
    [CT_FEATURE_COMM_SIZE] = &ct_key_descriptors[CT_KEY_COMM_SIZE],
    [CT_FEATURE_MSG_BYTES] = &ct_key_descriptors[CT_KEY_MSG_BYTES],
    [CT_FEATURE_NODES] = &ct_key_descriptors[CT_KEY_NODES],
    [CT_FEATURE_PPN] = &ct_key_descriptors[CT_KEY_PPN],
    [CT_FEATURE_YIELD] = &ct_key_descriptors[CT_KEY_YIELD],
    [CT_FEATURE_BY] = &ct_key_descriptors[CT_KEY_BY],
    [CT_FEATURE_MODE] = &ct_key_descriptors[CT_KEY_MODE],
    [CT_FEATURE_ROOT] = &ct_key_descriptors[CT_KEY_ROOT],
    [CT_FEATURE_DEGREE] = &ct_key_descriptors[CT_KEY_DEGREE],
    [CT_FEATURE_MEAN_DEGREE] = &ct_key_descriptors[CT_KEY_MEAN_DEGREE],
    [CT_FEATURE_IMBALANCE] = &ct_key_descriptors[CT_KEY_IMBALANCE],
    [CT_FEATURE_ON_NODE] = &ct_key_descriptors[CT_KEY_ON_NODE],
};

struct ct_features ct_key_features(const struct ct_cell_key *key)
{
    struct ct_features features;
    for (int i = 0; i < CT_FEATURES; i++)
        features.value[i] = ct_key_value(key, ct_feature_descriptors[i]);
    return features;
}

struct ct_features ct_call_features(enum ct_collective collective, const struct ct_call *call)
{
    const struct ct_cell_key key = ct_call_key(collective, call);
    return ct_key_features(&key);
}
