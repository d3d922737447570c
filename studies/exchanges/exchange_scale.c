/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/routing.h"
#include "models/evaluate/evaluate.h"
#include "models/model_file.h"
#include "plan/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* exchange_scale MODEL.xml PATTERN RANKS METHOD...: how long the evaluation of a sparse exchange takes, by
 * parts, and how much memory: of the process, and of the routes that a set-up leaves at each rank, beside the
 * edges and forwarded blocks of that rank. Prints a row for each method. */

enum { BYTES = 8 };

static double seconds_since(double *before)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    const double now = (double)time.tv_sec + 1e-9 * (double)time.tv_nsec, passed = now - *before;
    *before = now;
    return passed;
}

static size_t bytes_of(const struct ct_routes *routes)
{
    return routes->held_capacity * sizeof *routes->lengths +
           routes->message_capacity * sizeof *routes->messages +
           routes->carried_capacity * sizeof *routes->carried +
           routes->delivery_capacity * sizeof *routes->deliveries;
}

struct footprint {
    size_t total;        /* bytes of all ranks */
    size_t most;         /* of a rank */
    double most_by_item; /* bytes for each edge, message and block that passes through, of a rank */
};

static struct footprint footprint_of(const struct ct_pattern *pattern, const struct ct_routes *routes)
{
    struct footprint all = {0};
    for (int rank = 0; routes && rank < pattern->size; rank++) {
        const size_t bytes = bytes_of(&routes[rank]);
        const size_t items = pattern->ranks[rank].out_count + pattern->ranks[rank].in_count +
                             routes[rank].message_count + routes[rank].carried_count + 1;
        const double by_item = (double)bytes / (double)items;
        all.total += bytes;
        all.most = bytes > all.most ? bytes : all.most;
        all.most_by_item = by_item > all.most_by_item ? by_item : all.most_by_item;
    }
    return all;
}

static int measure(const char *spelling, const struct ct_pattern *pattern, size_t edge_count,
                   const struct ct_model *model, struct ct_error *error)
{
    struct ct_method method;
    struct ct_call call = {.size = pattern->size,
                           .count = BYTES,
                           .unit_bytes = 1,
                           .commutative = true,
                           .neighbors = pattern->ranks};
    const struct ct_evaluation_options options = {.most_messages = (size_t)1 << 31};
    struct ct_evaluation evaluation = {0};
    struct ct_routes *routes = NULL;
    struct ct_evaluator *evaluator = ct_evaluator_new();
    struct rusage usage;
    double clock = 0, set_up = 0;
    int status = evaluator ? ct_method_parse(spelling, CT_COLLECTIVES, error, &method) : CT_E_MEMORY;
    seconds_since(&clock);
    if (status == CT_OK && ct_needs_routes(&method))
        status = ct_routes_make(&method, &call, error, &routes);
    set_up = seconds_since(&clock);
    const struct footprint footprint = footprint_of(pattern, routes);
    call.routes = routes;
    if (status == CT_OK)
        status = ct_evaluate(evaluator, &method, &call, model, CT_MODEL_LOGGP, &options, error, &evaluation);
    ct_routes_free_all(routes, pattern->size);
    if (status == CT_OK) {
        getrusage(RUSAGE_SELF, &usage);
        printf("%s,%d,%zu,%.1f,%.1f,%zu,%.1f,%zu,%zu,%zu,%.0f\n", spelling, pattern->size, edge_count, set_up,
               seconds_since(&clock), (size_t)usage.ru_maxrss / 1024, 1e6 * evaluation.seconds,
               evaluation.messages, footprint.total >> 20, footprint.most, footprint.most_by_item);
        fflush(stdout);
    }
    ct_evaluator_free(evaluator);
    return status;
}

int main(int argc, char **argv)
{
    struct ct_model model = {.name = NULL};
    struct ct_pattern pattern = {0};
    struct ct_error error = {{0}};
    struct ct_edge *edges = NULL;
    size_t count = 0, size = 0;
    double clock = 0;
    if (argc < 5 || ct_size_parse(argv[3], &size) != CT_OK || size < 1 || size > 1 << 20) {
        fputs("usage: exchange_scale MODEL.xml PATTERN RANKS METHOD...\n", stderr);
        return 2;
    }
    int status = ct_model_read(argv[1], &error, &model);
    if (status == CT_OK)
        status = ct_pattern_edges(argv[2], (int)size, &error, &edges, &count);
    if (status == CT_OK)
        status = ct_pattern_make((int)size, edges, count, false, &pattern);
    free(edges);
    fprintf(stderr, "pattern: %.1f s of CPU time\n", seconds_since(&clock));
    if (status == CT_OK)
        puts("method,ranks,edges,set-up s,evaluation s,peak MB,us,messages,routes MB,most bytes of a rank,"
             "most bytes for each edge and route");
    for (int i = 4; status == CT_OK && i < argc; i++)
        status = measure(argv[i], &pattern, count, &model, &error);
    if (status != CT_OK)
        fprintf(stderr, "exchange_scale: %s\n", error.text);
    ct_pattern_free(&pattern);
    ct_model_free(&model);
    return status == CT_OK ? 0 : 1;
}
