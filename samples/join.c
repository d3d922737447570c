/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/join.h"
#include "base/memory.h"
#include "samples/same_conditions.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

int ct_run_join(const struct ct_run *runs, size_t count, size_t left_out, struct ct_error *error,
                struct ct_run *ret_joined)
{
    size_t samples = 0, methods = 0, words = 0, cells = 0, launch = 0, first = left_out == 0 ? 1 : 0;
    int status = ct_runs_check_conditions(runs, count, error);
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
            status = ct_run_add_patterns(&joined.description, &runs[i].description);
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
