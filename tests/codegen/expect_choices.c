/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "codegen/mapping.h"
#include "tests/codegen/mpich_decide.h"
#include "tests/codegen/tuning_tables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* expect_choices FORMAT RANKS SEED FILE [careful]: writes a random table's tuning file to FILE, and to
 * standard output, for make_calls, which algorithm the library should take in calls at both sides of all
 * thresholds; with `careful` the file is one for operations that may not commute, and nothing is expected. */

enum { BYTES_MOST = 200000, CALLS_MOST = 24 };

struct expecting {
    const struct ct_library_mapping *library;
    size_t ranks;
    struct json_object *base; /* MPICH's own choices; else NULL */
};

/* What stands for a leaf, all operations commuting and no call in place; false for the library's own. */
static bool theirs_of(const struct expecting *expecting, const struct ct_decision_tree *tree,
                      const struct ct_mpich_call *call, struct ct_theirs *ret_theirs)
{
    const struct ct_tree_node *leaf = leaf_at(tree, expecting->ranks, call->average_bytes);
    const size_t candidates[] = {leaf->method, leaf->fallback};
    size_t power = 1;
    while (power * 2 <= expecting->ranks)
        power *= 2;
    for (size_t i = 0; i < 2; i++) {
        const struct ct_method *method = &tree->methods[candidates[i]];
        if (ct_is_native(method->algorithm))
            return false;
        if (!ct_mapping_find(expecting->library, 4, method, ret_theirs))
            continue;
        unsigned needs = ret_theirs->mapping->needs;
        if ((needs & CT_NEED_POWER_OF_TWO && power != expecting->ranks) ||
            (needs & CT_NEED_ELEMENTS && call->elements < power) ||
            (needs & CT_NEED_HIERARCHY && !call->has_nodes) || (i == 1 && needs != 0))
            continue;
        return true;
    }
    return false;
}

static void print_line(const struct expecting *expecting, const struct ct_decision_tree *tree, size_t bytes)
{
    const char *name = ct_collectives[tree->collective].name;
    struct ct_mpich_call call = {.collective = name,
                                 .comm_size = expecting->ranks,
                                 .average_bytes = bytes,
                                 .total_bytes = bytes * expecting->ranks,
                                 .elements = bytes / 4,
                                 .has_nodes = true,
                                 .nodes_in_order = true,
                                 .commutative = true,
                                 .built_in = true,
                                 .equal_blocks = true};
    struct ct_theirs theirs;
    bool own = !theirs_of(expecting, tree, &call, &theirs);
    printf("%s %zu ", name, bytes);
    if (own)
        printf("%s\n", expecting->base ? ct_mpich_decide(expecting->base, &call) : "-");
    else if (expecting->base)
        printf("MPIR_%c%s_intra_%s\n", toupper((unsigned char)*name), name + 1, theirs.mapping->theirs);
    else
        printf("%d segment %zu fanout %zu\n", theirs.mapping->number, theirs.segment, theirs.fanout);
}

/* Where the library does not look at sizes, and the tree does, nothing is expected. */
static void print_tree(const struct expecting *expecting, const struct ct_decision_tree *tree, unsigned *seed)
{
    size_t count, *sizes = sizes_of(tree, &count), printed = 0;
    bool sized = expecting->library->collectives[tree->collective].size != CT_SIZE_UNSEEN;
    if (!expecting->library->collectives[tree->collective].known ||
        (!sized && ct_collectives[tree->collective].has_size)) {
        free(sizes);
        return;
    }
    if (!sized)
        print_line(expecting, tree, 1024);
    for (size_t tries = 0; sized && tries < 10 * CALLS_MOST && printed < CALLS_MOST; tries++) {
        size_t bytes = (sizes[random_below(seed, count)] + 2 * random_below(seed, 3)) / 4 * 4;
        if (bytes == 0 || bytes > BYTES_MOST)
            continue;
        print_line(expecting, tree, bytes);
        printed++;
    }
    free(sizes);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    bool careful = argc > 5;
    bool mpich = strcmp(argv[1], "mpich") == 0;
    unsigned seed = (unsigned)strtoul(argv[3], NULL, 10);
    struct expecting expecting = {.library = mpich ? &ct_mpich_mapping : &ct_ompi_mapping,
                                  .ranks = strtoul(argv[2], NULL, 10)};
    struct ct_error error = {""};
    const struct ct_generator_options options = {.commutative = !careful};
    if (mpich && ct_mpich_base(NULL, &error, &expecting.base) != CT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    struct ct_table table = random_table(2 * expecting.ranks, &seed);
    struct ct_text text = generated(argv[1], &table, &options, NULL);
    int status = ct_file_create(argv[4], text.data, text.length, &error);
    if (status != CT_OK)
        fprintf(stderr, "%s\n", error.text);
    for (size_t i = 0; status == CT_OK && !careful && i < table.decisions.tree_count; i++)
        print_tree(&expecting, &table.decisions.trees[i], &seed);
    ct_text_free(&text);
    ct_table_free(&table);
    json_object_put(expecting.base);
    return status == CT_OK ? 0 : 1;
}
