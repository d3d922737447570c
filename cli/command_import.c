/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/number.h"
#include "cli/command.h"
#include "samples/import/import.h"
#include "samples/merge.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum key {
    KEY_COMM_SIZE = 256,
    KEY_NODES,
    KEY_PPN,
    KEY_MAP,
    KEY_METHODS,
    KEY_SLOWEST,
    KEY_COMPARABLE,
    KEY_TIME,
    KEY_PROPERTY
};

struct arguments {
    const char *format;
    struct ct_import_request request;
    struct ct_import_source *sources;
    size_t source_capacity;
    struct ct_property *properties;
    size_t property_capacity;
    /* what was said last, and first, of the files */
    struct ct_import_source last, first;
};

static const struct argp_option options[] = {
    {"output", 'o', "RUN", 0, "folder to make for the run", 0},
    {"property", KEY_PROPERTY, "NAME=VALUE", 0,
     "what else is known, for run.xml: --property 'mpi.version=Open MPI 4.1.6'; may be repeated", 0},
    {"comparable", KEY_COMPARABLE, NULL, 0,
     "leave out cells where one method alone was measured, which learners take for the best", 0},
    {NULL, 0, NULL, 0, "What the files behind it do not say (the first also of those before it):", 1},
    {"method", 'm', "METHOD", 0, "what was measured, such as binomial:seg=8K (native)", 1},
    {"comm-size", KEY_COMM_SIZE, "N", 0, "ranks; osu never says", 1},
    {"nodes", KEY_NODES, "N", 0, "nodes that the ranks lay on (1, or what --ppn makes it)", 1},
    {"ppn", KEY_PPN, "N", 0, "ranks on each node (what --nodes makes it)", 1},
    {NULL, 0, NULL, 0, "osu, imb:", 2},
    {"slowest", KEY_SLOWEST, NULL, 0, "take the slowest rank's time, not the mean over the ranks", 2},
    {NULL, 0, NULL, 0, "csv:", 3},
    {"map", KEY_MAP, "MAP", 0,
     "what the columns mean: FIELD=COLUMN, FIELD=COLUMN*FACTOR or FIELD=NUMBER, parted by commas. Fields: "
     "seconds, comm_size, msg_bytes, method, collective, nodes, ppn, root, launch, repetitions; factors: a "
     "number, or of seconds s, ms, us, ns",
     3},
    {"methods", KEY_METHODS, "LIST", 0,
     "what the words in the method's column mean: WORD=METHOD, parted by commas; WORD=- leaves those out", 3},
    {"collective", 'c', "COLLECTIVE", 0, "of all rows", 3},
    {"time", KEY_TIME, "WHICH", 0,
     "what the times are: mean over the ranks, local (the slowest rank's), global, unknown (default)", 3},
    {0},
};

static size_t number(const struct argp_state *state, const char *option, const char *word)
{
    size_t value;
    if (ct_whole_parse(word, INT_MAX, &value) != CT_OK || value == 0)
        ct_usage(state, "%s '%s': expected a whole number of at least 1", option, word);
    return value;
}

static void add_source(const struct argp_state *state, struct arguments *arguments, const char *path)
{
    size_t count = arguments->request.source_count;
    if (ct_grow(&arguments->sources, &arguments->source_capacity, count + 1, sizeof *arguments->sources) !=
        CT_OK)
        argp_failure(state, CT_EXIT_NO, 0, "out of memory");
    arguments->sources[count] = arguments->last;
    arguments->sources[count].path = path;
    arguments->request.source_count = count + 1;
}

/* Cuts NAME=VALUE in two. */
static void add_property(const struct argp_state *state, struct arguments *arguments, char *word)
{
    size_t count = arguments->request.property_count;
    char *equals = strchr(word, '=');
    if (!equals || equals == word)
        ct_usage(state, "--property '%s': expected NAME=VALUE", word);
    if (ct_grow(&arguments->properties, &arguments->property_capacity, count + 1,
                sizeof *arguments->properties) != CT_OK)
        argp_failure(state, CT_EXIT_NO, 0, "out of memory");
    *equals = '\0';
    arguments->properties[count] = (struct ct_property){word, equals + 1};
    arguments->request.property_count = count + 1;
}

static void set_time(const struct argp_state *state, struct arguments *arguments, const char *word)
{
    static const char *const known[] = {"mean", "local", "global", "unknown"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], word) == 0)
            arguments->request.time = known[i];
    if (!arguments->request.time)
        ct_usage(state, "--time '%s': expected mean, local, global or unknown", word);
}

/* A setting of the files behind it. */
static void set_number(const struct argp_state *state, const char *option, const char *word, size_t *last,
                       size_t *first)
{
    *last = number(state, option, word);
    *first = *first ? *first : *last;
}

/* Files before the first setting have it, too. */
static void finish(const struct argp_state *state, struct arguments *arguments)
{
    struct ct_import_request *request = &arguments->request;
    if (!arguments->format)
        ct_usage(state, "expected a format and files");
    if (request->source_count == 0)
        ct_usage(state, "expected files to import");
    if (!request->folder)
        ct_usage(state, "expected the folder of the run: -o RUN");
    for (size_t i = 0; i < request->source_count; i++) {
        struct ct_import_source *source = &arguments->sources[i];
        source->method = source->method ? source->method : arguments->first.method;
        source->key.comm_size =
            source->key.comm_size ? source->key.comm_size : arguments->first.key.comm_size;
        source->key.nodes = source->key.nodes ? source->key.nodes : arguments->first.key.nodes;
        source->key.ppn = source->key.ppn ? source->key.ppn : arguments->first.key.ppn;
    }
    request->sources = arguments->sources;
    request->properties = arguments->properties;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct ct_import_source *last = &arguments->last, *first = &arguments->first;
    switch (key) {
    case 'o':
        arguments->request.folder = argument;
        return 0;
    case 'm':
        last->method = argument;
        first->method = first->method ? first->method : argument;
        return 0;
    case KEY_COMM_SIZE:
        set_number(state, "--comm-size", argument, &last->key.comm_size, &first->key.comm_size);
        return 0;
    case KEY_NODES:
        set_number(state, "--nodes", argument, &last->key.nodes, &first->key.nodes);
        return 0;
    case KEY_PPN:
        set_number(state, "--ppn", argument, &last->key.ppn, &first->key.ppn);
        return 0;
    case KEY_SLOWEST:
        arguments->request.slowest = true;
        return 0;
    case KEY_COMPARABLE:
        arguments->request.comparable = true;
        return 0;
    case KEY_MAP:
        arguments->request.map = argument;
        return 0;
    case KEY_METHODS:
        arguments->request.methods = argument;
        return 0;
    case KEY_TIME:
        set_time(state, arguments, argument);
        return 0;
    case KEY_PROPERTY:
        add_property(state, arguments, argument);
        return 0;
    case 'c':
        arguments->request.collective = ct_collective_find(argument);
        if (arguments->request.collective == CT_COLLECTIVES)
            ct_usage(state, "unknown collective '%s'", argument);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            arguments->format = argument;
        else
            add_source(state, arguments, argument);
        return 0;
    case ARGP_KEY_END:
        finish(state, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "FORMAT FILE... -o RUN",
    "Makes a run of the results of other benchmarks, for map, learn, score and report. FORMAT is osu (OSU "
    "micro-benchmarks), imb (Intel MPI Benchmarks), csv (any table, explained by --map), or run: several "
    "runs of the same conditions become one, each as further launches.\v"
    "Each row becomes a sample. One flaw in one file, and nothing is written.\n\n"
    "Examples:\n"
    "  colltune import osu --comm-size 8 a.txt --comm-size 16 b.txt -o cluster\n"
    "  colltune import imb -m binomial forced.txt -m native usual.txt -o cluster\n"
    "  colltune import csv times.csv -o cluster -c bcast \\\n"
    "      --methods '0=native,6=binomial' \\\n"
    "      --map 'comm_size=p,msg_bytes=size,seconds=latency*us,method=alg'\n"
    "  colltune import run monday tuesday -o both\n",
    NULL,
    NULL,
    NULL};

static void notice(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "colltune import: %s\n", line);
}

static int import_runs(const struct ct_import_request *request, struct ct_error *error,
                       struct ct_import_summary *ret_summary)
{
    struct ct_import_summary summary = {.most_ratio = 1};
    const char **folders = ct_allocate(request->source_count, sizeof *folders);
    if (!folders)
        return CT_E_MEMORY;
    for (size_t i = 0; i < request->source_count; i++)
        folders[i] = request->sources[i].path;
    int status = ct_import_forbid_twice(request->sources, request->source_count, "/samples.csv", error);
    if (status == CT_OK)
        status = ct_run_merge(request->folder, folders, request->source_count, error, &summary.cells,
                              &summary.samples);
    if (status == CT_OK)
        *ret_summary = summary;
    free(folders);
    return status;
}

/* Options that mean nothing to a format are not passed over in silence. */
static int check(const struct arguments *arguments, const struct ct_import_format *format,
                 struct ct_error *error)
{
    const struct ct_import_request *request = &arguments->request;
    const struct ct_import_source *first = &arguments->first;
    bool of_files =
        request->comparable || first->method || first->key.comm_size || first->key.nodes || first->key.ppn;
    bool of_map = request->map || request->methods || request->time || request->collective != CT_COLLECTIVES;
    const char *wrong = !format && (of_files || request->property_count > 0)
                            ? "options that describe files: runs describe themselves"
                        : request->slowest && (!format || format->has_map) ? "--slowest: it is of osu and imb"
                        : of_map && (!format || !format->has_map)
                            ? "--map, --methods, --collective and --time: they are of csv"
                            : NULL;
    return wrong ? ct_fail(error, CT_E_INPUT, "%s has no use for %s", arguments->format, wrong) : CT_OK;
}

static void tell(const struct ct_import_request *request, const struct ct_import_summary *summary)
{
    fprintf(stderr, "colltune import: %s has %zu cell%s with %zu sample%s\n", request->folder, summary->cells,
            summary->cells == 1 ? "" : "s", summary->samples, summary->samples == 1 ? "" : "s");
    if (summary->least_seconds > CT_IMPORT_SLOW)
        fprintf(stderr,
                "colltune import: the shortest of all times is %.3g s, which is long for one call: are they "
                "in seconds?\n",
                summary->least_seconds);
    if (summary->lonely > 0)
        fprintf(stderr,
                "colltune import: in %zu of %zu cells one method alone was measured, which a learner takes "
                "for the "
                "best; --comparable leaves them out\n",
                summary->lonely, summary->cells);
    if (summary->repeated > 0)
        fprintf(stderr,
                "colltune import: %zu times a cell has several samples of a method; %zu of these differ by "
                "more than %g times, at most %.3g times\n",
                summary->repeated, summary->disagreeing, CT_IMPORT_AGREES, summary->most_ratio);
}

static int run(int argc, char **argv)
{
    struct arguments arguments = {.request = {.collective = CT_COLLECTIVES}};
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &arguments);
    const struct ct_import_request *request = &arguments.request;
    const struct ct_import_watch watch = {.notice = notice};
    const struct ct_import_format *format = ct_import_find(arguments.format);
    struct ct_error error = {""};
    struct ct_import_summary summary;
    int status;
    /* before the work; ct_run_write() asks again */
    if (access(request->folder, F_OK) == 0)
        status = ct_fail(&error, CT_E_INPUT, "%s: exists already; nothing was overwritten", request->folder);
    else if (!format && strcmp(arguments.format, "run") != 0)
        status = ct_fail(&error, CT_E_INPUT, "unknown format '%s': expected osu, imb, csv or run",
                         arguments.format);
    else
        status = check(&arguments, format, &error);
    if (status == CT_OK)
        status = format ? ct_import(format, request, &watch, &error, &summary)
                        : import_runs(request, &error, &summary);
    if (status == CT_OK)
        tell(request, &summary);
    free(arguments.sources);
    free(arguments.properties);
    return ct_command_end("import", status, &error);
}

const struct ct_command ct_command_import = {"import", "a run from the results of other benchmarks", run,
                                             options};
