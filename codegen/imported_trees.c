/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/imported_trees.h"

void ct_imported_trees_free(struct ct_imported_trees *trees)
{
    for (size_t i = 0; i < trees->count; i++)
        ct_tree_free(&trees->trees[i]);
    *trees = (struct ct_imported_trees){.count = 0};
}
