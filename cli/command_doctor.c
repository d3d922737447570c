/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/data.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/launch_findings.h"
#include "cli/option_choices.h"
#include "cli/terminal.h"
#include "measure/backend/kept.h"
#include "measure/backend/machine.h"
#include "measure/backend/platform.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct ct_launch_request launch;
    size_t ranks;
    int format;
};

#define AT(member) offsetof(struct settings, member)

static const struct ct_option options[] = {
    {"mpi", 0, "NAME", CT_OPTION_TEXT, AT(launch.mpi), .usual_text = "any of them",
     .text = "require this MPI: mpich, openmpi or smpi"},
    {"cc", 0, "MPICC", CT_OPTION_TEXT, AT(launch.cc), .usual_text = "that of the MPI",
     .text = "require the MPI of this compiler wrapper"},
    {"ranks", 'n', "N", CT_OPTION_WHOLE, AT(ranks), .least = 1, .most = INT32_MAX,
     .text = "say whether N ranks on this machine exceed its CPUs"},
    {"library", 'l', "PREFIX", CT_OPTION_TEXT, AT(launch.library),
     .text = "preload the tuned library in this folder into the launch"},
    {"timeout", 0, "TIME", CT_OPTION_TIME, AT(launch.timeout), .above = true, .usual = "60s",
     .text = "end a launch that takes longer"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, AT(format), .choice = ct_format_choice,
     .text = "write in this format"},
    {0},
};

static const char *reason(const struct ct_error *error)
{
    return ct_failure(CT_E_MEMORY, error);
}

/* --- what comes with colltune --- */

static void find_data(struct ct_findings *findings)
{
    static const char *const names[] = {"algorithms/registry.def", "libcolltune-core.a", "benchmark.list",
                                        "library.list", "samples/run.rng"};
    char *first = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct ct_error error = {""};
        char *path;
        if (ct_data_path(names[i], &error, &path) != CT_OK) {
            ct_findings_add(findings, CT_FINDING_WRONG, "data files", "%s", reason(&error));
            free(first);
            return;
        }
        if (first)
            free(path);
        else
            first = path;
    }
    ct_findings_add(findings, CT_FINDING_GOOD, "data files", "%.*s",
                    (int)(strlen(first) - strlen(names[0]) - 1), first);
    free(first);
}

/* --- where it writes --- */

static void find_folders(struct ct_findings *findings)
{
    struct ct_error error = {""};
    char *folder = NULL;
    int status = ct_cache_folder(&error, &folder);
    ct_findings_add(findings, status == CT_OK ? CT_FINDING_GOOD : CT_FINDING_WRONG, "cache", "%s",
                    status == CT_OK ? folder : reason(&error));
    free(folder);
    folder = NULL;
    status = ct_folder_temporary(&error, &folder);
    if (status != CT_OK)
        ct_findings_add(findings, CT_FINDING_WRONG, "temporary files",
                        "%s; set TMPDIR to a folder that can be written", reason(&error));
    else
        ct_remove_all(folder, NULL);
    free(folder);
}

/* --- compilers, launchers, programs --- */

/* Appends the first line that a program prints of its version. */
static void append_version(const char *program, struct ct_text *text)
{
    struct ct_text output = {0};
    int code;
    if (ct_command_run((const char *const[]){program, "--version", NULL}, &output, NULL, &code) == CT_OK &&
        code == 0 && output.data)
        ct_text_append_bytes(text, output.data, strcspn(output.data, "\n"));
    ct_text_free(&output);
}

static void describe_mpi(const struct ct_mpi *mpi, bool is_usual, double timeout,
                         const struct ct_watch *watch, struct ct_findings *findings)
{
    struct ct_text compiler = {0};
    append_version(mpi->cc, &compiler);
    if (is_usual)
        ct_findings_add(findings, CT_FINDING_GOOD, mpi->name, "version %s", mpi->version);
    else
        ct_findings_add(findings, CT_FINDING_GOOD, mpi->name, "version %s; commands use it with --mpi %s",
                        mpi->version, mpi->name);
    ct_findings_add(findings, CT_FINDING_GOOD, mpi->name, "compiler %s: %s", mpi->cc,
                    compiler.data ? compiler.data : "of unknown version");
    ct_text_free(&compiler);
    if (mpi->launcher)
        ct_start_findings(mpi, timeout, watch, findings);
    else
        ct_findings_add(findings, CT_FINDING_WRONG, mpi->name,
                        "launcher: its mpiexec is not in PATH; install it, or name another with --launcher");
}

static void describe_simulator(const struct ct_mpi *mpi, struct ct_findings *findings)
{
    struct ct_text names = {0};
    const char *name;
    ct_findings_add(findings, mpi->launcher ? CT_FINDING_GOOD : CT_FINDING_WRONG, mpi->name,
                    "version %s, compiler %s, launcher %s", mpi->version, mpi->cc,
                    mpi->launcher ? mpi->launcher : "missing: smpirun is not in PATH");
    for (size_t i = 0; (name = ct_platform_choice(i)); i++) {
        struct ct_platform platform = {0};
        struct ct_error error = {""};
        if (ct_platform_load(name, &error, &platform) != CT_OK)
            ct_findings_add(findings, CT_FINDING_WRONG, "platforms", "%s", reason(&error));
        else
            ct_text_append(&names, "%s%s", names.length ? ", " : "", name);
        ct_platform_free(&platform);
    }
    if (names.length)
        ct_findings_add(findings, CT_FINDING_GOOD, "platforms", "%s", names.data);
    ct_text_free(&names);
}

static bool is_simulator(const char *name)
{
    return strcmp(name, "smpi") == 0;
}

static void begin_step(const struct ct_watch *watch, size_t step, size_t steps, const char *note)
{
    ct_watch_progress(watch,
                      &(struct ct_progress){
                          .what = "checking", .units = "parts", .done = step, .total = steps, .note = note});
}

/* Returns whether that MPI works. */
static bool find_mpi(const char *name, const char *cc, double timeout, const struct ct_watch *watch,
                     struct ct_findings *findings)
{
    const size_t wrong = ct_findings_count(findings, CT_FINDING_WRONG);
    struct ct_error error = {""};
    struct ct_mpi mpi = {0};
    if (ct_mpi_find(name, cc, &error, &mpi) != CT_OK)
        ct_findings_add(findings, CT_FINDING_WRONG, name ? name : "mpi", "%s", reason(&error));
    else if (is_simulator(mpi.name))
        describe_simulator(&mpi, findings);
    else
        describe_mpi(&mpi, cc || strcmp(mpi.name, ct_mpi_choice(0)) == 0, timeout, watch, findings);
    ct_mpi_free(&mpi);
    return ct_findings_count(findings, CT_FINDING_WRONG) == wrong;
}

static size_t count_mpis(const struct ct_launch_request *request)
{
    size_t count = 1;
    while (!request->mpi && !request->cc && ct_mpi_choice(count))
        count++;
    return count;
}

/* One that is asked for is needed. Else any will do, and where none works, the default is to be mended: what
 * is wrong with the others is a note. */
static void find_mpis(const struct ct_launch_request *request, const struct ct_watch *watch, size_t steps,
                      struct ct_findings *findings)
{
    const size_t begin = findings->count;
    bool found = false;
    const char *name;
    if (request->mpi || request->cc) {
        begin_step(watch, 0, steps, request->mpi ? request->mpi : request->cc);
        find_mpi(request->mpi, request->cc, request->timeout, watch, findings);
        return;
    }
    for (size_t i = 0; !ct_watch_is_stopped(watch) && (name = ct_mpi_choice(i)); i++) {
        begin_step(watch, i, steps, name);
        found |= find_mpi(name, NULL, request->timeout, watch, findings) && !is_simulator(name);
    }
    for (size_t i = begin; i < findings->count; i++) {
        struct ct_finding *finding = &findings->items[i];
        bool is_needed = !found && strcmp(finding->subject, ct_mpi_choice(0)) == 0;
        if (finding->state == CT_FINDING_WRONG && !is_needed)
            finding->state = CT_FINDING_NOTE;
    }
}

static void find_program(const char *name, const char *purpose, const char *package,
                         enum ct_finding_state absent, struct ct_findings *findings)
{
    struct ct_text version = {0};
    char *path = ct_program_find(name);
    if (!path) {
        ct_findings_add(findings, absent, name, "not in PATH, needed for %s: install the package %s", purpose,
                        package);
        return;
    }
    append_version(path, &version);
    ct_findings_add(findings, CT_FINDING_GOOD, name, "%s (%s)", path,
                    version.data ? version.data : "of unknown version");
    ct_text_free(&version);
    free(path);
}

/* --- CPUs --- */

static void count_cpus(size_t ranks, struct ct_findings *findings)
{
    const size_t cpus = ct_usable_cpus();
    if (ranks > cpus)
        ct_findings_add(findings, CT_FINDING_NOTE, "CPUs",
                        "%zu usable; %zu ranks are oversubscribed: expect times that vary", cpus, ranks);
    else if (ranks > 0)
        ct_findings_add(findings, CT_FINDING_GOOD, "CPUs", "%zu usable; %zu rank%s one each", cpus, ranks,
                        ranks == 1 ? " has" : "s have");
    else
        ct_findings_add(findings, CT_FINDING_GOOD, "CPUs",
                        "%zu usable; more than %zu rank%s on this machine are oversubscribed", cpus, cpus,
                        ct_s(cpus));
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_findings findings = {0};
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_doctor);
    const size_t mpis = count_mpis(&settings->launch), steps = mpis + 1 + (arguments->count > 0);
    find_data(&findings);
    find_folders(&findings);
    find_mpis(&settings->launch, &watch, steps, &findings);
    begin_step(&watch, mpis, steps, "programs");
    find_program("ar", "colltune build", "binutils", CT_FINDING_WRONG, &findings);
    find_program("gnuplot", "reports", "gnuplot-nox (RHEL and SLES: gnuplot)", CT_FINDING_NOTE, &findings);
    count_cpus(settings->ranks, &findings);
    if (arguments->count > 0 && !ct_watch_is_stopped(&watch)) {
        begin_step(&watch, mpis + 1, steps, "launch");
        ct_launch_findings(arguments->words, &settings->launch, &watch, &findings);
    }
    ct_bar_end(&bar);
    const size_t wrong = ct_findings_count(&findings, CT_FINDING_WRONG);
    int status = ct_watch_is_stopped(&watch) ? ct_fail(error, CT_E_STOPPED, "stopped") : findings.status;
    if (status == CT_OK) {
        ct_findings_print(&findings, settings->format);
        status = wrong == 0 ? CT_OK
                            : ct_fail(error, CT_E_ANSWER, "%zu of %zu check%s failed", wrong, findings.count,
                                      ct_s(findings.count));
    }
    ct_findings_free(&findings);
    return status;
}

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *mpi = settings->launch.mpi, *known = ct_mpi_choice(0);
    for (size_t i = 1; mpi && known && strcmp(mpi, known) != 0; i++)
        known = ct_mpi_choice(i);
    if (!known)
        return ct_fail(error, CT_E_INPUT, "--mpi: unknown MPI '%s'; expected mpich, openmpi or smpi", mpi);
    if (settings->launch.library && arguments->count == 0)
        return ct_fail(error, CT_E_INPUT, "--library: expected a launch command, too: -- mpiexec -n 4 ./app");
    return CT_OK;
}

const struct ct_command ct_command_doctor = {
    .name = "doctor",
    .text = "check what colltune needs, and whether preloading takes effect",
    .usage = "[-- LAUNCHER... APPLICATION]",
    .most = SIZE_MAX,
    .about =
        "Checks that all that colltune needs is installed and works: an MPI with its compiler wrapper and "
        "launcher, which start two ranks; the simulator; other programs; folders that can be written. "
        "Given a launch command, checks whether a library can be preloaded into the application, and "
        "starts a small program in the application's place to see whether LD_PRELOAD reaches the ranks. "
        "The application itself is not started.",
    .notes = "FAIL: a requirement is missing or does not work. note: something optional is missing, or has "
             "an effect that may be unexpected. Exits with 1 if there is a FAIL.\n\n"
             "Examples:\n"
             "  colltune doctor\n"
             "  colltune doctor --library tuned -- mpiexec.mpich -n 4 ./app\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
