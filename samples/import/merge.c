/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/merge.h"
#include "base/file.h"
#include "base/memory.h"
#include "samples/import/import_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct merging {
    const struct ct_run *runs;
    size_t count;
    struct ct_error *error;
    struct ct_run merged;
    size_t method_capacity;
    size_t word_capacity;
};

/* --- what must be the same --- */

static bool same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Does it say on what and by what was measured? */
static bool is_condition(const char *name)
{
    static const char *const beginnings[] = {"machine.", "mpi.", "platform.", "env.", "simulator."};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static int differ(const struct merging *merging, const struct ct_run *run, const char *what, const char *was,
                  const char *is)
{
    return ct_fail(merging->error, CT_E_INPUT,
                   "%s: %s is '%.80s', and '%.80s' in %s: expected runs of the same conditions", run->folder,
                   what, is ? is : "", was ? was : "", merging->runs[0].folder);
}

/* Conditions of `of` that `other` does not have alike. */
static int check_properties(const struct merging *merging, const struct ct_run *of,
                            const struct ct_run *other)
{
    for (size_t i = 0; i < of->description.property_count; i++) {
        const struct ct_property *property = &of->description.properties[i];
        const char *there = ct_run_property(&other->description, property->name);
        if (is_condition(property->name) && !same(property->value, there))
            return differ(merging, other == merging->runs ? of : other, property->name,
                          other == merging->runs ? there : property->value,
                          other == merging->runs ? property->value : there);
    }
    return CT_OK;
}

static int check(const struct merging *merging, const struct ct_run *run)
{
    const struct ct_run_description *first = &merging->runs[0].description, *is = &run->description;
    const struct {
        const char *name, *was, *is;
    } parts[] = {
        {"the backend", first->backend, is->backend},
        {"the launcher", first->launcher, is->launcher},
        {"the time that is meant", first->time, is->time},
        {"how repetitions start", first->sync, is->sync},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!same(parts[i].was, parts[i].is))
            return differ(merging, run, parts[i].name, parts[i].was, parts[i].is);
    int status = check_properties(merging, &merging->runs[0], run);
    return status == CT_OK ? check_properties(merging, run, &merging->runs[0]) : status;
}

/* --- the description --- */

static int copy_texts(struct merging *merging)
{
    const struct ct_run_description *from = &merging->runs[0].description;
    return ct_import_describe(from->backend, from->launcher, from->time, from->sync,
                              &merging->merged.description);
}

/* The loosest rules of all. */
static void copy_rules(struct merging *merging)
{
    struct ct_run_description *rules = &merging->merged.description;
    rules->seed = merging->runs[0].description.seed;
    rules->warmup = rules->least_repetitions = SIZE_MAX;
    for (size_t i = 0; i < merging->count; i++) {
        const struct ct_run_description *is = &merging->runs[i].description;
        rules->launches += is->launches;
        rules->warmup = is->warmup < rules->warmup ? is->warmup : rules->warmup;
        if (is->least_repetitions < rules->least_repetitions)
            rules->least_repetitions = is->least_repetitions;
        if (is->most_repetitions > rules->most_repetitions)
            rules->most_repetitions = is->most_repetitions;
        rules->precision = is->precision > rules->precision ? is->precision : rules->precision;
        rules->most_seconds = is->most_seconds > rules->most_seconds ? is->most_seconds : rules->most_seconds;
    }
}

/* Appends what the list does not have yet. The list has room. */
static void unite_sizes(const size_t *sizes, size_t count, size_t *list, size_t *list_count)
{
    for (size_t i = 0; i < count; i++) {
        size_t seen = 0;
        while (seen < *list_count && list[seen] != sizes[i])
            seen++;
        if (seen == *list_count)
            list[(*list_count)++] = sizes[i];
    }
}

static int copy_grid(struct merging *merging)
{
    struct ct_run_description *grid = &merging->merged.description;
    size_t comm_sizes = 0, msg_sizes = 0;
    for (size_t i = 0; i < merging->count; i++) {
        comm_sizes += merging->runs[i].description.comm_size_count;
        msg_sizes += merging->runs[i].description.msg_size_count;
    }
    grid->collectives = ct_allocate(CT_COLLECTIVES, sizeof *grid->collectives);
    grid->comm_sizes = ct_allocate(comm_sizes, sizeof *grid->comm_sizes);
    grid->msg_sizes = ct_allocate(msg_sizes + 1, sizeof *grid->msg_sizes);
    if (!grid->collectives || !grid->comm_sizes || !grid->msg_sizes)
        return CT_E_MEMORY;
    bool occurs[CT_COLLECTIVES] = {false};
    for (size_t i = 0; i < merging->count; i++) {
        const struct ct_run_description *from = &merging->runs[i].description;
        unite_sizes(from->comm_sizes, from->comm_size_count, grid->comm_sizes, &grid->comm_size_count);
        unite_sizes(from->msg_sizes, from->msg_size_count, grid->msg_sizes, &grid->msg_size_count);
        for (size_t k = 0; k < from->collective_count; k++)
            occurs[from->collectives[k]] = true;
    }
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (occurs[i])
            grid->collectives[grid->collective_count++] = (enum ct_collective)i;
    return CT_OK;
}

/* Have all runs this property, with this value? */
static bool is_common(const struct merging *merging, const struct ct_property *property)
{
    for (size_t i = 0; i < merging->count; i++) {
        const char *value = ct_run_property(&merging->runs[i].description, property->name);
        if (!value || strcmp(value, property->value) != 0)
            return false;
    }
    return true;
}

static int copy_properties(struct merging *merging)
{
    struct ct_run_description *to = &merging->merged.description;
    int status = CT_OK;
    for (size_t i = 0; i < merging->count; i++) {
        const struct ct_run_description *from = &merging->runs[i].description;
        for (size_t k = 0; status == CT_OK && k < from->property_count; k++) {
            const struct ct_property *property = &from->properties[k];
            bool common = is_common(merging, property);
            if (common && i > 0)
                continue;
            char *name = common ? strdup(property->name) : ct_format("run.%zu.%s", i + 1, property->name);
            status = name ? ct_run_add_property(to, name, property->value) : CT_E_MEMORY;
            free(name);
        }
    }
    return status;
}

/* --- samples --- */

static int find_method(struct merging *merging, const struct ct_method *method, uint32_t *ret_index)
{
    struct ct_run_description *to = &merging->merged.description;
    size_t i = 0;
    while (i < to->method_count && !ct_method_equal(&to->methods[i], method))
        i++;
    if (i == to->method_count) {
        int status = ct_grow(&to->methods, &merging->method_capacity, i + 1, sizeof *method);
        if (status != CT_OK)
            return status;
        to->methods[to->method_count++] = *method;
    }
    *ret_index = (uint32_t)i;
    return CT_OK;
}

static int find_word(struct merging *merging, const char *word, uint16_t *ret_index)
{
    struct ct_run *to = &merging->merged;
    size_t i = 0;
    while (i < to->word_count && strcmp(to->words[i], word) != 0)
        i++;
    if (i > UINT16_MAX)
        return CT_E_LIMIT;
    if (i == to->word_count) {
        char *copy = strdup(word);
        if (!copy || ct_grow(&to->words, &merging->word_capacity, i + 1, sizeof copy) != CT_OK) {
            free(copy);
            return CT_E_MEMORY;
        }
        to->words[to->word_count++] = copy;
    }
    *ret_index = (uint16_t)i;
    return CT_OK;
}

static int copy_samples(struct merging *merging, const struct ct_run *from, uint32_t first_launch)
{
    struct ct_run *to = &merging->merged;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < from->method_count; i++) {
        uint32_t index; /* of methods without samples, too */
        status = find_method(merging, &from->methods[i], &index);
    }
    for (size_t i = 0; status == CT_OK && i < from->sample_count; i++) {
        struct ct_sample sample = from->samples[i];
        sample.launch += first_launch;
        status = find_method(merging, &from->methods[sample.method], &sample.method);
        if (status == CT_OK)
            status = find_word(merging, from->words[sample.datatype], &sample.datatype);
        if (status == CT_OK)
            status = find_word(merging, from->words[sample.operation], &sample.operation);
        to->samples[to->sample_count++] = sample;
    }
    for (size_t i = 0; i < from->cell_count; i++) {
        to->cells[to->cell_count] = from->cells[i];
        to->cells[to->cell_count++].launch += first_launch;
    }
    return status;
}

static int copy_runs(struct merging *merging)
{
    struct ct_run *to = &merging->merged;
    size_t samples = 0, cells = 0, launches = 0;
    for (size_t i = 0; i < merging->count; i++) {
        samples += merging->runs[i].sample_count;
        cells += merging->runs[i].cell_count;
    }
    if (samples == 0)
        return ct_fail(merging->error, CT_E_INPUT, "%s: holds no samples: expected a run with some",
                       merging->runs[0].folder);
    to->samples = ct_allocate(samples, sizeof *to->samples);
    to->cells = ct_allocate(cells, sizeof *to->cells);
    int status = to->samples && to->cells ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < merging->count; i++) {
        if (launches + merging->runs[i].description.launches > UINT32_MAX)
            return CT_E_LIMIT;
        status = copy_samples(merging, &merging->runs[i], (uint32_t)launches);
        launches += merging->runs[i].description.launches;
    }
    if (status == CT_OK && to->cell_count > 1)
        qsort(to->cells, to->cell_count, sizeof *to->cells, ct_run_cell_compare);
    return status;
}

/* --- all of it --- */

static int merge(struct merging *merging)
{
    static int (*const steps[])(struct merging *) = {copy_texts, copy_grid, copy_properties, copy_runs};
    int status = CT_OK;
    for (size_t i = 1; status == CT_OK && i < merging->count; i++)
        status = check(merging, &merging->runs[i]);
    for (size_t i = 0; status == CT_OK && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](merging);
    copy_rules(merging);
    merging->merged.methods = merging->merged.description.methods;
    merging->merged.method_count = merging->merged.description.method_count;
    return status;
}

int ct_import_runs(const char *folder, const char *const *runs, size_t count, struct ct_error *error,
                   struct ct_import_summary *ret_summary)
{
    struct ct_run *read = ct_allocate(count, sizeof *read);
    struct merging merging = {.runs = read, .error = error};
    int status = read ? CT_OK : CT_E_MEMORY;
    while (status == CT_OK && merging.count < count) {
        status = ct_run_read(runs[merging.count], false, error, &read[merging.count]);
        merging.count += status == CT_OK;
    }
    if (status == CT_OK)
        status = merge(&merging);
    if (status == CT_OK)
        status = ct_run_write(folder, &merging.merged, error);
    if (status == CT_OK)
        *ret_summary = (struct ct_import_summary){
            .cells = merging.merged.cell_count, .samples = merging.merged.sample_count, .most_ratio = 1};
    ct_run_free(&merging.merged);
    for (size_t i = 0; i < merging.count; i++)
        ct_run_free(&read[i]);
    free(read);
    return status;
}
