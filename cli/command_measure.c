/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "base/text.h"
#include "cli/command.h"
#include "measure/backend/platform.h"
#include "measure/sweep/sweep.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key {
    KEY_COMM_SIZES = 256,
    KEY_MSG_SIZES,
    KEY_METHODS,
    KEY_LAUNCHER,
    KEY_HOSTFILE,
    KEY_PPN,
    KEY_SYNC,
    KEY_SIMULATE,
    KEY_SIMULATOR_OPTIONS,
    KEY_MPI,
    KEY_CC,
    KEY_LAUNCHES,
    KEY_PRECISION,
    KEY_MOST,
    KEY_SEED,
    KEY_GUIDED,
    KEY_EXHAUSTIVE,
    KEY_PRIOR,
    KEY_NO_RACING,
    KEY_TIMEOUT,
    KEY_PROGRAM,
    KEY_RESUME
};

static const struct argp_option options[] = {
    {"output", 'o', "RUN", 0, "folder to make for the run", 0},
    {"resume", KEY_RESUME, NULL, 0, "go on with a run; options given again must be as they were", 0},
    {NULL, 0, NULL, 0, "What:", 1},
    {"collectives", 'c', "LIST", 0, "collectives (all)", 1},
    {"comm-sizes", KEY_COMM_SIZES, "LIST", 0, "communicator sizes (2 to the number of CPUs, at least 8)", 1},
    {"msg-sizes", KEY_MSG_SIZES, "LIST", 0,
     "message sizes in bytes (8-512K*4,1M,4M); reductions take multiples of 8", 1},
    {"methods", KEY_METHODS, "LIST", 0,
     "methods (all): ALGORITHM with all the values of its parameters, one METHOD, either with COLLECTIVE/ in "
     "front; "
     "-WORD leaves out. native is measured unless left out",
     1},
    {NULL, 0, NULL, 0, "Where:", 2},
    {"launcher", KEY_LAUNCHER, "COMMAND", 0,
     "starts the ranks: a command that takes -n NP, or '... {np} ... {cmd}'", 2},
    {"hostfile", KEY_HOSTFILE, "FILE", 0, "hosts for the launcher; in a template {hostfile}", 2},
    {"ppn", KEY_PPN, "N", 0, "ranks on each node; in a template {ppn}, and {nodes} for how many nodes", 2},
    {"simulate", KEY_SIMULATE, "PLATFORM", 0,
     "simulate ethernet100, gigabit, fattree, dragonfly or a SimGrid file", 2},
    {"simulator-options", KEY_SIMULATOR_OPTIONS, "WORDS", 0,
     "further options of smpirun, such as --cfg=smpi/bcast:ompi for native", 2},
    {"mpi", KEY_MPI, "NAME", 0, "mpich (default) or openmpi", 2},
    {"cc", KEY_CC, "MPICC", 0, "compiler wrapper of the MPI", 2},
    {"program", KEY_PROGRAM, "FILE", 0, "benchmark program, compiled already", 2},
    {"sync", KEY_SYNC, "HOW", 0, ct_sync_help, 2},
    {NULL, 0, NULL, 0, "How long:", 3},
    {"budget", 'b', "TIME", 0,
     "time for all, such as 90s, 10m, 2h, which is kept; left out, methods share 10m and may take longer", 3},
    {"guided", KEY_GUIDED, NULL, 0,
     "measure a coarse grid first, then only where neighbours disagree about the best method, with the "
     "methods "
     "that are near it; usual where the budget leaves a method less than 10 ms in a cell",
     3},
    {"exhaustive", KEY_EXHAUSTIVE, NULL, 0, "measure all methods in all cells; else usual", 3},
    {"prior", KEY_PRIOR, "RUN", 0,
     "guided: what was much slower than the best in RUN, measured or predicted, is not tried at first", 3},
    {"no-racing", KEY_NO_RACING, NULL, 0,
     "repeat methods as often as others that are surely slower than the best by 5 %", 3},
    {"launches", KEY_LAUNCHES, "N", 0, "start and measure all N times (3): launches differ", 3},
    {"precision", KEY_PRECISION, "PERCENT", 0,
     "stop repeating a method when the relative error of its median is at most PERCENT (default: 5)", 3},
    {"max-repetitions", KEY_MOST, "N", 0, "repetitions of a method in a cell at most (500)", 3},
    {"timeout", KEY_TIMEOUT, "TIME", 0, "a call that takes longer hangs (30s; simulated 10m)", 3},
    {"seed", KEY_SEED, "N", 0, "of the order of cells and methods (1)", 3},
    {0},
};

/* A percentage as a fraction. */
static double fraction(const struct argp_state *state, const char *word)
{
    double number;
    if (ct_number_parse(word, &number) != CT_OK || number <= 0 || number >= 100)
        ct_usage(state, "--precision '%s': expected a percentage between 0 and 100", word);
    return number / 100;
}

/* Options that are just words. */
static const struct {
    int key;
    size_t offset;
} words[] = {
    {'o', offsetof(struct ct_sweep_request, folder)},
    {'c', offsetof(struct ct_sweep_request, collectives)},
    {KEY_COMM_SIZES, offsetof(struct ct_sweep_request, comm_sizes)},
    {KEY_MSG_SIZES, offsetof(struct ct_sweep_request, msg_sizes)},
    {KEY_METHODS, offsetof(struct ct_sweep_request, methods)},
    {KEY_LAUNCHER, offsetof(struct ct_sweep_request, place.launcher)},
    {KEY_HOSTFILE, offsetof(struct ct_sweep_request, place.hostfile)},
    {KEY_SYNC, offsetof(struct ct_sweep_request, sync)},
    {KEY_SIMULATE, offsetof(struct ct_sweep_request, place.simulate)},
    {KEY_SIMULATOR_OPTIONS, offsetof(struct ct_sweep_request, place.simulator_options)},
    {KEY_MPI, offsetof(struct ct_sweep_request, place.mpi)},
    {KEY_CC, offsetof(struct ct_sweep_request, place.cc)},
    {KEY_PROGRAM, offsetof(struct ct_sweep_request, program)},
    {KEY_PRIOR, offsetof(struct ct_sweep_request, prior)},
};

static void choose_cells(const struct argp_state *state, enum ct_sweep_cells cells)
{
    struct ct_sweep_request *request = state->input;
    if (request->cells != CT_SWEEP_CELLS_USUAL && request->cells != cells)
        ct_usage(state, "--guided and --exhaustive exclude each other");
    request->cells = cells;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct ct_sweep_request *request = state->input;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].key == key) {
            *(const char **)((char *)request + words[i].offset) = argument;
            return 0;
        }
    switch (key) {
    case 'b':
        request->budget = ct_seconds_of(state, "--budget", argument);
        return 0;
    case KEY_TIMEOUT:
        request->timeout = ct_seconds_of(state, "--timeout", argument);
        return 0;
    case KEY_LAUNCHES:
        request->launches = ct_count_of(state, "--launches", argument, 1);
        return 0;
    case KEY_PPN:
        request->place.ppn = ct_count_of(state, "--ppn", argument, 1);
        return 0;
    case KEY_MOST:
        request->most_repetitions = ct_count_of(state, "--max-repetitions", argument, 1);
        return 0;
    case KEY_SEED:
        request->seed = ct_count_of(state, "--seed", argument, 0);
        request->has_seed = true;
        return 0;
    case KEY_PRECISION:
        request->precision = fraction(state, argument);
        return 0;
    case KEY_GUIDED:
        choose_cells(state, CT_SWEEP_CELLS_GUIDED);
        return 0;
    case KEY_EXHAUSTIVE:
        choose_cells(state, CT_SWEEP_CELLS_EXHAUSTIVE);
        return 0;
    case KEY_NO_RACING:
        request->no_racing = true;
        return 0;
    case KEY_RESUME:
        request->resume = true;
        return 0;
    case ARGP_KEY_ARG:
        ct_usage(state, "unexpected argument '%s'", argument);
    case ARGP_KEY_END:
        if (!request->folder)
            ct_usage(state, "expected the folder of the run: -o RUN");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Measures the methods of collectives over communicator and message sizes, into a run.\v"
    "LIST is words or sizes with commas; sizes also 2-32, 2-32/2 (step), 1-1M*2 (factor).\n\n"
    "A method that crashes, hangs or gives wrong results costs its cell, which says so. Ctrl-C leaves a run "
    "that "
    "--resume goes on with.\n\n"
    "Examples:\n"
    "  colltune measure -o laptop --budget 5m\n"
    "  colltune measure -o wide -c allreduce --comm-sizes 2-64 --msg-sizes 8-4M*2 \\\n      --guided "
    "--budget 10m\n"
    "  colltune measure -o cluster --launcher srun --ppn 4 --comm-sizes 2-32 \\\n      --sync window\n"
    "  colltune measure -o cluster --launcher mpiexec --hostfile hosts \\\n      --comm-sizes 2-32\n"
    "  colltune measure -o simulated --simulate ethernet100 -c bcast\n",
    NULL,
    NULL,
    NULL};

static void notice(void *context, const char *line)
{
    ct_progress_end(context);
    fprintf(stderr, "colltune measure: %s\n", line);
}

static int run(int argc, char **argv)
{
    struct ct_sweep_request request = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    struct ct_progress bar;
    ct_progress_begin(&bar, "measuring");
    const struct ct_sweep_watch watch = {
        .stop = ct_catch_stop(), .progress = ct_progress_take, .notice = notice, .context = &bar};
    struct ct_sweep_summary summary;
    struct ct_error error = {""};
    int status = ct_sweep(&request, &watch, &error, &summary);
    ct_progress_end(&bar);
    if (status != CT_OK)
        return ct_command_fail("measure", status, &error);
    fprintf(stderr, "colltune measure: %s has %zu cells; %zu samples and %zu failures were added\n",
            request.folder, summary.cells, summary.samples, summary.failed);
    if (summary.clocks > 0)
        fprintf(stderr,
                "colltune measure: the common clock of %zu was seen off by up to %.2g s, give or take %.2g\n",
                summary.clocks, summary.skew, summary.skew_bound);
    if (summary.late > 0)
        fprintf(stderr, "colltune measure: %zu repetitions were lost to ranks that came late, and repeated\n",
                summary.late);
    return CT_EXIT_OK;
}

const struct ct_command ct_command_measure = {"measure", "measure methods on this machine or a simulated one",
                                              run, options};
