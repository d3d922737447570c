/* SPDX-License-Identifier: BSD-3-Clause */
/* The set-up of sparse exchanges over MPI finds the routes that the set-up of all ranks in one process finds,
 * on random patterns by all methods; and all ranks learn of what is wrong at one of them. */
#include "base/memory.h"
#include "base/random.h"
#include "library/execute/set_up.h"
#include "plan/pattern.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES_MOST = 256 };

struct trial {
    MPI_Comm comm;
    int rank;
    int size;
    unsigned supersteps;
    struct ct_nodes nodes;
    size_t compared;
    size_t failures;
};

static bool are_same(const void *a, const void *b, size_t count, size_t size)
{
    return count == 0 || memcmp(a, b, count * size) == 0;
}

static bool are_same_messages(const struct ct_routes *a, const struct ct_routes *b)
{
    for (size_t i = 0; i < a->message_count; i++) {
        const struct ct_routed_message *left = &a->messages[i], *right = &b->messages[i];
        if (left->peer != right->peer || left->is_sent != right->is_sent || left->stage != right->stage ||
            left->begin != right->begin || left->count != right->count)
            return false;
    }
    return true;
}

static bool are_same_routes(const struct ct_routes *a, const struct ct_routes *b)
{
    return a->stages == b->stages && a->counts_blocks == b->counts_blocks && a->held_count == b->held_count &&
           a->own_count == b->own_count &&
           are_same(a->lengths, b->lengths, a->held_count, sizeof *a->lengths) &&
           a->message_count == b->message_count && are_same_messages(a, b) &&
           a->carried_count == b->carried_count &&
           are_same(a->carried, b->carried, a->carried_count, sizeof *a->carried) &&
           a->delivery_count == b->delivery_count &&
           are_same(a->deliveries, b->deliveries, a->delivery_count, sizeof *a->deliveries) &&
           a->source_count == b->source_count &&
           are_same(a->sources, b->sources, a->source_count, sizeof *a->sources) &&
           are_same(a->source_lengths, b->source_lengths, a->source_count, sizeof *a->source_lengths);
}

/* Random edges, also several between two ranks and of a rank to itself, and hubs; some without data. */
static size_t make_edges(int size, uint64_t *state, struct ct_edge edges[EDGES_MOST])
{
    uint64_t kind = ct_random(state) % 4;
    size_t count = kind == 0 ? ct_random(state) % 3 : ct_random(state) % EDGES_MOST;
    for (size_t i = 0; i < count; i++) {
        int from = (int)(ct_random(state) % (uint64_t)size), to = (int)(ct_random(state) % (uint64_t)size);
        edges[i] = (struct ct_edge){.from = kind == 2 && i % 2 ? 0 : from,
                                    .to = kind == 3 && i % 2 ? size - 1 : to,
                                    .length = ct_random(state) % 5};
    }
    return count;
}

/* In an allgather the block to all destinations of a rank has one length. */
static void equal_lengths(struct ct_edge *edges, size_t count, const size_t *own)
{
    for (size_t i = 0; i < count; i++)
        edges[i].length = own[edges[i].from];
}

static void report(struct trial *trial, const struct ct_method *method, const char *what)
{
    char spelling[CT_METHOD_TEXT];
    trial->failures++;
    printf("rank %d of %d, %s: %s\n", trial->rank, trial->size, ct_method_format(method, true, spelling),
           what);
}

/* Compares both set-ups; `other`, if there is one, is the call of another pattern, whose routes differ. */
static void compare(struct trial *trial, const struct ct_method *method, const struct ct_call *all)
{
    struct ct_error error = {{0}};
    struct ct_routes *expected = NULL, made = {0};
    enum ct_collective collective = method->algorithm->collective;
    struct ct_call own = ct_call_of_rank(collective, all, trial->rank);
    int status = ct_set_up(method, &own, trial->comm, &trial->supersteps, &error, &made);
    int in_one = ct_routes_make(method, all, &error, &expected);
    if (status != CT_OK || in_one != CT_OK)
        report(trial, method, *error.text ? error.text : "failed");
    else if (!are_same_routes(&made, &expected[trial->rank]))
        report(trial, method, "routes differ");
    /* The comparison must be able to see a difference. */
    if (status == CT_OK) {
        trial->compared++;
        if (made.delivery_count > 0 && expected) {
            made.deliveries[0].block++;
            if (are_same_routes(&made, &expected[trial->rank]))
                report(trial, method, "a difference is not seen");
        }
        ct_routes_free(&made);
    }
    ct_routes_free_all(expected, trial->size);
}

/* One rank sends another length than its destination expects. */
static void disagree(struct trial *trial, const struct ct_method *method, const struct ct_call *all)
{
    struct ct_error error = {{0}};
    struct ct_routes made = {0};
    struct ct_call own = ct_call_of_rank(method->algorithm->collective, all, trial->rank);
    struct ct_neighbors neighbors = {0};
    size_t lengths[EDGES_MOST];
    const size_t *sent = own.send_counts;
    const size_t count = ct_call_blocks(&own, CT_BUFFER_SEND);
    if (all->neighbors && all->neighbors[trial->size - 1].out_count == 0)
        return;
    if (trial->rank == trial->size - 1 && count > 0 && sent) {
        memcpy(lengths, sent, count * sizeof lengths[0]);
        lengths[0]++;
        own.send_counts = lengths;
        if (own.neighbors) {
            neighbors = *own.neighbors;
            neighbors.out_lengths = lengths;
            own.neighbors = &neighbors;
        }
    }
    int status = ct_set_up(method, &own, trial->comm, &trial->supersteps, &error, &made);
    if (status != CT_E_INPUT)
        report(trial, method, "different lengths are not found");
    if (status == CT_OK)
        ct_routes_free(&made);
}

static void try_sparse(struct trial *trial, const struct ct_method *method, uint64_t *state)
{
    const struct ct_collective_description *about = &ct_collectives[method->algorithm->collective];
    bool one_for_all = about->input[0] == CT_CONTENTS_OWN;
    struct ct_edge edges[EDGES_MOST];
    struct ct_pattern pattern;
    size_t count = make_edges(trial->size, state, edges),
           *own = ct_allocate((size_t)trial->size, sizeof *own);
    for (int i = 0; own && i < trial->size; i++)
        own[i] = ct_random(state) % 5;
    if (one_for_all && own)
        equal_lengths(edges, count, own);
    if (!own || ct_pattern_make(trial->size, edges, count, about->varies, &pattern) != CT_OK)
        abort();
    const struct ct_call call = {.size = trial->size,
                                 .count = 3,
                                 .unit_bytes = 1,
                                 .commutative = true,
                                 .send_counts = one_for_all && about->varies ? own : NULL,
                                 .neighbors = pattern.ranks,
                                 .nodes = &trial->nodes};
    if (ct_method_applies(method, &call, NULL)) {
        compare(trial, method, &call);
        if (about->varies && !about->finds_sources && !one_for_all)
            disagree(trial, method, &call);
    }
    ct_pattern_free(&pattern);
    free(own);
}

/* Each rank may have a block for each. */
static void try_dense(struct trial *trial, const struct ct_method *method, uint64_t *state)
{
    size_t size = (size_t)trial->size, *sent = ct_allocate(size * size, sizeof *sent),
           *received = ct_allocate(size * size, sizeof *received);
    if (!sent || !received || size > EDGES_MOST)
        abort();
    for (size_t i = 0; i < size * size; i++) {
        sent[i] = ct_random(state) % 3;
        received[i % size * size + i / size] = sent[i];
    }
    const struct ct_call call = {.size = trial->size,
                                 .unit_bytes = 1,
                                 .commutative = true,
                                 .send_counts = sent,
                                 .recv_counts = received,
                                 .nodes = &trial->nodes};
    if (ct_method_applies(method, &call, NULL)) {
        compare(trial, method, &call);
        disagree(trial, method, &call);
    }
    free(sent);
    free(received);
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 6 };
    struct trial trial = {0};
    struct ct_method *methods = NULL;
    size_t count = 0, capacity = 0;
    uint64_t state = 16;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &trial.comm);
    MPI_Comm_set_errhandler(trial.comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(trial.comm, &trial.rank);
    MPI_Comm_size(trial.comm, &trial.size);
    int *labels = ct_allocate((size_t)trial.size, sizeof *labels);
    for (int i = 0; labels && i < trial.size; i++)
        labels[i] = i / 3;
    if (!labels || ct_nodes_make(labels, trial.size, &trial.nodes) != CT_OK)
        return 1;
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (ct_algorithms[i].descriptor->forwarding &&
            ct_methods_of(&ct_algorithms[i], &methods, &count, &capacity) != CT_OK)
            return 1;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < count; i++)
            (ct_collectives[methods[i].algorithm->collective].is_sparse ? try_sparse : try_dense)(
                &trial, &methods[i], &state);
    if (trial.rank == 0)
        printf("%zu routes of %zu methods compared\n", trial.compared, count);
    bool is_right = trial.failures == 0 && trial.compared > 0;
    free(methods);
    free(labels);
    ct_nodes_free(&trial.nodes);
    MPI_Comm_free(&trial.comm);
    MPI_Finalize();
    return is_right ? 0 : 1;
}
