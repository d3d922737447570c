/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "cli/change_print.h"
#include "cli/compare_tables.h"
#include "cli/contradictions.h"
#include "cli/option_choices.h"
#include "cli/run_reading.h"
#include "report/change_page.h"
#include "report/page_folder.h"
#include "samples/leave_out.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct settings {
    int collective;
    size_t most;
    int format;
    /* runs */
    double margin;
    bool only_native;
    const char *without;
    const char *output;
    /* tables */
    const char *on;
    const char *comm_sizes;
    const char *msg_sizes;
    size_t ppn;
};

static const struct ct_option options[] = {
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .choice = ct_collective_choice, .text = "compare only this collective"},
    {"most", 'n', "N", CT_OPTION_WHOLE, offsetof(struct settings, most), .usual = "10",
     .text = "list the N largest changes"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, offsetof(struct settings, format), .choice = ct_format_choice,
     .text = "write in this format"},
    CT_HEADING("Of two runs"),
    {"output", 'o', "DIR", CT_OPTION_TEXT, offsetof(struct settings, output), .output = CT_OUTPUT_FOLDER,
     .text = "also write a page with maps into this folder, which must be new or empty"},
    {"margin", 0, "PERCENT", CT_OPTION_PERCENT, offsetof(struct settings, margin), .most = 100, .usual = "5",
     .text = "treat times as the same within this margin"},
    {"native", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, only_native),
     .text = "compare native calls only; fewer comparisons find smaller changes"},
    CT_WITHOUT_OPTION(struct settings),
    CT_HEADING("Of two tables"),
    {"on", 0, "RUN", CT_OPTION_TEXT, offsetof(struct settings, on),
     .text = "compare the decisions in the cells of this run, and their slowdowns there"},
    {"comm-sizes", 0, "LIST", CT_OPTION_TEXT, offsetof(struct settings, comm_sizes),
     .usual = "2-128*2,3-96*2", .text = "without --on: compare the decisions on these numbers of ranks"},
    {"msg-sizes", 0, "LIST", CT_OPTION_TEXT, offsetof(struct settings, msg_sizes), .usual = "8-4M*2",
     .text = "without --on: and these message sizes"},
    {"ppn", 0, "N", CT_OPTION_WHOLE, offsetof(struct settings, ppn), .least = 1, .most = UINT32_MAX,
     .usual_text = "all ranks on one node", .text = "without --on: ranks on each node"},
    {0},
};

static bool is_run(const char *path)
{
    struct stat about;
    const size_t length = strlen(path), ending = strlen(".xml");
    if (stat(path, &about) == 0)
        return S_ISDIR(about.st_mode);
    return length < ending || strcmp(path + length - ending, ".xml") != 0;
}

/* Options that only one kind has. */
static const char *const of_runs[] = {"output", "margin", "native", "without"};
static const char *const of_tables[] = {"on", "comm-sizes", "msg-sizes", "ppn"};
static const char *const of_grids[] = {"comm-sizes", "msg-sizes", "ppn"};

enum { OF_KIND = 4, OF_GRIDS = 3 };

static int refuse_any(const struct ct_arguments *arguments, const char *const *names, size_t count,
                      const char *why, struct ct_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (ct_is_given(arguments, names[i]))
            return ct_fail(error, CT_E_INPUT, "--%s: %s", names[i], why);
    return CT_OK;
}

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const bool runs = is_run(arguments->words[0]);
    if (is_run(arguments->words[1]) != runs)
        return ct_fail(error, CT_E_INPUT, "%s is a run and %s is none; expected two runs or two tables",
                       arguments->words[runs ? 0 : 1], arguments->words[runs ? 1 : 0]);
    if (runs)
        return refuse_any(arguments, of_tables, OF_KIND, "only two tables have this option", error);
    int status = refuse_any(arguments, of_runs, OF_KIND, "only two runs have this option", error);
    if (status == CT_OK && settings->on)
        status = refuse_any(arguments, of_grids, OF_GRIDS, "cannot be combined with --on", error);
    return status;
}

/* --- two runs --- */

/* Everything that is read, and what was found. */
struct material {
    struct ct_run runs[2];
    struct ct_map *maps[2];
    size_t map_counts[2];
    struct ct_changes changes;
    struct ct_condition *conditions;
    size_t condition_count;
};

static int read_run(const struct settings *settings, const char *folder, struct ct_run *run,
                    struct ct_map **ret_maps, size_t *ret_count, struct ct_error *error)
{
    int status = ct_run_read_shown(&ct_command_compare, folder, error, run);
    if (status != CT_OK)
        return status;
    ct_run_leave_out_validation(run);
    status = ct_without_apply(settings->without, run, error);
    if (status == CT_OK)
        status = ct_maps_make(run, settings->collective, settings->margin, error, ret_maps, ret_count);
    return status;
}

static int find(const struct settings *settings, const char *const *folders, struct material *material,
                struct ct_error *error)
{
    int status = CT_OK;
    for (int i = 0; status == CT_OK && i < 2; i++)
        status = read_run(settings, folders[i], &material->runs[i], &material->maps[i],
                          &material->map_counts[i], error);
    if (status == CT_OK)
        status = ct_changes_find(material->maps[0], material->map_counts[0], material->maps[1],
                                 material->map_counts[1], settings->only_native, &material->changes);
    if (status == CT_OK)
        status = ct_conditions_compare(&material->runs[0].description, &material->runs[1].description,
                                       &material->conditions, &material->condition_count);
    if (status == CT_OK && material->changes.cell_count == 0)
        return ct_fail(error, CT_E_INPUT, "%s and %s have no cell in common", folders[0], folders[1]);
    return status;
}

static int write_page(const char *folder, const char *const *names, const struct material *material,
                      struct ct_error *error)
{
    const struct ct_change_report report = {
        .names = {names[0], names[1]},
        .descriptions = {&material->runs[0].description, &material->runs[1].description},
        .conditions = material->conditions,
        .condition_count = material->condition_count,
        .changes = &material->changes};
    return ct_change_page_write(&report, folder, error);
}

static int print(const struct settings *settings, const char *const *folders, const struct material *material)
{
    if (settings->format) {
        ct_changes_csv_print(&material->changes);
        return CT_OK;
    }
    for (int i = 0; i < 2; i++)
        printf("RUN%d: %s, %s\n", i + 1, folders[i], material->runs[i].description.created);
    ct_conditions_print(material->conditions, material->condition_count);
    puts("");
    int status = ct_changes_print(&material->changes, settings->most);
    if (status == CT_OK && settings->output)
        printf("\n%s/index.html\n", settings->output);
    return status;
}

static int compare_runs(const struct settings *settings, const char *const *folders, struct ct_error *error)
{
    struct material material = {.condition_count = 0};
    int status = settings->output ? ct_page_folder_check(settings->output, error) : CT_OK;
    if (status == CT_OK)
        status = find(settings, folders, &material, error);
    if (status == CT_OK && settings->output)
        status = write_page(settings->output, folders, &material, error);
    if (status == CT_OK)
        status = print(settings, folders, &material);
    const size_t changed = ct_changes_significant(material.changes.counts);
    if (status == CT_OK && changed > 0)
        status = ct_fail(error, CT_E_ANSWER, "%zu significant change%s", changed, ct_s(changed));
    ct_changes_free(&material.changes);
    ct_conditions_free(material.conditions, material.condition_count);
    for (int i = 0; i < 2; i++) {
        ct_maps_free(material.maps[i], material.map_counts[i]);
        ct_run_free(&material.runs[i]);
    }
    return status;
}

static int compare_tables(const struct settings *settings, const char *const *files, struct ct_error *error)
{
    const struct ct_compare_tables request = {.command = &ct_command_compare,
                                              .tables = {files[0], files[1]},
                                              .on = settings->on,
                                              .comm_sizes = settings->comm_sizes,
                                              .msg_sizes = settings->msg_sizes,
                                              .ppn = settings->ppn,
                                              .collective = settings->collective,
                                              .most = settings->most,
                                              .csv = settings->format != 0};
    bool differ = false;
    int status = ct_compare_tables(&request, error, &differ);
    return status == CT_OK && differ ? ct_fail(error, CT_E_ANSWER, "the decisions differ") : status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    return is_run(arguments->words[0]) ? compare_runs(given, arguments->words, error)
                                       : compare_tables(given, arguments->words, error);
}

const struct ct_command ct_command_compare = {
    .name = "compare",
    .text = "show what changed between two runs, or between two tables",
    .usage = "RUN1 RUN2\nTABLE1.xml TABLE2.xml",
    .least = 2,
    .most = 2,
    .about =
        "Compares two runs: of two machines, two MPI versions, or two days. Each method is compared with "
        "itself in every cell that both runs have. The result is a line for each condition that differs, a "
        "table by collective and number of ranks, and the largest significant changes. Cells and methods "
        "that one run alone has are counted. Two tables are compared by their decisions.",
    .notes =
        "After an upgrade, measure with the same options as before it, and compare. Exit code 0 means that "
        "no change is significant, 1 that at least one is, and 2 that the runs cannot be compared:\n\n"
        "  colltune measure -o after --launches 3 --budget 30m\n"
        "  colltune compare before after || mail -s 'MPI has changed' admin\n\n"
        "Job launches are compared, because samples of one launch share its disturbances: measure at least "
        "two in each run, better three to five. If each run has one launch, samples are compared; the result "
        "then holds for these launches alone. Slower and faster mean a significant difference, same one that "
        "is significantly within the margin, undecided neither. The family-wise error rate of all "
        "comparisons of the command is at most 5 % for slower and faster together, and at most 5 % for same. "
        "Simulated and predicted times do not vary, and are compared without a significance test. The column "
        "'other best' counts the cells where RUN1's best method is significantly slower than the best of "
        "RUN2. If there are many, tune again.\n\n"
        "CSV has a line for each cell and method: its medians in seconds, their ratio (second over first), "
        "the number of launches, the p-value before correction, and slower, faster, same, undecided, fails, "
        "works (it failed in the first run), first-only or second-only. For tables it has a line for each "
        "cell: the methods of both, whether they differ, and their slowdowns over the best method as "
        "fractions.\n\n"
        "colltune report RUN TABLE1.xml TABLE2.xml -o DIR makes a page about two tables on one run.\n\n"
        "Examples:\n"
        "  colltune compare before after\n"
        "  colltune compare before after --native --format csv\n"
        "  colltune compare before after -o changes\n"
        "  colltune compare decision-tables/ethernet100-bcast.xml \\\n"
        "      decision-tables/ethernet100-bcast-depth3.xml --on runs/ethernet100-bcast\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
