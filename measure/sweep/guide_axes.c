/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/guide_axes.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

/* Does a number of ranks come with several numbers of them on a node? */
static bool have_layouts(const struct ct_cell_key *keys, size_t count)
{
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            if (keys[a].comm_size == keys[b].comm_size && keys[a].ppn != keys[b].ppn)
                return true;
    return false;
}

/* The layer of a cell. Ranks that fit on one node are fewer than a node would have taken: they lie with the
 * next larger number of ranks on a node. */
static size_t layer_of(const struct ct_guide_axes *axes, const struct ct_cell_key *key)
{
    size_t layer = 0;
    while (layer + 1 < axes->layers && axes->ppns[layer] < key->ppn)
        layer++;
    return layer;
}

static size_t place_of(const size_t *values, size_t count, size_t value)
{
    const size_t *at = bsearch(&value, values, count, sizeof *values, ct_compare_sizes);
    assert(at);
    return (size_t)(at - values);
}

/* Numbers of ranks on a node of the cells on several nodes, and on one node if that has more. */
static void find_layers(const struct ct_cell_key *keys, size_t count, struct ct_guide_axes *axes)
{
    size_t largest = 0, most = 0;
    axes->layers = 0;
    for (size_t i = 0; i < count; i++) {
        largest = keys[i].ppn > largest ? keys[i].ppn : largest;
        if (keys[i].nodes < 2)
            continue;
        axes->ppns[axes->layers++] = keys[i].ppn;
        most = keys[i].ppn > most ? keys[i].ppn : most;
    }
    if (largest > most)
        axes->ppns[axes->layers++] = largest;
    axes->layers = ct_sort_unique(axes->ppns, axes->layers);
}

static void find_rows(const struct ct_cell_key *keys, size_t count, struct ct_guide_axes *axes)
{
    axes->by_nodes = axes->layers > 1;
    for (size_t i = 0; i < count; i++)
        axes->by_nodes &= keys[i].comm_size == keys[i].nodes * axes->ppns[layer_of(axes, &keys[i])];
    for (size_t i = 0; i < count; i++) {
        axes->row_values[i] = axes->by_nodes ? keys[i].nodes : keys[i].comm_size;
        axes->msg_sizes[i] = keys[i].msg_bytes;
    }
    axes->rows = ct_sort_unique(axes->row_values, count);
    axes->columns = ct_sort_unique(axes->msg_sizes, count);
}

int ct_guide_axes_make(const struct ct_cell_key *keys, size_t count, struct ct_guide_axes *ret_axes)
{
    assert(count > 0);
    struct ct_guide_axes axes = {.ppns = ct_allocate(count + 1, sizeof *axes.ppns),
                                 .row_values = ct_allocate(count, sizeof *axes.row_values),
                                 .msg_sizes = ct_allocate(count, sizeof *axes.msg_sizes)};
    if (!axes.ppns || !axes.row_values || !axes.msg_sizes) {
        ct_guide_axes_free(&axes);
        return CT_E_MEMORY;
    }
    axes.layers = 1;
    if (have_layouts(keys, count))
        find_layers(keys, count, &axes);
    find_rows(keys, count, &axes);
    *ret_axes = axes;
    return CT_OK;
}

void ct_guide_axes_free(struct ct_guide_axes *axes)
{
    free(axes->ppns);
    free(axes->row_values);
    free(axes->msg_sizes);
    *axes = (struct ct_guide_axes){0};
}

size_t ct_guide_axes_point(const struct ct_guide_axes *axes, const struct ct_cell_key *key)
{
    const size_t row = axes->by_nodes ? key->nodes : key->comm_size;
    return (layer_of(axes, key) * axes->rows + place_of(axes->row_values, axes->rows, row)) * axes->columns +
           place_of(axes->msg_sizes, axes->columns, key->msg_bytes);
}
