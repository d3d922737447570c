/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/fit_picture.h"
#include "measure/sweep/point_to_point.h"
#include "models/fit/fit_model.h"
#include "models/fit/fit_run.h"
#include "models/model_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INPUTS = 2 };

struct arguments {
    struct ct_point_request request;
    const char *inputs[INPUTS]; /* files of samples, or folders of runs */
    size_t input_count;
    const char *output;
    const char *samples;
    const char *name;
    struct ct_fit_options fit;
    bool measures; /* an option was given that only measuring has */
};

enum key {
    KEY_LAUNCHER = 256,
    KEY_SIMULATE,
    KEY_SIMULATOR_OPTIONS,
    KEY_MPI,
    KEY_CC,
    KEY_RANKS,
    KEY_MSG_SIZES,
    KEY_SECONDS,
    KEY_TIMEOUT,
    KEY_MOST,
    KEY_SAMPLES,
    KEY_NAME,
    KEY_SEED,
    KEY_EXTREMES
};

static const struct argp_option options[] = {
    {"output", 'o', "MODEL.xml", 0, "file to make for the model", 0},
    {"samples", KEY_SAMPLES, "FILE.csv", 0, "keep what was measured, too, to be fitted again", 0},
    {"name", KEY_NAME, "WORD", 0, "of the model (that of the file)", 0},
    {"extremes", KEY_EXTREMES, NULL, 0,
     "Hockney from the shortest time and the largest bandwidth, in place of relative least squares", 0},
    {"seed", KEY_SEED, "N", 0, "of the resamplings behind intervals (1)", 0},
    {NULL, 0, NULL, 0, "Where to measure:", 1},
    {"launcher", KEY_LAUNCHER, "COMMAND", 0,
     "starts the ranks: a command that takes -n NP, or '... {np} ... {cmd}'", 1},
    {"simulate", KEY_SIMULATE, "PLATFORM", 0,
     "simulate ethernet100, gigabit, fattree, dragonfly or a SimGrid file", 1},
    {"simulator-options", KEY_SIMULATOR_OPTIONS, "WORDS", 0, "further options of smpirun", 1},
    {"mpi", KEY_MPI, "NAME", 0, "mpich (default) or openmpi", 1},
    {"cc", KEY_CC, "MPICC", 0, "compiler wrapper of the MPI", 1},
    {"ranks", KEY_RANKS, "N", 0,
     "ranks to start (2): rank 0 measures with up to four on its node and four on others", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"msg-sizes", KEY_MSG_SIZES, "LIST", 0, "message sizes in bytes (0,1-4M*2,48-3M*2)", 2},
    {"seconds", KEY_SECONDS, "TIME", 0, "time for one kind of measurement at one size (0.05s)", 2},
    {"max-repetitions", KEY_MOST, "N", 0, "of one kind at one size (200)", 2},
    {"timeout", KEY_TIMEOUT, "TIME", 0, "a job without a new time for so long hangs (1m)", 2},
    {0},
};

/* Options that are just words of the request. */
static const struct {
    int key;
    size_t offset;
} words[] = {
    {KEY_LAUNCHER, offsetof(struct ct_point_request, place.launcher)},
    {KEY_SIMULATE, offsetof(struct ct_point_request, place.simulate)},
    {KEY_SIMULATOR_OPTIONS, offsetof(struct ct_point_request, place.simulator_options)},
    {KEY_MPI, offsetof(struct ct_point_request, place.mpi)},
    {KEY_CC, offsetof(struct ct_point_request, place.cc)},
    {KEY_MSG_SIZES, offsetof(struct ct_point_request, msg_sizes)},
};

static size_t count(const struct argp_state *state, const char *option, const char *word, size_t least,
                    size_t most)
{
    size_t number;
    if (ct_whole_parse(word, most, &number) != CT_OK || number < least)
        ct_usage(state, "%s '%s': expected a whole number from %zu to %zu", option, word, least, most);
    return number;
}

static void check(const struct argp_state *state, const struct arguments *arguments)
{
    if (!arguments->output)
        ct_usage(state, "expected the file of the model: -o MODEL.xml");
    if (arguments->input_count > 0 && (arguments->measures || arguments->samples))
        ct_usage(state, "'%s' is measured already: expected no options of measuring", arguments->inputs[0]);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    enum { RANKS_MAX = 1 << 20, REPETITIONS_MAX = 1 << 20 };
    struct arguments *arguments = state->input;
    arguments->measures |= key >= KEY_LAUNCHER && key <= KEY_MOST;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].key == key) {
            *(const char **)((char *)&arguments->request + words[i].offset) = argument;
            return 0;
        }
    switch (key) {
    case 'o':
        arguments->output = argument;
        return 0;
    case KEY_SAMPLES:
        arguments->samples = argument;
        return 0;
    case KEY_NAME:
        arguments->name = argument;
        return 0;
    case KEY_SEED:
        arguments->fit.seed = count(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case KEY_EXTREMES:
        arguments->fit.extremes = true;
        return 0;
    case KEY_RANKS:
        arguments->request.ranks = count(state, "--ranks", argument, 2, RANKS_MAX);
        return 0;
    case KEY_MOST:
        arguments->request.most_repetitions = count(state, "--max-repetitions", argument, 1, REPETITIONS_MAX);
        return 0;
    case KEY_SECONDS:
        arguments->request.seconds = ct_seconds_of(state, "--seconds", argument);
        return 0;
    case KEY_TIMEOUT:
        arguments->request.timeout = ct_seconds_of(state, "--timeout", argument);
        return 0;
    case ARGP_KEY_ARG:
        arguments->inputs[arguments->input_count++] = ct_argument_of(state, argument, INPUTS);
        return 0;
    case ARGP_KEY_END:
        check(state, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[SAMPLES.csv | RUN [SAMPLES.csv]]",
    "Finds what messages cost in the Hockney, LogGP and PLogP models, and local reductions and copies. "
    "Without an argument it measures; SAMPLES.csv was measured before with --samples; from a RUN of "
    "collectives it takes bcast/pipeline and barrier/linear, and overheads and local work from "
    "SAMPLES.csv.\v"
    "Examples:\n"
    "  colltune fit -o laptop.xml --samples laptop.csv\n"
    "  colltune fit laptop.csv -o again.xml\n"
    "  colltune fit -o cluster.xml --ranks 4 --launcher 'srun -N 2 -n {np} {cmd}'\n"
    "  colltune fit -o simulated.xml --simulate ethernet100\n",
    NULL,
    NULL,
    NULL};

/* Begins with the first word of the job: compiling its program is not measuring. */
static void progress(void *context, double done)
{
    struct ct_progress *bar = context;
    if (!bar->label)
        ct_progress_begin(bar, "measuring");
    ct_progress_show(bar, done, NULL);
}

/* Measures, and keeps the samples where that is wanted. */
static int measure(struct arguments *arguments, struct ct_error *error, struct ct_point_samples *ret_samples)
{
    struct ct_text file = {0};
    struct ct_progress bar = {.label = NULL};
    if (arguments->samples && access(arguments->samples, F_OK) == 0)
        return ct_fail(error, CT_E_INPUT, "%s: exists already", arguments->samples);
    arguments->request.stop = ct_catch_stop();
    arguments->request.progress = progress;
    arguments->request.context = &bar;
    int status = ct_point_measure(&arguments->request, error, &file);
    ct_progress_end(&bar);
    if (status == CT_OK && arguments->samples)
        status = ct_file_create(arguments->samples, file.data, file.length, error);
    if (status == CT_OK)
        status = ct_point_samples_parse(file.data, file.length,
                                        arguments->samples ? arguments->samples : "what was measured", error,
                                        ret_samples);
    ct_text_free(&file);
    return status;
}

static int take_samples(struct arguments *arguments, struct ct_error *error, struct ct_text *notes,
                        struct ct_point_samples *ret_samples)
{
    struct stat about;
    if (arguments->input_count == 0)
        return measure(arguments, error, ret_samples);
    bool is_run = stat(arguments->inputs[0], &about) == 0 && S_ISDIR(about.st_mode);
    if (is_run)
        return ct_samples_of_run(arguments->inputs[0], arguments->inputs[1], error, notes, ret_samples);
    if (arguments->input_count > 1)
        return ct_fail(error, CT_E_INPUT, "%s: is no run: expected a folder before %s", arguments->inputs[0],
                       arguments->inputs[1]);
    return ct_point_samples_read(arguments->inputs[0], error, ret_samples);
}

/* The file's name without folders and its ending. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *begin = slash ? slash + 1 : path, *dot = strrchr(begin, '.');
    return strndup(begin, dot && dot > begin ? (size_t)(dot - begin) : strlen(begin));
}

static int make_model(const struct arguments *arguments, const struct ct_point_samples *samples,
                      struct ct_text *notes, struct ct_error *error)
{
    struct ct_model model;
    int status = ct_fit_model(samples, &arguments->fit, error, notes, &model);
    if (status != CT_OK)
        return status;
    model.name = arguments->name ? strdup(arguments->name) : name_of(arguments->output);
    model.source = strdup(samples->about);
    status = model.name && model.source ? ct_model_write(arguments->output, &model, error) : CT_E_MEMORY;
    if (status == CT_OK) {
        ct_fit_show(&model, stdout);
        if (notes->length > 0)
            fprintf(stderr, "colltune fit: note:\n%s", notes->data);
        fprintf(stderr, "colltune fit: %s is made from %zu times\n", arguments->output,
                samples->sample_count);
    }
    ct_model_free(&model);
    return status;
}

static int run(int argc, char **argv)
{
    struct arguments arguments = {.fit = {.seed = 1, .resamples = CT_FIT_RESAMPLES}};
    struct ct_point_samples samples;
    struct ct_text notes = {0};
    struct ct_error error = {""};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    int status = access(arguments.output, F_OK) == 0
                     ? ct_fail(&error, CT_E_INPUT, "%s: exists already", arguments.output)
                     : CT_OK;
    if (status == CT_OK)
        status = take_samples(&arguments, &error, &notes, &samples);
    if (status == CT_OK) {
        status = make_model(&arguments, &samples, &notes, &error);
        ct_point_samples_free(&samples);
    }
    ct_text_free(&notes);
    return ct_command_end("fit", status, &error);
}

const struct ct_command ct_command_fit = {"fit", "measure single messages, and fit models of them", run,
                                          options};
