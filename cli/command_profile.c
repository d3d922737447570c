/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/data.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/sort.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/prefix.h"
#include "cli/preload.h"
#include "cli/shell_word.h"
#include "cli/terminal.h"
#include "measure/backend/kept.h"
#include "samples/profile_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    const char *output;
    const char *library;
    const char *mpi;
    size_t lines;
};

static const struct ct_option options[] = {
    {"output", 'o', "FILE", CT_OPTION_TEXT, offsetof(struct settings, output), .usual_text = "none",
     .output = CT_OUTPUT_FILE, .text = "keep the profile in this file"},
    {"library", 0, "PREFIX", CT_OPTION_TEXT, offsetof(struct settings, library),
     .usual_text = "one with native methods alone",
     .text = "profile with this tuned library, which `colltune build` made, and its MPI"},
    {"mpi", 0, "NAME", CT_OPTION_TEXT, offsetof(struct settings, mpi), .usual_text = "mpich",
     .text = "use mpich or openmpi"},
    {"lines", 0, "N", CT_OPTION_WHOLE, offsetof(struct settings, lines), .least = 1, .usual = "20",
     .text = "print the N lines that take the most time"},
    {0},
};

/* --- the library --- */

/* Builds the default library, under another name until it is whole. */
static int build_default(const struct ct_mpi *mpi, const char *prefix, struct ct_error *error)
{
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_profile);
    char *shipped = NULL, *fresh = ct_format("%s.%ld", prefix, (long)getpid());
    struct ct_table table = {0};
    int status = fresh ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && (status = ct_data_path("decision-tables/default.xml", error, &shipped)) == CT_OK &&
        (status = ct_table_read(shipped, error, &table)) == CT_OK) {
        ct_watch_notice(&watch, "getting ready: building a library for %s %s", mpi->name, mpi->version);
        status = ct_prefix_build(fresh, &table, mpi, false, &watch, error);
    }
    ct_bar_end(&bar);
    /* Another colltune may have been quicker. */
    if (status == CT_OK && rename(fresh, prefix) != 0 && access(prefix, F_OK) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", prefix);
    if (fresh)
        ct_remove_all(fresh, NULL);
    ct_table_free(&table);
    free(shipped);
    free(fresh);
    return status;
}

/* The default library, which is built once. */
static int find_default(const char *name, struct ct_error *error, char **ret_prefix)
{
    struct ct_mpi mpi;
    int status = ct_mpi_find(name, NULL, error, &mpi);
    if (status != CT_OK)
        return status;
    char *prefix = NULL;
    status = ct_mpi_kept(&mpi, "library", "default", error, &prefix);
    if (status == CT_OK && access(prefix, F_OK) != 0)
        status = build_default(&mpi, prefix, error);
    if (status == CT_OK)
        *ret_prefix = prefix;
    else
        free(prefix);
    ct_mpi_free(&mpi);
    return status;
}

/* --- the run --- */

/* The collectives that profiles have, and two more. */
enum { VARIABLES = CT_DENSE_COLLECTIVES + 1 + CT_PRELOAD_VARIABLES };

/* COLLTUNE_<COLLECTIVE>=native; NULL without memory. */
static char *make_native(enum ct_collective collective)
{
    char *variable = ct_format("COLLTUNE_%s=native", ct_collectives[collective].name);
    for (char *at = variable; at && *at != '='; at++)
        *at = (char)toupper((unsigned char)*at);
    return variable;
}

/* Runs the command to its end. The library writes to `path`. */
static int run_command(const struct settings *settings, const char *const *command, const char *path,
                       struct ct_error *error, int *ret_code, double *ret_seconds)
{
    const volatile sig_atomic_t *stop = ct_catch_stop();
    char *variables[VARIABLES + 1] = {0}, *prefix = NULL;
    struct ct_preload_variables preload = {0};
    struct ct_process process;
    size_t count = 0;
    int status = settings->library ? CT_OK : find_default(settings->mpi, error, &prefix);
    if (status == CT_OK)
        status = ct_preload_make(prefix ? prefix : settings->library, error, &preload);
    for (int i = 0; status == CT_OK && prefix && i < CT_DENSE_COLLECTIVES; i++)
        status = (variables[count++] = make_native((enum ct_collective)i)) ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && !(variables[count++] = ct_format("COLLTUNE_PROFILE=%s", path)))
        status = CT_E_MEMORY;
    size_t own = count;
    for (size_t i = 0; preload.entries[i]; i++)
        variables[count++] = preload.entries[i];
    const struct ct_process_options how = {.environment = (const char *const *)variables};
    if (status == CT_OK)
        status = ct_process_start(command, &how, error, &process);
    if (status == CT_OK) {
        double begun = ct_monotonic_now();
        status = ct_process_wait(&process, ret_code);
        *ret_seconds = ct_monotonic_now() - begun;
        if (status != CT_OK || *stop) {
            ct_process_end(&process, 2);
            status = ct_fail(error, CT_E_STOPPED, "stopped");
        }
    }
    for (size_t i = 0; i < own; i++)
        free(variables[i]);
    ct_preload_variables_free(&preload);
    free(prefix);
    return status;
}

/* --- what is printed --- */

/* The ranks that have recorded something: of a job that was aborted not all. */
static int count_ranks(const struct ct_profile_file *profile, size_t *ret_count)
{
    size_t *ranks = ct_allocate(profile->count, sizeof *ranks);
    if (!ranks)
        return CT_E_MEMORY;
    for (size_t i = 0; i < profile->count; i++)
        ranks[i] = profile->lines[i].rank;
    *ret_count = ct_sort_unique(ranks, profile->count);
    free(ranks);
    return CT_OK;
}

static void print_cell(const struct ct_profile_cell *cell, double ranks, double seconds)
{
    char least[CT_SIZE_TEXT];
    printf("%-20s %-11s %6zu %10s %12.1f %10.3f %6.1f%% %6.1f%%\n", ct_collectives[cell->collective].name,
           ct_mode_names[cell->mode], cell->comm_size,
           cell->msg_bytes > 0 ? ct_size_format(cell->msg_bytes, least) : "-", cell->calls / ranks,
           cell->seconds / ranks, 100 * cell->seconds / ranks / seconds,
           cell->seconds > 0 ? 100 * cell->waiting / cell->seconds : 0);
}

static int print(const struct settings *settings, const struct ct_profile_file *profile, double seconds)
{
    struct ct_profile_cell *cells;
    size_t count, rank_count;
    double all = 0, waiting = 0;
    int status = count_ranks(profile, &rank_count);
    if (status != CT_OK || (status = ct_profile_cells(profile, &cells, &count)) != CT_OK)
        return status;
    const double ranks = (double)rank_count;
    printf("%-20s %-11s %6s %10s %12s %10s %7s %7s\n", "collective", "mode", "ranks", "bytes from",
           "calls/rank", "s/rank", "of run", "waiting");
    for (size_t i = 0; i < count; i++) {
        if (i < settings->lines)
            print_cell(&cells[i], ranks, seconds);
        all += cells[i].seconds;
        waiting += cells[i].waiting;
    }
    if (count > settings->lines)
        printf("and %zu line%s less time\n", count - settings->lines,
               count - settings->lines == 1 ? " that takes" : "s that take");
    printf("Collectives take %.3f s of %.3f s, %.1f %% of the run's time, on the mean over %.0f rank%s.\n",
           all / ranks, seconds, 100 * all / ranks / seconds, ranks, ct_s(rank_count));
    printf("Of that %.1f %% is time beyond the shortest calls, such as waiting for ranks that come later.\n",
           all > 0 ? 100 * waiting / all : 0);
    if (settings->output) {
        printf("Measure these calls: colltune measure -o RUN --from-profile ");
        ct_print_word(stdout, settings->output);
        putchar('\n');
    }
    free(cells);
    return CT_OK;
}

/* --- all --- */

/* An absolute path: the application may change its working folder. */
static char *absolute(const char *path)
{
    char here[4096];
    if (*path == '/')
        return strdup(path);
    return getcwd(here, sizeof here) ? ct_format("%s/%s", here, path) : NULL;
}

enum { NOT_FOUND = 127 };

static int tell(const struct settings *settings, const char *path, const char *command, int code,
                double seconds, struct ct_error *error)
{
    struct ct_profile_file profile = {0};
    struct ct_error why = {""};
    int status = ct_profile_file_read(path, &why, &profile);
    if (status == CT_E_SYSTEM && code == NOT_FOUND)
        status = ct_fail(error, CT_E_ANSWER,
                         "'%s' ended with exit code %d, by which shells say that a program was not found",
                         command, code);
    else if (status == CT_E_SYSTEM && code != 0 && !settings->library)
        status = ct_fail(error, CT_E_ANSWER,
                         "'%s' ended with exit code %d and left no profile; if the application uses another "
                         "MPI than %s, name it with --mpi",
                         command, code, settings->mpi ? settings->mpi : ct_mpi_choice(0));
    else if (status == CT_E_SYSTEM && code != 0)
        status =
            ct_fail(error, CT_E_ANSWER, "'%s' ended with exit code %d and left no profile", command, code);
    else if (status == CT_E_SYSTEM)
        status = ct_preload_fail_unused(command, error);
    else if (status != CT_OK)
        status = ct_fail(error, status, "%s", why.text);
    else if (profile.count == 0)
        status = ct_fail(error, CT_E_ANSWER, "'%s' calls no collective that the library takes over", command);
    else
        status = print(settings, &profile, seconds);
    if (status == CT_OK && code != 0)
        status = ct_fail(error, CT_E_ANSWER, "'%s' ended with exit code %d: the profile may lack calls",
                         command, code);
    ct_profile_file_free(&profile);
    return status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    char *folder = NULL, *path = NULL;
    int code = 0;
    double seconds = 0;
    int status = settings->output ? ct_is_new(settings->output, error) : ct_shared_folder(error, &folder);
    if (status == CT_OK && settings->output)
        status = ct_profile_parts_are_new(settings->output, error);
    if (status != CT_OK)
        return status;
    path = folder ? ct_format("%s/profile", folder) : absolute(settings->output);
    status = path ? run_command(settings, arguments->words, path, error, &code, &seconds) : CT_E_MEMORY;
    if (status == CT_OK)
        status = tell(settings, path, arguments->words[0], code, seconds, error);
    if (folder)
        ct_remove_all(folder, NULL);
    free(folder);
    free(path);
    return status;
}

const struct ct_command ct_command_profile = {
    .name = "profile",
    .text = "find out which collectives an application spends its time in",
    .usage = "-- COMMAND...",
    .least = 1,
    .most = SIZE_MAX,
    .about = "Runs a command once with a tuned library preloaded, and prints the blocking collectives that "
             "it calls. A line has the collective, the number of ranks of the communicator, and the message "
             "size, which stands for sizes from this one to less than twice as much. Calls and seconds are "
             "means over the ranks. Then come the share of the run's time, and the share of the seconds that "
             "exceeds the time of the shortest calls, for example because ranks waited for late ones. Exits "
             "with 1 if the run fails, or if the command does not load the library or calls no collective.",
    .notes = "The library is preloaded through the environment of COMMAND. A launcher that starts ranks on "
             "other nodes must pass LD_PRELOAD and variables that begin with COLLTUNE_ on to them.\n\n"
             "Examples:\n"
             "  colltune profile -- mpiexec -n 4 ./app input\n"
             "  colltune profile -o profile.csv --library tuned -- mpiexec -n 4 ./app\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
