/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "codegen/mapping.h"
#include "codegen/mpich_import.h"
#include "decision/tree/feature.h"
#include "tests/codegen/mpich_decide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* MPICH's selections as our trees: both decide alike. */

#define BINOMIAL "{\"algorithm=MPIR_X_intra_binomial\":{}}"
#define DOUBLING "{\"algorithm=MPIR_X_intra_recursive_doubling\":{}}"
#define RING     "{\"algorithm=MPIR_X_intra_ring\":{}}"
#define PAIRWISE "{\"algorithm=MPIR_X_intra_pairwise\":{}}"
#define BRUCKS   "{\"algorithm=MPIR_X_intra_brucks\":{}}"
#define BLOCKS   "{\"algorithm=MPIR_X_intra_reduce_scatter_allgather\":{}}"
#define PARTS    "{\"algorithm=MPIR_X_intra_scatter_ring_allgather\":{}}"
#define SMP      "{\"algorithm=MPIR_X_intra_smp\":{}}"
#define OTHER    "{\"algorithm=MPIR_X_inter_other\":{}}"

/* Of each kind of test at least one; others have one algorithm. */
static const struct {
    enum ct_collective collective;
    const char *text;
} selections[] = {
    /* below other tests than those of the communicator, `comm_size<8` means at most 8 */
    {CT_COLLECTIVE_BCAST,
     "{\"comm_type=inter\":" OTHER ",\"comm_type=intra\":{\"comm_size<4\":{\"avg_msg_size<=0\":" SMP
     ",\"avg_msg_size=any\":" BINOMIAL
     "},\"comm_size=pow2\":{\"avg_msg_size<12288\":{\"comm_size<8\":" BINOMIAL ",\"comm_size=any\":" PARTS
     "},\"avg_msg_size<=524288\":" BINOMIAL ",\"avg_msg_size<=12288\":" SMP ",\"avg_msg_size=any\":" PARTS
     "},\"comm_size=any\":{\"comm_hierarchy=parent\":" SMP
     ",\"comm_hierarchy=any\":{\"is_node_consecutive=no\":" BINOMIAL ",\"is_node_consecutive=yes\":" PARTS
     "}}}}"},
    {CT_COLLECTIVE_ALLGATHER, "{\"total_msg_size<8192\":{\"comm_size=pow2\":" DOUBLING
                              ",\"comm_size=any\":" BRUCKS "},\"total_msg_size=any\":" RING "}"},
    {CT_COLLECTIVE_ALLREDUCE,
     "{\"is_commutative=yes\":{\"avg_msg_size<=128\":" DOUBLING ",\"count<pow2\":" DOUBLING
     ",\"avg_msg_size=any\":" BLOCKS "},\"is_commutative=no\":" SMP "}"},
    {CT_COLLECTIVE_REDUCE, "{\"is_op_built_in=no\":" SMP ",\"is_op_built_in=yes\":{\"count<=10\":" BINOMIAL
                           ",\"count=any\":" SMP "}}"},
    {CT_COLLECTIVE_ALLTOALL, "{\"is_sendbuf_inplace=no\":{\"avg_msg_size<=256\":" BRUCKS
                             ",\"avg_msg_size=any\":" PAIRWISE "},\"is_sendbuf_inplace=yes\":" RING "}"},
    {CT_COLLECTIVE_REDUCE_SCATTER,
     "{\"is_block_regular=no\":" RING ",\"is_block_regular=yes\":{\"count<=64\":" PAIRWISE
     ",\"count=any\":" BRUCKS "}}"},
};

static struct json_object *read_selections(void)
{
    struct json_object *tree = NULL;
    struct ct_text text = {0};
    struct ct_error error = {""};
    ct_text_append(&text, "{");
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++) {
        const char *own = RING;
        for (size_t i = 0; i < sizeof selections / sizeof selections[0]; i++)
            if (selections[i].collective == (enum ct_collective)c)
                own = selections[i].text;
        ct_text_append(&text, "%s\"collective=%s\":%s", c > 0 ? "," : "", ct_collectives[c].name, own);
    }
    ct_text_append(&text, "}");
    assert_false(text.failed);
    if (ct_mpich_read(text.data, text.length, "selections", &error, &tree) != CT_OK)
        fail_msg("%s", error.text);
    ct_text_free(&text);
    return tree;
}

/* What MPICH chooses, as ours: native where we have no such algorithm. */
static struct ct_method expected(struct json_object *file, enum ct_collective collective,
                                 const struct ct_cell_key *key)
{
    const size_t element = ct_collectives[collective].reduces ? 8 : 1;
    const bool all = collective == CT_COLLECTIVE_REDUCE_SCATTER;
    const struct ct_mpich_call call = {.collective = ct_collectives[collective].name,
                                       .comm_size = key->comm_size,
                                       .average_bytes = key->msg_bytes,
                                       .total_bytes = key->msg_bytes * key->comm_size,
                                       .elements = key->msg_bytes * (all ? key->comm_size : 1) / element,
                                       .has_nodes = key->ppn > 1,
                                       .nodes_in_order = key->by != CT_MAPPED_BY_NODE,
                                       .commutative = true,
                                       .built_in = true,
                                       .equal_blocks = true};
    const char *algorithm = ct_mpich_decide(file, &call);
    const struct ct_mapping *row;
    struct ct_method method;
    assert_non_null(algorithm);
    assert_int_equal(ct_method_parse("native", collective, NULL, &method), CT_OK);
    ct_mapping_method(&ct_mpich_mapping, 4, collective, algorithm + strlen("MPIR_X_intra_"), &method, &row);
    return method;
}

static void trees_decide_as_mpich(void **state)
{
    (void)state;
    static const size_t sizes[] = {0,   1,   7,   8,     80,    87,    88,     127,    128,    129,
                                   256, 257, 600, 12287, 12288, 12289, 524288, 524289, 1 << 20};
    struct json_object *file = read_selections();
    struct ct_imported_trees trees;
    struct ct_error error = {""};
    size_t differing[2] = {0};
    if (ct_mpich_import(file, "selections", &error, &trees) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(trees.count, CT_DENSE_COLLECTIVES);
    for (size_t t = 0; t < trees.count; t++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] * 40 * 4; i++) {
            const struct ct_decision_tree *tree = &trees.trees[t];
            const uint32_t ppn = i % 2 ? 4 : 1;
            struct ct_cell_key key = {.comm_size = (uint32_t)(i / 4 % 40) + 2,
                                      .msg_bytes = sizes[i / 160],
                                      .ppn = ppn,
                                      .by = i / 2 % 2 ? CT_MAPPED_BY_NODE : CT_MAPPED_BY_CORE};
            key.nodes = (key.comm_size + ppn - 1) / ppn;
            const struct ct_features features = ct_key_features(&key);
            const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
            const struct ct_method method = expected(file, tree->collective, &key);
            if (!ct_method_equal(&tree->methods[leaf->method], &method))
                fail_msg("%s on %u ranks, %zu bytes, ppn %u, by %u", ct_collectives[tree->collective].name,
                         key.comm_size, key.msg_bytes, key.ppn, key.by);
            differing[ct_is_native(method.algorithm)]++;
        }
    assert_true(differing[0] > 1000 && differing[1] > 100);
    ct_imported_trees_free(&trees);
    json_object_put(file);
}

/* Where our decisions cannot test what MPICH tests, one line says so. */
static void tests_that_we_lack_are_refused(void **state)
{
    (void)state;
    struct json_object
        *file = read_selections(),
        *inside = json_tokener_parse(
            "{\"total_msg_size<8\":{\"algorithm=MPIR_X_intra_scattered\":{}},\"total_msg_size=any\":"
            "{\"algorithm=MPIR_X_intra_scattered\":{}}}");
    struct ct_imported_trees trees;
    struct ct_error error = {""};
    json_object_object_add(file, "collective=alltoallw", inside);
    assert_int_equal(ct_mpich_import(file, "selections", &error, &trees), CT_E_INPUT);
    assert_string_equal(error.text, "selections: alltoallw: alltoallw has no message size to test");
    json_object_put(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_decide_as_mpich),
        cmocka_unit_test(tests_that_we_lack_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
