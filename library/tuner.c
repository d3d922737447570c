/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/tuner.h"
#include "base/hash.h"
#include "base/memory.h"
#include "decision/tree/tree_index.h"
#include "library/compiled.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counted {
    struct ct_method method;
    unsigned constraints;
    char spelling[CT_METHOD_TEXT];
    _Atomic unsigned long long calls;
    _Atomic unsigned long long messages;
};

/* The methods in force: native of each collective first, by its number; then those compiled in, the table's,
 * those forced. */
static struct tuner {
    bool started;
    bool many_threads;
    struct ct_configuration configuration;
    enum ct_wait_policy policy;
    uint64_t compiled_hash;
    struct counted *methods;
    unsigned method_count;
    unsigned compiled_begin;
    unsigned table_begin[CT_COLLECTIVES];
    struct ct_tree_index table[CT_COLLECTIVES]; /* of no tree where the table has none */
    unsigned forced[CT_COLLECTIVES];
    bool undecided[CT_COLLECTIVES]; /* nothing says anything of it */
    int *node_labels;               /* by rank of MPI_COMM_WORLD; NULL where that is not known */
} tuner;

static unsigned add_method(const struct ct_method *method)
{
    struct counted *counted = &tuner.methods[tuner.method_count];
    counted->method = *method;
    counted->constraints = ct_method_constraints(method);
    ct_method_format(method, true, counted->spelling);
    return tuner.method_count++;
}

static size_t methods_needed(void)
{
    size_t need = 2 * CT_COLLECTIVES + ct_compiled_decisions.method_count;
    for (size_t i = 0; i < tuner.configuration.table.tree_count; i++)
        need += tuner.configuration.table.trees[i].method_count;
    return need;
}

/* The spellings that the library was built with are its own registry's: one that is not is a broken build. */
static bool add_compiled(void)
{
    tuner.compiled_begin = tuner.method_count;
    for (size_t i = 0; i < ct_compiled_decisions.method_count; i++) {
        const char *spelling = ct_compiled_decisions.methods[i];
        struct ct_method method;
        if (ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method) != CT_OK)
            return false;
        add_method(&method);
        tuner.compiled_hash = ct_hash(tuner.compiled_hash, spelling, strlen(spelling) + 1);
    }
    const char *provenance = ct_compiled_decisions.provenance;
    tuner.compiled_hash = ct_hash(tuner.compiled_hash, provenance, strlen(provenance));
    return true;
}

static bool add_table(void)
{
    const struct ct_decisions *table = &tuner.configuration.table;
    for (size_t i = 0; i < table->tree_count; i++) {
        const struct ct_decision_tree *tree = &table->trees[i];
        if (ct_tree_index_make(tree, &tuner.table[tree->collective]) != CT_OK)
            return false;
        tuner.table_begin[tree->collective] = tuner.method_count;
        for (size_t m = 0; m < tree->method_count; m++)
            add_method(&tree->methods[m]);
    }
    return true;
}

static bool add_methods(void)
{
    tuner.methods = ct_allocate(methods_needed(), sizeof *tuner.methods);
    if (!tuner.methods)
        return false;
    for (int i = 0; i < CT_COLLECTIVES; i++) {
        struct ct_method native = {.algorithm = ct_algorithm_find((enum ct_collective)i, "native")};
        add_method(&native);
    }
    if (!add_compiled() || !add_table())
        return false;
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (tuner.configuration.is_forced[i])
            tuner.forced[i] = add_method(&tuner.configuration.forced[i]);
    return true;
}

static void say_what_is_in_force(void)
{
    fprintf(stderr, "%s", tuner.configuration.complaints.data ? tuner.configuration.complaints.data : "");
    if (!tuner.configuration.verbose)
        return;
    fprintf(stderr, "colltune: tuned collectives %s; waiting by %s\n",
            tuner.configuration.disabled ? "disabled" : "in force",
            tuner.policy == CT_WAIT_SPIN ? "spinning" : "testing and yielding");
    if (tuner.configuration.table.tree_count > 0)
        fprintf(stderr, "colltune: decisions from COLLTUNE_TABLE for %zu collectives\n",
                tuner.configuration.table.tree_count);
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (tuner.configuration.is_forced[i])
            fprintf(stderr, "colltune: forced %s\n", tuner.methods[tuner.forced[i]].spelling);
    for (const char *line = ct_compiled_decisions.provenance; *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(stderr, "colltune: compiled: %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

/* Whether there is memory for the labels must not differ between ranks: without it all do without. */
void ct_tuner_find_nodes(void)
{
    int size = 0, made, all = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    tuner.node_labels = ct_allocate((size_t)size, sizeof *tuner.node_labels);
    made = tuner.node_labels != NULL;
    PMPI_Allreduce(&made, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all && ct_node_labels(MPI_COMM_WORLD, tuner.node_labels) == MPI_SUCCESS)
        return;
    free(tuner.node_labels);
    tuner.node_labels = NULL;
}

/* Found once, since every call asks. */
static void find_undecided(void)
{
    for (int i = 0; i < CT_COLLECTIVES; i++)
        tuner.undecided[i] =
            !ct_compiled_decisions.decide[i] && !tuner.configuration.is_forced[i] && !tuner.table[i].tree;
}

void ct_tuner_start(MPI_Comm comm)
{
    if (tuner.started)
        return;
    int rank = 0, level = MPI_THREAD_SINGLE;
    ct_configuration_read(&tuner.configuration);
    tuner.policy = ct_wait_policy_find(comm);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Query_thread(&level);
    tuner.many_threads = level == MPI_THREAD_MULTIPLE;
    if (!add_methods()) {
        tuner.configuration.disabled = true;
        fprintf(stderr, "colltune: broken build or out of memory: everything goes to the MPI library\n");
    }
    find_undecided();
    if (rank == 0)
        say_what_is_in_force();
    tuner.started = true;
}

bool ct_tuner_started(void)
{
    return tuner.started;
}

void ct_tuner_stop(void)
{
    for (int i = 0; i < CT_COLLECTIVES; i++)
        ct_tree_index_free(&tuner.table[i]);
    ct_configuration_free(&tuner.configuration);
    free(tuner.methods);
    free(tuner.node_labels);
    memset(&tuner, 0, sizeof tuner);
}

const struct ct_configuration *ct_tuner_configuration(void)
{
    return &tuner.configuration;
}

const int *ct_tuner_node_labels(void)
{
    return tuner.node_labels;
}

enum ct_wait_policy ct_tuner_policy(void)
{
    return tuner.policy;
}

uint64_t ct_tuner_compiled_hash(void)
{
    return tuner.compiled_hash;
}

static struct ct_choice choice_of(unsigned number)
{
    return (struct ct_choice){.method = &tuner.methods[number].method, .counter = number};
}

struct ct_choice ct_tuner_native(enum ct_collective collective)
{
    return choice_of((unsigned)collective);
}

bool ct_tuner_leaves(enum ct_collective collective)
{
    return tuner.undecided[collective] && !tuner.configuration.profile;
}

/* What was learned: the numbers of the method and of the next best. */
struct learned {
    unsigned method;
    unsigned fallback;
};

static struct learned look_up(bool with_table, enum ct_collective collective,
                              const struct ct_features *features)
{
    if (with_table && tuner.table[collective].tree) {
        struct ct_tree_choice choice = ct_tree_index_decide(&tuner.table[collective], features);
        unsigned begin = tuner.table_begin[collective];
        return (struct learned){begin + choice.method, begin + choice.fallback};
    }
    if (!ct_compiled_decisions.decide[collective])
        return (struct learned){(unsigned)collective, (unsigned)collective};
    struct ct_compiled_choice choice = ct_compiled_decisions.decide[collective](features);
    return (struct learned){tuner.compiled_begin + choice.method, tuner.compiled_begin + choice.fallback};
}

static bool applies(struct ct_choice choice, const struct ct_call *call)
{
    return ct_constraints_hold(tuner.methods[choice.counter].constraints, call, NULL);
}

struct ct_choice ct_tuner_decide(enum ct_agreement agreement, enum ct_collective collective,
                                 const struct ct_call *call)
{
    bool as_configured = agreement == CT_AGREEMENT_AGREED;
    if (as_configured && tuner.configuration.is_forced[collective]) {
        struct ct_choice forced = choice_of(tuner.forced[collective]);
        if (applies(forced, call))
            return forced;
    }
    const struct ct_features features = ct_call_features(collective, call);
    struct learned learned = look_up(as_configured, collective, &features);
    struct ct_choice choice = choice_of(learned.method);
    return applies(choice, call) ? choice : choice_of(learned.fallback);
}

/* Without threads there is no one to race with, and a plain load and store are cheaper than a locked
 * addition. */
static void add(_Atomic unsigned long long *counter, unsigned long long more)
{
    if (tuner.many_threads)
        atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
    else
        atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
                              memory_order_relaxed);
}

void ct_tuner_count(struct ct_choice choice, uint64_t messages)
{
    add(&tuner.methods[choice.counter].calls, 1);
    add(&tuner.methods[choice.counter].messages, messages);
}

size_t colltuned_counters(struct colltuned_counter *counters, size_t room)
{
    for (size_t i = 0; i < tuner.method_count && i < room; i++)
        counters[i] = (struct colltuned_counter){.method = tuner.methods[i].spelling,
                                                 .calls = atomic_load(&tuner.methods[i].calls),
                                                 .messages = atomic_load(&tuner.methods[i].messages)};
    return tuner.method_count;
}

const char *colltuned_provenance(void)
{
    return ct_compiled_decisions.provenance;
}
