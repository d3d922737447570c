/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_TREE_PARTS_H
#define CT_CODEGEN_TREE_PARTS_H

#include "decision/tree/tree.h"

/* A decision tree divided by the features of a call that its two sizes do not determine: nodes, ranks per
 * node, whether ranks yield, how they are mapped, how calls are made. Each part tests the sizes alone, and
 * features that are computed. */

struct ct_tree_part {
    struct ct_decision_tree tree; /* methods and features are those of the whole tree */
    size_t least[CT_FEATURES];    /* the values for which the part decides; of the sizes 0 to SIZE_MAX */
    size_t most[CT_FEATURES];
};

enum { CT_TREE_PARTS_MAX = 1000 };

/* The parts, those of smaller values first. CT_OK; CT_E_LIMIT with a line in `error` if there are more than
 * CT_TREE_PARTS_MAX; CT_E_MEMORY. The tree must outlive them. Caller frees with ct_tree_parts_free(). */
int ct_tree_parts_make(const struct ct_decision_tree *tree, struct ct_error *error,
                       struct ct_tree_part **ret_parts, size_t *ret_count);
void ct_tree_parts_free(struct ct_tree_part *parts, size_t count);

/* Appends what sets the part apart: ", nodes 2 to 4, yield no"; nothing for a whole tree. */
void ct_tree_part_write(const struct ct_tree_part *part, struct ct_text *text);

#endif
