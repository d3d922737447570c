/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "cli/command.h"
#include "cli/prefix.h"
#include "measure/backend/platform.h"
#include "measure/sweep/method_list.h"
#include "measure/sweep/validate.h"
#include "report/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *launcher;
    const char *hostfile;
    size_t ppn;
    const char *simulate;
    const char *collectives;
    const char *comm_sizes;
    const char *msg_sizes;
    double seconds;
    double timeout;
    int format;
    const char *output;
};

#define AT(member) .offset = offsetof(struct settings, member)

static const struct ct_option options[] = {
    {"launcher", 0, "COMMAND", CT_OPTION_TEXT, AT(launcher), .usual_text = "mpiexec of the MPI",
     .text = "start the ranks with this command: one that takes -n NP, or '... {np} ... {cmd}'"},
    {"hostfile", 0, "FILE", CT_OPTION_TEXT, AT(hostfile),
     .text = "hand this file of hosts to the launcher; in a template {hostfile}"},
    {"ppn", 0, "N", CT_OPTION_WHOLE, AT(ppn), .least = 1, .usual_text = "as the launcher places them",
     .text = "start N ranks on each node; in a template {ppn}, and {nodes} for the number of nodes"},
    {"simulate", 0, "PLATFORM", CT_OPTION_TEXT, AT(simulate), .choice = ct_platform_choice,
     .text = "for a library that was built with --mpi smpi: simulate a platform, a SimGrid file or one of"},
    {"collectives", 'c', "LIST", CT_OPTION_TEXT, AT(collectives), .usual_text = "all",
     .text = "validate these collectives"},
    {"comm-sizes", 0, "LIST", CT_OPTION_TEXT, AT(comm_sizes), .usual = "2,4,8",
     .text = "use these communicator sizes"},
    {"msg-sizes", 0, "LIST", CT_OPTION_TEXT, AT(msg_sizes), .usual = "8,1K,64K,1M",
     .text = "use these message sizes in bytes"},
    {"seconds", 0, "TIME", CT_OPTION_TIME, AT(seconds), .usual = "0.3s",
     .text = "spend this time on a point, which is a collective, a communicator size and a message size"},
    {"timeout", 0, "TIME", CT_OPTION_TIME, AT(timeout), .usual = "2m",
     .text = "treat the job as hung after this time without a new point"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, AT(format), .choice = ct_format_choice,
     .text = "write in this format"},
    {"output", 'o', "FILE", CT_OPTION_TEXT, AT(output),
     .text = "also write the points as CSV to this file, for `colltune report --validation`"},
    {0},
};

/* Checks the lists before anything is compiled. */
static int check_lists(const struct settings *settings, struct ct_error *error)
{
    const char *const lists[][2] = {{"comm-sizes", settings->comm_sizes}, {"msg-sizes", settings->msg_sizes}};
    enum ct_collective collectives[CT_COLLECTIVES];
    size_t *sizes, count;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        int status = ct_sizes_read(lists[i][0], lists[i][1], 0, SIZE_MAX, error, &sizes, &count);
        if (status != CT_OK)
            return status;
        free(sizes);
    }
    return settings->collectives ? ct_collective_list_parse(settings->collectives, error, collectives, &count)
                                 : CT_OK;
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
        printf("%-20s %6u %8s  %-28s %12.2f %12.2f %9.2f\n", ct_collectives[point->collective].name,
               point->key.comm_size, ct_size_format(point->key.msg_bytes, bytes),
               ct_method_format(&point->method, false, method), 1e6 * point->tuned, 1e6 * point->native,
               ratio);
    }
    if (validation->count > 0)
        printf("%zu points, speed-up %.2f (geometric mean)\n", validation->count,
               exp(logs / (double)validation->count));
}

static int show(const struct settings *settings, const struct ct_text *points, struct ct_error *error)
{
    struct ct_validation validation;
    int status =
        settings->output ? ct_file_create(settings->output, points->data, points->length, error) : CT_OK;
    if (settings->format)
        fwrite(points->data, 1, points->length, stdout);
    if (status != CT_OK || settings->format)
        return status;
    status = ct_validation_parse(points->data, points->length, "the validation's points", error, &validation);
    if (status != CT_OK)
        return status;
    print_table(&validation);
    ct_validation_free(&validation);
    return CT_OK;
}

static int validate(const struct settings *settings, const char *collectives, const char *prefix,
                    const struct ct_mpi *mpi, struct ct_error *error)
{
    bool simulated = strcmp(mpi->name, "smpi") == 0;
    if (simulated != (settings->simulate != NULL))
        return ct_fail(error, CT_E_INPUT, "%s: is built for %s; expected %s", prefix, mpi->name,
                       simulated ? "--simulate PLATFORM" : "no --simulate");
    char *library = ct_format("%s/lib/libcolltuned.a", prefix);
    if (!library)
        return CT_E_MEMORY;
    const struct ct_validation_request request = {.place = {.cc = mpi->cc,
                                                            .launcher = settings->launcher,
                                                            .hostfile = settings->hostfile,
                                                            .ppn = settings->ppn,
                                                            .simulate = settings->simulate},
                                                  .library = library,
                                                  .collectives = collectives,
                                                  .comm_sizes = settings->comm_sizes,
                                                  .msg_sizes = settings->msg_sizes,
                                                  .seconds = settings->seconds,
                                                  .timeout = settings->timeout,
                                                  .stop = ct_catch_stop()};
    struct ct_text points, wrong;
    int status = ct_validate(&request, error, &points, &wrong);
    free(library);
    if (status != CT_OK)
        return status;
    if (wrong.length > 0)
        fputs(wrong.data, stderr);
    status = show(settings, &points, error);
    if (wrong.length > 0)
        status = ct_fail(error, CT_E_ANSWER, "the tuned library is wrong, see above");
    else if (status == CT_OK)
        ct_tell(&ct_command_validate,
                "all results are right; every call was tuned and sent exactly the messages of its plan");
    ct_text_free(&points);
    ct_text_free(&wrong);
    return status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_text all = {0};
    for (int i = 0; i < CT_COLLECTIVES; i++)
        ct_text_append(&all, "%s%s", i ? "," : "", ct_collectives[i].name);
    const char *collectives = settings->collectives ? settings->collectives : all.data;
    char *cc = NULL;
    struct ct_mpi mpi = {0};
    int status;
    if ((status = all.failed ? CT_E_MEMORY : check_lists(settings, error)) == CT_OK &&
        (status = ct_prefix_compiler(arguments->words[0], error, &cc)) == CT_OK &&
        (status = ct_mpi_find(NULL, cc, error, &mpi)) == CT_OK)
        status = validate(settings, collectives, arguments->words[0], &mpi, error);
    ct_mpi_free(&mpi);
    free(cc);
    ct_text_free(&all);
    return status;
}

const struct ct_command ct_command_validate = {
    .name = "validate",
    .text = "compare tuned with native calls in one job, and check their results",
    .usage = "PREFIX",
    .least = 1,
    .about = "Calls each collective through the tuned library in PREFIX and natively, alternately and in one "
             "job. Checks the contents of the results. Checks with the counters of the library that each "
             "tuned call used one method and sent as many messages as its plan has. Exits with 1 if anything "
             "is wrong.",
    .notes = "Examples:\n"
             "  colltune validate tuned\n"
             "  colltune validate simulated --simulate ethernet100 --comm-sizes 16,28\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
