/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/same_conditions.h"
#include "samples/beside_calls.h"

#include <string.h>

struct comparison {
    const struct ct_run *runs;
    size_t count;
    struct ct_error *error;
};

static bool same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Does it say on what and by what was measured? The memory of a virtual machine may grow and shrink, and
 * changes no times. */
static bool is_condition(const char *name)
{
    static const char *const beginnings[] = {"machine.", "mpi.", "platform.", "env.", "simulator."};
    if (strcmp(name, "machine.memory_bytes") == 0)
        return false;
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static int differ(const struct comparison *comparison, const struct ct_run *first, const struct ct_run *run,
                  const char *what, const char *was, const char *is)
{
    return ct_fail(comparison->error, CT_E_INPUT,
                   "%s: %s is '%.80s', and '%.80s' in %s: expected runs of the same conditions", run->folder,
                   what, is ? is : "", was ? was : "", first->folder);
}

/* Conditions of `of` that `other` does not have alike. */
static int check_properties(const struct comparison *comparison, const struct ct_run *of,
                            const struct ct_run *other)
{
    for (size_t i = 0; i < of->description.property_count; i++) {
        const struct ct_property *property = &of->description.properties[i];
        const char *there = ct_run_property(&other->description, property->name);
        if (is_condition(property->name) && !same(property->value, there))
            return differ(comparison, comparison->runs, other == comparison->runs ? of : other,
                          property->name, other == comparison->runs ? there : property->value,
                          other == comparison->runs ? property->value : there);
    }
    return CT_OK;
}

/* Calls beside other computations have times that cannot be compared. */
static int check_besides(const struct comparison *comparison, const struct ct_run *run)
{
    const struct ct_run *first = ct_first_with_overlap(comparison->runs, comparison->count);
    char numbers[2][CT_NUMBER_TEXT];
    for (size_t i = 0; ct_run_has_overlap(&run->description) && i < CT_BESIDES; i++) {
        const char *was = ct_beside_text(&first->description, i, numbers[0]);
        const char *is = ct_beside_text(&run->description, i, numbers[1]);
        if (!same(was, is))
            return differ(comparison, first, run, ct_besides[i].meaning, was, is);
    }
    return CT_OK;
}

/* The datatype or operation of the collective's first sample; "" where there is none. */
static const char *word_of(const struct ct_run *run, enum ct_collective collective, bool is_operation)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct ct_sample *sample = &run->samples[i];
        const size_t word = is_operation ? sample->operation : sample->datatype;
        if (run->methods[sample->method].algorithm->collective == collective)
            return word < run->word_count ? run->words[word] : "";
    }
    return "";
}

/* Calls with other datatypes or operations have times that cannot be compared. Imported runs may not know
 * them. */
static int check_words(const struct comparison *comparison, const struct ct_run *run)
{
    const struct ct_run *first = comparison->runs;
    for (int c = 0; c < CT_COLLECTIVES; c++)
        for (int is_operation = 0; is_operation < 2; is_operation++) {
            const char *was = word_of(first, (enum ct_collective)c, is_operation);
            const char *is = word_of(run, (enum ct_collective)c, is_operation);
            if (*was && *is && strcmp(was, is) != 0)
                return differ(comparison, first, run, is_operation ? "the operation" : "the datatype", was,
                              is);
        }
    return CT_OK;
}

static int check(const struct comparison *comparison, const struct ct_run *run)
{
    const struct ct_run_description *first = &comparison->runs[0].description, *is = &run->description;
    const struct {
        const char *name, *was, *is;
    } parts[] = {
        {"the backend", first->backend, is->backend},
        {"the launcher", first->launcher, is->launcher},
        {"the time that is meant", first->time, is->time},
        {"how repetitions start", first->sync, is->sync},
        {"how messages travel within a node", ct_node_channel_names[ct_run_node_channel(first)],
         ct_node_channel_names[ct_run_node_channel(is)]},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!same(parts[i].was, parts[i].is))
            return differ(comparison, comparison->runs, run, parts[i].name, parts[i].was, parts[i].is);
    int status = check_besides(comparison, run);
    if (status == CT_OK)
        status = check_words(comparison, run);
    if (status == CT_OK)
        status = check_properties(comparison, &comparison->runs[0], run);
    return status == CT_OK ? check_properties(comparison, run, &comparison->runs[0]) : status;
}

int ct_runs_check_conditions(const struct ct_run *runs, size_t count, struct ct_error *error)
{
    const struct comparison comparison = {runs, count, error};
    int status = CT_OK;
    for (size_t i = 1; status == CT_OK && i < count; i++)
        status = check(&comparison, &runs[i]);
    return status;
}
