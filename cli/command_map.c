/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/choice_map.h"
#include "cli/command.h"
#include "cli/contradictions.h"
#include "cli/map_csv.h"
#include "cli/map_picture.h"
#include "cli/option_choices.h"
#include "cli/pattern_list.h"
#include "cli/run_reading.h"
#include "decision/map.h"
#include "decision/table.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <string.h>

struct settings {
    int collective;
    double margin;
    const char *without;
    const char *table;
    int format;
    struct ct_table read; /* of `table` */
};

static const struct ct_option options[] = {
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .choice = ct_collective_choice, .text = "show only this collective"},
    {"margin", 0, "PERCENT", CT_OPTION_PERCENT, offsetof(struct settings, margin), .most = 100, .usual = "5",
     .text = "treat methods as equivalent to the best within this margin"},
    {"table", 0, "TABLE.xml", CT_OPTION_TEXT, offsetof(struct settings, table),
     .text = "show the choices of this decision table in the cells of the run, instead of the best methods"},
    CT_WITHOUT_OPTION(struct settings),
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, offsetof(struct settings, format), .choice = ct_format_choice,
     .text = "write in this format"},
    {0},
};

/* Names the cells that were measured while links between nodes were slow. */
static void print_link_cells(const struct ct_sweep_state *state)
{
    const int width = 80;
    int column = 0;
    if (!state->link_cells)
        return;
    printf(
        "\nMessages between nodes took up to %.1f times as long as at other times while these were measured\n"
        "(collective/ranks/bytes/launch):\n",
        state->link_factor);
    for (const char *cell = state->link_cells; *cell; cell += strspn(cell, " ")) {
        const int length = (int)strcspn(cell, " ");
        const bool breaks = column > 0 && column + 1 + length > width;
        printf("%s%.*s", column == 0 ? "" : breaks ? "\n" : " ", length, cell);
        column = breaks ? length : column + 1 + length;
        cell += length;
    }
    puts("");
}

/* The choices of the table in the cells of the map. */
static int show_choices(const struct settings *settings, const struct ct_map *map, struct ct_text *text,
                        struct ct_error *error)
{
    const struct ct_decision_tree *tree = ct_decisions_find(&settings->read.decisions, map->collective);
    struct ct_map choices = {0};
    if (!tree)
        return ct_fail(error, CT_E_INPUT, "%s: has no tree of %s", settings->table,
                       ct_collectives[map->collective].name);
    int status = ct_choice_map_make(tree, map, &choices);
    if (status == CT_OK)
        status = ct_choice_picture(&choices, settings->table, text);
    ct_choice_map_free(&choices);
    return status;
}

static int show(const struct ct_run *run, enum ct_collective collective, const struct settings *settings,
                struct ct_error *error)
{
    struct ct_map map;
    struct ct_text text = {0};
    int status = ct_map_make_within(run, collective, settings->margin, error, &map);
    if (status != CT_OK)
        return status;
    if (settings->table)
        status = show_choices(settings, &map, &text, error);
    else if (settings->format)
        ct_map_write_csv(&map, run->description.pattern_count > 0, &text);
    else if (ct_collectives[collective].is_sparse)
        ct_pattern_list_write(&map, &text);
    else
        status = ct_map_picture(&map, &text);
    if (status == CT_OK && text.failed)
        status = CT_E_MEMORY;
    if (status == CT_OK && text.length > 0)
        fwrite(text.data, 1, text.length, stdout);
    if (status == CT_OK && !settings->table) {
        fflush(stdout);
        status = ct_contradictions_tell(&ct_command_map, &map);
    }
    ct_text_free(&text);
    ct_map_free(&map);
    return status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct settings own = *(const struct settings *)given;
    const struct settings *settings = &own;
    struct ct_run run;
    int status = ct_run_read_shown(&ct_command_map, arguments->words[0], error, &run), shown = 0;
    if (status != CT_OK)
        return status;
    if (own.table)
        status = ct_table_read(own.table, error, &own.read);
    if (status == CT_OK)
        status = ct_without_apply(settings->without, &run, error);
    if (status == CT_OK && settings->format)
        ct_map_print_csv_header(run.description.pattern_count > 0);
    for (size_t i = 0; status == CT_OK && i < run.description.collective_count; i++) {
        enum ct_collective collective = run.description.collectives[i];
        if (settings->collective != CT_COLLECTIVES || !ct_run_measures(&run, collective) ||
            (settings->table && !ct_decisions_find(&settings->read.decisions, collective)))
            continue;
        if (shown++ > 0 && !settings->format)
            puts("");
        status = show(&run, collective, settings, error);
    }
    if (status == CT_OK && settings->collective != CT_COLLECTIVES)
        status = show(&run, (enum ct_collective)settings->collective, settings, error);
    else if (status == CT_OK && shown == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: has no samples yet", run.folder);
    if (status == CT_OK && !settings->format && !settings->table)
        print_link_cells(&run.description.sweep);
    ct_table_free(&own.read);
    ct_run_free(&run);
    return status;
}

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    (void)arguments;
    return settings->table && settings->format
               ? ct_fail(error, CT_E_INPUT, "--table: cannot be combined with --format csv")
               : CT_OK;
}

const struct ct_command ct_command_map = {
    .name = "map",
    .text = "show the decision map of a run in the terminal",
    .usage = "RUN",
    .least = 1,
    .about =
        "Shows which method is best where: the decision map of a run. Rows are message sizes, columns are "
        "communicator sizes, and each letter stands for a method.",
    .notes =
        "A table below the map says in how many cells each of these methods is best, equivalent to the best, "
        "significantly slower, or undecided, and whether job launches are compared or, if there is only one, "
        "its samples. The column hidden shows how much of the computation the method's calls hid: the mean "
        "over cells whose calls are not blocking. A ~ before a letter means that the best time is predicted. "
        "A line on standard error names each communicator size whose times contradict those of its neighbors "
        "for several methods. Cells that were measured while links between nodes were slow are named at the "
        "end.\n\n"
        "--format csv writes one line for each cell and method: number of valid samples, median of the "
        "medians of the launches with a 95 % confidence interval in seconds, whether it is the best, how it "
        "compares with the best, number of launches, time of the slowest launch over that of the fastest, "
        "whether the times are measured (also by a simulator) or predicted, how ranks are mapped and how "
        "calls are made. Where these are not blocking, the median is the time that a call adds to the "
        "computation beside it, and the medians of the completion time, of the time in MPI functions and of "
        "the hidden share of the computation follow (docs/overlap.md). Runs with patterns of neighborhood "
        "collectives have further columns: the pattern, its features (docs/features.md), the median time of "
        "the method's set-up, and the number of calls after which it has paid off, compared with the best "
        "method that needs none. Such a collective has no picture, but a line for each pattern and size.\n\n"
        "Examples:\n"
        "  colltune map runs/ethernet100-bcast --collective bcast\n"
        "  colltune map my-run --margin 2 --format csv\n"
        "  colltune map runs/ethernet100-bcast --table theirs.xml\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
