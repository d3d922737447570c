/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/text.h"
#include "cli/call_modes.h"
#include "cli/option_choices.h"
#include "cli/prefix.h"
#include "cli/terminal.h"
#include "cli/validation_choice.h"
#include "measure/backend/machine.h"
#include "measure/backend/platform.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    struct ct_validation_wanted wanted;
    const char *launcher;
    const char *hostfile;
    bool oversubscribe;
    size_t ppn;
    const char *sync;
    double compute;
    size_t tests;
    double seconds;
    double timeout;
    int format;
    const char *output;
};

#define AT(member)     .offset = offsetof(struct settings, member)
#define WANTED(member) .offset = offsetof(struct settings, wanted.member)

static const struct ct_option options[] = {
    {"launcher", 0, "COMMAND", CT_OPTION_TEXT, AT(launcher), .usual_text = "mpiexec of the MPI",
     .text = "start the ranks with this command: one that takes -n NP, or '... {np} ... {cmd}'"},
    {"hostfile", 0, "FILE", CT_OPTION_TEXT, AT(hostfile),
     .text = "pass this file of hosts to the launcher; a template has {hostfile} for it"},
    {"ppn", 0, "N", CT_OPTION_WHOLE, AT(ppn), .least = 1, .usual_text = "as the launcher places them",
     .text = "start N ranks on each node; a template has {ppn} for it, and {nodes} for the number of nodes"},
    {"simulate", 0, "PLATFORM", CT_OPTION_TEXT, WANTED(simulate), .choice = ct_platform_choice,
     .text = "with a library that was built with --mpi smpi, simulate a platform, which is a SimGrid file or "
             "one of"},
    {"sync", 0, "HOW", CT_OPTION_TEXT, AT(sync), .usual = "auto", .text = ct_sync_help},
    CT_MODES_OPTION(
        struct settings, wanted.modes,
        "validate calls of these modes, each in a job of its own; in modes other than blocking "
        "ranks compute while a call is in flight, and the time of a call is the time that it adds to the "
        "computation (docs/overlap.md)",
        "those that the library's table was learned from"),
    CT_COMPUTE_OPTION(struct settings, compute),
    CT_TESTS_OPTION(struct settings, tests),
    {"collectives", 'c', "LIST", CT_OPTION_TEXT, WANTED(collectives),
     .usual_text = "those that the library decides about", .text = "validate these collectives"},
    {"comm-sizes", 0, "LIST", CT_OPTION_TEXT, WANTED(comm_sizes), .usual = "2,4,8",
     .text = "use these communicator sizes"},
    {"oversubscribe", 0, NULL, CT_OPTION_FLAG, AT(oversubscribe),
     .text = "start more than 16 ranks on each CPU of this machine, if --comm-sizes asks for that"},
    {"msg-sizes", 0, "LIST", CT_OPTION_TEXT, WANTED(msg_sizes), .usual = "8,1K,64K,1M",
     .text = "use these message sizes in bytes; reductions take only multiples of 8"},
    {"root", 0, "LIST", CT_OPTION_TEXT, WANTED(roots), .usual = "0",
     .text = "call collectives that have a root with each of these ranks as the root, where a communicator "
             "has them"},
    {"pattern", 0, "LIST", CT_OPTION_TEXT, WANTED(patterns), .usual_text = "those of the run of --run",
     .text = "validate neighborhood collectives on these patterns, separated by blanks (see colltune measure "
             "--help)"},
    {"again", 0, "FILE", CT_OPTION_TEXT, WANTED(again),
     .text =
         "validate the points of FILE, a CSV that `colltune validate` wrote, after the library was built "
         "again: measure those that were slower than native there, and those at which the library chooses "
         "another method now; take over the others"},
    {"run", 0, "RUN", CT_OPTION_TEXT, WANTED(run),
     .text = "if not all points are validated, begin with those at which RUN measured native as faster than "
             "the method that the library chooses"},
    {"points", 0, "N", CT_OPTION_WHOLE, WANTED(points), .least = 1,
     .usual_text = "all; with --budget as many as have 0.1 s each",
     .text = "validate at most N points, spread over collectives and sizes, but at least one of each mode. A "
             "point is a mode, a collective, a communicator size and a message size; of neighborhood "
             "collectives also a pattern"},
    {"seconds", 0, "TIME", CT_OPTION_TIME, AT(seconds), .usual = "0.3s",
     .text = "spend this time on a point, or longer if its calls are slow; the simulator makes one call of "
             "each"},
    {"budget", 'b', "TIME", CT_OPTION_TIME, WANTED(budget), .usual_text = "no limit",
     .text = "stop after this time; it does not include compiling"},
    {"timeout", 0, "TIME", CT_OPTION_TIME, AT(timeout), .usual_text = "30s; simulated: 10m",
     .text = "treat a call as hung after this time"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, AT(format), .choice = ct_format_choice,
     .text = "write in this format"},
    {"output", 'o', "FILE", CT_OPTION_TEXT, AT(output), .output = CT_OUTPUT_FILE,
     .text = "also write the points as CSV to this file, for `colltune report --validation`; until all are "
             "there it is called FILE.part"},
    {0},
};

/* --- results, as they come --- */

struct output {
    const struct ct_validation_cell *cells;
    const struct ct_validation *earlier; /* whose points they are, in this order; empty: there is none */
    struct ct_bar bar;
    bool csv;
    struct ct_validation_form form;
    FILE *file; /* NULL: none is wanted */
    size_t count;
    size_t slower;
    double logs;
};

/* The point as it is written; *ret_method is its method's spelling. */
static struct ct_validation_point point_of(const struct output *output,
                                           const struct ct_validation_result *result,
                                           char ret_method[CT_METHOD_TEXT])
{
    if (!result->method) {
        const struct ct_validation_point *earlier = &output->earlier->points[result->cell - output->cells];
        ct_method_format(&earlier->method, false, ret_method);
        return *earlier;
    }
    snprintf(ret_method, CT_METHOD_TEXT, "%s", result->method);
    return (struct ct_validation_point){.collective = result->cell->collective,
                                        .key = result->cell->key,
                                        .pattern = result->cell->pattern,
                                        .tuned = result->tuned,
                                        .native = result->native,
                                        .low = result->low,
                                        .high = result->high,
                                        .tuned_overlap = result->tuned_overlap,
                                        .native_overlap = result->native_overlap};
}

static void write_row(FILE *file, const struct output *output, const struct ct_validation_point *point,
                      const char *method)
{
    struct ct_text row = {0};
    if (output->count == 0)
        fprintf(file, "%s\n", ct_validation_header(output->form));
    ct_validation_append(point, method, output->form, &row);
    fputs(row.failed ? "\n" : row.data, file); /* without memory the line is wrong, and no reader takes it */
    fflush(file);
    ct_text_free(&row);
}

static void print_row(const struct output *output, const struct ct_validation_point *point,
                      const char *method)
{
    char bytes[CT_SIZE_TEXT], interval[48], root[32] = "";
    if (output->count == 0)
        printf("%s%-20s %6s %8s  %-28s %12s %12s %9s  %-16s%s\n",
               output->form.overlaps ? "mode         " : "", "collective", "ranks", "bytes", "method",
               "tuned us", "native us", "speed-up", "95 % confidence",
               output->form.patterns ? "  pattern" : "");
    if (output->form.overlaps)
        printf("%-12s ", ct_mode_names[point->key.mode]);
    if (point->key.root > 0)
        snprintf(root, sizeof root, "root %u", point->key.root);
    const char *last = point->pattern ? point->pattern : root; /* no collective has both */
    snprintf(interval, sizeof interval, "%.2f to %.2f", point->low, point->high);
    printf("%-20s %6u %8s  %-28s %12.2f %12.2f %9.2f  %-*s%s%s\n", ct_collectives[point->collective].name,
           point->key.comm_size, ct_size_format(point->key.msg_bytes, bytes), method, 1e6 * point->tuned,
           1e6 * point->native, ct_validation_speed_up(point), *last ? 16 : 0, interval, *last ? "  " : "",
           last);
    fflush(stdout);
}

static void take_result(void *context, const struct ct_validation_result *result)
{
    struct output *output = context;
    char method[CT_METHOD_TEXT];
    const struct ct_validation_point point = point_of(output, result, method);
    ct_bar_end(&output->bar);
    if (output->csv)
        write_row(stdout, output, &point, method);
    else
        print_row(output, &point, method);
    if (output->file)
        write_row(output->file, output, &point, method);
    output->count++;
    output->slower += ct_validation_is_slower(&point);
    output->logs += log(ct_validation_speed_up(&point));
}

/* --- all --- */

/* What is said at the end, and whether the library passed. */
static int conclude(const struct output *output, const struct ct_validation_summary *summary,
                    struct ct_error *error)
{
    if (output->count > 0 && !output->csv)
        printf("%zu point%s, speed-up %.2f (geometric mean); %zu slower than %.2f of native beyond the "
               "confidence interval\n",
               output->count, ct_s(output->count), exp(output->logs / (double)output->count), output->slower,
               CT_VALIDATION_SLOWER);
    if (summary->known > 0)
        ct_tell(&ct_command_validate,
                "taken over: %zu of %zu points, at which the library calls the method that was measured",
                summary->known, output->count);
    if (summary->skipped > 0)
        ct_tell(&ct_command_validate, "the budget is used up: %zu point%s not validated", summary->skipped,
                ct_were(summary->skipped));
    if (summary->wrong > 0)
        return ct_fail(error, CT_E_ANSWER, "the tuned library is wrong at %zu point%s, see above",
                       summary->wrong, ct_s(summary->wrong));
    if (summary->measured + summary->known == 0)
        return ct_fail(error, CT_E_ANSWER, "no point could be validated");
    ct_tell(&ct_command_validate,
            "%s results are right; every call was tuned and sent exactly the messages of "
            "its plan",
            summary->left_out > 0 ? "all other" : "all");
    return CT_OK;
}

static int run_points(struct ct_validation_request *request, const struct settings *settings,
                      const struct ct_validation_chosen *chosen, struct ct_error *error)
{
    struct output output = {.cells = request->cells,
                            .earlier = chosen->earlier,
                            .csv = settings->format != 0,
                            .form.overlaps = chosen->modes != 1U << CT_MODE_BLOCKING};
    for (size_t i = 0; i < request->cell_count; i++) {
        output.form.roots |= request->cells[i].key.root > 0;
        output.form.patterns |= request->cells[i].pattern != NULL;
    }
    struct ct_validation_summary summary;
    char *part = NULL;
    int status;
    if (settings->output) {
        part = ct_format("%s.part", settings->output);
        if (!part)
            return CT_E_MEMORY;
        if ((status = ct_is_new(settings->output, error)) == CT_OK && !(output.file = fopen(part, "w")))
            status = ct_fail(error, CT_E_SYSTEM, "%s: %s", part, strerror(errno));
        if (status != CT_OK)
            goto done;
    }
    const struct ct_watch watch = ct_bar_watch(&output.bar, &ct_command_validate);
    request->result = take_result;
    request->context = &output;
    status = ct_validate(request, &watch, error, &summary);
    ct_bar_end(&output.bar);
    if (output.file && (ferror(output.file) | fclose(output.file)) != 0 && status == CT_OK)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", part);
    if (status != CT_OK && part && output.count > 0)
        ct_tell(&ct_command_validate, "the %zu point%s so far %s in %s", output.count, ct_s(output.count),
                output.count == 1 ? "is" : "are", part);
    else if (part && output.count == 0)
        unlink(part);
    else if (part && (access(settings->output, F_OK) == 0 || rename(part, settings->output) != 0))
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written; the points are in %s", settings->output,
                         part);
    if (status == CT_OK)
        status = conclude(&output, &summary, error);
done:
    free(part);
    return status;
}

static int validate(const struct settings *settings, const char *prefix,
                    const struct ct_validation_chosen *chosen, const struct ct_mpi *mpi,
                    struct ct_error *error)
{
    bool simulated = strcmp(mpi->name, "smpi") == 0;
    if (simulated != (settings->wanted.simulate != NULL))
        return ct_fail(error, CT_E_INPUT, "%s: is built for %s; expected %s", prefix, mpi->name,
                       simulated ? "--simulate PLATFORM" : "no --simulate");
    if (simulated && chosen->modes != 1U << CT_MODE_BLOCKING)
        return ct_fail(error, CT_E_INPUT, "--mode: only blocking calls can be simulated");
    char *library = ct_format("%s/lib/libcolltuned.a", prefix);
    int status = library ? CT_OK : CT_E_MEMORY;
    const enum ct_sync sync = ct_sync_find(settings->sync);
    if (sync == CT_SYNCS)
        status = ct_fail(error, CT_E_INPUT, "--sync '%s': expected one of %s", settings->sync, ct_sync_names);
    if (status == CT_OK) {
        struct ct_validation_request request = {.place = {.cc = mpi->cc,
                                                          .launcher = settings->launcher,
                                                          .hostfile = settings->hostfile,
                                                          .ppn = settings->ppn,
                                                          .simulate = settings->wanted.simulate},
                                                .prefix = prefix,
                                                .library = library,
                                                .cells = chosen->points,
                                                .cell_count = chosen->count,
                                                .sync = sync,
                                                .compute = settings->compute,
                                                .tests = settings->tests,
                                                .seconds = settings->seconds,
                                                .budget = settings->wanted.budget,
                                                .timeout = settings->timeout};
        status = run_points(&request, settings, chosen, error);
    }
    free(library);
    return status;
}

/* The points are those of the earlier validation. */
static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    static const char *const excluded[] = {"comm-sizes", "msg-sizes", "root", "pattern", "points", "run"};
    for (size_t i = 0; settings->wanted.again && i < sizeof excluded / sizeof excluded[0]; i++)
        if (ct_is_given(arguments, excluded[i]))
            return ct_fail(error, CT_E_INPUT, "--%s: cannot be combined with --again", excluded[i]);
    return CT_OK;
}

/* Such jobs take minutes for a call, and are seldom meant. Another launcher may start ranks elsewhere; and
 * that many ranks were asked for where a run has them, or an earlier validation. */
static int check_crowd(const struct settings *settings, const struct ct_validation_chosen *chosen,
                       struct ct_error *error)
{
    int status = CT_OK;
    if (settings->oversubscribe || settings->wanted.simulate || settings->launcher || settings->hostfile ||
        settings->wanted.run || settings->wanted.again)
        return CT_OK;
    for (size_t i = 0; status == CT_OK && i < chosen->count; i++)
        status = ct_check_crowd(chosen->points[i].key.comm_size, error);
    return status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *prefix = arguments->words[0];
    struct ct_validation_wanted wanted = settings->wanted;
    struct ct_validation_chosen chosen = {0};
    struct ct_mpi mpi = {0};
    char *cc = NULL;
    int status;
    wanted.command = &ct_command_validate;
    if ((status = ct_prefix_compiler(prefix, error, &cc)) == CT_OK &&
        (status = ct_validation_choose(&wanted, prefix, arguments, error, &chosen)) == CT_OK &&
        (status = check_crowd(settings, &chosen, error)) == CT_OK &&
        (status = ct_mpi_find(NULL, cc, error, &mpi)) == CT_OK)
        status = validate(settings, prefix, &chosen, &mpi, error);
    ct_mpi_free(&mpi);
    free(cc);
    ct_validation_chosen_free(&chosen);
    return status;
}

const struct ct_command ct_command_validate = {
    .name = "validate",
    .text = "compare tuned with native calls, and check their results",
    .usage = "PREFIX",
    .least = 1,
    .about =
        "Calls each collective through the tuned library in PREFIX and natively, alternately and in one "
        "job, and prints each point when it is done. Times are medians. The 95 % confidence interval of the "
        "speed-up comes from the medians of blocks of calls; with fewer than six blocks it is their range. "
        "Checks that results are right, and that each tuned call used one method and sent as many messages "
        "as its plan has. A point at which a call hangs is left out. Non-blocking and persistent calls are "
        "tuned as in an application with COLLTUNE_NONBLOCKING=1. Neighborhood collectives are called on "
        "communicators with the topology of each pattern. Exits with 1 if anything is wrong.",
    .notes = "Examples:\n"
             "  colltune validate tuned\n"
             "  colltune validate tuned --mode nonblocking,persistent --compute 50us\n"
             "  colltune validate tuned -c neighbor_alltoall --pattern moore:d=2,r=1\n"
             "  colltune validate simulated --simulate ethernet100 --comm-sizes 16,28\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
