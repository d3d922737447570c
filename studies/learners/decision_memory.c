/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_memory TABLE.xml...: for the first tree of each table a line "LEAVES NODES BYTES CELLS BYTES WALK
 * LOOK": leaves, nodes, bytes of the tree in memory, combinations in its index and bytes of that, and
 * nanoseconds of a decision by walking the tree and by looking into the index, of random calls. The times are
 * the least of many blocks. */
#include "decision/table.h"
#include "decision/tree/tree_index.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 1 << 12, BLOCKS = 200, MOST_BITS = 20, RANKS = 64 };

static void fail(const char *why)
{
    fprintf(stderr, "decision_memory: %s\n", why);
    exit(1);
}

static void draw_calls(struct ct_features *calls)
{
    uint32_t state = 1;
    for (size_t i = 0; i < CALLS; i++) {
        state = state * 1664525u + 1013904223u;
        size_t ranks = 2 + (state >> 8) % RANKS;
        state = state * 1664525u + 1013904223u;
        size_t bytes = ((size_t)1 << MOST_BITS | state >> 12) >> (state >> 8) % MOST_BITS;
        calls[i] = (struct ct_features){{[CT_FEATURE_COMM_SIZE] = ranks, [CT_FEATURE_MSG_BYTES] = bytes}};
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static unsigned walk(const struct ct_tree_index *index, const struct ct_features *calls)
{
    unsigned sum = 0;
    for (size_t i = 0; i < CALLS; i++)
        sum += ct_tree_decide(index->tree, &calls[i])->method;
    return sum;
}

static unsigned look(const struct ct_tree_index *index, const struct ct_features *calls)
{
    unsigned sum = 0;
    for (size_t i = 0; i < CALLS; i++)
        sum += ct_tree_index_decide(index, &calls[i]).method;
    return sum;
}

/* Nanoseconds of a decision. */
static double time_of(unsigned (*decide)(const struct ct_tree_index *, const struct ct_features *),
                      const struct ct_tree_index *index, const struct ct_features *calls, unsigned *ret_sum)
{
    double least = 1e300;
    for (int block = 0; block < BLOCKS; block++) {
        double began = now();
        *ret_sum = decide(index, calls);
        double passed = (now() - began) / CALLS;
        least = passed < least ? passed : least;
    }
    return least;
}

static size_t bytes_of_index(const struct ct_tree_index *index)
{
    size_t bytes = index->cells ? index->cell_count * sizeof *index->cells : 0;
    for (size_t i = 0; i < index->side_count; i++) {
        const struct ct_thresholds *ranks = &index->sides[i].ranks;
        bytes += sizeof *index->sides + ranks->room * sizeof *ranks->thresholds +
                 ranks->keys * sizeof *ranks->first;
    }
    return bytes;
}

static void report(const struct ct_decision_tree *tree, const struct ct_features *calls)
{
    struct ct_tree_index index;
    unsigned sums[2];
    if (ct_tree_index_make(tree, &index) != CT_OK)
        fail("out of memory");
    double walked = time_of(walk, &index, calls, &sums[0]), looked = time_of(look, &index, calls, &sums[1]);
    if (sums[0] != sums[1])
        fail("tree and index decide differently");
    printf("%zu %zu %zu %zu %zu %.1f %.1f\n", (tree->node_count + 1) / 2, tree->node_count,
           tree->node_count * sizeof *tree->nodes, index.cells ? index.cell_count : 0, bytes_of_index(&index),
           walked, looked);
    ct_tree_index_free(&index);
}

int main(int argc, char **argv)
{
    static struct ct_features calls[CALLS];
    draw_calls(calls);
    for (int i = 1; i < argc; i++) {
        struct ct_error error = {""};
        struct ct_table table;
        if (ct_table_read(argv[i], &error, &table) != CT_OK)
            fail(error.text);
        report(&table.decisions.trees[0], calls);
        ct_table_free(&table);
    }
    return 0;
}
