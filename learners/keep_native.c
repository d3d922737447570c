/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/keep_native.h"
#include "base/memory.h"
#include "decision/score.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct keeping {
    const struct ct_loss_tree *tree;
    const struct ct_map *map;
    size_t native;
    double level;    /* of the test */
    double clear;    /* gain that needs no test, if witnesses agree */
    size_t *parents; /* by node; SIZE_MAX: none */
    size_t *leaves;  /* by cell */
};

/* How a method compares with native in the cells below a node. */
struct evidence {
    size_t cells;
    size_t launches;     /* the most in which both were measured, of one cell */
    double least;        /* log(native's time / the method's) in a launch */
    double sum, squares; /* of log(native's time / the method's) */
    size_t witnesses;    /* cells in which native is significantly slower, and clearly so in each launch */
    bool is_doubted;     /* in one of the cells native is faster by more than the margin */
    bool all_worse;      /* native is slower, and significantly slower than the best, in each cell */
    bool native_failed;  /* in one of the cells */
};

static bool is_below(const struct keeping *keeping, size_t node, size_t above)
{
    while (node != above && node != SIZE_MAX)
        node = keeping->parents[node];
    return node == above;
}

/* Adds the launches of a cell in which both were measured. Returns log(native's time / the method's) in the
 * one where it is least. */
static double add_launches(const struct ct_cell *cell, const struct ct_statistics *native,
                           const struct ct_statistics *other, struct evidence *evidence)
{
    size_t both = 0;
    double least = log(native->median / other->median);
    for (size_t i = 0; cell->launches && i < native->launches; i++)
        for (size_t j = 0; j < other->launches; j++) {
            const struct ct_launch_median *a = &cell->launches[native->first_launch + i];
            const struct ct_launch_median *b = &cell->launches[other->first_launch + j];
            if (a->launch != b->launch)
                continue;
            least = fmin(least, log(a->median / b->median));
            both++;
        }
    evidence->least = fmin(evidence->least, least);
    evidence->launches = both > evidence->launches ? both : evidence->launches;
    return least;
}

static struct evidence gather(const struct keeping *keeping, size_t node, size_t method)
{
    struct evidence evidence = {.all_worse = true, .least = INFINITY};
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
        const double gain = log(native->median / other->median);
        const bool is_worse = gain > 0 && cell->standings[keeping->native] == CT_STANDING_WORSE;
        evidence.cells++;
        evidence.sum += gain;
        evidence.squares += gain * gain;
        const double least = add_launches(cell, native, other, &evidence);
        evidence.all_worse &= is_worse;
        evidence.witnesses += is_worse && least > keeping->clear;
        evidence.is_doubted |= gain < -log1p(keeping->map->margin);
    }
    return evidence;
}

enum { WITNESSES = 2 };

/* Cells, or launches of one. */
static bool has_witnesses(const struct evidence *evidence)
{
    return evidence->cells >= WITNESSES || evidence->launches >= WITNESSES;
}

static bool is_significant(const struct keeping *keeping, const struct evidence *evidence)
{
    double n = (double)evidence->cells, mean = evidence->sum / n;
    if (evidence->all_worse || evidence->native_failed)
        return true;
    if (evidence->least > keeping->clear || (evidence->witnesses >= WITNESSES && !evidence->is_doubted))
        return true;
    if (evidence->cells < WITNESSES || mean <= 0)
        return false;
    double variance = fmax(evidence->squares - n * mean * mean, 0) / (n - 1);
    return variance <= 0 || gsl_cdf_tdist_Q(mean / sqrt(variance / n), n - 1) < keeping->level;
}

static bool is_significantly_faster(const struct keeping *keeping, size_t leaf)
{
    for (size_t node = leaf; node != SIZE_MAX; node = keeping->parents[node]) {
        const struct evidence evidence = gather(keeping, node, keeping->tree->nodes[leaf].method);
        if (evidence.native_failed || has_witnesses(&evidence))
            return is_significant(keeping, &evidence);
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

/* What a leaf takes in a cell. */
static size_t choice_in(const struct ct_map *map, const struct ct_loss_node *leaf, const struct ct_cell *cell)
{
    return ct_score_applies(&map->methods[leaf->method], cell) ? leaf->method : leaf->fallback;
}

/* Sets a leaf to native, and notes what that costs in its cells. */
static void keep(const struct keeping *keeping, size_t place, struct ct_loss_node *leaf,
                 struct ct_kept_native *kept)
{
    const struct ct_map *map = keeping->map;
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell *cell = &map->cells[c];
        size_t choice = choice_in(map, leaf, cell);
        if (keeping->leaves[c] != place || choice == keeping->native ||
            cell->methods[keeping->native].count == 0 || cell->methods[choice].count == 0)
            continue;
        kept->changed++;
        kept->log_cost += log(cell->methods[keeping->native].median / cell->methods[choice].median);
    }
    leaf->method = leaf->fallback = keeping->native;
}

int ct_loss_tree_keep_native(struct ct_loss_tree *tree, const struct ct_map *map,
                             const struct ct_feature_columns *columns, const bool *allowed, size_t native,
                             struct ct_kept_native *ret_kept)
{
    const double level = 0.05;
    struct keeping keeping = {.tree = tree, .map = map, .native = native, .clear = log1p(2 * map->margin)};
    struct ct_kept_native kept = {0};
    size_t others = 0, leaves = 0;
    *ret_kept = kept;
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
            keep(&keeping, i, node, &kept);
    }
    free(keeping.parents);
    free(keeping.leaves);
    if (status == CT_OK)
        *ret_kept = kept;
    return status;
}
