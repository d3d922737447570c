/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/deep_table.h"
#include "decision/tree/tree_build.h"
#include "tests/codegen/random_table.h"
#include "tests/codegen/random_tree.h"

void deep_table(struct ct_table *ret_table)
{
    static const struct {
        enum ct_collective collective;
        enum ct_feature one, other;
        bool in_low;
    } trees[] = {
        {CT_COLLECTIVE_BARRIER, CT_FEATURE_COMM_SIZE, CT_FEATURE_COMM_SIZE, false},
        {CT_COLLECTIVE_BCAST, CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES, true},
        {CT_COLLECTIVE_ALLGATHER, CT_FEATURE_MSG_BYTES, CT_FEATURE_MSG_BYTES, true},
    };
    random_table(ret_table);
    struct ct_decisions *decisions = &ret_table->decisions;
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        for (size_t t = 0; t < decisions->tree_count; t++) {
            if (decisions->trees[t].collective != trees[i].collective)
                continue;
            ct_tree_free(&decisions->trees[t]);
            decisions->trees[t] = deep_tree(trees[i].collective, trees[i].one, trees[i].other,
                                            CT_TREE_DEPTH_MAX, trees[i].in_low);
        }
    }
}
