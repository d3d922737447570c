/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run.h"
#include "base/file.h"
#include "base/memory.h"
#include "samples/run_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const ct_sample_status_names[CT_SAMPLE_STATUSES] = {
    [CT_SAMPLE_OK] = "ok",       [CT_SAMPLE_CRASHED] = "crashed",     [CT_SAMPLE_HUNG] = "hung",
    [CT_SAMPLE_WRONG] = "wrong", [CT_SAMPLE_PREDICTED] = "predicted", [CT_SAMPLE_COMMIT] = "commit",
};

void ct_run_description_free(struct ct_run_description *description)
{
    char *const strings[] = {description->tool_version, description->created, description->backend,
                             description->launcher,     description->time,    description->sync};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        free(strings[i]);
    for (size_t i = 0; i < description->property_count; i++) {
        free(description->properties[i].name);
        free(description->properties[i].value);
    }
    free(description->properties);
    free(description->collectives);
    free(description->comm_sizes);
    free(description->msg_sizes);
    free(description->methods);
    *description = (struct ct_run_description){0};
}

const char *ct_run_property(const struct ct_run_description *description, const char *name)
{
    for (size_t i = 0; i < description->property_count; i++)
        if (strcmp(description->properties[i].name, name) == 0)
            return description->properties[i].value;
    return NULL;
}

int ct_run_add_property(struct ct_run_description *description, const char *name, const char *value)
{
    size_t count = description->property_count;
    struct ct_property property = {.name = strdup(name), .value = strdup(value)};
    struct ct_property *grown = NULL;
    if (property.name && property.value)
        grown = realloc(description->properties, (count + 1) * sizeof *grown);
    if (!grown) {
        free(property.name);
        free(property.value);
        return CT_E_MEMORY;
    }
    grown[count] = property;
    description->properties = grown;
    description->property_count = count + 1;
    return CT_OK;
}

static int read_description(const char *folder, struct ct_error *error,
                            struct ct_run_description *ret_description)
{
    char *path = ct_format("%s/run.xml", folder);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status == CT_OK) {
        status = ct_run_description_read(text, length, path, error, ret_description);
        free(text);
    } else if (status == CT_E_SYSTEM && access(path, F_OK) != 0) {
        status = ct_fail(error, CT_E_INPUT, "%s: not a run: expected a folder with run.xml and samples.csv",
                         folder);
    }
    free(path);
    return status;
}

static int read_samples(bool resuming, struct ct_error *error, struct ct_run *run)
{
    char *path = ct_format("%s/samples.csv", run->folder);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", run->folder);
    int status;
    FILE *file = fopen(path, "rb");
    if (file) {
        status = ct_samples_read(file, path, resuming, error, run);
        fclose(file);
    } else {
        status = ct_fail(error, errno == ENOENT ? CT_E_INPUT : CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    free(path);
    return status;
}

int ct_run_read(const char *folder, bool resuming, struct ct_error *error, struct ct_run *ret_run)
{
    struct ct_run run = {0};
    run.folder = strdup(folder);
    if (!run.folder)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    int status = read_description(folder, error, &run.description);
    run.methods = run.description.methods;
    run.method_count = run.description.method_count;
    if (status == CT_OK)
        status = read_samples(resuming, error, &run);
    if (status == CT_OK)
        *ret_run = run;
    else
        ct_run_free(&run);
    return status;
}

void ct_run_free(struct ct_run *run)
{
    free(run->folder);
    if (run->methods != run->description.methods)
        free(run->methods);
    ct_run_description_free(&run->description);
    for (size_t i = 0; i < run->word_count; i++)
        free(run->words[i]);
    free(run->words);
    free(run->samples);
    free(run->cells);
    *run = (struct ct_run){0};
}

bool ct_run_measures(const struct ct_run *run, enum ct_collective collective)
{
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->methods[run->samples[i].method].algorithm->collective == collective)
            return true;
    return false;
}

bool ct_run_has_cell(const struct ct_run *run, const struct ct_run_cell *cell)
{
    return run->cell_count > 0 &&
           bsearch(cell, run->cells, run->cell_count, sizeof *run->cells, ct_run_cell_compare) != NULL;
}
