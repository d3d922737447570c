/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "cli/learning.h"
#include "cli/option_choices.h"
#include "codegen/plain.h"
#include "decision/table.h"

#include <stdio.h>

struct settings {
    int collective;
    int format;
};

static const struct ct_option options[] = {
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .choice = ct_collective_choice, .text = "show only this collective"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, offsetof(struct settings, format), .choice = ct_format_choice,
     .text = "write in this format"},
    {0},
};

static const char *property_of(const struct ct_table_run *run, const char *name)
{
    return ct_property_find(run->properties, run->property_count, name);
}

/* "run my-run: real, mpich 4.0.2, AMD EPYC, 2026-11-21T18:29:15Z" */
static void write_run(const struct ct_table_run *run, struct ct_text *text)
{
    const char *const values[] = {property_of(run, "mpi.name"), property_of(run, "mpi.version"),
                                  property_of(run, "machine.cpu"), run->created};
    ct_text_append(text, "run %s: %s", run->name, run->backend);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (values[i])
            ct_text_append(text, "%s%s", i == 1 ? " " : ", ", values[i]);
    ct_text_append(text, "\n");
}

/* "bcast: 3 leaves, by surrogate from run my-run; mean slowdown there 1.73 %, of native 149 %" */
static void write_origin(const struct ct_table *table, size_t index, struct ct_text *text)
{
    const double percent = 100;
    const struct ct_decision_tree *tree = &table->decisions.trees[index];
    const struct ct_table_tree *about = &table->trees[index];
    const size_t leaves = ct_tree_leaf_count(tree);
    ct_text_append(text, "%s: %zu %s, by %s from run %s", ct_collectives[tree->collective].name, leaves,
                   leaves == 1 ? "leaf" : "leaves", about->learner, table->runs[about->run].name);
    if (about->penalty.cells > 0)
        ct_text_append(text, "; mean slowdown there %.2f %%", percent * about->penalty.mean);
    if (about->penalty.cells > 0 && about->native.cells > 0)
        ct_text_append(text, ", of native %.2f %%", percent * about->native.mean);
    ct_text_append(text, "\n");
}

static bool is_shown(const struct settings *settings, const struct ct_decision_tree *tree)
{
    return settings->collective == CT_COLLECTIVES || settings->collective == (int)tree->collective;
}

static int write_table(const struct ct_table *table, const struct settings *settings, struct ct_error *error,
                       struct ct_text *text)
{
    const struct ct_decisions *decisions = &table->decisions;
    int status = CT_OK;
    if (settings->format)
        ct_plain_csv_header_write(text);
    for (size_t i = 0; !settings->format && i < table->run_count; i++)
        write_run(&table->runs[i], text);
    for (size_t i = 0; !settings->format && i < decisions->tree_count; i++)
        if (is_shown(settings, &decisions->trees[i]))
            write_origin(table, i, text);
    for (size_t i = 0; status == CT_OK && i < decisions->tree_count; i++)
        if (is_shown(settings, &decisions->trees[i]))
            status = (settings->format ? ct_plain_csv_write : ct_plain_tree_write)(&decisions->trees[i],
                                                                                   error, text);
    return status == CT_OK && text->failed ? CT_E_MEMORY : status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *file = arguments->words[0];
    struct ct_table table = {0};
    struct ct_text text = {0};
    int status = ct_table_read(file, error, &table);
    if (status == CT_OK && settings->collective != CT_COLLECTIVES &&
        !ct_decisions_find(&table.decisions, (enum ct_collective)settings->collective))
        status = ct_fail(error, CT_E_INPUT, "%s: does not decide %s", file,
                         ct_collectives[settings->collective].name);
    if (status == CT_OK)
        status = write_table(&table, settings, error, &text);
    if (status == CT_OK)
        fwrite(text.data, 1, text.length, stdout);
    if (status == CT_OK)
        status = ct_outdated_tell(&ct_command_show, &table, file);
    ct_text_free(&text);
    ct_table_free(&table);
    return status;
}

const struct ct_command ct_command_show = {
    .name = "show",
    .text = "show which method a decision table chooses where",
    .usage = "TABLE.xml",
    .least = 1,
    .about = "Shows a decision table: its provenance, and for each collective the methods by number of ranks "
             "and message size. If decisions depend on the nodes, the ranks per node, or whether ranks yield "
             "while they wait, there is a list for each case.",
    .notes = "A line that names no number of ranks holds for those of the lines above it. Each line holds "
             "for messages larger than those of the line before. The fallback is carried out where the "
             "method does not apply, for example where an operation does not commute. If a tree tests "
             "computed features, numbers of ranks beyond 128 may be up to an eighth too low. Trees whose "
             "decisions cannot be written as ranges are rejected; colltune generate --format table writes "
             "every tree, and --format text writes the same lists to a file, with the whole provenance.\n\n"
             "--format csv has a line for each range: the least and greatest value of each feature (empty "
             "where there is no bound), the method and its fallback.\n\n"
             "Examples:\n"
             "  colltune show decision-tables/default.xml --collective bcast\n"
             "  colltune show my-table.xml --format csv\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
