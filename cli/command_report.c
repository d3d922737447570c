/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/model_errors.h"
#include "cli/run_reading.h"
#include "cli/terminal.h"
#include "decision/table.h"
#include "report/page_folder.h"
#include "report/report.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *output;
    const char *validation;
    const char *model;
    bool no_share_links;
    double margin;
};

static const struct ct_option options[] = {
    {"output", 'o', "DIR", CT_OPTION_TEXT, offsetof(struct settings, output), .required = true,
     .output = CT_OUTPUT_FOLDER, .text = "write the report into this folder, which must be new or empty"},
    {"validation", 0, "FILE", CT_OPTION_TEXT, offsetof(struct settings, validation),
     .text = "also compare tuned with native, from a file that `colltune validate --output FILE` wrote"},
    {"model", 0, "MODEL.xml", CT_OPTION_TEXT, offsetof(struct settings, model),
     .text = "also compare measured times with those that this model predicts: curves, a table of relative "
             "errors, and the same as DIR/model-errors.csv"},
    {"no-share-links", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, no_share_links),
     .text = "with --model: predict as `colltune predict --no-share-links` does"},
    {"margin", 0, "PERCENT", CT_OPTION_PERCENT, offsetof(struct settings, margin), .most = 100, .usual = "5",
     .text = "treat methods as equivalent to the best within this margin"},
    {0},
};

/* Everything that the report reads. */
struct material {
    struct ct_run run;
    struct ct_map *maps;
    size_t map_count;
    struct ct_table *tables;
    struct ct_report_table *named;
    size_t table_count;
    struct ct_validation validation;
    struct ct_model_errors errors; /* of the model's predictions */
    char *name;                    /* of the run */
};

/* The last part of a path, without slashes after it; NULL: out of memory. */
static char *last_part(const char *path)
{
    size_t end = strlen(path), begin;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/'; begin--) {
    }
    return strndup(path + begin, end - begin);
}

static int read_run(struct material *material, const char *folder, double margin, struct ct_error *error)
{
    int status = ct_run_read_shown(&ct_command_report, folder, error, &material->run);
    if (status != CT_OK)
        return status;
    status =
        ct_maps_make(&material->run, CT_COLLECTIVES, margin, error, &material->maps, &material->map_count);
    if (status == CT_OK && material->map_count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: no samples yet: expected at least one cell", folder);
    return status;
}

static int read_tables(struct material *material, const char *run, const char *const *paths, size_t count,
                       struct ct_error *error)
{
    material->tables = ct_allocate(count + 1, sizeof *material->tables);
    material->named = ct_allocate(count + 1, sizeof *material->named);
    if (!material->tables || !material->named)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        struct ct_table *table = &material->tables[i];
        int status = ct_table_read(paths[i], error, table);
        if (status != CT_OK)
            return status;
        material->table_count++;
        size_t m = 0;
        while (m < material->map_count && !ct_decisions_find(&table->decisions, material->maps[m].collective))
            m++;
        if (m == material->map_count) /* it was given by mistake */
            return ct_fail(error, CT_E_INPUT,
                           "%s: decides none of the collectives of %s: expected at least one", paths[i], run);
        const char *slash = strrchr(paths[i], '/');
        material->named[i] = (struct ct_report_table){.name = slash ? slash + 1 : paths[i], .table = table};
        status = ct_table_is_outdated(table, &material->run, error, &material->named[i].outdated);
        if (status != CT_OK)
            return status;
        if (material->named[i].outdated)
            ct_tell(&ct_command_report, CT_OUTDATED_TEXT, paths[i], run);
    }
    return CT_OK;
}

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    (void)arguments;
    const struct settings *settings = given;
    if (settings->no_share_links && !settings->model)
        return ct_fail(error, CT_E_INPUT, "--no-share-links: expected --model, too");
    return CT_OK;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *folder = arguments->words[0];
    struct material material = {.name = last_part(folder)};
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_report);
    bool curves = true;
    int status = CT_E_MEMORY;
    if (!material.name || (status = ct_page_folder_check(settings->output, error)) != CT_OK ||
        (status = read_run(&material, folder, settings->margin, error)) != CT_OK ||
        (status = read_tables(&material, folder, arguments->words + 1, arguments->count - 1, error)) !=
            CT_OK ||
        (settings->validation &&
         (status = ct_validation_read(settings->validation, error, &material.validation)) != CT_OK) ||
        (settings->model && (status = ct_model_errors_find(settings->model, !settings->no_share_links,
                                                           &material.run, material.maps, material.map_count,
                                                           error, &material.errors)) != CT_OK))
        goto done;
    const struct ct_report report = {.name = material.name,
                                     .description = &material.run.description,
                                     .sample_count = material.run.sample_count,
                                     .maps = material.maps,
                                     .map_count = material.map_count,
                                     .tables = material.named,
                                     .table_count = material.table_count,
                                     .validation = settings->validation ? &material.validation : NULL,
                                     .predicted = material.errors.predicted,
                                     .predicted_count = material.errors.count,
                                     .model_name = settings->model,
                                     .watch = &watch};
    status = ct_report_write(&report, settings->output, error, &curves);
    ct_bar_end(&bar);
    if (status == CT_OK && settings->model)
        status = ct_model_errors_write(&material.errors, settings->output, error);
    if (status == CT_OK)
        printf("%s/index.html\n", settings->output);
    if (!curves)
        ct_tell(&ct_command_report,
                "gnuplot is not installed, so the page has no curves of times; they need the "
                "Debian package gnuplot-nox");
done:
    ct_model_errors_free(&material.errors);
    ct_maps_free(material.maps, material.map_count);
    for (size_t i = 0; i < material.table_count; i++)
        ct_table_free(&material.tables[i]);
    ct_run_free(&material.run);
    ct_validation_free(&material.validation);
    free(material.tables);
    free(material.named);
    free(material.name);
    return status;
}

const struct ct_command ct_command_report = {
    .name = "report",
    .text = "make a page with pictures of a run and its decision tables",
    .usage = "RUN [TABLE.xml...] -o DIR",
    .least = 1,
    .most = SIZE_MAX,
    .about = "Makes a page, DIR/index.html, about a run. Its first screen has the gain over native, the "
             "methods that are used, and the evidence for both. Then come the points of a validation, the "
             "slowdowns of all decisions, and a chapter for each collective. The page needs no network. "
             "gnuplot draws its curves of times; without gnuplot it lacks these.",
    .notes =
        "With --model each measured time is predicted with every kind of parameters that the model has; this "
        "may take a minute. Native calls are not predicted. The curves show the last kind.\n\n"
        "Examples:\n"
        "  colltune report my-run my-table.xml -o my-report\n"
        "  colltune report my-run --model model.xml -o my-report\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
