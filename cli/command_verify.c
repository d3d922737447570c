/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/outcomes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 256, RANKS_MAX = 100000 };

struct arguments {
    const struct ct_algorithm **algorithms;
    size_t algorithm_count;
    size_t *sizes;
    size_t size_count;
    size_t *counts; /* NULL: the standard ones */
    size_t count_count;
    size_t jobs;
    bool csv;
};

static const struct argp_option options[] = {
    {"sizes", 'p', "LIST", 0, "numbers of ranks (1-64)", 0},
    {"counts", 'c', "LIST", 0,
     "lengths in bytes, in reductions in elements (0, 1, P-1, P, P+1, 17, 3*2^31+1)", 0},
    {"jobs", 'j', "N", 0, "threads (as many as CPUs)", 0},
    {"format", 'f', "FORMAT", 0, "text (default) or csv", 0},
    {0},
};

static void add_algorithm(const struct argp_state *state, struct arguments *arguments,
                          const struct ct_algorithm *algorithm)
{
    for (size_t i = 0; i < arguments->algorithm_count; i++)
        if (arguments->algorithms[i] == algorithm)
            return;
    if (!arguments->algorithms)
        arguments->algorithms = ct_allocate(ct_algorithm_count, sizeof *arguments->algorithms);
    if (!arguments->algorithms)
        ct_usage(state, "out of memory");
    arguments->algorithms[arguments->algorithm_count++] = algorithm;
}

/* COLLECTIVE/ALGORITHM, COLLECTIVE, or, `word` being NULL, all. */
static void add_algorithms(const struct argp_state *state, struct arguments *arguments, const char *word)
{
    if (word && strchr(word, '/')) {
        struct ct_error error = {{0}};
        struct ct_method method;
        if (ct_method_parse(word, CT_COLLECTIVES, &error, &method) != CT_OK)
            ct_usage(state, "%s", error.text);
        if (strchr(word, ':'))
            ct_usage(state, "'%s': expected an algorithm without parameters, all values are tried", word);
        if (ct_is_native(method.algorithm))
            ct_usage(state, "'%s' has no plan to verify: the MPI library carries it out", word);
        add_algorithm(state, arguments, method.algorithm);
        return;
    }
    enum ct_collective collective = word ? ct_collective_find(word) : CT_COLLECTIVES;
    if (word && collective == CT_COLLECTIVES)
        ct_usage(state, "unknown collective '%s': see colltune list", word);
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (!ct_is_native(&ct_algorithms[i]) && (!word || ct_algorithms[i].collective == collective))
            add_algorithm(state, arguments, &ct_algorithms[i]);
}

static void parse_list(const struct argp_state *state, const char *option, const char *list, size_t least,
                       size_t most, size_t **ret_values, size_t *ret_count)
{
    struct ct_error error = {{0}};
    free(*ret_values);
    *ret_values = NULL;
    if (ct_list_parse(list, &error, ret_values, ret_count) != CT_OK)
        ct_usage(state, "--%s: %s", option, error.text);
    for (size_t i = 0; i < *ret_count; i++)
        if ((*ret_values)[i] < least || (*ret_values)[i] > most)
            ct_usage(state, "--%s: %zu is not in %zu to %zu", option, (*ret_values)[i], least, most);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'p':
        parse_list(state, "sizes", argument, 1, RANKS_MAX, &arguments->sizes, &arguments->size_count);
        return 0;
    case 'c':
        parse_list(state, "counts", argument, 0, (size_t)1 << 50, &arguments->counts,
                   &arguments->count_count);
        return 0;
    case 'j':
        if (ct_size_parse(argument, &arguments->jobs) != CT_OK || arguments->jobs < 1 ||
            arguments->jobs > JOBS_MAX)
            ct_usage(state, "'%s' for --jobs: expected a number from 1 to %d", argument, JOBS_MAX);
        return 0;
    case 'f':
        arguments->csv = ct_format_is_csv(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        add_algorithms(state, arguments, argument);
        return 0;
    case ARGP_KEY_END:
        if (arguments->algorithm_count == 0)
            add_algorithms(state, arguments, NULL);
        if (!arguments->sizes)
            parse_list(state, "sizes", "1-64", 1, RANKS_MAX, &arguments->sizes, &arguments->size_count);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[COLLECTIVE[/ALGORITHM]...]",
    "Verifies that the plans of all ranks together do what the collective is for: every message is received, "
    "nothing "
    "deadlocks, every unit ends where it belongs, reductions hold each rank just once and in order. For all "
    "roots up to 33 ranks, then for four; for several lengths and parameter values; in place and not. Beyond "
    "256 "
    "ranks for few of these, and without methods whose messages are more than of the order of P log P: those "
    "are "
    "named as quadratic.\v"
    "Example:\n  colltune verify bcast allreduce/ring --sizes 1-32\n",
    NULL,
    NULL,
    NULL};

struct work {
    const struct arguments *arguments;
    atomic_size_t next; /* of all pairs of a size and an algorithm, large sizes first */
    atomic_size_t done;
    atomic_int status; /* the first that is neither CT_OK nor CT_E_ANSWER */
    pthread_mutex_t lock;
    struct ct_outcome *outcomes; /* under the lock */
};

static double thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_falling_size(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a > b ? -1 : a < b;
}

/* Adds one size's result to the algorithm's. */
static int merge(struct work *work, size_t algorithm, const struct ct_cases_totals *totals, double seconds,
                 const struct ct_case_failure *failure)
{
    int status = CT_OK;
    pthread_mutex_lock(&work->lock);
    struct ct_outcome *outcome = &work->outcomes[algorithm];
    ct_outcome_add(outcome, totals, seconds);
    if (failure && !outcome->failure) {
        outcome->failure = malloc(sizeof *outcome->failure);
        status = outcome->failure ? CT_OK : CT_E_MEMORY;
        if (outcome->failure)
            *outcome->failure = *failure;
    } else if (failure && failure->call.size < outcome->failure->call.size) {
        *outcome->failure = *failure;
    }
    pthread_mutex_unlock(&work->lock);
    return status;
}

static int verify_pair(struct work *work, struct ct_verifier *verifier, size_t index)
{
    const struct arguments *arguments = work->arguments;
    size_t algorithm = index % arguments->algorithm_count;
    const struct ct_cases cases = {.algorithm = arguments->algorithms[algorithm],
                                   .size = (int)arguments->sizes[index / arguments->algorithm_count],
                                   .counts = arguments->counts,
                                   .count_count = arguments->count_count};
    struct ct_cases_totals totals = {0};
    struct ct_case_failure failure;
    double begun = thread_seconds();
    int status = ct_cases_verify(verifier, &cases, &totals, &failure);
    if (status != CT_OK && status != CT_E_ANSWER)
        return status;
    return merge(work, algorithm, &totals, thread_seconds() - begun, status == CT_E_ANSWER ? &failure : NULL);
}

static void *verify(void *context)
{
    struct work *work = context;
    size_t pairs = work->arguments->algorithm_count * work->arguments->size_count;
    struct ct_verifier *verifier = ct_verifier_new();
    int status = verifier ? CT_OK : CT_E_MEMORY;
    while (status == CT_OK && atomic_load(&work->status) == CT_OK) {
        size_t index = atomic_fetch_add(&work->next, 1);
        if (index >= pairs)
            break;
        status = verify_pair(work, verifier, index);
        atomic_fetch_add(&work->done, 1);
    }
    if (status != CT_OK)
        atomic_store(&work->status, status);
    ct_verifier_free(verifier);
    return NULL;
}

/* Threads verify, this one shows how far they are. */
static int verify_all(struct work *work)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    size_t pairs = work->arguments->algorithm_count * work->arguments->size_count;
    size_t jobs = work->arguments->jobs < pairs ? work->arguments->jobs : pairs, started = 0;
    pthread_t threads[JOBS_MAX];
    while (started < jobs && pthread_create(&threads[started], NULL, verify, work) == 0)
        started++;
    if (started == 0)
        return CT_E_SYSTEM;
    struct ct_progress progress;
    ct_progress_begin(&progress, "verify");
    for (size_t done; (done = atomic_load(&work->done)) < pairs && atomic_load(&work->status) == CT_OK;) {
        ct_progress_show(&progress, (double)done / (double)pairs, NULL);
        nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    ct_progress_end(&progress);
    return atomic_load(&work->status);
}

static int run(int argc, char **argv)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    struct arguments arguments = {.jobs = cpus < 1 ? 1 : cpus > JOBS_MAX ? JOBS_MAX : (size_t)cpus};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    qsort(arguments.sizes, arguments.size_count, sizeof *arguments.sizes, by_falling_size);

    struct work work = {.arguments = &arguments, .lock = PTHREAD_MUTEX_INITIALIZER};
    work.outcomes = ct_allocate(arguments.algorithm_count, sizeof *work.outcomes);
    int status = work.outcomes ? verify_all(&work) : CT_E_MEMORY;
    bool verified = status == CT_OK && ct_outcomes_print(arguments.algorithms, work.outcomes,
                                                         arguments.algorithm_count, arguments.csv);
    for (size_t i = 0; work.outcomes && i < arguments.algorithm_count; i++)
        free(work.outcomes[i].failure);
    free(work.outcomes);
    free(arguments.algorithms);
    free(arguments.sizes);
    free(arguments.counts);
    struct ct_error error = {""};
    int code = ct_command_end("verify", status, &error);
    return code == CT_EXIT_OK && !verified ? CT_EXIT_NO : code;
}

const struct ct_command ct_command_verify = {"verify", "checks that plans are right, without MPI", run,
                                             options};
