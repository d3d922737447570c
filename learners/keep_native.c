/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/keep_native.h"
#include "base/memory.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct keeping {
    const struct ct_loss_tree *tree;
    const struct ct_map *map;
    size_t native;
    double level;    /* of the test */
    size_t *parents; /* by node; SIZE_MAX: none */
    size_t *leaves;  /* by cell */
};

/* How a method compares with native in the cells below a node. */
struct evidence {
    size_t cells;
    double sum, squares; /* of log(native's time / the method's) */
    bool all_worse;      /* native is slower, and significantly slower than the best, in each cell */
    bool native_failed;  /* in one of the cells */
};

static bool is_below(const struct keeping *keeping, size_t node, size_t above)
{
    while (node != above && node != SIZE_MAX)
        node = keeping->parents[node];
    return node == above;
}

static struct evidence gather(const struct keeping *keeping, size_t node, size_t method)
{
    struct evidence evidence = {.all_worse = true};
    for (size_t c = 0; c < keeping->map->cell_count; c++) {
        const struct ct_cell *cell = &keeping->map->cells[c];
        const struct ct_statistics *native = &cell->methods[keeping->native], *other = &cell->methods[method];
        if ((native->count == 0 && !native->failed) || other->count == 0 ||
            !is_below(keeping, keeping->leaves[c], node))
            continue;
        if (native->failed) {
            evidence.cells++;
            evidence.native_failed = true;
            continue;
        }
        double gain = log(native->median / other->median);
        evidence.cells++;
        evidence.sum += gain;
        evidence.squares += gain * gain;
        evidence.all_worse &= gain > 0 && cell->standings[keeping->native] == CT_STANDING_WORSE;
    }
    return evidence;
}

static bool is_significant(const struct evidence *evidence, double level)
{
    double n = (double)evidence->cells, mean = evidence->sum / n;
    if (evidence->all_worse || evidence->native_failed)
        return true;
    if (evidence->cells < 2 || mean <= 0)
        return false;
    double variance = fmax(evidence->squares - n * mean * mean, 0) / (n - 1);
    return variance <= 0 || gsl_cdf_tdist_Q(mean / sqrt(variance / n), n - 1) < level;
}

static bool is_significantly_faster(const struct keeping *keeping, size_t leaf)
{
    for (size_t node = leaf; node != SIZE_MAX; node = keeping->parents[node]) {
        const struct evidence evidence = gather(keeping, node, keeping->tree->nodes[leaf].method);
        if (evidence.cells > 0)
            return is_significant(&evidence, keeping->level);
    }
    return false;
}

static int make_room(struct keeping *keeping, const struct ct_feature_columns *columns)
{
    const struct ct_loss_tree *tree = keeping->tree;
    size_t values[CT_FEATURES_MAX];
    keeping->parents = ct_allocate(tree->count, sizeof *keeping->parents);
    keeping->leaves = ct_allocate(keeping->map->cell_count, sizeof *keeping->leaves);
    if (!keeping->parents || !keeping->leaves)
        return CT_E_MEMORY;
    keeping->parents[0] = SIZE_MAX;
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].feature != CT_LEAF)
            keeping->parents[tree->nodes[i].low] = keeping->parents[tree->nodes[i].high] = i;
    for (size_t c = 0; c < keeping->map->cell_count; c++) {
        const struct ct_features call = ct_key_features(&keeping->map->cells[c].key);
        ct_feature_columns_take(columns, &call, values);
        keeping->leaves[c] = ct_loss_tree_leaf(tree, values);
    }
    return CT_OK;
}

int ct_loss_tree_keep_native(struct ct_loss_tree *tree, const struct ct_map *map,
                             const struct ct_feature_columns *columns, const bool *allowed, size_t native)
{
    const double level = 0.05;
    struct keeping keeping = {.tree = tree, .map = map, .native = native};
    size_t others = 0, leaves = 0;
    if (map->exact)
        return CT_OK;
    for (size_t m = 0; m < map->method_count; m++)
        others += allowed[m] && m != native;
    for (size_t i = 0; i < tree->count; i++)
        leaves += tree->nodes[i].is_leaf && tree->nodes[i].method != native;
    keeping.level = level / fmax((double)others * (double)leaves, 1);
    int status = make_room(&keeping, columns);
    for (size_t i = 0; status == CT_OK && i < tree->count; i++) {
        struct ct_loss_node *node = &tree->nodes[i];
        if (node->is_leaf && node->method != native && !is_significantly_faster(&keeping, i))
            node->method = node->fallback = native;
    }
    free(keeping.parents);
    free(keeping.leaves);
    return status;
}
