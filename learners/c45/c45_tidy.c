/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/c45/c45_engine.h"

#include <stdlib.h>
#include <string.h>

/* By attribute, what may still come: by value. NULL where all may. */
struct tidying {
    struct ct_c45_engine *engine;
    const bool **possible;
};

/* Takes values that cannot come out of the last branch, and that where it has none left. */
static void tidy_last(struct ct_c45_node *node, const bool *possible)
{
    bool any = false;
    for (size_t v = 1; v <= node->value_count; v++) {
        if (node->branch_of[v] != node->branch_count)
            continue;
        if (possible && !possible[v])
            node->branch_of[v] = 0;
        else
            any = true;
    }
    if (!any)
        node->branch_count--;
}

static int tidy(struct tidying *tidying, struct ct_c45_node *node)
{
    if (node->test != CT_C45_SUBSETS) {
        int status = CT_OK;
        for (size_t v = 0; status == CT_OK && v < node->branch_count; v++)
            status = tidy(tidying, node->branches[v]);
        return status;
    }
    const bool *above = tidying->possible[node->attribute];
    bool *here = ct_allocate(node->value_count + 1u, sizeof *here);
    int status = here ? CT_OK : CT_E_MEMORY;
    tidy_last(node, above);
    tidying->possible[node->attribute] = here;
    for (size_t b = 0; status == CT_OK && b < node->branch_count; b++) {
        for (size_t v = 1; v <= node->value_count; v++)
            here[v] = node->branch_of[v] == b + 1;
        status = tidy(tidying, node->branches[b]);
    }
    tidying->possible[node->attribute] = above;
    free(here);
    return status;
}

int ct_c45_tidy(struct ct_c45_engine *engine, struct ct_c45_node *root)
{
    struct tidying tidying = {engine, ct_allocate(engine->names->attribute_count, sizeof(bool *))};
    int status = tidying.possible ? tidy(&tidying, root) : CT_E_MEMORY;
    free(tidying.possible);
    return status;
}
