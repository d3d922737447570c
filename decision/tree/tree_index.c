/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree_index.h"
#include "base/memory.h"
#include "base/sort.h"
#include "decision/tree/tree_walk.h"

#include <stdlib.h>

/* --- the sides --- */

/* The thresholds that the tree tests a feature against, rising, each once; returns how many. */
static size_t thresholds_of(const struct ct_decision_tree *tree, size_t feature, size_t *thresholds)
{
    size_t count = 0;
    for (size_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].feature == (int16_t)feature)
            thresholds[count++] = tree->nodes[i].threshold;
    return ct_sort_unique(thresholds, count);
}

/* A side for each feature that is tested. CT_E_LIMIT where the matrix would have too many cells. */
static int make_sides(const struct ct_decision_tree *tree, size_t *thresholds, struct ct_tree_index *index)
{
    index->cell_count = 1;
    for (size_t feature = 0; feature < CT_FEATURES + tree->features.count; feature++) {
        size_t count = thresholds_of(tree, feature, thresholds);
        if (count == 0)
            continue;
        if (!ct_multiply(index->cell_count, count + 1, &index->cell_count) ||
            index->cell_count > CT_INDEX_CELLS_MAX)
            return CT_E_LIMIT;
        struct ct_index_side *side = &index->sides[index->side_count];
        int status = ct_thresholds_make(thresholds, count, &side->ranks);
        if (status != CT_OK)
            return status;
        side->feature = feature;
        index->side_count++;
    }
    size_t stride = 1;
    for (size_t i = index->side_count; i-- > 0;) {
        index->sides[i].stride = stride;
        stride *= index->sides[i].ranks.count + 1;
    }
    return CT_OK;
}

/* --- the cells --- */

/* Ranks from..to - 1 of a side. */
struct range {
    size_t from, to;
};

struct filler {
    struct ct_tree_index *index;
    struct range *box;   /* by side: what the tests above leave */
    struct range *above; /* by depth: what they left the side of that test */
};

static size_t side_of(const struct ct_tree_index *index, int16_t feature)
{
    size_t side = 0;
    while (index->sides[side].feature != (size_t)feature)
        side++;
    return side;
}

/* Gives all cells of the box the choice: counts through its ranks as a number's digits. */
static void fill_box(const struct filler *filler, struct ct_tree_choice choice)
{
    struct ct_tree_index *index = filler->index;
    size_t cells = 1;
    for (size_t i = 0; i < index->side_count; i++)
        cells *= filler->box[i].to - filler->box[i].from;
    for (size_t n = 0; n < cells; n++) {
        size_t cell = 0, rest = n;
        for (size_t i = index->side_count; i-- > 0;) {
            size_t width = filler->box[i].to - filler->box[i].from;
            cell += (filler->box[i].from + rest % width) * index->sides[i].stride;
            rest /= width;
        }
        index->cells[cell] = choice;
    }
}

/* The first rank in the range that a test sends to its high branch; its end where there is none. */
static size_t cut_of(const struct ct_index_side *side, size_t threshold, const struct range *range)
{
    size_t cut = ct_threshold_index(&side->ranks, threshold) + 1;
    return cut < range->from ? range->from : cut > range->to ? range->to : cut;
}

/* Walks the tree with the box of what leads to each node. */
static int fill_cells(const struct ct_decision_tree *tree, struct filler *filler)
{
    struct ct_tree_walk walk = {.tree = tree};
    const struct ct_tree_node *node = NULL;
    size_t depth = 0;
    enum ct_walk_event event;
    while ((event = ct_tree_walk_next(&walk, &node, &depth)) != CT_WALK_END) {
        if (event == CT_WALK_FAILED)
            return CT_E_MEMORY;
        if (event == CT_WALK_LEAF) {
            fill_box(filler, (struct ct_tree_choice){node->method, node->fallback});
            continue;
        }
        size_t side = side_of(filler->index, node->feature);
        struct range *range = &filler->box[side], *above = &filler->above[depth];
        if (event == CT_WALK_SPLIT)
            *above = *range;
        size_t cut = cut_of(&filler->index->sides[side], node->threshold, above);
        *range = event == CT_WALK_SPLIT  ? (struct range){above->from, cut}
                 : event == CT_WALK_HIGH ? (struct range){cut, above->to}
                                         : *above;
    }
    return CT_OK;
}

static int make_cells(const struct ct_decision_tree *tree, struct ct_tree_index *index)
{
    struct filler filler = {
        .index = index,
        .box = ct_allocate(index->side_count + 1, sizeof *filler.box),
        .above = ct_allocate(tree->node_count, sizeof *filler.above),
    };
    index->cells = ct_allocate(index->cell_count, sizeof *index->cells);
    int status = filler.box && filler.above && index->cells ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < index->side_count; i++)
        filler.box[i].to = index->sides[i].ranks.count + 1;
    if (status == CT_OK)
        status = fill_cells(tree, &filler);
    free(filler.box);
    free(filler.above);
    return status;
}

int ct_tree_index_make(const struct ct_decision_tree *tree, struct ct_tree_index *ret_index)
{
    struct ct_tree_index index = {.tree = tree};
    size_t *thresholds = ct_allocate(tree->node_count, sizeof *thresholds);
    index.sides = ct_allocate(CT_FEATURES + tree->features.count, sizeof *index.sides);
    int status = thresholds && index.sides ? make_sides(tree, thresholds, &index) : CT_E_MEMORY;
    if (status == CT_OK)
        status = make_cells(tree, &index);
    free(thresholds);
    if (status != CT_OK)
        ct_tree_index_free(&index);
    if (status == CT_E_LIMIT)
        index = (struct ct_tree_index){.tree = tree};
    else if (status != CT_OK)
        return status;
    *ret_index = index;
    return CT_OK;
}

void ct_tree_index_free(struct ct_tree_index *index)
{
    for (size_t i = 0; i < index->side_count; i++)
        ct_thresholds_free(&index->sides[i].ranks);
    free(index->sides);
    free(index->cells);
    *index = (struct ct_tree_index){0};
}

struct ct_tree_choice ct_tree_index_walk(const struct ct_tree_index *index,
                                         const struct ct_features *features)
{
    const struct ct_tree_node *leaf = ct_tree_decide(index->tree, features);
    return (struct ct_tree_choice){leaf->method, leaf->fallback};
}
