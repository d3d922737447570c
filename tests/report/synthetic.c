/* SPDX-License-Identifier: BSD-3-Clause */
#include "synthetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double alpha = 60e-6, beta = 0.085e-6;

/* A stand-in for every algorithm: so many steps, a doubling of them where a rank feeds two, and a tail of
 * segments. */
static const struct {
    const char *name;
    double chain; /* steps that grow with the number of processes */
    double tree;  /* with its logarithm */
    double next;  /* what each further segment costs, in steps */
    double part;  /* of the message that a step carries */
} shapes[] = {
    {"linear", 1, 0, 4, 1},        {"chain", 0.4, 0, 1.5, 1},    {"pipeline", 1, 0, 1, 1},
    {"binary", 0, 1.7, 2, 1},      {"binomial", 0, 1, 4, 1},     {"split_binary", 0, 1.9, 1.6, 0.55},
    {"dissemination", 0, 1, 1, 1}, {"reduce_bcast", 0, 2, 1, 1}, {"recursive_doubling", 0, 1.2, 1, 1},
    {"ring", 2, 0, 1, 0.1},
};

/* assert() that stays in release builds. */
static void require(bool holds)
{
    if (!holds)
        abort();
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double time_of(const struct ct_method *method, size_t comm_size, size_t msg_bytes)
{
    double p = (double)comm_size, bytes = (double)msg_bytes, depth = ceil(log2(p));
    if (ct_is_native(method->algorithm)) /* good at small messages, bad in the middle */
        return depth * (alpha + bytes * beta) * (bytes > 4096 && bytes < 65536 ? 1.6 : 0.97) +
               bytes * beta * p * 0.02;
    size_t i = 0, count = sizeof shapes / sizeof shapes[0];
    while (i < count && strcmp(shapes[i].name, method->algorithm->name) != 0)
        i++;
    if (i == count) /* any one will do */
        i = strlen(method->algorithm->name) % count;
    double segment = bytes;
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    for (int v = 0; v < ct_parameter_count(descriptor); v++)
        if (ct_is_segment_size(descriptor->parameters[v]) && method->values[v] > 0)
            segment = fmin(bytes, (double)method->values[v]);
    double segments = segment > 0 ? ceil(bytes / segment) : 1;
    double steps = shapes[i].chain * (p - 1) + shapes[i].tree * depth;
    return (steps + (segments - 1) * shapes[i].next) * (alpha + segment * shapes[i].part * beta);
}

static void fill_cell(const struct ct_map *map, struct ct_cell *cell, size_t number, uint64_t *state)
{
    cell->methods = calloc(map->method_count, sizeof *cell->methods);
    cell->standings = calloc(map->method_count, sizeof *cell->standings);
    cell->best = SIZE_MAX;
    require(cell->methods && cell->standings);
    for (size_t i = 0; i < map->method_count; i++) {
        double median =
            time_of(&map->methods[i], cell->key.comm_size, cell->key.msg_bytes) * (1 + 0.03 * uniform(state));
        if (number % 17 == 5 && i == 2)
            continue;
        cell->methods[i] = (struct ct_statistics){
            .count = 12, .median = median, .low = 0.98 * median, .high = 1.02 * median};
        if (cell->best == SIZE_MAX || median < cell->methods[cell->best].median)
            cell->best = i;
    }
    for (size_t i = 0; i < map->method_count; i++)
        if (cell->methods[i].count > 0)
            cell->standings[i] = i == cell->best ? CT_STANDING_BEST
                                 : cell->methods[i].low <= cell->methods[cell->best].high
                                     ? CT_STANDING_UNDECIDED
                                     : CT_STANDING_WORSE;
}

struct ct_map synthetic_map(enum ct_collective collective, const char *comm_sizes, const char *msg_sizes)
{
    struct ct_map map = {.collective = collective, .margin = CT_MARGIN};
    size_t capacity = 0, *comms, *bytes, comm_count, byte_count;
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (ct_algorithms[i].collective == collective)
            require(ct_methods_of(&ct_algorithms[i], &map.methods, &map.method_count, &capacity) == CT_OK);
    require(ct_list_parse(comm_sizes, NULL, &comms, &comm_count) == CT_OK);
    require(ct_list_parse(msg_sizes, NULL, &bytes, &byte_count) == CT_OK);
    map.cells = calloc(comm_count * byte_count, sizeof *map.cells);
    require(map.cells);
    uint64_t state = 20071;
    for (size_t c = 0; c < comm_count; c++) {
        for (size_t b = 0; b < byte_count; b++) {
            struct ct_cell *cell = &map.cells[map.cell_count];
            *cell = (struct ct_cell){
                .key = {.nodes = 1, .ppn = comms[c], .comm_size = comms[c], .msg_bytes = bytes[b]}};
            fill_cell(&map, cell, map.cell_count++, &state);
        }
    }
    free(comms);
    free(bytes);
    return map;
}

struct ct_decision_tree synthetic_tree(enum ct_collective collective, const char *const spellings[4])
{
    static const struct ct_tree_node nodes[] = {
        {.feature = CT_FEATURE_COMM_SIZE, .threshold = 8, .low = 1, .high = 2},
        {.feature = CT_FEATURE_MSG_BYTES, .threshold = 4096, .low = 3, .high = 4},
        {.feature = CT_FEATURE_MSG_BYTES, .threshold = 2048, .low = 5, .high = 6},
        {.feature = CT_LEAF, .method = 0, .fallback = 0},
        {.feature = CT_LEAF, .method = 1, .fallback = 1},
        {.feature = CT_LEAF, .method = 2, .fallback = 2},
        {.feature = CT_LEAF, .method = 3, .fallback = 3},
    };
    struct ct_decision_tree tree = {
        .collective = collective, .method_count = 4, .node_count = sizeof nodes / sizeof nodes[0]};
    tree.methods = calloc(4, sizeof *tree.methods);
    tree.nodes = malloc(sizeof nodes);
    require(tree.methods && tree.nodes);
    memcpy(tree.nodes, nodes, sizeof nodes);
    for (int i = 0; i < 4; i++)
        require(ct_method_parse(spellings[i], collective, NULL, &tree.methods[i]) == CT_OK);
    return tree;
}
