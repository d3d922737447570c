/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/process.h"
#include "base/sort.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/option_choices.h"
#include "cli/terminal.h"
#include "plan/verify/verifier_cases.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 256, RANKS_MAX = 100000 };

struct settings {
    const char *sizes;
    const char *counts; /* NULL: the standard ones */
    size_t jobs;        /* 0: as many as CPUs */
    int format;
};

static const struct ct_option options[] = {
    {"comm-sizes", 'p', "LIST", CT_OPTION_TEXT, offsetof(struct settings, sizes), .usual = "1-64",
     .former = "sizes", .text = "verify for these numbers of ranks"},
    {"counts", 'n', "LIST", CT_OPTION_TEXT, offsetof(struct settings, counts),
     .usual_text = "0, 1, P-1, P, P+1, 17, 3*2^31+1",
     .text = "verify for these lengths in bytes, in reductions in elements"},
    {"jobs", 'j', "N", CT_OPTION_WHOLE, offsetof(struct settings, jobs), .least = 1, .most = JOBS_MAX,
     .usual_text = "the number of CPUs", .text = "use N threads"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, offsetof(struct settings, format), .choice = ct_format_choice,
     .text = "write in this format"},
    {0},
};

/* What is to be verified. */
struct choice {
    const struct ct_algorithm **algorithms;
    size_t algorithm_count;
    size_t *sizes; /* rising */
    size_t size_count;
    size_t *counts;
    size_t count_count;
    size_t jobs;
};

/* Adds COLLECTIVE/ALGORITHM, a COLLECTIVE, or everything (NULL). */
static int add_algorithms(struct choice *choice, const char *word, struct ct_error *error)
{
    const struct ct_algorithm *only = NULL;
    enum ct_collective collective = CT_COLLECTIVES;
    if (word && strchr(word, '/')) {
        struct ct_method method;
        int status = ct_method_parse(word, CT_COLLECTIVES, error, &method);
        if (status != CT_OK)
            return status;
        if (strchr(word, ':'))
            return ct_fail(error, CT_E_INPUT,
                           "'%s': expected an algorithm without parameters; all values are verified", word);
        if (ct_is_native(method.algorithm))
            return ct_fail(error, CT_E_INPUT, "'%s' has no plan to verify: the MPI library executes it",
                           word);
        only = method.algorithm;
    } else if (word && (collective = ct_collective_find(word)) == CT_COLLECTIVES) {
        return ct_collective_fail("", word, error);
    }
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        const struct ct_algorithm *algorithm = &ct_algorithms[i];
        bool known = ct_is_native(algorithm);
        for (size_t k = 0; k < choice->algorithm_count; k++)
            known |= choice->algorithms[k] == algorithm;
        if (!known && (!only || only == algorithm) &&
            (collective == CT_COLLECTIVES || algorithm->collective == collective))
            choice->algorithms[choice->algorithm_count++] = algorithm;
    }
    return CT_OK;
}

static int choose(const struct settings *settings, const struct ct_arguments *arguments,
                  struct ct_error *error, struct choice *choice)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    choice->jobs = settings->jobs > 0 ? settings->jobs
                   : cpus < 1         ? 1
                   : cpus > JOBS_MAX  ? JOBS_MAX
                                      : (size_t)cpus;
    choice->algorithms = ct_allocate(ct_algorithm_count, sizeof *choice->algorithms);
    if (!choice->algorithms)
        return CT_E_MEMORY;
    int status = arguments->count == 0 ? add_algorithms(choice, NULL, error) : CT_OK;
    for (size_t i = 0; status == CT_OK && i < arguments->count; i++)
        status = add_algorithms(choice, arguments->words[i], error);
    if (status != CT_OK || (status = ct_sizes_read("comm-sizes", settings->sizes, 1, RANKS_MAX, error,
                                                   &choice->sizes, &choice->size_count)) != CT_OK)
        return status;
    choice->size_count = ct_sort_unique(choice->sizes, choice->size_count);
    return settings->counts ? ct_sizes_read("counts", settings->counts, 0, (size_t)1 << 50, error,
                                            &choice->counts, &choice->count_count)
                            : CT_OK;
}

/* --- outcomes --- */

/* What was found about one algorithm. */
struct outcome {
    struct ct_cases_totals totals;
    double seconds;
    bool failed;
    struct ct_case_failure failure; /* the one with the fewest ranks */
};

static void add_outcome(struct outcome *outcome, const struct outcome *part)
{
    outcome->totals.cases += part->totals.cases;
    outcome->totals.skipped.by_constraints += part->totals.skipped.by_constraints;
    outcome->totals.skipped.by_messages += part->totals.skipped.by_messages;
    outcome->totals.steps += part->totals.steps;
    outcome->totals.messages += part->totals.messages;
    outcome->seconds += part->seconds;
    if (part->failed && (!outcome->failed || part->failure.call.size < outcome->failure.call.size))
        outcome->failure = part->failure;
    outcome->failed |= part->failed;
}

static void print_failure(const struct ct_case_failure *failure)
{
    const struct ct_call *call = &failure->call;
    const struct ct_collective_description *description =
        &ct_collectives[failure->method.algorithm->collective];
    char method[CT_METHOD_TEXT], root[40] = "", bytes[40] = "", ppn[40] = "";
    ct_method_format(&failure->method, true, method);
    if (description->has_root)
        snprintf(root, sizeof root, " --root %d", call->root);
    if (description->has_data)
        snprintf(bytes, sizeof bytes, " --msg-size %zu", call->count * call->unit_bytes);
    if (failure->ppn > 0)
        snprintf(ppn, sizeof ppn, " --ppn %d --plain", failure->ppn);
    printf("%s, %d ranks: %s\n", method, call->size, failure->error.text);
    printf("  colltune explain %s --comm-size %d%s%s%s%s%s%s%s%s --rank %d\n", method, call->size, root,
           bytes, ppn, failure->pattern[0] ? " --pattern edges:" : "", failure->pattern,
           failure->uneven ? " --uneven" : "", call->in_place ? " --in-place" : "",
           call->commutative ? "" : " --ordered", failure->verdict.rank);
    if (failure->nodes[0] && failure->ppn == 0)
        printf("  with the ranks on nodes %s\n", failure->nodes);
}

/* "verified" needs at least one case. */
static const char *result_of(const struct outcome *outcome)
{
    const struct ct_cases_skipped *skipped = &outcome->totals.skipped;
    if (outcome->failed)
        return "FAILED";
    if (outcome->totals.cases > 0)
        return skipped->by_messages ? "verified; methods with O(P^2) messages were skipped" : "verified";
    return skipped->by_messages ? "skipped: O(P^2) messages" : "skipped: does not apply";
}

static int spell(const struct ct_algorithm *algorithm, char text[CT_METHOD_TEXT])
{
    return snprintf(text, CT_METHOD_TEXT, "%s/%s", ct_collectives[algorithm->collective].name,
                    algorithm->name);
}

/* Prints columns, or CSV if `width` is 0. */
static void print_row(int width, const char *name, const struct outcome *outcome)
{
    const struct ct_cases_totals *totals = &outcome->totals;
    printf(width ? "%-*s %9zu %9zu %9zu %11zu %12zu %8.2f  %s\n" : "%*s,%zu,%zu,%zu,%zu,%zu,%.3f,%s\n", width,
           name, totals->cases, totals->skipped.by_constraints, totals->skipped.by_messages, totals->messages,
           totals->steps, outcome->seconds, result_of(outcome));
}

/* Prints a table, and for each failure the command that shows it. Returns the number of failures. */
static size_t print_outcomes(const struct ct_algorithm *const *algorithms, const struct outcome *outcomes,
                             size_t count, bool csv)
{
    struct outcome all = {.seconds = 0};
    size_t failures = 0;
    int width = 0;
    char name[CT_METHOD_TEXT];
    for (size_t i = 0; !csv && i < count; i++) {
        int length = spell(algorithms[i], name);
        width = length > width ? length : width;
    }
    if (csv)
        puts("algorithm,cases,skipped,quadratic,messages,steps,seconds,result");
    else
        printf("%-*s %9s %9s %9s %11s %12s %8s  %s\n", width, "algorithm", "cases", "skipped", "quadratic",
               "messages", "steps", "seconds", "result");
    for (size_t i = 0; i < count; i++) {
        spell(algorithms[i], name);
        print_row(width, name, &outcomes[i]);
        failures += outcomes[i].failed;
        add_outcome(&all, &outcomes[i]);
    }
    if (!csv && count > 1)
        print_row(width, "all", &all);
    for (size_t i = 0; i < count; i++)
        if (outcomes[i].failed && !csv)
            print_failure(&outcomes[i].failure);
    return failures;
}

/* --- threads --- */

struct work {
    const struct choice *choice;
    atomic_size_t next; /* of all pairs of a size and an algorithm, the last sizes first */
    atomic_size_t done;
    atomic_int status; /* the first that is neither CT_OK nor CT_E_ANSWER */
    pthread_mutex_t lock;
    struct outcome *outcomes; /* under the lock */
};

/* Verifies one algorithm for one size, and adds the result to the algorithm's. */
static int verify_algorithm(struct work *work, struct ct_verifier *verifier, size_t algorithm, size_t size)
{
    const struct choice *choice = work->choice;
    const struct ct_cases cases = {.algorithm = choice->algorithms[algorithm],
                                   .size = (int)size,
                                   .counts = choice->counts,
                                   .count_count = choice->count_count};
    struct outcome part = {.failed = false};
    double begun = ct_thread_seconds();
    int status = ct_cases_verify(verifier, &cases, &part.totals, &part.failure);
    if (status != CT_OK && status != CT_E_ANSWER)
        return status;
    part.failed = status == CT_E_ANSWER;
    part.seconds = ct_thread_seconds() - begun;
    pthread_mutex_lock(&work->lock);
    add_outcome(&work->outcomes[algorithm], &part);
    pthread_mutex_unlock(&work->lock);
    return CT_OK;
}

/* Algorithms with the same descriptor often have the same plans: one thread verifies them, with the first of
 * them. */
static int verify_pair(struct work *work, struct ct_verifier *verifier, size_t index)
{
    const struct choice *choice = work->choice;
    size_t first = index % choice->algorithm_count;
    size_t size = choice->sizes[choice->size_count - 1 - index / choice->algorithm_count];
    const struct ct_descriptor *descriptor = choice->algorithms[first]->descriptor;
    int status = CT_OK;
    for (size_t i = 0; i < first; i++)
        if (choice->algorithms[i]->descriptor == descriptor)
            return CT_OK;
    for (size_t i = first; status == CT_OK && i < choice->algorithm_count; i++)
        if (choice->algorithms[i]->descriptor == descriptor)
            status = verify_algorithm(work, verifier, i, size);
    return status;
}

static void *verify(void *context)
{
    struct work *work = context;
    size_t pairs = work->choice->algorithm_count * work->choice->size_count;
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

/* Plans are made and freed by the million: memory that glibc gave back in between, and had to ask for again,
 * took a thirtieth of the time. */
static void keep_memory(void)
{
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that is allowed */
    mallopt(M_TOP_PAD, 64 << 20);
}

/* The threads verify; this one shows their progress. */
static int verify_all(struct work *work)
{
    keep_memory();
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    size_t pairs = work->choice->algorithm_count * work->choice->size_count;
    size_t jobs = work->choice->jobs < pairs ? work->choice->jobs : pairs, started = 0;
    pthread_t threads[JOBS_MAX];
    while (started < jobs && pthread_create(&threads[started], NULL, verify, work) == 0)
        started++;
    if (started == 0)
        return CT_E_SYSTEM;
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_verify);
    for (size_t done; (done = atomic_load(&work->done)) < pairs && atomic_load(&work->status) == CT_OK;) {
        ct_watch_progress(&watch, &(struct ct_progress){
                                      .what = "verifying", .units = "plans", .done = done, .total = pairs});
        if (ct_watch_is_stopped(&watch))
            atomic_store(&work->status, CT_E_STOPPED);
        nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    ct_bar_end(&bar);
    return atomic_load(&work->status);
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct choice choice = {0};
    struct work work = {.choice = &choice, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t failures;
    int status = choose(settings, arguments, error, &choice);
    if (status != CT_OK)
        goto done;
    work.outcomes = ct_allocate(choice.algorithm_count, sizeof *work.outcomes);
    status = work.outcomes ? verify_all(&work) : CT_E_MEMORY;
    if (status != CT_OK)
        goto done;
    failures =
        print_outcomes(choice.algorithms, work.outcomes, choice.algorithm_count, settings->format != 0);
    if (failures > 0)
        status = ct_fail(error, CT_E_ANSWER, "%zu of %zu algorithm%s failed", failures,
                         choice.algorithm_count, ct_s(choice.algorithm_count));
done:
    free(work.outcomes);
    free(choice.algorithms);
    free(choice.sizes);
    free(choice.counts);
    return status;
}

const struct ct_command ct_command_verify = {
    .name = "verify",
    .text = "check plans symbolically, without MPI",
    .usage = "[COLLECTIVE[/ALGORITHM]...]",
    .most = SIZE_MAX,
    .about =
        "Checks the plans of all ranks symbolically: every message is received, nothing deadlocks, all data "
        "end where they belong, and a reduction contains each rank exactly once and in order. Uses all roots "
        "up to 33 ranks and four above, several lengths and parameter values, and calls with and without "
        "MPI_IN_PLACE. Plans that differ from earlier ones only in the order of ranks or the scale of "
        "lengths are counted, but not carried out again. Above 256 ranks it tries fewer cases, and skips "
        "methods with O(P^2) messages. Sparse collectives are checked for several patterns: above 16 ranks, "
        "and among the many graphs of 3 or 4 ranks, each pattern is tried with one of the lengths.",
    .notes = "Example:\n  colltune verify bcast allreduce/ring --comm-sizes 1-32\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
