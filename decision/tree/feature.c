/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/feature.h"

const struct ct_feature_description ct_feature_descriptions[CT_FEATURES] = {
    [CT_FEATURE_COMM_SIZE] = {"comm_size", "ranks of the communicator", false},
    [CT_FEATURE_MSG_BYTES] = {"msg_bytes", "message size", true},
    [CT_FEATURE_NODES] = {"nodes", "nodes that the ranks lie on", false},
    [CT_FEATURE_PPN] = {"ppn", "ranks on a node; where that differs, on the fullest", false},
};

struct ct_features ct_call_features(enum ct_collective collective, const struct ct_call *call)
{
    const struct ct_nodes *nodes = call->nodes;
    return (struct ct_features){
        .value = {[CT_FEATURE_COMM_SIZE] = (size_t)call->size,
                  [CT_FEATURE_MSG_BYTES] = ct_call_bytes(collective, call),
                  [CT_FEATURE_NODES] = (size_t)(nodes ? nodes->count : call->size),
                  [CT_FEATURE_PPN] = nodes ? (size_t)nodes->fullest : 1},
    };
}
