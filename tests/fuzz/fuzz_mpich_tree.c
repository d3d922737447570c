/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mpich_import.h"
#include "tests/codegen/mpich_decide.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a file of MPICH's selections. What is taken has an answer for every call; what is not must be
 * explained in one line. */

static void need(bool good)
{
    if (!good)
        abort();
}

static void check(struct json_object *tree)
{
    static const size_t sizes[] = {0, 1, 7, 8, 12288, (size_t)1 << 40};
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++) {
        for (size_t i = 0; i < 6 * 6 * 128; i++) {
            const unsigned flags = (unsigned)i % 128;
            const struct ct_mpich_call call = {.collective = ct_collectives[c].name,
                                               .comm_size = sizes[i / 128 % 6] + 1,
                                               .average_bytes = sizes[i / 768],
                                               .total_bytes = sizes[i / 768],
                                               .elements = sizes[i / 768],
                                               .intercommunicator = flags & 1,
                                               .has_nodes = flags & 2,
                                               .nodes_in_order = flags & 4,
                                               .commutative = flags & 8,
                                               .built_in = flags & 16,
                                               .in_place = flags & 32,
                                               .equal_blocks = flags & 64};
            const char *algorithm = ct_mpich_decide(tree, &call);
            need(algorithm && strncmp(algorithm, "MPIR_", 5) == 0);
        }
    }
}

/* It becomes trees, or one line says why not. */
static void check_import(struct json_object *file)
{
    struct ct_imported_trees trees;
    struct ct_error error = {""};
    if (ct_mpich_import(file, "input", &error, &trees) != CT_OK) {
        need(error.text[0] && !strchr(error.text, '\n'));
        return;
    }
    need(trees.count == CT_DENSE_COLLECTIVES);
    ct_imported_trees_free(&trees);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_object *tree;
    struct ct_error error = {""};
    if (ct_mpich_read((const char *)data, size, "input", &error, &tree) == CT_OK) {
        check(tree);
        check_import(tree);
        json_object_put(tree);
    } else {
        need(error.text[0] && !strchr(error.text, '\n'));
    }
    return 0;
}
