/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/merge.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "samples/run_folder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- conditions, which must be the same --- */

struct merging {
    const struct ct_run *runs;
    size_t count;
    struct ct_error *error;
    struct ct_run_description description; /* of the merged run */
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

static int differ(const struct merging *merging, const struct ct_run *first, const struct ct_run *run,
                  const char *what, const char *was, const char *is)
{
    return ct_fail(merging->error, CT_E_INPUT,
                   "%s: %s is '%.80s', and '%.80s' in %s: expected runs of the same conditions", run->folder,
                   what, is ? is : "", was ? was : "", first->folder);
}

/* Conditions of `of` that `other` does not have alike. */
static int check_properties(const struct merging *merging, const struct ct_run *of,
                            const struct ct_run *other)
{
    for (size_t i = 0; i < of->description.property_count; i++) {
        const struct ct_property *property = &of->description.properties[i];
        const char *there = ct_run_property(&other->description, property->name);
        if (is_condition(property->name) && !same(property->value, there))
            return differ(merging, merging->runs, other == merging->runs ? of : other, property->name,
                          other == merging->runs ? there : property->value,
                          other == merging->runs ? property->value : there);
    }
    return CT_OK;
}

/* What is computed beside calls that are not blocking: a sweep has it among its conditions, a merged run,
 * which no sweep made, as these properties. */
static const struct beside {
    const char *property, *meaning;
    enum { COMPUTE, TESTS } number;
} besides[] = {
    {"calls.compute", "--compute, the computation beside calls,", COMPUTE},
    {"calls.tests", "--tests, how often MPI_Test is called meanwhile,", TESTS},
};

enum { BESIDES = sizeof besides / sizeof besides[0] };

/* Empty where it is unknown, or calls are blocking. */
static const char *what_is_beside(const struct ct_run_description *description, const struct beside *beside,
                                  char text[CT_NUMBER_TEXT])
{
    const struct ct_sweep_state *sweep = &description->sweep;
    const char *kept = ct_run_property(description, beside->property);
    if (!ct_run_has_overlap(description) || (!sweep->sync && !kept))
        return "";
    if (!sweep->sync)
        return kept;
    return ct_number_format(beside->number == COMPUTE ? sweep->compute : (double)sweep->tests, text);
}

/* The first run with calls that are not blocking; NULL if all are. */
static const struct ct_run *first_with_overlap(const struct merging *merging)
{
    for (size_t i = 0; i < merging->count; i++)
        if (ct_run_has_overlap(&merging->runs[i].description))
            return &merging->runs[i];
    return NULL;
}

/* Calls beside other computations have times that cannot be compared. */
static int check_besides(const struct merging *merging, const struct ct_run *run)
{
    const struct ct_run *first = first_with_overlap(merging);
    char numbers[2][CT_NUMBER_TEXT];
    for (size_t i = 0; ct_run_has_overlap(&run->description) && i < BESIDES; i++) {
        const char *was = what_is_beside(&first->description, &besides[i], numbers[0]);
        const char *is = what_is_beside(&run->description, &besides[i], numbers[1]);
        if (!same(was, is))
            return differ(merging, first, run, besides[i].meaning, was, is);
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
static int check_words(const struct merging *merging, const struct ct_run *run)
{
    const struct ct_run *first = merging->runs;
    for (int c = 0; c < CT_COLLECTIVES; c++)
        for (int is_operation = 0; is_operation < 2; is_operation++) {
            const char *was = word_of(first, (enum ct_collective)c, is_operation);
            const char *is = word_of(run, (enum ct_collective)c, is_operation);
            if (*was && *is && strcmp(was, is) != 0)
                return differ(merging, first, run, is_operation ? "the operation" : "the datatype", was, is);
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
        {"how messages travel within a node", ct_node_channel_names[ct_run_node_channel(first)],
         ct_node_channel_names[ct_run_node_channel(is)]},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!same(parts[i].was, parts[i].is))
            return differ(merging, merging->runs, run, parts[i].name, parts[i].was, parts[i].is);
    int status = check_besides(merging, run);
    if (status == CT_OK)
        status = check_words(merging, run);
    if (status == CT_OK)
        status = check_properties(merging, &merging->runs[0], run);
    return status == CT_OK ? check_properties(merging, run, &merging->runs[0]) : status;
}

/* --- joining in memory --- */

/* Index of the method among the joined ones, added if it is new; there is room. */
static uint32_t place_of_method(struct ct_run *joined, const struct ct_method *method)
{
    const size_t i = ct_method_index(method, joined->methods, joined->method_count);
    if (i == joined->method_count)
        joined->methods[joined->method_count++] = *method;
    return (uint32_t)i;
}

/* The same for a word; one too many for a sample is SIZE_MAX, as is one that finds no memory. */
static size_t place_of_word(struct ct_run *joined, const char *word)
{
    size_t i = 0;
    while (i < joined->word_count && strcmp(joined->words[i], word) != 0)
        i++;
    if (i == joined->word_count) {
        joined->words[i] = strdup(word);
        if (!joined->words[i])
            return SIZE_MAX;
        joined->word_count++;
    }
    return i;
}

/* Appends a run, whose job launches count from `*first_launch` on; there is room. */
static int add_run(struct ct_run *joined, const struct ct_run *run, size_t *first_launch)
{
    size_t next = *first_launch;
    int status = CT_OK;
    uint32_t *methods = ct_allocate(run->method_count, sizeof *methods);
    uint16_t *words = ct_allocate(run->word_count, sizeof *words);
    if (!methods || !words)
        status = CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < run->method_count; i++)
        methods[i] = place_of_method(joined, &run->methods[i]);
    for (size_t i = 0; status == CT_OK && i < run->word_count; i++) {
        size_t place = place_of_word(joined, run->words[i]);
        status = place == SIZE_MAX ? CT_E_MEMORY : place > UINT16_MAX ? CT_E_LIMIT : CT_OK;
        words[i] = (uint16_t)place;
    }
    for (size_t i = 0; status == CT_OK && i < run->sample_count; i++) {
        struct ct_sample sample = run->samples[i];
        size_t launch = *first_launch + sample.launch;
        status = launch < UINT32_MAX ? CT_OK : CT_E_LIMIT;
        sample.launch = (uint32_t)launch;
        sample.method = methods[sample.method];
        sample.datatype = sample.datatype < run->word_count ? words[sample.datatype] : sample.datatype;
        sample.operation = sample.operation < run->word_count ? words[sample.operation] : sample.operation;
        joined->samples[joined->sample_count++] = sample;
        next = launch >= next ? launch + 1 : next;
    }
    for (size_t i = 0; status == CT_OK && i < run->cell_count; i++) {
        joined->cells[joined->cell_count] = run->cells[i];
        joined->cells[joined->cell_count++].launch += (uint32_t)*first_launch;
    }
    const size_t launches = run->description.launches + run->description.sweep.again;
    if (*first_launch + launches > next)
        next = *first_launch + launches;
    *first_launch = next;
    free(methods);
    free(words);
    return status;
}

static int add_patterns(struct ct_run_description *to, const struct ct_run_description *from)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < from->pattern_count; i++)
        status = ct_run_add_pattern(to, from->patterns[i]);
    return status;
}

int ct_run_join(const struct ct_run *runs, size_t count, size_t left_out, struct ct_error *error,
                struct ct_run *ret_joined)
{
    size_t samples = 0, methods = 0, words = 0, cells = 0, launch = 0, first = left_out == 0 ? 1 : 0;
    const struct merging merging = {.runs = runs, .count = count, .error = error};
    int status = CT_OK;
    for (size_t i = 1; status == CT_OK && i < count; i++)
        status = check(&merging, &runs[i]);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        if (!ct_add(samples, runs[i].sample_count, &samples) ||
            !ct_add(methods, runs[i].method_count, &methods) || !ct_add(words, runs[i].word_count, &words) ||
            !ct_add(cells, runs[i].cell_count, &cells))
            return CT_E_LIMIT;
    struct ct_run joined = {.folder = runs[first].folder, .description = runs[first].description};
    joined.description.patterns = NULL;
    joined.description.pattern_count = 0;
    joined.samples = ct_allocate(samples, sizeof *joined.samples);
    joined.methods = ct_allocate(methods, sizeof *joined.methods);
    joined.words = ct_allocate(words, sizeof *joined.words);
    joined.cells = ct_allocate(cells, sizeof *joined.cells);
    status = joined.samples && joined.methods && joined.words && joined.cells ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        if (i != left_out)
            status = add_run(&joined, &runs[i], &launch);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        if (i != left_out)
            status = add_patterns(&joined.description, &runs[i].description);
    if (status == CT_OK && joined.cell_count > 1)
        qsort(joined.cells, joined.cell_count, sizeof *joined.cells, ct_run_cell_compare);
    if (status == CT_OK)
        *ret_joined = joined;
    else
        ct_run_join_free(&joined);
    return status;
}

void ct_run_join_free(struct ct_run *joined)
{
    for (size_t i = 0; i < joined->word_count; i++)
        free(joined->words[i]);
    for (size_t i = 0; i < joined->description.pattern_count; i++)
        free(joined->description.patterns[i]);
    free(joined->description.patterns);
    free(joined->words);
    free(joined->samples);
    free(joined->methods);
    free(joined->cells);
    *joined = (struct ct_run){0};
}

/* --- the description --- */

/* The loosest rules of all. */
static void copy_rules(struct merging *merging)
{
    struct ct_run_description *rules = &merging->description;
    rules->seed = merging->runs[0].description.seed;
    rules->warmup = rules->least_repetitions = SIZE_MAX;
    for (size_t i = 0; i < merging->count; i++) {
        const struct ct_run_description *is = &merging->runs[i].description;
        rules->launches += is->launches + is->sweep.again;
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
    struct ct_run_description *grid = &merging->description;
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
        if (add_patterns(grid, from) != CT_OK)
            return CT_E_MEMORY;
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

static bool is_beside(const char *name)
{
    for (size_t i = 0; i < BESIDES; i++)
        if (strcmp(besides[i].property, name) == 0)
            return true;
    return false;
}

static int copy_besides(struct merging *merging)
{
    const struct ct_run *first = first_with_overlap(merging);
    char number[CT_NUMBER_TEXT];
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && first && i < BESIDES; i++) {
        const char *value = what_is_beside(&first->description, &besides[i], number);
        if (*value)
            status = ct_run_add_property(&merging->description, besides[i].property, value);
    }
    return status;
}

static int copy_properties(struct merging *merging)
{
    struct ct_run_description *to = &merging->description;
    int status = CT_OK;
    for (size_t i = 0; i < merging->count; i++) {
        const struct ct_run_description *from = &merging->runs[i].description;
        for (size_t k = 0; status == CT_OK && k < from->property_count; k++) {
            const struct ct_property *property = &from->properties[k];
            bool common = is_common(merging, property);
            if ((common && i > 0) || is_beside(property->name))
                continue;
            char *name = common ? strdup(property->name) : ct_format("run.%zu.%s", i + 1, property->name);
            status = name ? ct_run_add_property(to, name, property->value) : CT_E_MEMORY;
            free(name);
        }
    }
    return status;
}

/* Takes the methods of the joined run. */
static int copy_methods(const struct ct_run *joined, struct ct_run_description *description)
{
    description->methods = ct_allocate(joined->method_count, sizeof *description->methods);
    if (!description->methods)
        return CT_E_MEMORY;
    memcpy(description->methods, joined->methods, joined->method_count * sizeof *joined->methods);
    description->method_count = joined->method_count;
    return CT_OK;
}

/* How the ranks of each launch were mapped and waited, how its calls were made, and whether a validation made
 * them, run after run. */
static int copy_launches(struct merging *merging)
{
    struct ct_run_description *to = &merging->description;
    size_t *mappings = ct_allocate(to->launches, sizeof *mappings), count = 0;
    size_t *modes = ct_allocate(to->launches, sizeof *modes);
    size_t *yields = ct_allocate(to->launches, sizeof *yields);
    size_t *validations = ct_allocate(to->launches, sizeof *validations);
    int status = mappings && modes && yields && validations ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < merging->count; i++) {
        const struct ct_run_description *from = &merging->runs[i].description;
        for (size_t k = 0; k < from->launches + from->sweep.again; k++) {
            mappings[count] = ct_run_mapping(from, k);
            yields[count] = ct_run_yield_from(from, k);
            validations[count] = ct_run_is_validation(from, (uint32_t)k);
            modes[count++] = ct_run_mode(from, k);
        }
    }
    if (status == CT_OK)
        status = ct_run_set_mappings(to, mappings, count);
    if (status == CT_OK)
        status = ct_run_set_modes(to, modes, count);
    if (status == CT_OK)
        status = ct_run_set_yields(to, yields, count);
    if (status == CT_OK)
        status = ct_run_set_validations(to, validations, count);
    free(validations);
    free(mappings);
    free(modes);
    free(yields);
    return status;
}

static int describe(struct merging *merging, const struct ct_run *joined)
{
    const struct ct_run_description *first = &merging->runs[0].description;
    struct ct_run_description *description = &merging->description;
    int status = ct_run_describe(first->backend, first->launcher, first->time, first->sync, description);
    if (status == CT_OK && first->node_channel)
        status = ct_run_set_node_channel(description, ct_run_node_channel(first));
    if (status == CT_OK)
        status = copy_grid(merging);
    if (status == CT_OK)
        status = copy_properties(merging);
    if (status == CT_OK)
        status = copy_besides(merging);
    if (status == CT_OK)
        status = copy_methods(joined, description);
    copy_rules(merging);
    if (status == CT_OK)
        status = copy_launches(merging);
    return status;
}

/* --- all of it --- */

int ct_run_merge(const char *folder, const char *const *runs, size_t count, struct ct_error *error,
                 size_t *ret_cells, size_t *ret_samples)
{
    struct ct_run *read = ct_allocate(count, sizeof *read), joined = {0};
    struct merging merging = {.runs = read, .error = error};
    int status = read ? CT_OK : CT_E_MEMORY;
    while (status == CT_OK && merging.count < count) {
        status = ct_run_read(runs[merging.count], false, error, &read[merging.count]);
        merging.count += status == CT_OK;
    }
    if (status == CT_OK)
        status = ct_run_join(read, count, count, error, &joined);
    if (status == CT_OK && joined.sample_count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: holds no samples: expected a run with some", runs[0]);
    if (status == CT_OK)
        status = describe(&merging, &joined);
    if (status == CT_OK) {
        struct ct_run merged = joined;
        merged.description = merging.description;
        status = ct_run_write(folder, &merged, error);
    }
    if (status == CT_OK) {
        *ret_cells = joined.cell_count;
        *ret_samples = joined.sample_count;
    }
    ct_run_join_free(&joined);
    ct_run_description_free(&merging.description);
    for (size_t i = 0; i < merging.count; i++)
        ct_run_free(&read[i]);
    free(read);
    return status;
}
