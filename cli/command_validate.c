/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "cli/call_modes.h"
#include "cli/lost_cells.h"
#include "cli/prefix.h"
#include "decision/table.h"
#include "measure/backend/machine.h"
#include "measure/backend/platform.h"
#include "measure/sweep/method_list.h"
#include "measure/sweep/validation_points.h"
#include "plan/pattern.h"
#include "report/validation.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    const char *launcher;
    const char *hostfile;
    size_t ppn;
    const char *simulate;
    const char *sync;
    unsigned modes; /* a bit 1 << MODE for each; 0: those of the table */
    double compute;
    size_t tests;
    const char *collectives;
    const char *comm_sizes;
    const char *msg_sizes;
    const char *roots;
    const char *patterns;
    const char *again;
    const char *run;
    size_t points;
    double seconds;
    double budget;
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
    {"sync", 0, "HOW", CT_OPTION_TEXT, AT(sync), .usual = "auto", .text = ct_sync_help},
    CT_MODES_OPTION(struct settings, modes,
                    "validate calls of these modes, each in a job of its own; in modes other than blocking "
                    "ranks compute while a call is in flight, and a time is what the call adds to the "
                    "computation (docs/overlap.md)",
                    "those that the library's table was learned from"),
    CT_COMPUTE_OPTION(struct settings, compute),
    CT_TESTS_OPTION(struct settings, tests),
    {"collectives", 'c', "LIST", CT_OPTION_TEXT, AT(collectives),
     .usual_text = "those that the library decides about", .text = "validate these collectives"},
    {"comm-sizes", 0, "LIST", CT_OPTION_TEXT, AT(comm_sizes), .usual = "2,4,8",
     .text = "use these communicator sizes"},
    {"msg-sizes", 0, "LIST", CT_OPTION_TEXT, AT(msg_sizes), .usual = "8,1K,64K,1M",
     .text = "use these message sizes in bytes; reductions take only multiples of 8"},
    {"root", 0, "LIST", CT_OPTION_TEXT, AT(roots), .usual = "0",
     .text = "call collectives that have a root with each of these ranks as the root, where a communicator "
             "has them"},
    {"pattern", 0, "LIST", CT_OPTION_TEXT, AT(patterns), .usual_text = "those of the run of --run",
     .text = "of collectives of neighbors: validate calls with these patterns, separated by blanks (see "
             "colltune measure --help)"},
    {"again", 0, "FILE", CT_OPTION_TEXT, AT(again),
     .text = "validate the points of FILE, a CSV that `colltune validate` wrote, after the library was built "
             "anew: measure those that were slower than native there, and those at which the library chooses "
             "another method now; take over the others"},
    {"run", 0, "RUN", CT_OPTION_TEXT, AT(run),
     .text =
         "if not all points are validated, take those first at which native was measured faster in RUN than "
         "what the library chooses"},
    {"points", 0, "N", CT_OPTION_WHOLE, AT(points), .least = 1,
     .usual_text = "all; with --budget as many as have 0.1 s each",
     .text =
         "validate at most N points, but one of each mode, spread over collectives and sizes; a point is a "
         "mode, a collective, of neighbors also a pattern, a communicator size and a message size"},
    {"seconds", 0, "TIME", CT_OPTION_TIME, AT(seconds), .usual = "0.3s",
     .text = "spend this time on a point, or longer if its calls are slow; simulated: one call of each"},
    {"budget", 'b', "TIME", CT_OPTION_TIME, AT(budget), .usual_text = "as long as it takes",
     .text = "stop after this time; it does not include compiling"},
    {"timeout", 0, "TIME", CT_OPTION_TIME, AT(timeout), .usual_text = "30s; simulated: 10m",
     .text = "treat a call as hung after this time"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, AT(format), .choice = ct_format_choice,
     .text = "write in this format"},
    {"output", 'o', "FILE", CT_OPTION_TEXT, AT(output),
     .text = "also write the points as CSV to this file, for `colltune report --validation`; until all are "
             "there it is called FILE.part"},
    {0},
};

/* --- the lists --- */

/* Everything that is needed before a job can start. */
struct lists {
    enum ct_collective collectives[CT_COLLECTIVES];
    size_t collective_count;
    size_t *comm_sizes;
    size_t comm_size_count;
    size_t *msg_sizes;
    size_t msg_size_count;
    size_t *roots;
    size_t root_count;
    char **patterns; /* of sparse collectives */
    size_t pattern_count;
    enum ct_sync sync;
    unsigned modes;
    struct ct_run run;               /* of --run; its patterns are those of the lost cells */
    struct ct_validation earlier;    /* instead of the lists; empty: there is none */
    struct ct_validation_cell *lost; /* to take first */
    size_t lost_count;
};

/* The modes that any tree was learned from. */
static unsigned modes_of(const struct ct_table *table)
{
    unsigned modes = 0;
    for (size_t i = 0; i < table->decisions.tree_count; i++)
        modes |= ct_table_modes(&table->trees[i]);
    return modes ? modes : 1U << CT_MODE_BLOCKING;
}

/* Does any tree test the root, by itself or in a composite? */
static bool tests_root(const struct ct_decisions *decisions)
{
    for (size_t i = 0; i < decisions->tree_count; i++) {
        const struct ct_decision_tree *tree = &decisions->trees[i];
        for (size_t n = 0; n < tree->node_count; n++)
            if (tree->nodes[n].feature != CT_LEAF &&
                ct_feature_uses(&tree->features, (size_t)tree->nodes[n].feature, CT_FEATURE_ROOT))
                return true;
    }
    return false;
}

/* Which points the run makes doubtful, and its patterns unless others are given. */
static int read_run(const struct settings *settings, const struct ct_table *table, struct ct_error *error,
                    struct lists *lists)
{
    int status = ct_run_read(settings->run, false, error, &lists->run);
    if (status != CT_OK)
        return status;
    const struct ct_run_description *description = &lists->run.description;
    if (!settings->patterns && description->pattern_count > 0) {
        lists->patterns = ct_allocate(description->pattern_count + 1, sizeof *lists->patterns);
        if (!lists->patterns)
            return CT_E_MEMORY;
        for (size_t i = 0; i < description->pattern_count; i++)
            if (!(lists->patterns[lists->pattern_count++] = strdup(description->patterns[i])))
                return CT_E_MEMORY;
    }
    return ct_lost_cells_find(table, &lists->run, error, &lists->lost, &lists->lost_count);
}

/* What is not given, of a library that was built from a model: it decides whatever the mode. */
static void take_model(const struct settings *settings, struct lists *lists)
{
    for (int i = 0; !settings->collectives && i < CT_COLLECTIVES; i++)
        if (ct_model_decides((enum ct_collective)i))
            lists->collectives[lists->collective_count++] = (enum ct_collective)i;
    if (!lists->modes)
        lists->modes = 1U << CT_MODE_BLOCKING;
}

/* What is not given, from the library's own table: the collectives and modes that it decides about. Simulated
 * calls are blocking. */
static int read_table(const struct settings *settings, const char *prefix, struct ct_error *error,
                      struct lists *lists)
{
    struct ct_table table;
    char *path = ct_format("%s/share/colltuned/table.xml", prefix);
    int status = path ? ct_table_read(path, error, &table) : CT_E_MEMORY;
    free(path);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; !settings->collectives && i < table.decisions.tree_count && i < CT_COLLECTIVES; i++)
        lists->collectives[lists->collective_count++] = table.decisions.trees[i].collective;
    if (settings->run)
        status = read_run(settings, &table, error, lists);
    if (!lists->modes)
        lists->modes = settings->simulate ? 1U << CT_MODE_BLOCKING : modes_of(&table);
    if (status == CT_OK && lists->root_count == 1 && tests_root(&table.decisions))
        ct_tell(&ct_command_validate,
                "the table tests the root, and all calls have root %zu: --root LIST validates others, too",
                lists->roots[0]);
    ct_table_free(&table);
    return status;
}

static bool is_listed(const struct lists *lists, const struct ct_validation_point *point)
{
    bool listed = lists->collective_count == 0;
    for (size_t i = 0; i < lists->collective_count; i++)
        listed |= lists->collectives[i] == point->collective;
    return listed && (!lists->modes || lists->modes & 1U << point->key.mode);
}

/* The points of an earlier validation, of the collectives and modes that are given. */
static int read_earlier(const struct settings *settings, struct ct_error *error, struct lists *lists)
{
    struct ct_validation *earlier = &lists->earlier;
    int status = ct_validation_read(settings->again, error, earlier);
    if (status != CT_OK)
        return status;
    size_t kept = 0;
    for (size_t i = 0; i < earlier->count; i++)
        if (is_listed(lists, &earlier->points[i]))
            earlier->points[kept++] = earlier->points[i];
    earlier->count = kept;
    lists->modes = ct_validation_modes(earlier);
    return kept > 0 ? CT_OK
                    : ct_fail(error, CT_E_INPUT, "%s: no point of the collectives and modes that are given",
                              settings->again);
}

/* Sparse collectives that are named need patterns, and patterns need sparse collectives. Those that the
 * library decides about are left out where there are none. */
static int check_patterns(const struct settings *settings, const struct lists *lists, struct ct_error *error)
{
    const char *needs = NULL;
    size_t sparse = 0;
    for (size_t i = 0; i < lists->collective_count; i++)
        if (ct_collectives[lists->collectives[i]].is_sparse) {
            needs = ct_collectives[lists->collectives[i]].name;
            sparse++;
        }
    if (sparse > 0 && lists->pattern_count == 0 &&
        (settings->collectives || sparse == lists->collective_count))
        return ct_fail(error, CT_E_INPUT, "%s needs a pattern; expected --pattern, such as moore:d=2,r=1",
                       needs);
    if (settings->patterns && sparse == 0)
        return ct_fail(error, CT_E_INPUT,
                       "--pattern: none of the collectives has a pattern; expected --collectives with "
                       "neighbor_alltoall or others of neighbors");
    if (sparse > 0 && lists->pattern_count == 0)
        ct_tell(&ct_command_validate, "collectives of neighbors are left out: they need --pattern");
    return CT_OK;
}

/* Roots that are named need a collective that has one, and a communicator that has them. */
static int check_roots(const struct lists *lists, const struct ct_arguments *arguments,
                       struct ct_error *error)
{
    size_t largest = 0;
    bool has_root = false;
    if (!ct_is_given(arguments, "root"))
        return CT_OK;
    for (size_t i = 0; i < lists->collective_count; i++)
        has_root |= ct_collectives[lists->collectives[i]].has_root;
    if (!has_root)
        return ct_fail(error, CT_E_INPUT,
                       "--root: none of the collectives has a root; expected one that has in --collectives");
    for (size_t i = 0; i < lists->comm_size_count; i++)
        largest = lists->comm_sizes[i] > largest ? lists->comm_sizes[i] : largest;
    for (size_t i = 0; i < lists->root_count; i++)
        if (lists->roots[i] >= largest)
            return ct_fail(error, CT_E_INPUT,
                           "--root %zu: the largest communicator has %zu ranks; expected a rank below that",
                           lists->roots[i], largest);
    return CT_OK;
}

static int read_lists(const struct settings *settings, const char *prefix,
                      const struct ct_arguments *arguments, struct ct_error *error, struct lists *lists)
{
    int status = ct_sizes_read("comm-sizes", settings->comm_sizes, 2, UINT32_MAX, error, &lists->comm_sizes,
                               &lists->comm_size_count);
    if (status == CT_OK)
        status = ct_sizes_read("msg-sizes", settings->msg_sizes, 0, SIZE_MAX, error, &lists->msg_sizes,
                               &lists->msg_size_count);
    if (status == CT_OK)
        status =
            ct_sizes_read("root", settings->roots, 0, UINT32_MAX, error, &lists->roots, &lists->root_count);
    if (status == CT_OK && settings->patterns)
        status = ct_patterns_split(settings->patterns, error, &lists->patterns, &lists->pattern_count);
    for (size_t i = 0; status == CT_OK && i < lists->pattern_count; i++)
        status = ct_pattern_check(lists->patterns[i], lists->comm_sizes, lists->comm_size_count, error);
    if (status != CT_OK)
        return status;
    lists->sync = ct_sync_find(settings->sync);
    if (lists->sync == CT_SYNCS)
        return ct_fail(error, CT_E_INPUT, "--sync %s: expected one of %s", settings->sync, ct_sync_names);
    lists->modes = settings->modes;
    if (settings->collectives)
        status = ct_collective_list_parse(settings->collectives, error, lists->collectives,
                                          &lists->collective_count);
    if (status == CT_OK && settings->again) {
        status = read_earlier(settings, error, lists);
        return status == CT_OK ? ct_modes_check(lists->modes, arguments, error) : status;
    }
    if (status == CT_OK && (!settings->collectives || !lists->modes || settings->run)) {
        char *model = ct_format("%s/share/colltuned/model.xml", prefix);
        if (model && access(model, F_OK) == 0 && !settings->run)
            take_model(settings, lists);
        else
            status = model ? read_table(settings, prefix, error, lists) : CT_E_MEMORY;
        free(model);
    }
    if (status == CT_OK)
        status = check_patterns(settings, lists, error);
    if (status == CT_OK)
        status = check_roots(lists, arguments, error);
    return status == CT_OK ? ct_modes_check(lists->modes, arguments, error) : status;
}

static int make_points(const struct settings *settings, const struct lists *lists, struct ct_error *error,
                       struct ct_validation_cell **ret_points, size_t *ret_count)
{
    const double least_seconds = 0.1;
    size_t most = settings->points ? settings->points : SIZE_MAX;
    if (settings->budget > 0 && !settings->points)
        most = (size_t)fmax(settings->budget / least_seconds, 1);
    const struct ct_validation_grid grid = {.collectives = lists->collectives,
                                            .collective_count = lists->collective_count,
                                            .comm_sizes = lists->comm_sizes,
                                            .comm_size_count = lists->comm_size_count,
                                            .msg_sizes = lists->msg_sizes,
                                            .msg_size_count = lists->msg_size_count,
                                            .roots = lists->roots,
                                            .root_count = lists->root_count,
                                            .patterns = lists->patterns,
                                            .pattern_count = lists->pattern_count,
                                            .modes = lists->modes,
                                            .cpus = settings->simulate ? SIZE_MAX : ct_usable_cpus(),
                                            .most = most,
                                            .first = lists->lost,
                                            .first_count = lists->lost_count};
    return ct_validation_points(&grid, error, ret_points, ret_count);
}

/* The points of an earlier validation. */
static int take_points(const struct ct_validation *earlier, struct ct_validation_cell **ret_points,
                       size_t *ret_count)
{
    struct ct_validation_cell *points = ct_allocate(earlier->count, sizeof *points);
    if (!points)
        return CT_E_MEMORY;
    for (size_t i = 0; i < earlier->count; i++) {
        const struct ct_validation_point *point = &earlier->points[i];
        points[i] = (struct ct_validation_cell){
            .collective = point->collective, .key = point->key, .pattern = point->pattern};
        if (!ct_validation_is_slower(point))
            points[i].known = point->method;
    }
    *ret_points = points;
    *ret_count = earlier->count;
    return CT_OK;
}

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
               output->count, output->count == 1 ? "" : "s", exp(output->logs / (double)output->count),
               output->slower, CT_VALIDATION_SLOWER);
    if (summary->known > 0)
        ct_tell(&ct_command_validate,
                "taken over: %zu of %zu points, at which the library calls the method that was measured",
                summary->known, output->count);
    if (summary->skipped > 0)
        ct_tell(&ct_command_validate, "the budget is used up: %zu point%s not validated", summary->skipped,
                summary->skipped == 1 ? " was" : "s were");
    if (summary->wrong > 0)
        return ct_fail(error, CT_E_ANSWER, "the tuned library is wrong at %zu point%s, see above",
                       summary->wrong, summary->wrong == 1 ? "" : "s");
    if (summary->measured + summary->known == 0)
        return ct_fail(error, CT_E_ANSWER, "no point could be validated");
    ct_tell(&ct_command_validate,
            "%s results are right; every call was tuned and sent exactly the messages of "
            "its plan",
            summary->left_out > 0 ? "all other" : "all");
    return CT_OK;
}

static int run_points(struct ct_validation_request *request, const struct settings *settings,
                      const struct lists *lists, struct ct_error *error)
{
    struct output output = {.cells = request->cells,
                            .earlier = &lists->earlier,
                            .csv = settings->format != 0,
                            .form.overlaps = lists->modes != 1U << CT_MODE_BLOCKING};
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
        ct_tell(&ct_command_validate, "the %zu points so far are in %s", output.count, part);
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

static int validate(const struct settings *settings, const char *prefix, const struct lists *lists,
                    const struct ct_mpi *mpi, struct ct_error *error)
{
    bool simulated = strcmp(mpi->name, "smpi") == 0;
    if (simulated != (settings->simulate != NULL))
        return ct_fail(error, CT_E_INPUT, "%s: is built for %s; expected %s", prefix, mpi->name,
                       simulated ? "--simulate PLATFORM" : "no --simulate");
    if (simulated && lists->modes != 1U << CT_MODE_BLOCKING)
        return ct_fail(error, CT_E_INPUT, "--mode: only blocking calls can be simulated");
    struct ct_validation_cell *points = NULL;
    size_t count;
    char *library = ct_format("%s/lib/libcolltuned.a", prefix);
    int status = !library                   ? CT_E_MEMORY
                 : lists->earlier.count > 0 ? take_points(&lists->earlier, &points, &count)
                                            : make_points(settings, lists, error, &points, &count);
    if (status == CT_OK) {
        struct ct_validation_request request = {.place = {.cc = mpi->cc,
                                                          .launcher = settings->launcher,
                                                          .hostfile = settings->hostfile,
                                                          .ppn = settings->ppn,
                                                          .simulate = settings->simulate},
                                                .prefix = prefix,
                                                .library = library,
                                                .cells = points,
                                                .cell_count = count,
                                                .sync = lists->sync,
                                                .compute = settings->compute,
                                                .tests = settings->tests,
                                                .seconds = settings->seconds,
                                                .budget = settings->budget,
                                                .timeout = settings->timeout};
        status = run_points(&request, settings, lists, error);
    }
    free(library);
    free(points);
    return status;
}

/* The points are those of the earlier validation. */
static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    static const char *const excluded[] = {"comm-sizes", "msg-sizes", "root", "pattern", "points", "run"};
    for (size_t i = 0; settings->again && i < sizeof excluded / sizeof excluded[0]; i++)
        if (ct_is_given(arguments, excluded[i]))
            return ct_fail(error, CT_E_INPUT, "--%s: cannot be combined with --again", excluded[i]);
    return CT_OK;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *prefix = arguments->words[0];
    struct lists lists = {0};
    struct ct_mpi mpi = {0};
    char *cc = NULL;
    int status;
    if ((status = ct_prefix_compiler(prefix, error, &cc)) == CT_OK &&
        (status = read_lists(settings, prefix, arguments, error, &lists)) == CT_OK &&
        (status = ct_mpi_find(NULL, cc, error, &mpi)) == CT_OK)
        status = validate(settings, prefix, &lists, &mpi, error);
    ct_mpi_free(&mpi);
    free(cc);
    ct_validation_free(&lists.earlier);
    ct_run_free(&lists.run);
    ct_words_free(lists.patterns, lists.pattern_count);
    free(lists.lost);
    free(lists.comm_sizes);
    free(lists.msg_sizes);
    free(lists.roots);
    return status;
}

const struct ct_command ct_command_validate = {
    .name = "validate",
    .text = "compare tuned with native calls in one job, and check their results",
    .usage = "PREFIX",
    .least = 1,
    .about =
        "Calls each collective through the tuned library in PREFIX and natively, alternately and in one "
        "job, and prints each point when it is done. The times are medians; the 95 % confidence interval "
        "of the speed-up comes from the medians of blocks of calls (fewer than six blocks: the "
        "extremes). Checks the contents of the results. Checks with the counters of the library that "
        "each tuned call used one method and sent as many messages as its plan has. A point at which a "
        "call hangs is left out. Calls of other modes than blocking are taken over as in an application "
        "with COLLTUNE_NONBLOCKING=1. Collectives of neighbors are called on communicators "
        "with the topology of each pattern. Exits with 1 if anything is wrong.",
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
