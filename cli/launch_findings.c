/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/launch_findings.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/prefix.h"
#include "measure/backend/executable.h"
#include "measure/backend/kept.h"
#include "measure/backend/launch_probe.h"
#include "measure/backend/launcher.h"
#include "measure/backend/preload_variables.h"

#include <stdlib.h>
#include <string.h>

#define WRONG CT_FINDING_WRONG
#define NOTE  CT_FINDING_NOTE
#define GOOD  CT_FINDING_GOOD

/* Where there is no tuned library to preload: what every loader finds, on every host. */
static const char stand_in[] = "libm.so.6";

static const char *reason(const struct ct_error *error)
{
    return ct_failure(CT_E_MEMORY, error);
}

/* --- a launch --- */

static void judge_launch(const struct ct_launch_result *result, const char *subject, const char *launcher,
                         bool has_library, struct ct_findings *findings)
{
    if (result->worlds != 1)
        ct_findings_add(
            findings, WRONG, subject,
            "launcher %s: %zu ranks start, in %zu separate MPI_COMM_WORLDs: the launcher is of another MPI "
            "than the program; expected that MPI's own mpiexec",
            launcher, result->ranks, result->worlds);
    if (result->reached < result->ranks)
        ct_findings_add(
            findings, WRONG, subject,
            "launcher %s: LD_PRELOAD does not reach %zu of %zu ranks (host %s); let the launcher set it, by "
            "-x LD_PRELOAD (Open MPI), -genv LD_PRELOAD FILE (MPICH) or --export=ALL (Slurm)",
            launcher, result->ranks - result->reached, result->ranks, result->lost_host);
    else if (has_library && result->tuned < result->ranks)
        ct_findings_add(findings, WRONG, subject, "launcher %s: %zu of %zu ranks do not load the library; %s",
                        launcher, result->ranks - result->tuned, result->ranks,
                        result->warning ? result->warning : "expected it at the same path on each host");
    else if (result->worlds == 1)
        ct_findings_add(findings, GOOD, subject, "launcher %s: %zu ranks start on %zu host%s; %s all of them",
                        launcher, result->ranks, result->hosts, result->hosts == 1 ? "" : "s",
                        has_library ? "the library is loaded by" : "LD_PRELOAD reaches");
}

/* Compiles the probe, which takes a second, without a bar of its own. */
static int keep_probe(const struct ct_mpi *mpi, const struct ct_watch *watch, struct ct_error *error,
                      char **ret_program)
{
    const struct ct_watch stops = {.stop = ct_watch_flag(watch)};
    return ct_mpi_keep(mpi, CT_PROGRAM, "preload-probe", NULL, &stops, error, ret_program);
}

void ct_start_findings(const struct ct_mpi *mpi, double timeout, const struct ct_watch *watch,
                       struct ct_findings *findings)
{
    const struct ct_launch_probe probe = {.preload = stand_in, .timeout = timeout, .watch = watch};
    const struct ct_launch two = {.np = 2, .mpi = mpi->name};
    struct ct_launch_result result = {0};
    struct ct_error error = {""};
    char *program = NULL, *launcher = ct_launcher_of(mpi->launcher), **words = NULL;
    if (keep_probe(mpi, watch, &error, &program) != CT_OK)
        ct_findings_add(findings, WRONG, mpi->name, "compiler %s: %s", mpi->cc, reason(&error));
    else if (!launcher ||
             ct_launcher_expand(launcher, &two, (const char *[]){program, NULL}, &error, &words) != CT_OK ||
             ct_launch_probe_run((const char *const *)words, &probe, &error, &result) != CT_OK)
        ct_findings_add(findings, WRONG, mpi->name, "launcher %s: %s", mpi->launcher, reason(&error));
    else
        judge_launch(&result, mpi->name, mpi->launcher, false, findings);
    ct_launch_result_free(&result);
    ct_launcher_free(words);
    free(launcher);
    free(program);
}

/* --- the application --- */

/* Whether a library can be preloaded into it; *ret_application holds nothing where the answer is no. */
static bool examine(const char *path, struct ct_findings *findings, struct ct_executable *ret_application)
{
    struct ct_executable application;
    struct ct_error error = {""};
    if (ct_executable_read(path, &error, &application) != CT_OK) {
        ct_findings_add(findings, WRONG, "application", "%s", reason(&error));
        return false;
    }
    const size_t wrong = ct_findings_count(findings, WRONG);
    if (application.is_privileged)
        ct_findings_add(findings, WRONG, "application",
                        "%s: is setuid or has capabilities, so that LD_PRELOAD is ignored; link the library",
                        path);
    if (application.kind == CT_EXECUTABLE_STATIC)
        ct_findings_add(findings, WRONG, "application",
                        "%s: is linked statically, so that nothing can be preloaded; link libcolltuned.a",
                        path);
    if (application.missing)
        ct_findings_add(findings, WRONG, "application",
                        "%s: the loader does not find %s; load its module, or set LD_LIBRARY_PATH", path,
                        application.missing);
    if (application.kind == CT_EXECUTABLE_SCRIPT)
        ct_findings_add(findings, NOTE, "application",
                        "%s: is a script; the programs that it starts are not examined", path);
    else if (application.kind == CT_EXECUTABLE_DYNAMIC && !application.mpi && application.loads_later)
        ct_findings_add(findings, NOTE, "application",
                        "%s: is not linked with MPI; if it loads MPI later, as Python does, that must be the "
                        "library's MPI",
                        path);
    else if (application.kind == CT_EXECUTABLE_DYNAMIC && !application.mpi && !application.missing)
        ct_findings_add(findings, WRONG, "application",
                        "%s: is no MPI program, or MPI is linked statically; expected one that loads libmpi",
                        path);
    if (ct_findings_count(findings, WRONG) > wrong) {
        ct_executable_free(&application);
        return false;
    }
    if (application.mpi)
        ct_findings_add(findings, GOOD, "application", "%s: loads %s%s", path, application.mpi,
                        application.is_tuned ? ", and libcolltuned by itself" : "");
    *ret_application = application;
    return true;
}

/* Can the library be preloaded into the application? */
static bool examine_library(const char *path, const struct ct_executable *application,
                            struct ct_findings *findings)
{
    struct ct_preload_variables variables = {0};
    struct ct_executable library;
    struct ct_error error = {""};
    if (ct_executable_read(path, &error, &library) != CT_OK) {
        ct_findings_add(findings, WRONG, "library", "%s", reason(&error));
        return false;
    }
    bool is_other = library.mpi && application->mpi && strcmp(library.mpi, application->mpi) != 0;
    bool is_alike = is_other && strcmp(library.mpi_soname, application->mpi_soname) == 0;
    bool is_library = library.kind == CT_EXECUTABLE_DYNAMIC;
    int preloads = ct_preload_variables_make(path, &error, &variables);
    if (!is_library)
        ct_findings_add(findings, WRONG, "library", "%s: is no shared library", path);
    if (preloads != CT_OK)
        ct_findings_add(findings, WRONG, "library", "%s", reason(&error));
    else if (variables.entries[1])
        ct_findings_add(
            findings, NOTE, "library",
            "%s: LD_PRELOAD takes no path with a blank; set LD_PRELOAD=%s, and put its folder into "
            "LD_LIBRARY_PATH",
            path, variables.word);
    if (library.missing)
        ct_findings_add(findings, WRONG, "library",
                        "%s: the loader does not find %s; load its module, or set LD_LIBRARY_PATH", path,
                        library.missing);
    if (is_other && !is_alike)
        ct_findings_add(findings, WRONG, "library",
                        "%s: is for %s, the application loads %s; build one with --mpi %s", path,
                        library.mpi_soname, application->mpi_soname,
                        application->mpi_name ? application->mpi_name : "NAME");
    else if (is_alike)
        ct_findings_add(findings, NOTE, "library",
                        "%s: loads %s, the application loads %s: two builds of one MPI", path, library.mpi,
                        application->mpi);
    else if (is_library && preloads == CT_OK && !library.missing)
        ct_findings_add(findings, GOOD, "library", "%s: loads %s", path,
                        library.mpi ? library.mpi : "no MPI");
    bool fits = is_library && preloads == CT_OK && !library.missing && (!is_other || is_alike);
    ct_preload_variables_free(&variables);
    ct_executable_free(&library);
    return fits;
}

/* --- both --- */

/* The MPI whose compiler makes our probe. */
static int find_mpi(const struct ct_launch_request *request, const struct ct_executable *application,
                    struct ct_error *error, struct ct_mpi *ret_mpi)
{
    char *cc = NULL;
    int status = request->library && !request->cc && !request->mpi
                     ? ct_prefix_compiler(request->library, error, &cc)
                     : CT_OK;
    if (status == CT_OK)
        status = ct_mpi_find(request->mpi || cc || request->cc ? request->mpi : application->mpi_name,
                             cc ? cc : request->cc, error, ret_mpi);
    free(cc);
    return status;
}

/* Starts the probe in place of the application, the words behind which are left out. */
static void try_launch(const char *const *words, size_t application, const char *library,
                       const struct ct_mpi *mpi, const char *expected_mpi, double timeout,
                       const struct ct_watch *watch, struct ct_findings *findings)
{
    const struct ct_launch_probe probe = {
        .preload = library ? library : stand_in, .timeout = timeout, .watch = watch};
    struct ct_launch_result result = {0};
    struct ct_error error = {""};
    char *program = NULL;
    const char **launch = calloc(application + 2, sizeof *launch);
    int status = launch ? keep_probe(mpi, watch, &error, &program) : CT_E_MEMORY;
    if (status == CT_OK) {
        memcpy(launch, words, application * sizeof *launch);
        launch[application] = program;
        status = ct_launch_probe_run(launch, &probe, &error, &result);
    }
    if (status != CT_OK)
        ct_findings_add(findings, WRONG, "launch", "%s", reason(&error));
    else
        judge_launch(&result, "launch", words[0], library != NULL, findings);
    if (result.mpi && expected_mpi && *result.mpi && strcmp(result.mpi, expected_mpi) != 0)
        ct_findings_add(findings, NOTE, "launch",
                        "%s compiles for %s, the application loads %s; name its compiler with --cc", mpi->cc,
                        result.mpi, expected_mpi);
    if (result.crowded > 0)
        ct_findings_add(findings, NOTE, "launch",
                        "a host has %zu rank%s more than CPUs: oversubscribed; expect times that vary",
                        result.crowded, ct_s(result.crowded));
    ct_launch_result_free(&result);
    free(launch);
    free(program);
}

void ct_launch_findings(const char *const *words, const struct ct_launch_request *request,
                        const struct ct_watch *watch, struct ct_findings *findings)
{
    struct ct_executable application = {0};
    struct ct_error error = {""};
    struct ct_mpi mpi = {0};
    size_t index = ct_launch_application(words);
    char *path = index > 0 ? ct_program_find(words[index]) : NULL, *library = NULL, *file = NULL;
    if (!path) {
        ct_findings_add(findings, WRONG, "launch",
                        "no word of it is a program to launch; expected LAUNCHER OPTION... APPLICATION");
        return;
    }
    if (request->library) {
        file = ct_format("%s/lib/libcolltuned.so", request->library);
        library = file ? realpath(file, NULL) : NULL;
    }
    if (request->library && !library)
        ct_findings_add(findings, WRONG, "library",
                        "%s/lib/libcolltuned.so: there is no such file; expected what `colltune build` makes",
                        request->library);
    else if (examine(path, findings, &application) &&
             (!library || examine_library(library, &application, findings))) {
        if (find_mpi(request, &application, &error, &mpi) == CT_OK)
            try_launch(words, index, library, &mpi, application.mpi, request->timeout, watch, findings);
        else
            ct_findings_add(findings, WRONG, "launch", "cannot be tried: %s", reason(&error));
    }
    ct_executable_free(&application);
    ct_mpi_free(&mpi);
    free(library);
    free(file);
    free(path);
}
