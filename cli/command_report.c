/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cli/command.h"
#include "decision/table.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    char *run;
    char **tables;
    size_t table_count;
    const char *output;
    const char *validation;
    double margin;
};

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "folder for the report: a new or an empty one; required", 0},
    {"validation", 'v', "FILE", 0,
     "what `colltune validate --output FILE` measured: adds tuned against native", 0},
    {"margin", 'm', "PERCENT", 0, "how far from the best is still equivalent to it (5)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = argument;
        return 0;
    case 'v':
        arguments->validation = argument;
        return 0;
    case 'm':
        arguments->margin = ct_margin_of(state, argument);
        return 0;
    case ARGP_KEY_ARGS:
        arguments->run = state->argv[state->next];
        arguments->tables = state->argv + state->next + 1;
        arguments->table_count = (size_t)(state->argc - state->next - 1);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->run)
            ct_usage(state, "no RUN: expected the folder of a run");
        if (!arguments->output)
            ct_usage(state, "no -o DIR: expected a folder for the report");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "RUN [TABLE.xml...] -o DIR",
    "Makes a page, DIR/index.html, that shows a run: where which method is the best, what native loses, what "
    "decision tables take and lose, and times against message size. It needs no network; its pictures are "
    "drawn by "
    "gnuplot.\v"
    "Example:\n  colltune report my-run my-table.xml -o my-report\n",
    NULL,
    NULL,
    NULL};

/* All that the report reads, and must free. */
struct material {
    struct ct_run run;
    bool run_read;
    struct ct_map *maps;
    size_t map_count;
    struct ct_table *tables;
    struct ct_report_table *named;
    size_t table_count;
    struct ct_validation validation;
};

static void material_free(struct material *material)
{
    for (size_t i = 0; i < material->map_count; i++)
        ct_map_free(&material->maps[i]);
    for (size_t i = 0; i < material->table_count; i++)
        ct_table_free(&material->tables[i]);
    if (material->run_read)
        ct_run_free(&material->run);
    ct_validation_free(&material->validation);
    free(material->maps);
    free(material->tables);
    free(material->named);
}

/* The last part of a path, without slashes behind it, which are cut off. */
static const char *last_part(char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* A sweep may have ended before it came to every collective. */
static bool has_samples(const struct ct_run *run, enum ct_collective collective)
{
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->methods[run->samples[i].method].algorithm->collective == collective)
            return true;
    return false;
}

static int read_run(struct material *material, const char *folder, double margin, struct ct_error *error)
{
    int status = ct_run_read(folder, false, error, &material->run);
    if (status != CT_OK)
        return status;
    material->run_read = true;
    const struct ct_run_description *description = &material->run.description;
    material->maps = ct_allocate(description->collective_count + 1, sizeof *material->maps);
    if (!material->maps)
        return CT_E_MEMORY;
    for (size_t i = 0; i < description->collective_count; i++) {
        if (!has_samples(&material->run, description->collectives[i]))
            continue;
        status = ct_map_make_within(&material->run, description->collectives[i], margin, error,
                                    &material->maps[material->map_count]);
        if (status != CT_OK)
            return status;
        material->map_count++;
    }
    if (material->map_count == 0)
        return ct_fail(error, CT_E_INPUT, "%s: no samples yet: expected at least one cell", folder);
    return CT_OK;
}

/* A table that has nothing to say about the run was given by mistake. */
static int check_table(const struct material *material, const struct ct_table *table, const char *path,
                       const char *run, struct ct_error *error)
{
    for (size_t i = 0; i < material->map_count; i++)
        if (ct_decisions_find(&table->decisions, material->maps[i].collective))
            return CT_OK;
    return ct_fail(error, CT_E_INPUT, "%s: decides none of the collectives of %s: expected at least one",
                   path, run);
}

static int read_tables(struct material *material, const struct arguments *arguments, struct ct_error *error)
{
    material->tables = ct_allocate(arguments->table_count + 1, sizeof *material->tables);
    material->named = ct_allocate(arguments->table_count + 1, sizeof *material->named);
    if (!material->tables || !material->named)
        return CT_E_MEMORY;
    for (size_t i = 0; i < arguments->table_count; i++) {
        struct ct_table *table = &material->tables[i];
        int status = ct_table_read(arguments->tables[i], error, table);
        if (status != CT_OK)
            return status;
        material->table_count++;
        status = check_table(material, table, arguments->tables[i], arguments->run, error);
        if (status != CT_OK)
            return status;
        material->named[i] = (struct ct_report_table){last_part(arguments->tables[i]), table};
    }
    return CT_OK;
}

static int make(const struct arguments *arguments, struct material *material, struct ct_error *error)
{
    int status = ct_report_check(arguments->output, error);
    if (status == CT_OK)
        status = read_run(material, arguments->run, arguments->margin, error);
    if (status == CT_OK)
        status = read_tables(material, arguments, error);
    if (status == CT_OK && arguments->validation)
        status = ct_validation_read(arguments->validation, error, &material->validation);
    if (status != CT_OK)
        return status;
    const struct ct_report report = {.name = last_part(arguments->run),
                                     .description = &material->run.description,
                                     .sample_count = material->run.sample_count,
                                     .maps = material->maps,
                                     .map_count = material->map_count,
                                     .tables = material->named,
                                     .table_count = material->table_count,
                                     .validation = arguments->validation ? &material->validation : NULL};
    return ct_report_write(&report, arguments->output, error);
}

static int run(int argc, char **argv)
{
    struct arguments arguments = {.margin = CT_MARGIN};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct material material = {0};
    struct ct_error error = {""};
    int status = make(&arguments, &material, &error);
    material_free(&material);
    if (status == CT_OK)
        printf("%s/index.html\n", arguments.output);
    return ct_command_end("report", status, &error);
}

const struct ct_command ct_command_report = {
    "report", "a page with pictures of a run and its decision tables", run, options};
