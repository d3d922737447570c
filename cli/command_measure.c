/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "cli/call_modes.h"
#include "cli/doubtful.h"
#include "cli/terminal.h"
#include "measure/backend/backend_simulated.h"
#include "measure/backend/machine.h"
#include "measure/backend/platform.h"
#include "measure/sweep/profile_cells.h"
#include "measure/sweep/sweep.h"
#include "measure/sweep/sweep_plan.h"
#include "measure/sync.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct ct_sweep_request request;
    const char *again;
    const char *profile;
    bool guided;
    bool exhaustive;
    bool only_plans;
};

#define AT(member) .offset = offsetof(struct settings, request.member)

static const struct ct_option options[] = {
    {"output", 'o', "RUN", CT_OPTION_TEXT, AT(folder), .required = true, .output = CT_OUTPUT_FOLDER,
     .text = "make this folder for the run"},
    {"resume", 0, NULL, CT_OPTION_FLAG, AT(resume),
     .text = "continue a run; options that are given again must be as they were"},
    {"dry-run", 0, NULL, CT_OPTION_FLAG, .offset = offsetof(struct settings, only_plans),
     .text = "print how many cells and jobs there would be, and how long it would take; measure nothing"},
    {"again", 0, "FILE", CT_OPTION_TEXT, .offset = offsetof(struct settings, again),
     .text =
         "with --resume: measure again, in a job launch of their own, the cells that are slower than native "
         "in FILE, which `colltune validate -o FILE` wrote, or gain much less than neighboring cells. The "
         "times in FILE are added to the run as another job launch; points of other modes are left out"},

    CT_HEADING("What to measure"),
    {"collectives", 'c', "LIST", CT_OPTION_TEXT, AT(collectives),
     .usual_text = "all but neighborhood collectives", .text = "measure these collectives"},
    {"comm-sizes", 0, "LIST", CT_OPTION_TEXT, AT(comm_sizes),
     .usual_text = "2,3,4,6,8,12,... to the number of CPUs, at least to 8",
     .text = "use these communicator sizes"},
    {"msg-sizes", 0, "LIST", CT_OPTION_TEXT, AT(msg_sizes), .usual_text = CT_SWEEP_MSG_SIZES,
     .text = "use these message sizes in bytes; reductions take only multiples of 8"},
    {"pattern", 0, "LIST", CT_OPTION_TEXT, AT(patterns),
     .text = "measure neighborhood collectives on these patterns, separated by blanks: moore:d=D,r=R, "
             "random:density=X, hubs:count=N,degree=D, powerlaw:degree=D,exponent=X, matrix:FILE.mtx or "
             "edges:0>1,1>2. A FILE with blanks or commas stands in quotes, or has a backslash before each. "
             "A message size is the mean over the edges"},
    {"from-profile", 0, "FILE", CT_OPTION_TEXT, .offset = offsetof(struct settings, profile),
     .text =
         "measure only the calls of an application, according to the profile that `colltune profile -o FILE` "
         "wrote: the cells that make up 99 % of its time in collectives, those with the most time first. "
         "Calls of one rank or of no bytes do not count"},
    {"methods", 0, "LIST", CT_OPTION_TEXT, AT(methods), .usual_text = "all",
     .text =
         "measure these methods: an ALGORITHM means all values of its parameters, a METHOD only itself; "
         "both may have COLLECTIVE/ in front; -WORD leaves methods out. A list that only leaves out "
         "begins with all. native is measured unless it is left out; alltoallv's methods with a set-up only "
         "if they are named (docs/sparse-exchanges.md)"},

    CT_HEADING("How calls are made"),
    {"mode", 0, "MODE", CT_OPTION_CHOICE, AT(mode), .usual = "blocking", .choice = ct_mode_choice,
     .text = "measure calls of this mode; in modes other than blocking ranks compute while a call is in "
             "flight, and the time of a call is the time that it adds to the computation (docs/overlap.md)"},
    {"datatype", 0, "TYPE", CT_OPTION_CHOICE, AT(datatype), .choice = ct_data_type_choice,
     .usual_text = "byte; reductions: double",
     .text =
         "measure calls with elements of this type. vector and indexed are derived types with gaps. "
         "Reductions combine them with --operation user or ordered; with other operations, and with byte, "
         "they combine doubles (docs/measuring.md)"},
    {"operation", 0, "NAME", CT_OPTION_CHOICE, AT(operation), .choice = ct_operation_choice, .usual = "sum",
     .text = "measure reductions with this operation: user is a sum by a function of the program, ordered is "
             "a function that does not commute"},
    {"root", 0, "LIST", CT_OPTION_TEXT, AT(roots), .usual_text = "0",
     .text = "measure collectives that have a root with each of these ranks as the root, where a "
             "communicator has them; decisions can test it (`colltune learn --features "
             "comm_size,msg_bytes,root`)"},
    CT_COMPUTE_OPTION(struct settings, request.compute),
    CT_TESTS_OPTION(struct settings, request.tests),

    CT_HEADING("Where to measure"),
    {"launcher", 0, "COMMAND", CT_OPTION_TEXT, AT(place.launcher), .usual_text = "mpiexec of the MPI",
     .text = "start the ranks with this command: one that takes -n NP, or '... {np} ... {cmd}'"},
    {"oversubscribe", 0, NULL, CT_OPTION_FLAG, AT(oversubscribe),
     .text = "start more than 16 ranks on each CPU of this machine, if --comm-sizes asks for that"},
    {"hostfile", 0, "FILE", CT_OPTION_TEXT, AT(place.hostfile),
     .text = "pass this file of hosts to the launcher; a template has {hostfile} for it"},
    {"ppn", 0, "LIST", CT_OPTION_TEXT, AT(ppn), .usual_text = "as the launcher places them",
     .text =
         "start this number of ranks on each node; a template has {ppn} for it, and {nodes} for the number "
         "of nodes. Each number of the list has its own jobs, and decisions can test nodes and ppn"},
    {"nodes", 0, "LIST", CT_OPTION_TEXT, AT(nodes),
     .text = "with --ppn, instead of --comm-sizes: use communicators of these numbers of nodes, with each "
             "number of --ppn in turn"},
    {"side-by-side", 0, NULL, CT_OPTION_FLAG, AT(side_by_side),
     .text = "with --hostfile and --ppn: run the jobs of several communicator sizes at the same time where "
             "they fit, each on consecutive hosts of FILE. At the end some cells are measured alone, and the "
             "differences of their times are reported (docs/clusters.md)"},
    {"switches", 0, "FILE", CT_OPTION_TEXT, AT(switches), .usual_text = "unknown",
     .text =
         "with --side-by-side: take hosts of a job below one switch where they fit. FILE says which hosts "
         "are below which switch, as Slurm's topology.conf or 'scontrol show topology' does"},
    {"simulate", 0, "PLATFORM", CT_OPTION_TEXT, AT(place.simulate), .choice = ct_platform_choice,
     .text = "simulate a platform, which is a SimGrid file or one of"},
    {"simulator-options", 0, "WORDS", CT_OPTION_TEXT, AT(place.simulator_options),
     .text = "pass these options to smpirun; for example, --cfg=smpi/bcast:ompi selects a native bcast"},
    {"mpi", 0, "NAME", CT_OPTION_TEXT, AT(place.mpi), .usual_text = "mpich", .text = "use mpich or openmpi"},
    {"cc", 0, "MPICC", CT_OPTION_TEXT, AT(place.cc), .usual_text = "that of the MPI",
     .text = "compile with this compiler wrapper of the MPI"},
    {"program", 0, "FILE", CT_OPTION_TEXT, AT(program),
     .text = "run this benchmark program, which is compiled already"},
    {"sync", 0, "HOW", CT_OPTION_TEXT, AT(sync), .usual_text = "auto", .text = ct_sync_help},

    CT_HEADING("How long to measure"),
    {"budget", 'b', "TIME", CT_OPTION_TIME, AT(budget), .usual_text = "10m, which --exhaustive may exceed",
     .text = "stop after this time, for example 90s, 10m, 2h"},
    {"guided", 0, NULL, CT_OPTION_FLAG, .offset = offsetof(struct settings, guided),
     .text = "measure a coarse grid first, then cells between neighbors that disagree about the best method, "
             "then cells where a measurement is expected to gain most, and there only methods that may be "
             "the best (default if the budget leaves a method less than 10 ms in a cell)"},
    {"exhaustive", 0, NULL, CT_OPTION_FLAG, .offset = offsetof(struct settings, exhaustive),
     .text = "measure every method in every cell (default unless the budget is too small for it)"},
    {"prior", 0, "RUN", CT_OPTION_TEXT, AT(prior),
     .text = "with --guided: skip at first the methods that are much slower than the best in RUN, which may "
             "be measured or predicted"},
    {"no-racing", 0, NULL, CT_OPTION_FLAG, AT(no_racing),
     .text = "give every method the same number of repetitions; by default a method that is significantly "
             "more than 5 % slower than the best is dropped early"},
    {"launches", 0, "N", CT_OPTION_WHOLE, AT(launches), .least = 1, .most = UINT32_MAX,
     .usual_text = "3; simulated: 1", .text = "repeat everything in N job launches, because launches differ"},
    {"precision", 0, "PERCENT", CT_OPTION_PERCENT, AT(precision), .above = true, .most = 99.9,
     .usual_text = "5", .text = "repeat until the relative error of the median is at most this"},
    {"max-repetitions", 0, "N", CT_OPTION_WHOLE, AT(most_repetitions), .least = 1, .most = UINT32_MAX,
     .usual_text = "500", .text = "repeat a method in a cell at most N times"},
    {"timeout", 0, "TIME", CT_OPTION_TIME, AT(timeout), .usual_text = "30s; simulated: 10m",
     .text = "treat a call as hung after this time"},
    {"seed", 0, "N", CT_OPTION_WHOLE, AT(seed), .most = UINT32_MAX, .usual_text = "1",
     .text = "draw the order of cells and methods from this seed"},
    {0},
};

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    static const char *const excluded[] = {"collectives", "comm-sizes", "msg-sizes", "pattern", "guided"};
    for (size_t i = 0; settings->profile && i < sizeof excluded / sizeof excluded[0]; i++)
        if (ct_is_given(arguments, excluded[i]))
            return ct_fail(error, CT_E_INPUT, "--from-profile: cannot be combined with --%s", excluded[i]);
    if (settings->again && settings->only_plans)
        return ct_fail(error, CT_E_INPUT, "--dry-run: cannot be combined with --again");
    if (settings->again && !settings->request.resume && !ct_is_given(arguments, "resume"))
        return ct_fail(error, CT_E_INPUT, "--again: expected --resume, too");
    return settings->guided && settings->exhaustive
               ? ct_fail(error, CT_E_INPUT, "--guided: cannot be combined with --exhaustive")
               : CT_OK;
}

/* Which points are to be measured again. */
static int read_again(const char *path, const char *folder, struct ct_error *error,
                      struct ct_sweep_point **ret_points, size_t *ret_count, size_t *ret_again)
{
    struct ct_run run = {0};
    struct ct_validation validation = {0};
    int status;
    if ((status = ct_validation_read(path, error, &validation)) == CT_OK &&
        (status = ct_run_read(folder, true, error, &run)) == CT_OK) {
        const struct ct_validation ours =
            ct_validation_of_mode(&validation, ct_run_mode(&run.description, 0));
        bool exact = strcmp(run.description.backend, ct_backend_simulated.name) == 0;
        status =
            ct_doubtful_find(&ours, &run, exact ? SIZE_MAX : ct_usable_cpus(), exact, ret_points, ret_again);
        *ret_count = ours.count;
    }
    ct_run_free(&run);
    ct_validation_free(&validation);
    return status;
}

/* Asks for the cells of the profile, and says so. */
static int read_profile(const char *path, struct ct_sweep_request *request, struct ct_error *error,
                        struct ct_profile_cells *cells)
{
    int status = ct_profile_cells_read(path, error, cells);
    if (status != CT_OK)
        return status;
    request->collectives = cells->collectives;
    request->comm_sizes = cells->comm_sizes;
    request->msg_sizes = cells->msg_sizes;
    request->profile_cells = cells->cells;
    ct_tell(&ct_command_measure, "%s asks for %zu cell%s; %zu with hardly any time are left out", path,
            cells->count, ct_s(cells->count), cells->left_out);
    return CT_OK;
}

static int sweep(const struct ct_sweep_request *request, struct ct_error *error)
{
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_measure);
    struct ct_sweep_summary summary;
    int status = ct_sweep(request, &watch, error, &summary);
    ct_bar_end(&bar);
    if (status != CT_OK)
        return status;
    if (request->point_count > 0)
        ct_tell(&ct_command_measure, "%zu cell%s measured again; %zu sample%s and %zu failure%s were added",
                summary.cells, ct_were(summary.cells), summary.samples, ct_s(summary.samples), summary.failed,
                ct_s(summary.failed));
    else
        ct_tell(&ct_command_measure, "%s has %zu cell%s; %zu sample%s and %zu failure%s were added",
                request->folder, summary.cells, ct_s(summary.cells), summary.samples, ct_s(summary.samples),
                summary.failed, ct_s(summary.failed));
    if (summary.clocks > 0)
        ct_tell(&ct_command_measure, "the common clock of %zu clocks was off by at most %.2g s (+- %.2g s)",
                summary.clocks, summary.skew, summary.skew_bound);
    if (summary.late > 0)
        ct_tell(&ct_command_measure, "%zu repetition%s repeated because a rank started late", summary.late,
                ct_were(summary.late));
    return CT_OK;
}

/* Whole seconds, or minutes and hours with one digit. */
static void print_time(double seconds)
{
    const double minute = 60, hour = 3600;
    if (seconds < 2 * minute)
        printf("%.0f s", seconds);
    else if (seconds < 2 * hour)
        printf("%.1f min", seconds / minute);
    else
        printf("%.1f h", seconds / hour);
}

static int print_plan(const struct ct_sweep_request *request, struct ct_error *error)
{
    struct ct_sweep_plan plan;
    int status = ct_sweep_plan_make(request, error, &plan);
    if (status != CT_OK)
        return status;
    if (plan.slots == 0) {
        printf("nothing is left to measure\n");
        return CT_OK;
    }
    printf("cells   %zu, with %zu measurement%s of methods", plan.cells, plan.slots, ct_s(plan.slots));
    if (plan.launches > 1)
        printf(" in %zu launches", plan.launches);
    printf("%s\n",
           plan.is_guided ? "; guided: the budget goes to the cells with the largest expected gain" : "");
    printf("jobs    %zu%s of up to %zu ranks\n", plan.jobs, plan.is_guided ? " a round" : "", plan.ranks);
    if (plan.nodes > 0)
        printf("nodes   %zu, on which %.1f jobs run at a time on average\n", plan.nodes, plan.at_a_time);
    for (size_t i = 0; i < plan.part_count; i++) {
        const struct ct_sweep_plan_part *part = &plan.parts[i];
        printf("ppn %-4zu%zu cell%s, %zu measurement%s, on up to %zu node%s", part->ppn, part->cells,
               ct_s(part->cells), part->slots, ct_s(part->slots), part->most_nodes, ct_s(part->most_nodes));
        if (plan.seconds > 0) {
            printf(": at most ");
            print_time(plan.seconds * (double)part->slots / (double)plan.slots);
        }
        printf("\n");
    }
    printf("time    ");
    if (plan.seconds > 0) {
        printf("at most ");
        print_time(plan.seconds);
        printf(", and compiling and the starts of jobs\n");
    } else {
        printf("not known: the jobs are simulated\n");
    }
    return CT_OK;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_sweep_request request = settings->request;
    struct ct_sweep_point *points = NULL;
    struct ct_profile_cells cells = {0};
    size_t again = 0;
    int status = settings->again ? read_again(settings->again, request.folder, error, &points,
                                              &request.point_count, &again)
                                 : CT_OK;
    if (status == CT_OK && settings->profile)
        status = read_profile(settings->profile, &request, error, &cells);
    request.points = points;
    request.has_seed = ct_is_given(arguments, "seed");
    request.has_mode = ct_is_given(arguments, "mode");
    request.has_tests = ct_is_given(arguments, "tests");
    request.has_datatype = ct_is_given(arguments, "datatype");
    request.has_operation = ct_is_given(arguments, "operation");
    request.cells = settings->guided       ? CT_SWEEP_CELLS_GUIDED
                    : settings->exhaustive ? CT_SWEEP_CELLS_EXHAUSTIVE
                                           : CT_SWEEP_CELLS_USUAL;
    if (status == CT_OK && settings->only_plans)
        status = print_plan(&request, error);
    else if (status == CT_OK && settings->again)
        ct_tell(&ct_command_measure, "%zu cell%s measured again", again, again == 1 ? " is" : "s are");
    if (status == CT_OK && !settings->only_plans && (again > 0 || !settings->again))
        status = sweep(&request, error);
    ct_profile_cells_free(&cells);
    free(points);
    return status;
}

const struct ct_command ct_command_measure = {
    .name = "measure",
    .text = "measure methods on this machine or a simulated one",
    .usage = "-o RUN",
    .about = "Measures the methods of collectives for communicator and message sizes, into a run.",
    .notes = CT_LISTS_TEXT
    "\n\n"
    "A method that crashes, hangs or gives wrong results is recorded as failed in its cell. Ctrl-C stops the "
    "measurement; --resume continues it.\n\n"
    "Examples:\n"
    "  colltune measure -o laptop --budget 5m\n"
    "  colltune measure -o wide -c allreduce --comm-sizes 2-64 --msg-sizes 8-4M*2 \\\n      --guided "
    "--budget 10m\n"
    "  colltune measure -o cluster --launcher srun --ppn 4 --comm-sizes 2-32 \\\n      --sync window\n"
    "  colltune measure -o cluster --launcher mpiexec --hostfile hosts \\\n      --comm-sizes 2-32\n"
    "  colltune measure -o cluster --launcher mpiexec --hostfile hosts --ppn 4 \\\n      --side-by-side "
    "--dry-run\n"
    "  colltune measure -o app-run --from-profile profile.csv\n"
    "  colltune measure -o neighbors -c neighbor_alltoall --msg-sizes 8,1K \\\n"
    "      --pattern 'random:density=0.5 moore:d=2,r=1'\n"
    "  colltune measure -o in-flight --mode nonblocking --compute 50us\n"
    "  colltune measure -o simulated --simulate ethernet100 -c bcast\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
