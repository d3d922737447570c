/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_patterns.h"
#include "base/memory.h"
#include "base/random.h"

#include <assert.h>
#include <stdlib.h>

/* Up to so many ranks all graphs are tried. */
enum { ALL_GRAPHS_MOST = 4, LOOPS_MOST = 3 };

static size_t graphs_of(int size)
{
    if (size > ALL_GRAPHS_MOST)
        return 0;
    return (size_t)1 << (size <= LOOPS_MOST ? size * size : size * (size - 1));
}

/* Others, for any number of ranks. */
static const struct {
    const char *text; /* as of ct_pattern_edges() */
    unsigned repeat;  /* every so many edges occur twice; 0: none does */
    unsigned loops;   /* every so many ranks send to themselves; 0: none does */
    unsigned skip;    /* every so many ranks neither send nor receive; 0: none does */
    bool leads_up;    /* only edges from lower to higher ranks */
    bool among_few;   /* also for very many ranks */
} others[] = {
    {.text = "random:density=0.1", .among_few = true},
    {.text = "random:density=0.3", .repeat = 3, .loops = 2},
    {.text = "random:density=0.5", .skip = 3},
    {.text = "random:density=0.5", .leads_up = true},
    {.text = "random:density=1"},
    {.text = "random:density=0", .loops = 1, .repeat = 1},
    {.text = "hubs:count=2,degree=3", .loops = 5, .among_few = true},
    {.text = "moore:d=2,r=1", .repeat = 7, .among_few = true},
};
enum { OTHERS = sizeof others / sizeof others[0], MANY_RANKS = 256 };

static bool is_tried(size_t index, int size)
{
    return size <= MANY_RANKS || others[index].among_few;
}

size_t ct_patterns_tried(int size)
{
    size_t count = graphs_of(size);
    for (size_t i = 0; i < OTHERS; i++)
        count += is_tried(i, size);
    return count;
}

/* The graph whose edges are the bits of `index`. */
static int make_graph(int size, size_t index, struct ct_edge **ret_edges, size_t *ret_count)
{
    bool has_loops = size <= LOOPS_MOST;
    size_t count = 0, bit = 0;
    struct ct_edge *edges = ct_allocate((size_t)size * (size_t)size, sizeof *edges);
    if (!edges)
        return CT_E_MEMORY;
    for (int from = 0; from < size; from++)
        for (int to = 0; to < size; to++)
            if ((from != to || has_loops) && index >> bit++ & 1)
                edges[count++] = (struct ct_edge){from, to, 1};
    *ret_edges = edges;
    *ret_count = count;
    return CT_OK;
}

static bool is_every(int number, unsigned every)
{
    return every > 0 && (unsigned)number % every == 0;
}

/* Drops, repeats and adds edges, and puts them into another order. */
static int change(size_t index, int size, struct ct_edge **edges, size_t *count)
{
    uint64_t random = (uint64_t)size * OTHERS + index;
    size_t kept = 0;
    struct ct_edge *changed = ct_allocate(2 * *count + 2 * (size_t)size, sizeof *changed);
    if (!changed)
        return CT_E_MEMORY;
    for (size_t i = 0; i < *count; i++) {
        struct ct_edge edge = (*edges)[i];
        if (is_every(edge.from, others[index].skip) || is_every(edge.to, others[index].skip) ||
            (others[index].leads_up && edge.from > edge.to))
            continue;
        changed[kept++] = edge;
        if (is_every((int)i, others[index].repeat))
            changed[kept++] = edge;
    }
    for (int rank = 0; rank < size; rank++)
        if (is_every(rank, others[index].loops))
            changed[kept++] = (struct ct_edge){rank, rank, 1};
    ct_shuffle(changed, kept, sizeof *changed, &random);
    free(*edges);
    *edges = changed;
    *count = kept;
    return CT_OK;
}

static size_t other_of(int size, size_t index)
{
    size_t i = 0;
    for (;; i++)
        if (is_tried(i, size) && index-- == 0)
            return i;
}

int ct_pattern_tried(int size, size_t index, size_t length, bool uneven, struct ct_edge **ret_edges,
                     size_t *ret_count)
{
    struct ct_edge *edges = NULL;
    size_t count = 0, graphs = graphs_of(size);
    int status;
    assert(index < ct_patterns_tried(size));
    if (index < graphs) {
        status = make_graph(size, index, &edges, &count);
    } else {
        size_t other = other_of(size, index - graphs);
        status = ct_pattern_edges(others[other].text, size, NULL, &edges, &count);
        if (status == CT_OK)
            status = change(other, size, &edges, &count);
    }
    if (status != CT_OK) {
        free(edges);
        return status;
    }
    ct_edges_lengthen(edges, count, length, uneven);
    *ret_edges = edges;
    *ret_count = count;
    return CT_OK;
}
