/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/option_choices.h"
#include "cli/terminal.h"
#include "codegen/generator.h"
#include "codegen/translation.h"
#include "samples/import/given_twice.h"
#include "samples/import/import.h"
#include "samples/merge.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *format; /* the first argument */
    const char *output;
    struct ct_run_description about; /* holds the properties that were given */
    bool comparable;
    bool slowest;
    int names;
    struct ct_text *hints; /* what their words were taken for */
    int time;
    struct ct_import_source last; /* what was said last about files, and as options take it: */
    size_t comm_size;
    size_t nodes;
    size_t ppn;
    int by;
    int collective;
    struct ct_import_source *sources;
    size_t source_count;
    size_t source_capacity;
};

#define AT(member) .offset = offsetof(struct settings, member)

static const char *time_choice(size_t index)
{
    static const char *const names[] = {"unknown", "mean", "local", "global", NULL};
    return names[index];
}

static int read_property(const struct ct_option *option, const char *word, void *settings,
                         struct ct_error *error)
{
    const char *equals = strchr(word, '=');
    if (!equals || equals == word)
        return ct_fail(error, CT_E_INPUT, "--%s '%.80s': expected NAME=VALUE", option->name, word);
    char *name = strndup(word, (size_t)(equals - word));
    int status =
        name ? ct_run_add_property(&((struct settings *)settings)->about, name, equals + 1) : CT_E_MEMORY;
    free(name);
    return status;
}

/* Whose words for methods are taken. */
static const struct {
    const char *name;
    const struct ct_generator *library; /* NULL: our own words alone */
} libraries[] = {{"colltune", NULL}, {"ompi", &ct_ompi_generator}, {NULL, NULL}};

static const char *names_choice(size_t index)
{
    return libraries[index].name;
}

static const struct ct_option options[] = {
    {"output", 'o', "RUN", CT_OPTION_TEXT, AT(output), .required = true, .output = CT_OUTPUT_FOLDER,
     .text = "make this folder for the run"},
    {"property", 0, "NAME=VALUE", CT_OPTION_OTHER, .read = read_property,
     .text = "add this property to run.xml, for example 'mpi.version=Open MPI 4.1.6'; may be repeated"},
    {"comparable", 0, NULL, CT_OPTION_FLAG, AT(comparable),
     .text = "leave out cells where only one method was measured, which learners would take for the best"},
    {"names", 0, "LIBRARY", CT_OPTION_CHOICE, AT(names), .choice = names_choice,
     .text =
         "also accept this library's names and numbers of algorithms, with the parameters that it takes if "
         "only the algorithm is forced (Open MPI: four chains, no segments); --methods takes precedence"},
    {0},
};

static const char *mapping_choice(size_t index)
{
    return ct_mapped_names[index];
}

static const struct ct_option file_options[] = {
    CT_HEADING("For the files after the option (its first use also for those before it)"),
    {"method", 0, "METHOD", CT_OPTION_TEXT, AT(last.method), .usual_text = "native",
     .text = "the files have times of this method, for example binomial:seg=8K"},
    {"methods", 0, "LIST", CT_OPTION_TEXT, AT(last.methods),
     .text = "explain the words for methods in a column or in the files' names: WORD=METHOD, separated by "
             "commas; WORD=- leaves out rows and files with this word"},
    {"comm-size", 0, "N", CT_OPTION_WHOLE, AT(comm_size), .least = 1, .most = INT_MAX,
     .text = "the files have times of N ranks; osu files never contain this number"},
    {"nodes", 0, "N", CT_OPTION_WHOLE, AT(nodes), .least = 1, .most = INT_MAX,
     .usual_text = "1, or as --ppn requires", .text = "the ranks were on N nodes"},
    {"ppn", 0, "N", CT_OPTION_WHOLE, AT(ppn), .least = 1, .most = INT_MAX,
     .usual_text = "as --nodes requires", .text = "N ranks were on each node"},
    {"by", 0, "MAPPING", CT_OPTION_CHOICE, AT(by), .choice = mapping_choice,
     .text = "consecutive ranks were mapped to cores (core), to sockets in turn (socket) or to nodes in turn "
             "(node); trees can test this as the feature 'by'"},
    {"file-name", 0, "PATTERN", CT_OPTION_TEXT, AT(last.pattern),
     .text = "take these facts from the names of the files, not from options: for example "
             "'bcast_{method}_{comm_size}.csv'. Fields: {collective}, {method}, {by}, {nodes}, {ppn}, "
             "{comm_size}; * stands for anything"},
    {0},
};

static const struct ct_option mean_options[] = {
    CT_HEADING("For osu and imb"),
    {"heading", 0, "PATTERN", CT_OPTION_TEXT, AT(last.heading),
     .text = "in the files after the option, take facts from lines between outputs: a line that matches this "
             "pattern holds for the outputs below it. Fields as in --file-name; for example 'Running with "
             "{comm_size} *'"},
    {"slowest", 0, NULL, CT_OPTION_FLAG, AT(slowest),
     .text = "take the time of the slowest rank, not the mean over the ranks"},
    {0},
};

static const struct ct_option map_options[] = {
    CT_HEADING("For csv, for the files after the option"),
    {"map", 0, "MAP", CT_OPTION_TEXT, AT(last.map),
     .text =
         "explain the columns: FIELD=COLUMN, FIELD=COLUMN*FACTOR or FIELD=NUMBER, separated by commas; "
         "COLUMN is a name, or #N for the Nth column. "
         "Fields: seconds, comm_size, msg_bytes, method, collective, nodes, ppn, by, root, launch, "
         "repetitions. Factors: a number, or for seconds s, ms, us, ns. msg_bytes=COLUMN/ranks: the "
         "column counts the blocks of all ranks. seconds=PATTERN: the columns whose names match hold times, "
         "and the names say facts, as with --file-name: 'seconds={method}*us'"},
    {"where", 0, "COLUMN=VALUE[,VALUE]", CT_OPTION_TEXT, AT(last.where),
     .text = "take only rows that have one of these values in this column; conditions on several columns "
             "are separated by commas, too"},
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, AT(collective), .usual = "all",
     .usual_text = "what a column says", .choice = ct_collective_choice,
     .text = "all rows are of this collective"},
    {0},
};

static const struct ct_option time_options[] = {
    CT_HEADING("For csv, for all files"),
    {"time", 0, "WHICH", CT_OPTION_CHOICE, AT(time), .choice = time_choice,
     .text = "the times are means over the ranks (mean), times of the slowest rank (local), or times from "
             "the start of the first rank to the end of the last one (global)"},
    {0},
};

static int begin(void *settings, struct ct_bindings *bindings)
{
    struct settings *starting = settings;
    starting->hints = ct_allocate(1, sizeof *starting->hints);
    if (!starting->hints)
        return CT_E_MEMORY;
    const struct ct_option *const tables[] = {file_options, mean_options, map_options, time_options};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        ct_options_default(tables[i], settings);
        ct_bind(bindings, (struct ct_binding){.options = tables[i], .settings = settings});
    }
    return CT_OK;
}

static void end(void *given)
{
    struct settings *settings = given;
    if (settings->hints)
        ct_text_free(settings->hints);
    free(settings->hints);
    free(settings->sources);
    ct_run_description_free(&settings->about);
}

static struct ct_import_source source_of(const struct settings *settings, const char *path)
{
    struct ct_import_source source = settings->last;
    source.path = path;
    source.collective = (enum ct_collective)settings->collective;
    source.key = (struct ct_cell_key){.comm_size = (uint32_t)settings->comm_size,
                                      .nodes = (uint32_t)settings->nodes,
                                      .ppn = (uint32_t)settings->ppn,
                                      .by = (uint32_t)settings->by};
    return source;
}

/* The format, then files. */
static int take_argument(const char *word, void *given)
{
    struct settings *settings = given;
    if (!settings->format) {
        settings->format = word;
        return CT_OK;
    }
    int status = ct_grow(&settings->sources, &settings->source_capacity, settings->source_count + 1,
                         sizeof *settings->sources);
    if (status != CT_OK)
        return status;
    settings->sources[settings->source_count++] = source_of(settings, word);
    return CT_OK;
}

/* Refuses options that mean nothing to the format. */
static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const struct ct_import_format *format = ct_import_find(settings->format);
    if (!format && strcmp(settings->format, "run") != 0) {
        struct ct_text names = {0};
        for (size_t i = 0; ct_import_formats[i]; i++)
            ct_text_append(&names, "%s, ", ct_import_formats[i]->name);
        int status = names.failed ? CT_E_MEMORY
                                  : ct_fail(error, CT_E_INPUT, "unknown format '%s'; expected %.*s or run",
                                            settings->format, (int)names.length - 2, names.data);
        ct_text_free(&names);
        return status;
    }
    for (size_t i = 0; i < arguments->given_count; i++) {
        const char *name = arguments->given[i].option->name;
        bool is_of_map = ct_option_find(map_options, name) || ct_option_find(time_options, name);
        bool is_mean = ct_option_find(mean_options, name);
        if ((is_of_map && !(format && format->has_map)) ||
            (is_mean && (!format || format->has_map || format->time)) ||
            (!format && strcmp(name, "output") != 0))
            return ct_fail(error, CT_E_INPUT, "--%s: the format %s does not have this option", name,
                           settings->format);
    }
    return CT_OK;
}

static void list(struct ct_text *text)
{
    ct_text_append(text, "Formats:\n");
    for (size_t i = 0; ct_import_formats[i]; i++)
        ct_help_item(ct_import_formats[i]->name, 6, ct_import_formats[i]->text, text);
    ct_help_item("run", 6, "runs of the same conditions; each becomes further launches of one run", text);
    ct_text_append(text, "\n");
}

static int import_runs(const struct settings *settings, struct ct_error *error,
                       struct ct_import_summary *ret_summary)
{
    const char **folders = ct_allocate(settings->source_count, sizeof *folders);
    if (!folders)
        return CT_E_MEMORY;
    for (size_t i = 0; i < settings->source_count; i++)
        folders[i] = settings->sources[i].path;
    *ret_summary = (struct ct_import_summary){.most_ratio = 1};
    int status = ct_import_forbid_twice(settings->sources, settings->source_count, "/samples.csv", error);
    if (status == CT_OK)
        status = ct_run_merge(settings->output, folders, settings->source_count, error, &ret_summary->cells,
                              &ret_summary->samples);
    free(folders);
    return status;
}

static const char *first(const char *said, const char *later)
{
    return said ? said : later;
}

/* What was said first about files holds for those before it, too: they take it from those after them. */
static void complete_sources(const struct settings *settings)
{
    struct ct_import_source next = source_of(settings, NULL);
    for (size_t i = settings->source_count; i-- > 0;) {
        struct ct_import_source *source = &settings->sources[i];
        source->pattern = first(source->pattern, next.pattern);
        source->heading = first(source->heading, next.heading);
        source->method = first(source->method, next.method);
        source->methods = first(source->methods, next.methods);
        source->map = first(source->map, next.map);
        source->where = first(source->where, next.where);
        if (source->collective == CT_COLLECTIVES)
            source->collective = next.collective;
        source->key.comm_size = source->key.comm_size ? source->key.comm_size : next.key.comm_size;
        source->key.nodes = source->key.nodes ? source->key.nodes : next.key.nodes;
        source->key.ppn = source->key.ppn ? source->key.ppn : next.key.ppn;
        source->key.by = source->key.by ? source->key.by : next.key.by;
        next = *source;
    }
}

/* Says what a word of the library is taken for, once. */
static bool explain(void *context, enum ct_collective collective, const char *word,
                    struct ct_method *ret_method)
{
    const struct settings *settings = context;
    const struct ct_translation *target = libraries[settings->names].library->target;
    const struct ct_mapping *row;
    char spelling[CT_METHOD_TEXT];
    if (!ct_mapping_method_like(target->library, target->release, collective, word, ret_method, &row))
        return false;
    ct_method_format(ret_method, false, spelling);
    ct_note(settings->hints, collective, "%s's %s is taken for %s%s%s", target->library->name, word, spelling,
            row && row->remark ? ", but it " : "", row && row->remark ? row->remark : "");
    return true;
}

static int import_files(const struct settings *settings, const struct ct_import_format *format,
                        struct ct_error *error, struct ct_import_summary *ret_summary)
{
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_show(&bar, &ct_command_import);
    complete_sources(settings);
    const struct ct_import_request request = {
        .folder = settings->output,
        .explain = libraries[settings->names].library ? explain : NULL,
        .explain_context = (void *)settings,
        .sources = settings->sources,
        .watch = &watch,
        .source_count = settings->source_count,
        .slowest = settings->slowest,
        .comparable = settings->comparable,
        .time = time_choice((size_t)settings->time),
        .properties = settings->about.properties,
        .property_count = settings->about.property_count,
    };
    int status = ct_import(format, &request, error, ret_summary);
    ct_bar_end(&bar);
    if (status == CT_OK && settings->hints->data)
        fputs(settings->hints->data, stderr);
    return status;
}

/* Several samples of a method in a cell: which two rows differ most, if any do. */
static void tell_repeated(const struct settings *settings, const struct ct_import_summary *summary,
                          const char *hint)
{
    const struct ct_import_place *shortest = &summary->shortest, *longest = &summary->longest;
    char ratio[CT_NUMBER_TEXT];
    char *rows = summary->disagreeing == 0
                     ? strdup("")
                     : ct_format(" (%s:%zu and %s:%zu)", settings->sources[shortest->source].path,
                                 shortest->line, settings->sources[longest->source].path, longest->line);
    ct_tell(&ct_command_import,
            "in %zu case%s a cell has several samples of a method; %zu of these differ%s by more than %g "
            "times, at most %s times%s%s",
            summary->repeated, ct_s(summary->repeated), summary->disagreeing,
            summary->disagreeing == 1 ? "s" : "", CT_IMPORT_AGREES,
            ct_rounded_format(summary->most_ratio, 3, ratio), rows ? rows : "", hint);
    free(rows);
}

static void tell(const struct settings *settings, const struct ct_import_summary *summary)
{
    const struct ct_command *command = &ct_command_import;
    const struct ct_import_format *format = ct_import_find(settings->format);
    const bool is_text = format && !format->has_map && !format->time;
    ct_tell(command, "%s has %zu cell%s with %zu sample%s", settings->output, summary->cells,
            ct_s(summary->cells), summary->samples, ct_s(summary->samples));
    if (summary->least_seconds > CT_IMPORT_SLOW)
        ct_tell(command, "the shortest time is %.3g s, which is long for one call: are the times in seconds?",
                summary->least_seconds);
    if (summary->lonely > 0)
        ct_tell(command,
                "in %zu of %zu cell%s only one method was measured, which a learner takes for the best; "
                "--comparable leaves these cells out",
                summary->lonely, summary->cells, ct_s(summary->cells));
    if (summary->repeated > 0)
        tell_repeated(settings, summary,
                      is_text && summary->disagreeing > 0
                          ? "; if lines between the outputs say how these differ, --heading reads them"
                          : "");
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const struct ct_import_format *format = ct_import_find(settings->format);
    struct ct_import_summary summary;
    (void)arguments;
    int status = ct_is_new(settings->output, error);
    if (status != CT_OK)
        return status;
    status =
        format ? import_files(settings, format, error, &summary) : import_runs(settings, error, &summary);
    if (status == CT_OK)
        tell(settings, &summary);
    return status;
}

const struct ct_command ct_command_import = {
    .name = "import",
    .text = "make a run from results of other benchmarks",
    .usage = "FORMAT FILE... -o RUN",
    .least = 2,
    .most = SIZE_MAX,
    .about =
        "Makes a run from results of other benchmarks, for map, learn, score and report. Each row becomes "
        "a sample. If there is an error in any file, nothing is written.",
    .notes = "Examples:\n"
             "  colltune import osu --comm-size 8 a.txt --comm-size 16 b.txt -o cluster\n"
             "  colltune import imb --method binomial forced.txt --method native usual.txt \\\n"
             "      -o cluster\n"
             "  colltune import csv times.csv -o cluster -c bcast \\\n"
             "      --methods '0=native,6=binomial' \\\n"
             "      --map 'comm_size=p,msg_bytes=size,seconds=latency*us,method=alg'\n"
             "  colltune import run monday tuesday -o both\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .begin = begin,
    .end = end,
    .list = list,
    .argument = take_argument,
    .check = check,
    .run = run,
};
