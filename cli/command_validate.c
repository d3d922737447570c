/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "cli/command.h"
#include "cli/prefix.h"
#include "measure/sweep/validate.h"
#include "report/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *prefix;
    const char *launcher;
    const char *hostfile;
    size_t ppn;
    const char *simulate;
    const char *collectives;
    const char *comm_sizes;
    const char *msg_sizes;
    const char *output;
    double seconds;
    double timeout;
    bool csv;
};

enum {
    KEY_LAUNCHER = 0x100,
    KEY_HOSTFILE,
    KEY_PPN,
    KEY_SIMULATE,
    KEY_COMM_SIZES,
    KEY_MSG_SIZES,
    KEY_SECONDS,
    KEY_TIMEOUT
};

static const struct argp_option options[] = {
    {"launcher", KEY_LAUNCHER, "COMMAND", 0,
     "starts the ranks: a command that takes -n NP, or '... {np} ... {cmd}'", 0},
    {"hostfile", KEY_HOSTFILE, "FILE", 0, "hosts for the launcher; in a template {hostfile}", 0},
    {"ppn", KEY_PPN, "N", 0, "ranks on each node; in a template {ppn}, and {nodes} for how many nodes", 0},
    {"simulate", KEY_SIMULATE, "PLATFORM", 0, "run simulated: for a library built with --mpi smpi", 0},
    {"collectives", 'c', "LIST", 0, "collectives (all that the library takes over)", 0},
    {"comm-sizes", KEY_COMM_SIZES, "LIST", 0, "communicator sizes (2,4,8)", 0},
    {"msg-sizes", KEY_MSG_SIZES, "LIST", 0, "message sizes in bytes (8,1K,64K,1M)", 0},
    {"seconds", KEY_SECONDS, "TIME", 0, "time for a point (0.3s)", 0},
    {"timeout", KEY_TIMEOUT, "TIME", 0, "a job without a new point for so long hangs (2m)", 0},
    {"format", 'f', "FORMAT", 0, "text (default) or csv", 0},
    {"output", 'o', "FILE", 0, "write the points as CSV too, for `colltune report --validation`", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_LAUNCHER:
        arguments->launcher = argument;
        return 0;
    case KEY_HOSTFILE:
        arguments->hostfile = argument;
        return 0;
    case KEY_PPN:
        arguments->ppn = ct_count_of(state, "--ppn", argument, 1);
        return 0;
    case KEY_SIMULATE:
        arguments->simulate = argument;
        return 0;
    case 'c':
        arguments->collectives = argument;
        return 0;
    case KEY_COMM_SIZES:
        arguments->comm_sizes = argument;
        return 0;
    case KEY_MSG_SIZES:
        arguments->msg_sizes = argument;
        return 0;
    case KEY_SECONDS:
        arguments->seconds = ct_seconds_of(state, "--seconds", argument);
        return 0;
    case KEY_TIMEOUT:
        arguments->timeout = ct_seconds_of(state, "--timeout", argument);
        return 0;
    case 'f':
        arguments->csv = ct_format_is_csv(state, argument);
        return 0;
    case 'o':
        arguments->output = argument;
        return 0;
    case ARGP_KEY_ARG:
        arguments->prefix = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_NO_ARGS:
        ct_usage(state, "expected the folder of a tuned library");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options,
                                 parse,
                                 "PREFIX",
                                 "Calls each collective through the tuned library in PREFIX and natively, in "
                                 "turn and in one job; checks the "
                                 "results' contents, and by the library's counters that the tuned calls "
                                 "happened: one method a call, as many "
                                 "messages as its plan has. Exits with 1 where anything is wrong.\v"
                                 "Examples:\n  colltune validate tuned\n"
                                 "  colltune validate simulated --simulate ethernet100 --comm-sizes 16,28\n",
                                 NULL,
                                 NULL,
                                 NULL};

/* Checks the lists before anything is compiled. */
static int check_lists(const struct arguments *arguments, struct ct_error *error)
{
    const char *const lists[] = {arguments->comm_sizes, arguments->msg_sizes};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        size_t *sizes, count;
        int status = ct_list_parse(lists[i], error, &sizes, &count);
        if (status != CT_OK)
            return status;
        free(sizes);
    }
    char **names;
    size_t count;
    int status = ct_words_split(arguments->collectives, error, &names, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        if (ct_collective_find(names[i]) == CT_COLLECTIVES)
            status = ct_fail(error, CT_E_INPUT, "unknown collective '%s'", names[i]);
    if (status != CT_E_INPUT && status != CT_E_MEMORY)
        ct_words_free(names, count);
    return status;
}

static void print_table(const struct ct_validation *validation)
{
    double logs = 0;
    printf("%-20s %6s %8s  %-28s %12s %12s %9s\n", "collective", "ranks", "bytes", "method", "tuned us",
           "native us", "speed-up");
    for (size_t i = 0; i < validation->count; i++) {
        const struct ct_validation_point *point = &validation->points[i];
        char bytes[CT_SIZE_TEXT], method[CT_METHOD_TEXT];
        double ratio = point->native / point->tuned;
        logs += log(ratio);
        printf("%-20s %6zu %8s  %-28s %12.2f %12.2f %9.2f\n", ct_collectives[point->collective].name,
               point->key.comm_size, ct_size_format(point->key.msg_bytes, bytes),
               ct_method_format(&point->method, false, method), 1e6 * point->tuned, 1e6 * point->native,
               ratio);
    }
    if (validation->count > 0)
        printf("%zu points, speed-up %.2f (geometric mean)\n", validation->count,
               exp(logs / (double)validation->count));
}

static int show(const struct arguments *arguments, const struct ct_text *points, struct ct_error *error)
{
    int status =
        arguments->output ? ct_file_create(arguments->output, points->data, points->length, error) : CT_OK;
    if (arguments->csv) {
        fwrite(points->data, 1, points->length, stdout);
        return status;
    }
    struct ct_validation validation;
    if (status == CT_OK)
        status =
            ct_validation_parse(points->data, points->length, "the validation's points", error, &validation);
    if (status == CT_OK) {
        print_table(&validation);
        ct_validation_free(&validation);
    }
    return status;
}

static int validate(const struct arguments *arguments, const char *library, const struct ct_mpi *mpi,
                    struct ct_error *error)
{
    const struct ct_validation_request request = {.place = {.cc = mpi->cc,
                                                            .launcher = arguments->launcher,
                                                            .hostfile = arguments->hostfile,
                                                            .ppn = arguments->ppn,
                                                            .simulate = arguments->simulate},
                                                  .library = library,
                                                  .collectives = arguments->collectives,
                                                  .comm_sizes = arguments->comm_sizes,
                                                  .msg_sizes = arguments->msg_sizes,
                                                  .seconds = arguments->seconds,
                                                  .timeout = arguments->timeout,
                                                  .stop = ct_catch_stop()};
    bool simulated = strcmp(mpi->name, "smpi") == 0;
    if (simulated != (arguments->simulate != NULL))
        return ct_fail(error, CT_E_INPUT, "%s: is built for %s: %s", arguments->prefix, mpi->name,
                       simulated ? "expected --simulate PLATFORM" : "it cannot be simulated");
    struct ct_text points, wrong;
    int status = ct_validate(&request, error, &points, &wrong);
    if (status != CT_OK)
        return status;
    if (wrong.length > 0)
        fputs(wrong.data, stderr);
    status = show(arguments, &points, error);
    if (wrong.length > 0) {
        status = ct_fail(error, CT_E_ANSWER, "the tuned library is not right, see above");
    } else if (status == CT_OK) {
        fprintf(
            stderr,
            "colltune validate: all results right; every tuned call took place, with its plan's messages\n");
    }
    ct_text_free(&points);
    ct_text_free(&wrong);
    return status;
}

static int run(int argc, char **argv)
{
    struct ct_text all = {0};
    for (int i = 0; i < CT_COLLECTIVES; i++)
        ct_text_append(&all, "%s%s", i ? "," : "", ct_collectives[i].name);
    struct arguments arguments = {.collectives = all.data,
                                  .comm_sizes = "2,4,8",
                                  .msg_sizes = "8,1K,64K,1M",
                                  .seconds = 0.3,
                                  .timeout = 120};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {0};
    struct ct_prefix prefix = {0};
    struct ct_mpi mpi = {0};
    char *library = ct_format("%s/lib/libcolltuned.a", arguments.prefix);
    int status = check_lists(&arguments, &error);
    if (status == CT_OK)
        status = ct_prefix_read(arguments.prefix, &error, &prefix);
    if (status == CT_OK)
        status = ct_mpi_find(NULL, prefix.cc, &error, &mpi);
    if (status == CT_OK)
        status = library ? validate(&arguments, library, &mpi, &error) : CT_E_MEMORY;
    free(library);
    ct_mpi_free(&mpi);
    ct_prefix_free(&prefix);
    ct_text_free(&all);
    return ct_command_end("validate", status, &error);
}

const struct ct_command ct_command_validate = {
    "validate", "tuned against native, in one job, results checked", run, options};
