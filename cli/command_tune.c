/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/call_modes.h"
#include "cli/terminal.h"
#include "cli/tune_application.h"
#include "cli/tune_measuring.h"
#include "cli/tune_result.h"
#include "cli/tune_steps.h"
#include "cli/tune_validation.h"
#include "learners/all_learners.h"

#include <stdlib.h>
#include <string.h>

static const struct ct_option options[] = {
    {"output", 'o', "DIR", CT_OPTION_TEXT, offsetof(struct ct_tuning, folder), .required = true,
     .output = CT_OUTPUT_FOLDER, .text = "write all results into this folder"},
    {"application", 0, "CMD", CT_OPTION_TEXT, offsetof(struct ct_tuning, application),
     .text = "tune for this application, a command line for the shell: profile it, measure the collectives "
             "that it calls, and run it natively and tuned in turn, instead of validating the library and "
             "making a report"},
    CT_MODES_OPTION(
        struct ct_tuning, modes,
        "tune calls of these modes: measure a run of each, merge the runs, and learn decisions for each mode",
        "blocking"),
    {"verbose", 0, NULL, CT_OPTION_FLAG, offsetof(struct ct_tuning, verbose),
     .text = "print the output of the steps, instead of writing it to tune.log in that folder"},
    {0},
};

static int begin(void *given, struct ct_bindings *bindings)
{
    struct ct_tuning *tuning = given;
    int status = CT_OK;
    tuning->modes = 1U << CT_MODE_BLOCKING;
    for (size_t i = 0; status == CT_OK && i < CT_TUNE_STEPS; i++)
        status = ct_tune_step_begin(&ct_tune_steps[i], bindings, &tuning->calls[i]);
    return status;
}

static void end(void *given)
{
    struct ct_tuning *tuning = given;
    for (size_t i = 0; i < CT_TUNE_STEPS; i++)
        ct_tune_step_end(&tuning->calls[i]);
}

/* What was given for an option of measuring, or its default. */
static const void *value_of(const struct ct_tune_call *measuring, const char *option)
{
    return (const char *)measuring->settings + ct_option_find(ct_command_measure.options, option)->offset;
}

/* Learns native where the last validation found a method of ours slower. *ret_slower: at how many points. */
static int settle_once(struct ct_tuning *tuning, struct ct_error *error, size_t *ret_slower)
{
    size_t slower;
    int status = ct_tune_validation_slower(tuning->folder, error, &slower);
    *ret_slower = slower;
    if (status != CT_OK || slower == 0)
        return status;
    ct_tell(&ct_command_tune, "%zu point%s slower than native: the table takes native there", slower,
            slower == 1 ? " is" : "s are");
    tuning->rounds++;
    tuning->settles = true;
    if ((status = ct_tune_validation_set_aside(tuning->folder, error)) == CT_OK &&
        (status = ct_tuning_forget(tuning, error)) == CT_OK)
        status = ct_tuning_run_steps(tuning, CT_TUNE_LEARN, CT_TUNE_REPORT, error);
    tuning->settles = false;
    return status;
}

/* There is no time to measure again. A table with more native in it is not learned from times alone,
 * therefore measuring again goes before. It may take other methods at other points, of which some are slower:
 * then it is done again. */
static int settle(struct ct_tuning *tuning, struct ct_error *error)
{
    enum { TURNS = 3 };
    size_t slower = 1;
    int status = CT_OK;
    for (int turn = 0; status == CT_OK && slower > 0 && turn < TURNS; turn++)
        status = settle_once(tuning, error, &slower);
    return status;
}

/* Tunes for an application. Its gain is measured again each time. */
static int tune_application(struct ct_tuning *tuning, struct ct_error *error)
{
    const struct ct_tune_runs runs = ct_tuning_runs(tuning);
    int status = ct_tune_application_note(tuning->folder, tuning->application, error);
    if (status == CT_OK &&
        (!ct_tuning_is_complete(tuning, CT_TUNE_PROFILE, CT_TUNE_VALIDATE) || tuning->budget > 0))
        if ((status = ct_tuning_run_steps(tuning, CT_TUNE_PROFILE, CT_TUNE_MEASURE, error)) == CT_OK &&
            (status = ct_tuning_measure(tuning, error)) == CT_OK)
            status = ct_tuning_run_steps(tuning, CT_TUNE_LEARN, CT_TUNE_VALIDATE, error);
    if (status == CT_OK)
        status = ct_tune_application_try(&tuning->calls[CT_TUNE_TRY], error);
    if (status == CT_OK)
        ct_tune_tell_use(&runs, tuning->application);
    return status;
}

/* Tunes for a grid of sizes. */
static int tune_grid(struct ct_tuning *tuning, struct ct_error *error)
{
    const struct ct_tune_runs runs = ct_tuning_runs(tuning);
    size_t again[CT_MODES], all = 0;
    int status;
    /* Once all is there, the sweep goes on only if it is given more time. */
    if (ct_tuning_is_complete(tuning, CT_TUNE_MEASURE, CT_TUNE_TRY) && tuning->budget <= 0)
        return ct_tune_tell(&runs, tuning->simulated, error);
    if ((status = ct_tuning_measure(tuning, error)) != CT_OK)
        return status;
    for (;;) {
        if ((status = ct_tuning_run_steps(tuning, CT_TUNE_LEARN, CT_TUNE_REPORT, error)) != CT_OK ||
            (status = ct_tune_validation_doubtful(&runs, tuning->simulated, error, again, &all)) != CT_OK)
            return status;
        if (all == 0 || (!tuning->simulated && tuning->kept < tuning->least))
            break;
        tuning->rounds++;
        ct_tell(&ct_command_tune, "validation asks for %zu point%s to be measured again (round %zu)", all,
                all == 1 ? "" : "s", tuning->rounds);
        if ((status = ct_tuning_measure_again(tuning, again, all, error)) != CT_OK)
            return status;
    }
    if ((status = settle(tuning, error)) != CT_OK)
        return status;
    tuning->rounds = 0;
    if ((status = ct_tune_validation_remove_earlier(tuning->folder, error)) != CT_OK)
        return status;
    status = ct_tuning_run_steps(tuning, CT_TUNE_REPORT, CT_TUNE_TRY, error);
    return status == CT_OK ? ct_tune_tell(&runs, tuning->simulated, error) : status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct ct_tuning tuning = *(const struct ct_tuning *)given;
    tuning.simulated = ct_is_given(arguments, "simulate");
    tuning.budget = *(const double *)value_of(&tuning.calls[CT_TUNE_MEASURE], "budget");
    if (ct_tune_has(tuning.folder, "run.xml"))
        return ct_fail(error, CT_E_INPUT, "%s: is a run: expected another folder, for all results of tuning",
                       tuning.folder);
    int status = ct_folder_make(tuning.folder, error);
    if (status != CT_OK)
        return status;
    ct_catch_stop();
    const struct ct_tune_runs runs = ct_tuning_runs(&tuning);
    if ((status = ct_tune_runs_begin(&runs, error)) != CT_OK ||
        (status = ct_tune_runs_join(&runs, error)) != CT_OK)
        return status;
    const size_t first = tuning.application ? CT_TUNE_PROFILE : CT_TUNE_MEASURE;
    const size_t last = tuning.application ? CT_TUNE_VALIDATE : CT_TUNE_TRY;
    if (ct_tuning_is_complete(&tuning, first, last) &&
        (status = ct_tuning_forget_old(&tuning, error)) != CT_OK)
        return status;
    return tuning.application ? tune_application(&tuning, error) : tune_grid(&tuning, error);
}

/* Was the option given with several values? */
static bool has_several(const struct ct_arguments *arguments, const char *option)
{
    size_t *values = NULL, count = 0;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (strcmp(arguments->given[i].option->name, option) == 0) {
            free(values);
            values = NULL;
            if (ct_list_parse(arguments->given[i].word, NULL, &values, &count) != CT_OK)
                count = 0;
        }
    free(values);
    return count > 1;
}

/* Prepares learning. Decisions test all that measuring varies, unless the user said what they test, or by
 * which learner. */
static int prepare_learning(struct ct_tune_call *call, const char *folder,
                            const struct ct_arguments *arguments, struct ct_error *error)
{
    static const char *const features[2][2] = {
        {NULL, "comm_size,msg_bytes,root"},
        {"comm_size,msg_bytes,nodes,ppn", "comm_size,msg_bytes,nodes,ppn,root"}};
    const char *list = features[has_several(arguments, "ppn")][has_several(arguments, "root")];
    if (!list || ct_is_given(arguments, "features") || ct_is_given(arguments, "learner"))
        return ct_tune_step_prepare(call, folder, arguments, error);
    struct ct_given *given = ct_allocate(arguments->given_count + 1, sizeof *given);
    struct ct_arguments with = *arguments;
    if (!given)
        return CT_E_MEMORY;
    memcpy(given, arguments->given, arguments->given_count * sizeof *given);
    given[with.given_count++] = (struct ct_given){ct_option_find(ct_learners[0]->options, "features"), list};
    with.given = given;
    int status = ct_tune_step_prepare(call, folder, &with, error);
    free(given);
    return status;
}

/* Can a step write its temporary files? A measured program that is kept needs none, but building does. */
static int check_temporary_folder(struct ct_error *error)
{
    char *folder;
    int status = ct_folder_temporary(error, &folder);
    if (status != CT_OK)
        return status;
    status = ct_remove_all(folder, error);
    free(folder);
    return status;
}

/* Prepares all steps, so that what would stop a later one is found before anything is measured. */
static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct ct_tuning *tuning = given;
    int status = check_temporary_folder(error);
    if (status == CT_OK && tuning->application)
        status = ct_tune_application_check(arguments, error);
    for (size_t i = 0; status == CT_OK && i < CT_TUNE_STEPS; i++)
        status = (i == CT_TUNE_LEARN ? prepare_learning : ct_tune_step_prepare)(
            &tuning->calls[i], tuning->folder, arguments, error);
    if (status != CT_OK)
        return status;
    const struct ct_tune_runs runs = ct_tuning_runs(tuning);
    status = ct_modes_check(tuning->modes, arguments, error);
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++)
        status = ct_tune_step_replace(&tuning->calls[CT_TUNE_MEASURE + mode], "output",
                                      ct_tune_runs_path(&runs, (enum ct_call_mode)mode), error);
    if (status != CT_OK)
        return status;
    if (tuning->application &&
        (status = ct_tune_application_add(&tuning->calls[CT_TUNE_PROFILE], tuning->application)) == CT_OK)
        status = ct_tune_application_add(&tuning->calls[CT_TUNE_TRY], tuning->application);
    return status;
}

const struct ct_command ct_command_tune = {
    .name = "tune",
    .text = "do everything: measure, learn, build, validate, report",
    .usage = "-o DIR",
    .about = "Does everything: measures, learns, scores, builds the tuned library, validates it against "
             "native, and makes a report. Cells where validation finds the library slower than native are "
             "measured again, and the steps are repeated; a sixth of --budget is kept for this. Where the "
             "library is still slower when that time is up, the table takes native. Several modes of calls "
             "share --budget. Each step is printed as a command line that repeats it, with the options below "
             "that apply to it. Results that exist already are kept: the same command continues a tuning "
             "that was stopped. With --application only the calls of that application are measured, and its "
             "own gain is printed with a confidence interval.",
    .notes = "Results in DIR: run/ (samples; those of several modes also in run.MODE/), table.xml "
             "(decisions), library/ (to link or preload), "
             "validation.csv, report/index.html.\n\n"
             "Examples:\n"
             "  colltune tune -o tuned\n"
             "  colltune tune -o cluster --launcher mpiexec --hostfile hosts --ppn 4 \\\n      --comm-sizes "
             "2-32 --sync window\n"
             "  colltune tune -o all-modes --mode blocking,nonblocking,persistent\n"
             "  colltune tune -o app-tuned --application 'mpiexec -n 4 ./app' --budget 5m\n"
             "  colltune tune -o simulated --simulate ethernet100 --comm-sizes 2-28\n",
    .options = options,
    .settings_size = sizeof(struct ct_tuning),
    .begin = begin,
    .end = end,
    .check = check,
    .run = run,
};
