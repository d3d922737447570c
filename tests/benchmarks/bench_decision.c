/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_decision SMALL.xml LARGE.xml: what a decision takes, compiled as nested tests and as a map, and in
 * memory by the tree and by its index; of a tree of 64 leaves, of the shipped bcast table and of a whole
 * quadtree of depth 6. Calls that do not wait for one another: the same over and over, random ones that a
 * processor may learn, and more than it can; and random ones that each wait for the decision before. */
#include "base/memory.h"
#include "decision/table.h"
#include "decision/tree/tree_build.h"
#include "decision/tree/tree_depth.h"
#include "decision/tree/tree_index.h"
#include "tests/benchmarks/blocks.h"
#include "tests/benchmarks/decision_form.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 200, REPETITIONS = 100000, SQUARE = 64, MOST_BITS = 20 };

/* A tree, and how it is decided by. */
struct subject {
    const char *name;
    struct ct_decision_tree tree;
    struct ct_tree_index index;
    void (*ifs)(void *calls, size_t repetitions); /* compiled; NULL where it is not */
    void (*map)(void *calls, size_t repetitions);
};

/* What a loop in memory needs. */
struct context {
    struct decision_calls calls;
    const struct subject *subject;
};

static struct ct_features call_at(const struct decision_calls *calls, size_t at, size_t wait)
{
    return (struct ct_features){{[CT_FEATURE_COMM_SIZE] = calls->comm_size[at] + wait,
                                 [CT_FEATURE_MSG_BYTES] = calls->msg_bytes[at] + wait}};
}

static void by_tree(void *context, size_t repetitions)
{
    struct context *with = context;
    struct decision_calls *calls = &with->calls;
    unsigned sum = 0, last = 0;
    for (size_t i = 0; calls->is_chain && i < repetitions; i++) {
        struct ct_features features = call_at(calls, i & calls->mask, last & calls->nothing);
        last = ct_tree_decide(&with->subject->tree, &features)->method;
        sum += last;
    }
    for (size_t i = 0; !calls->is_chain && i < repetitions; i++) {
        struct ct_features features = call_at(calls, i & calls->mask, 0);
        sum += ct_tree_decide(&with->subject->tree, &features)->method;
    }
    calls->sum = sum;
}

static void by_index(void *context, size_t repetitions)
{
    struct context *with = context;
    struct decision_calls *calls = &with->calls;
    unsigned sum = 0, last = 0;
    for (size_t i = 0; calls->is_chain && i < repetitions; i++) {
        struct ct_features features = call_at(calls, i & calls->mask, last & calls->nothing);
        last = ct_tree_index_decide(&with->subject->index, &features).method;
        sum += last;
    }
    for (size_t i = 0; !calls->is_chain && i < repetitions; i++) {
        struct ct_features features = call_at(calls, i & calls->mask, 0);
        sum += ct_tree_index_decide(&with->subject->index, &features).method;
    }
    calls->sum = sum;
}

static void fail(const char *why)
{
    fprintf(stderr, "bench_decision: %s\n", why);
    exit(1);
}

static void read_subject(const char *path, struct subject *subject)
{
    struct ct_error error = {""};
    struct ct_table table;
    if (ct_table_read(path, &error, &table) != CT_OK)
        fail(error.text);
    subject->tree = table.decisions.trees[0];
    table.decisions.trees[0] = (struct ct_decision_tree){0};
    ct_table_free(&table);
}

/* Halves a square of the communicators 2, 3, ... and of three message sizes to a doubling. */
static void cut(struct ct_tree_builder *builder, size_t row, size_t column, size_t width)
{
    static const char *const spellings[] = {"linear", "binomial", "chain", "pipeline:seg=8K", "native"};
    struct ct_method method;
    if (width == 1) {
        size_t any = (row * 7 + column * 13 + row * column) % 5;
        if (ct_method_parse(spellings[any], CT_COLLECTIVE_BCAST, NULL, &method) != CT_OK ||
            ct_tree_builder_leaf(builder, &method, NULL, NULL) != CT_OK)
            fail("a leaf is wrong");
        return;
    }
    size_t half = width / 2, last = column + half;
    size_t bytes = ((size_t)4 + last % 3) << last / 3;
    if (ct_tree_builder_split(builder, CT_FEATURE_COMM_SIZE, 1 + row + half, NULL) != CT_OK)
        fail("a test of communicator sizes is wrong");
    for (size_t i = 0; i < 2; i++) {
        if (ct_tree_builder_split(builder, CT_FEATURE_MSG_BYTES, bytes, NULL) != CT_OK)
            fail("a test of message sizes is wrong");
        cut(builder, row + i * half, column, half);
        cut(builder, row + i * half, column + half, half);
    }
}

static void make_square(struct subject *subject)
{
    struct ct_tree_builder builder;
    ct_tree_builder_begin(&builder, CT_COLLECTIVE_BCAST);
    cut(&builder, 0, 0, SQUARE);
    if (ct_tree_builder_finish(&builder, NULL, &subject->tree) != CT_OK)
        fail("the square is not whole");
    ct_tree_builder_free(&builder);
}

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void draw_calls(struct decision_calls *calls)
{
    uint32_t state = 1;
    for (size_t i = 0; i < DECISION_CALLS; i++) {
        calls->comm_size[i] = 2 + draw(&state) % SQUARE;
        calls->msg_bytes[i] =
            ((size_t)1 << MOST_BITS | draw(&state) % (1 << MOST_BITS)) >> draw(&state) % MOST_BITS;
    }
}

static void measure(struct context *context)
{
    static const struct {
        const char *name;
        size_t calls;
        bool is_chain;
    } kinds[] = {{"one call, repeated", 1, false},
                 {"4096 random calls", 4096, false},
                 {"131072 random calls", DECISION_CALLS, false},
                 {"131072, one after another", DECISION_CALLS, true}};
    const struct subject *subject = context->subject;
    static struct contender contenders[BLOCKS_CONTENDERS];
    size_t count = 0;
    contenders[count++] = (struct contender){.name = "in memory, by its index", .run = by_index};
    contenders[count++] = (struct contender){.name = "in memory, by the tree", .run = by_tree};
    if (subject->map) {
        contenders[count++] = (struct contender){.name = "compiled, a map", .run = subject->map};
        contenders[count++] = (struct contender){.name = "compiled, nested tests", .run = subject->ifs};
    }
    blocks_repeat(contenders, count, REPETITIONS);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        context->calls.mask = kinds[k].calls - 1;
        context->calls.is_chain = kinds[k].is_chain;
        printf(" %s\n", kinds[k].name);
        blocks_run_busy(contenders, count, BLOCKS, context);
        blocks_print_least(contenders, count, BLOCKS, 1e-9, "ns");
    }
}

/* Bytes that an index takes, without the tree. */
static size_t index_bytes(const struct ct_tree_index *index)
{
    size_t bytes = sizeof *index + index->cell_count * sizeof *index->cells;
    for (size_t i = 0; i < index->side_count; i++) {
        const struct ct_thresholds *ranks = &index->sides[i].ranks;
        bytes += sizeof *index->sides + ranks->room * sizeof *ranks->thresholds +
                 ranks->keys * sizeof *ranks->first;
    }
    return bytes;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        fail("expected two decision tables");
    static struct context context;
    static struct subject subjects[] = {
        {.name = "64 leaves", .ifs = small_ifs, .map = small_map},
        {.name = "shipped bcast table", .ifs = large_ifs, .map = large_map},
        {.name = "whole quadtree of depth 6"},
    };
    read_subject(argv[1], &subjects[0]);
    read_subject(argv[2], &subjects[1]);
    make_square(&subjects[2]);
    draw_calls(&context.calls);
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        struct subject *subject = &subjects[i];
        if (ct_tree_index_make(&subject->tree, &subject->index) != CT_OK)
            fail("out of memory");
        printf("%s: %zu leaves, depth %zu; tree %zu bytes, index %zu bytes\n", subject->name,
               ct_tree_leaf_count(&subject->tree), ct_tree_depth(&subject->tree),
               subject->tree.node_count * sizeof *subject->tree.nodes, index_bytes(&subject->index));
        context.subject = subject;
        measure(&context);
        ct_tree_index_free(&subject->index);
        ct_tree_free(&subject->tree);
    }
    return 0;
}
