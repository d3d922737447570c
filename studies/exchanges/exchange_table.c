/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/routing.h"
#include "models/evaluate/evaluate.h"
#include "models/model_file.h"
#include "plan/pattern.h"

#include <stdio.h>
#include <stdlib.h>

/* exchange_table MODEL.xml PATTERN RANKS PPN BYTES METHOD...: what methods of sparse collectives send on a
 * pattern, as rows bytes,method,most messages of a rank,mean messages,mean bytes of a rank,microseconds, the
 * times by LogGP. BYTES is a list of message sizes, PPN ranks are on each node. */

struct table {
    struct ct_model model;
    struct ct_pattern pattern;
    struct ct_nodes nodes;
    struct ct_evaluator *evaluator;
    struct ct_error error;
};

static int print_row(struct table *table, const char *spelling, size_t bytes)
{
    struct ct_method method;
    struct ct_call call = {.size = table->pattern.size,
                           .count = bytes,
                           .unit_bytes = 1,
                           .commutative = true,
                           .neighbors = table->pattern.ranks,
                           .nodes = &table->nodes};
    struct ct_evaluation evaluation;
    struct ct_routes *routes = NULL;
    size_t most = 0, sent = 0;
    int status = ct_method_parse(spelling, CT_COLLECTIVES, &table->error, &method);
    if (status == CT_OK && ct_needs_routes(&method))
        status = ct_routes_make(&method, &call, &table->error, &routes);
    call.routes = routes;
    if (status == CT_OK)
        status = ct_evaluate(table->evaluator, &method, &call, &table->model, CT_MODEL_LOGGP, NULL,
                             &table->error, &evaluation);
    if (status != CT_OK)
        return status;
    for (int rank = 0; rank < call.size; rank++) {
        sent = routes ? 0 : table->pattern.ranks[rank].out_count;
        for (size_t i = 0; routes && i < routes[rank].message_count; i++)
            sent += routes[rank].messages[i].is_sent;
        most = sent > most ? sent : most;
    }
    printf("%zu,%s,%zu,%.1f,%.0f,%.1f\n", bytes, spelling, most, (double)evaluation.messages / call.size,
           (double)evaluation.bytes / call.size, 1e6 * evaluation.seconds);
    ct_routes_free_all(routes, call.size);
    return CT_OK;
}

static int make_table(char *const *words, struct table *table)
{
    int size = atoi(words[1]), ppn = atoi(words[2]), *labels = NULL;
    struct ct_edge *edges = NULL;
    size_t count;
    if (size < 1 || ppn < 1)
        return ct_fail(&table->error, CT_E_INPUT, "expected numbers of ranks");
    int status = ct_pattern_edges(words[0], size, &table->error, &edges, &count);
    if (status == CT_OK)
        status = ct_pattern_make(size, edges, count, false, &table->pattern);
    free(edges);
    if (status == CT_OK && !(labels = malloc((size_t)size * sizeof *labels)))
        status = CT_E_MEMORY;
    for (int rank = 0; status == CT_OK && rank < size; rank++)
        labels[rank] = rank / ppn;
    if (status == CT_OK)
        status = ct_nodes_make(labels, size, &table->nodes);
    free(labels);
    table->evaluator = ct_evaluator_new();
    return status == CT_OK && !table->evaluator ? CT_E_MEMORY : status;
}

int main(int argc, char **argv)
{
    struct table table = {.evaluator = NULL};
    size_t *sizes = NULL, size_count = 0;
    if (argc < 7) {
        fputs("usage: exchange_table MODEL.xml PATTERN RANKS PPN BYTES METHOD...\n", stderr);
        return 2;
    }
    int status = ct_model_read(argv[1], &table.error, &table.model);
    if (status == CT_OK)
        status = make_table(argv + 2, &table);
    if (status == CT_OK)
        status = ct_list_parse(argv[5], &table.error, &sizes, &size_count);
    if (status == CT_OK)
        puts("bytes,method,most messages,mean messages,mean bytes,us");
    for (size_t i = 0; status == CT_OK && i < size_count; i++)
        for (int m = 6; status == CT_OK && m < argc; m++)
            status = print_row(&table, argv[m], sizes[i]);
    if (status != CT_OK)
        fprintf(stderr, "exchange_table: %s\n", table.error.text);
    free(sizes);
    ct_evaluator_free(table.evaluator);
    ct_nodes_free(&table.nodes);
    ct_pattern_free(&table.pattern);
    ct_model_free(&table.model);
    return status == CT_OK ? 0 : 1;
}
