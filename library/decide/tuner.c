/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/tuner.h"
#include "base/cpu_model.h"
#include "base/hash.h"
#include "base/memory.h"
#include "decision/tree/tree_index.h"
#include "library/compiled.h"
#include "library/decide/origin.h"
#include "library/decide/profile.h"
#include "library/mpi/backend_mpi.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of the process. A library that stands in for MPI must have one: the application calls MPI_Bcast
 * and has nothing to pass on. Files of library/ keep such state in one static struct each, which says so; all
 * else is passed in. */
static struct {
    struct ct_tuner shared;
    atomic_bool is_started;
    /* The methods: native of each collective first, by its number; then those compiled in, the table's, those
     * forced. */
    struct ct_choice *methods;
    unsigned method_count;
    struct ct_choice without_memory[CT_COLLECTIVES]; /* `methods` if there is no memory for more */
    unsigned compiled_begin;
    unsigned table_begin[CT_COLLECTIVES];
    struct ct_tree_index table[CT_COLLECTIVES]; /* without a tree if the table has none */
    unsigned forced[CT_COLLECTIVES];
    struct ct_choice by_pattern[CT_COLLECTIVES]; /* of sparse collectives: stand for decisions to come */
    struct ct_choice *native[CT_COLLECTIVES];
    struct ct_choice *undecided[CT_COLLECTIVES]; /* native; NULL where something is decided or recorded */
} tuner;

/* Must all calls be described, also those that are passed on? */
static bool is_watched(void)
{
    return tuner.shared.profile || tuner.shared.configuration.check;
}

static void set_method(const struct ct_method *method, struct ct_choice *choice)
{
    choice->method = *method;
    choice->is_passed_on = ct_is_native(method->algorithm) && !is_watched();
    choice->constraints = ct_method_constraints(method);
    choice->version++;
    ct_method_format(method, true, choice->spelling);
}

static unsigned add_method(const struct ct_method *method)
{
    set_method(method, &tuner.methods[tuner.method_count]);
    return tuner.method_count++;
}

static size_t methods_needed(void)
{
    const struct ct_decisions *table = &tuner.shared.configuration.table;
    size_t need = 2 * CT_COLLECTIVES + ct_compiled_decisions.method_count;
    for (size_t i = 0; i < table->tree_count; i++)
        need += table->trees[i].method_count;
    return need;
}

static void add_native(void)
{
    tuner.method_count = 0;
    for (int i = 0; i < CT_COLLECTIVES; i++) {
        struct ct_method native = {.algorithm = ct_algorithm_find((enum ct_collective)i, "native")};
        assert(native.algorithm);
        tuner.native[i] = &tuner.methods[add_method(&native)];
        set_method(&native, &tuner.by_pattern[i]);
        tuner.by_pattern[i].is_passed_on = false;
        tuner.by_pattern[i].depends_on_pattern = true;
    }
}

/* Fails in a broken build: what was compiled in is not in the library's own registry. */
static bool add_compiled(void)
{
    uint64_t *hash = &tuner.shared.compiled_hash;
    tuner.compiled_begin = tuner.method_count;
    for (size_t i = 0; i < ct_compiled_decisions.method_count; i++) {
        const char *spelling = ct_compiled_decisions.methods[i];
        struct ct_method method;
        if (ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method) != CT_OK)
            return false;
        add_method(&method);
        *hash = ct_hash(*hash, spelling, strlen(spelling) + 1);
    }
    const char *provenance = ct_compiled_decisions.provenance;
    *hash = ct_hash(*hash, provenance, strlen(provenance));
    return true;
}

static bool add_table(void)
{
    const struct ct_decisions *table = &tuner.shared.configuration.table;
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
    const struct ct_configuration *configuration = &tuner.shared.configuration;
    tuner.methods = ct_allocate(methods_needed(), sizeof *tuner.methods);
    if (!tuner.methods)
        return false;
    add_native();
    if (!add_compiled() || !add_table())
        return false;
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (configuration->is_forced[i])
            tuner.forced[i] = add_method(&configuration->forced[i]);
    assert(tuner.method_count <= methods_needed());
    return true;
}

static bool is_decided(int collective)
{
    return ct_compiled_decisions.decide[collective] || tuner.table[collective].tree ||
           tuner.shared.configuration.is_forced[collective];
}

/* `node` says how messages within the node travel; "" where that is not known or no matter. */
static void print_settings(const char *node)
{
    const struct ct_configuration *configuration = &tuner.shared.configuration;
    fprintf(stderr, "%s", configuration->complaints.data ? configuration->complaints.data : "");
    if (!configuration->verbose)
        return;
    int tuned = 0;
    for (int i = 0; i < CT_COLLECTIVES; i++)
        tuned += is_decided(i);
    fprintf(stderr, "colltune: tuned decisions for %d collective%s are %s; ranks %s while they wait%s%s\n",
            tuned, tuned == 1 ? "" : "s", configuration->disabled ? "disabled" : "in force",
            tuner.shared.policy == CT_WAIT_SPIN ? "spin" : "yield",
            *node ? "; messages within the node go through " : "", node);
    if (configuration->table.tree_count > 0)
        fprintf(stderr, "colltune: decisions from COLLTUNE_TABLE for %zu collective%s\n",
                configuration->table.tree_count, configuration->table.tree_count == 1 ? "" : "s");
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (configuration->is_forced[i])
            fprintf(stderr, "colltune: forced %s\n", tuner.methods[tuner.forced[i]].spelling);
    if (configuration->verbose < 2)
        return;
    for (const char *line = ct_compiled_decisions.provenance; *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(stderr, "colltune: compiled: %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static const char *provenance_in_force(void)
{
    const char *table = tuner.shared.configuration.table_text;
    return table ? table : ct_compiled_decisions.provenance;
}

/* Decisions of another MPI or processor may lose. */
static void print_origin(void)
{
    const struct ct_configuration *configuration = &tuner.shared.configuration;
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "", cpu[CT_CPU_MODEL_TEXT], line[CT_ORIGIN_TEXT];
    int length;
    if (configuration->disabled || PMPI_Get_library_version(mpi, &length) != MPI_SUCCESS)
        return;
    ct_cpu_model(CT_CPU_FILE, cpu);
    if (ct_origin_differs(provenance_in_force(), mpi, cpu, line))
        fprintf(stderr, "colltune: %s\n", line);
}

/* Does rank 0 share its node with others of the `size` ranks of MPI_COMM_WORLD? */
static bool has_company(int size)
{
    const int *labels = tuner.shared.node_labels, rank = tuner.shared.rank;
    int ranks = 0;
    for (int i = 0; labels && i < size; i++)
        ranks += labels[i] == labels[rank];
    return ranks > 1;
}

void ct_tuner_print_start(int size, enum ct_node_channel channel)
{
    const bool tells_node = !tuner.shared.configuration.disabled && has_company(size);
    char line[CT_ORIGIN_TEXT];
    if (tuner.shared.rank != 0)
        return;
    print_settings(tells_node ? ct_node_channel_titles[channel] : "");
    print_origin();
    if (tells_node && ct_origin_channel_differs(provenance_in_force(), channel, line))
        fprintf(stderr, "colltune: %s\n", line);
}

enum ct_wait_policy ct_tuner_policy(enum ct_wait_policy found)
{
    const struct ct_configuration *configuration = &tuner.shared.configuration;
    if (configuration->sets_wait && !CT_SIMULATED)
        return configuration->wait;
    return found > tuner.shared.policy ? found : tuner.shared.policy;
}

void ct_tuner_start(const struct ct_process *process)
{
    struct ct_configuration *configuration = &tuner.shared.configuration;
    assert(!ct_tuner_is_started());
    ct_configuration_read(configuration);
    tuner.shared.rank = process->rank;
    tuner.shared.many_threads = process->many_threads;
    tuner.shared.policy = ct_tuner_policy(process->policy);
    tuner.shared.node_labels = process->node_labels;
    if (configuration->profile)
        tuner.shared.profile = ct_profile_make(configuration->profile, process->rank, process->many_threads);
    if (!add_methods()) {
        tuner.shared.failed = true;
        free(tuner.methods);
        tuner.methods = tuner.without_memory;
        add_native();
    }
    for (int i = 0; i < CT_COLLECTIVES; i++)
        tuner.undecided[i] = is_decided(i) || is_watched() ? NULL : tuner.native[i];
    atomic_store_explicit(&tuner.is_started, true, memory_order_release);
}

/* What is compiled in, a table, the environment and the library itself may name one method each. Takes all of
 * them together where the first one is; false for the others. */
static bool count(unsigned method, struct colltuned_counter *ret_counter)
{
    const char *name = tuner.methods[method].spelling;
    struct colltuned_counter counter = {.method = name};
    for (unsigned i = 0; i < tuner.method_count; i++) {
        const struct ct_choice *choice = &tuner.methods[i];
        if (strcmp(choice->spelling, name) != 0)
            continue;
        if (i < method)
            return false;
        counter.calls += atomic_load(&choice->calls);
        counter.messages += atomic_load(&choice->messages);
    }
    *ret_counter = counter;
    return true;
}

void ct_tuner_print_use(void)
{
    struct colltuned_counter counter;
    if (!tuner.shared.configuration.verbose || tuner.shared.rank != 0)
        return;
    for (unsigned i = 0; i < tuner.method_count; i++)
        if (count(i, &counter) && counter.calls > 0)
            fprintf(stderr, "colltune: %12llu call%s of %s on rank 0\n", counter.calls,
                    counter.calls == 1 ? " " : "s", counter.method);
}

bool ct_tuner_is_started(void)
{
    return atomic_load_explicit(&tuner.is_started, memory_order_acquire);
}

const struct ct_tuner *ct_tuner(void)
{
    return &tuner.shared;
}

struct ct_choice *ct_tuner_native(enum ct_collective collective)
{
    return tuner.native[collective];
}

/* Where the environment differs, only compiled decisions count, and an undecided collective has none. */
struct ct_choice *const *ct_tuner_bypasses(enum ct_agreement agreement)
{
    return agreement == CT_AGREEMENT_NATIVE_ONLY ? tuner.native : tuner.undecided;
}

/* What is decided for messages so many times longer or shorter may suit a call, too. */
enum { FAR_SIZES = 1 << 20 };

bool ct_choice_applies(const struct ct_choice *choice, const struct ct_call *call)
{
    return ct_constraints_hold(choice->constraints, call, NULL);
}

/* By the table read, or by what was compiled in. */
static struct ct_choice *decide_by_features(bool as_configured, enum ct_collective collective,
                                            const struct ct_call *call, const struct ct_features *features)
{
    unsigned method = (unsigned)collective, fallback = method; /* native */
    if (as_configured && tuner.table[collective].tree) {
        struct ct_tree_choice leaf = ct_tree_index_decide(&tuner.table[collective], features);
        method = tuner.table_begin[collective] + leaf.method;
        fallback = tuner.table_begin[collective] + leaf.fallback;
    } else if (ct_compiled_decisions.decide[collective]) {
        struct ct_compiled_choice leaf = ct_compiled_decisions.decide[collective](features);
        method = tuner.compiled_begin + leaf.method;
        fallback = tuner.compiled_begin + leaf.fallback;
    }
    struct ct_choice *choice = &tuner.methods[method];
    if (ct_choice_applies(choice, call))
        return choice;
    assert(ct_choice_applies(&tuner.methods[fallback], call));
    return &tuner.methods[fallback];
}

/* A sparse collective, before the ranks have agreed on the features of the pattern. */
static struct ct_choice *decide_without_pattern(bool as_configured, enum ct_collective collective)
{
    bool is_decided_here =
        (as_configured && tuner.table[collective].tree) || ct_compiled_decisions.decide[collective] != NULL;
    return is_decided_here ? &tuner.by_pattern[collective] : tuner.native[collective];
}

/* The method that the configuration asks for, if it applies; else NULL. */
static struct ct_choice *forced_choice(bool as_configured, enum ct_collective collective,
                                       const struct ct_call *call)
{
    if (!as_configured || !tuner.shared.configuration.is_forced[collective])
        return NULL;
    struct ct_choice *forced = &tuner.methods[tuner.forced[collective]];
    return ct_choice_applies(forced, call) ? forced : NULL;
}

struct ct_choice *ct_tuner_decide_by(enum ct_agreement agreement, enum ct_collective collective,
                                     const struct ct_call *call, const struct ct_features *features)
{
    const bool as_configured = agreement == CT_AGREEMENT_AGREED;
    struct ct_choice *forced = forced_choice(as_configured, collective, call);
    return forced ? forced : decide_by_features(as_configured, collective, call, features);
}

struct ct_choice *ct_tuner_decide(enum ct_agreement agreement, enum ct_collective collective,
                                  const struct ct_call *call)
{
    const bool as_configured = agreement == CT_AGREEMENT_AGREED;
    if (ct_collectives[collective].is_sparse && !call->pattern) {
        struct ct_choice *forced = forced_choice(as_configured, collective, call);
        return forced ? forced : decide_without_pattern(as_configured, collective);
    }
    const struct ct_features features = ct_call_features(collective, call);
    return ct_tuner_decide_by(agreement, collective, call, &features);
}

bool ct_tuner_has_candidates(enum ct_collective collective)
{
    return is_decided(collective) && !ct_collectives[collective].is_sparse &&
           !tuner.shared.configuration.is_forced[collective];
}

/* The candidates found so far. */
struct candidates {
    const struct ct_call *call;
    struct ct_choice **choices;
    size_t count;
    size_t room;
};

static void add_candidate(struct candidates *found, struct ct_choice *choice)
{
    bool is_new = found->count < found->room && ct_choice_applies(choice, found->call);
    for (size_t i = 0; is_new && i < found->count; i++)
        is_new = !ct_method_equal(&found->choices[i]->method, &choice->method);
    if (is_new)
        found->choices[found->count++] = choice;
}

size_t ct_tuner_candidates(enum ct_collective collective, const struct ct_call *call, size_t room,
                           struct ct_choice **ret_choices)
{
    struct candidates found = {.call = call, .choices = ret_choices, .room = room};
    struct ct_features features = ct_call_features(collective, call);
    const size_t bytes = features.value[CT_FEATURE_MSG_BYTES];
    add_candidate(&found, decide_by_features(true, collective, call, &features));
    add_candidate(&found, tuner.native[collective]);
    for (size_t factor = 2; factor <= FAR_SIZES; factor *= 2) {
        features.value[CT_FEATURE_MSG_BYTES] = bytes / factor;
        add_candidate(&found, decide_by_features(true, collective, call, &features));
        if (ct_multiply(bytes, factor, &features.value[CT_FEATURE_MSG_BYTES]))
            add_candidate(&found, decide_by_features(true, collective, call, &features));
    }
    for (unsigned i = 0; i < tuner.method_count; i++)
        if (tuner.methods[i].method.algorithm->collective == collective)
            add_candidate(&found, &tuner.methods[i]);
    return found.count;
}

void ct_tuner_force(const struct ct_method *method)
{
    enum ct_collective collective = method->algorithm->collective;
    bool *is_forced = &tuner.shared.configuration.is_forced[collective];
    assert(ct_tuner_is_started() && !tuner.shared.failed);
    if (!*is_forced)
        tuner.forced[collective] = add_method(method);
    *is_forced = true;
    tuner.undecided[collective] = NULL;
    struct ct_choice *choice = &tuner.methods[tuner.forced[collective]];
    set_method(method, choice);
    choice->calls = 0;
    choice->messages = 0;
}

unsigned long long ct_tuner_forced_calls(enum ct_collective collective)
{
    return tuner.methods[tuner.forced[collective]].calls;
}

size_t colltuned_counters(struct colltuned_counter *counters, size_t room)
{
    struct colltuned_counter counter;
    size_t counted = 0;
    for (unsigned i = 0; i < tuner.method_count; i++) {
        if (!count(i, &counter))
            continue;
        if (counted < room)
            counters[counted] = counter;
        counted++;
    }
    return counted;
}

const char *colltuned_provenance(void)
{
    return ct_compiled_decisions.provenance;
}
