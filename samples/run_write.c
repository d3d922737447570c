/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "samples/run_internal.h"

#include <stdlib.h>

/* Where a sample belongs. */
struct place {
    struct ct_run_cell cell;
    size_t index;
};

struct ct_run_cell ct_sample_cell(const struct ct_sample *sample, enum ct_collective collective)
{
    return (struct ct_run_cell){.launch = sample->launch, .collective = collective, .key = sample->key};
}

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    int order = ct_run_cell_compare(&left->cell, &right->cell);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

static struct place *sorted_places(const struct ct_run *run)
{
    struct place *places = ct_allocate(run->sample_count, sizeof *places);
    for (size_t i = 0; places && i < run->sample_count; i++) {
        const struct ct_sample *sample = &run->samples[i];
        places[i] = (struct place){
            .cell = ct_sample_cell(sample, run->methods[sample->method].algorithm->collective), .index = i};
    }
    if (places && run->sample_count > 1)
        qsort(places, run->sample_count, sizeof *places, compare_places);
    return places;
}

static int write_sample(const struct ct_run *run, const struct ct_sample *sample,
                        struct ct_sample_writer *writer)
{
    const char *datatype = sample->datatype < run->word_count ? run->words[sample->datatype] : NULL;
    const char *operation = sample->operation < run->word_count ? run->words[sample->operation] : NULL;
    return ct_samples_add(writer, &run->methods[sample->method], sample, datatype, operation);
}

static int write_commit(const struct ct_run_cell *cell, FILE *file)
{
    const struct ct_sample of_cell = {.launch = cell->launch, .key = cell->key};
    return ct_samples_put_commit(file, cell->collective, &of_cell);
}

int ct_samples_write(const struct ct_run *run, FILE *file)
{
    struct place *places = sorted_places(run);
    if (!places)
        return CT_E_MEMORY;
    struct ct_sample_writer writer = {.file = file};
    char header[CT_SAMPLES_HEADER];
    int status = fprintf(file, "%s\n", ct_samples_header(header)) > 0 ? CT_OK : CT_E_SYSTEM;
    size_t next = 0;
    for (size_t c = 0; status == CT_OK && c < run->cell_count; c++) {
        const struct ct_run_cell *cell = &run->cells[c];
        for (; status == CT_OK && next < run->sample_count &&
               ct_run_cell_compare(&places[next].cell, cell) == 0;
             next++)
            status = write_sample(run, &run->samples[places[next].index], &writer);
        if (status == CT_OK)
            status = write_commit(cell, file);
    }
    free(places);
    if (status == CT_OK && next < run->sample_count)
        status = CT_E_INPUT;
    return status;
}

int ct_run_write(const char *folder, const struct ct_run *run, struct ct_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    int status = ct_samples_write(run, file);
    if (fclose(file) != 0 && status == CT_OK)
        status = CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_run_create_filled(folder, &run->description, text, length, error);
    else
        ct_fail(error, status, "%s: %s", folder,
                status == CT_E_INPUT ? "a sample that no run may hold" : "out of memory");
    free(text);
    return status;
}
