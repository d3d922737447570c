/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/launch_probe.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "measure/backend/preload_variables.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* --- the words of a launch --- */

/* Programs that start the program which follows them. */
static const char starters[] = " mpiexec mpirun orterun prun srun aprun jsrun ibrun flux env time nice nohup "
                               "numactl taskset timeout stdbuf setarch strace valgrind catchsegv ";

/* Behind the folders. */
static const char *file_name(const char *word)
{
    const char *slash = strrchr(word, '/');
    return slash ? slash + 1 : word;
}

/* mpiexec.mpich starts others as mpiexec does. */
static bool starts_another(const char *word)
{
    const char *name = file_name(word);
    char *padded = ct_format(" %.*s ", (int)strcspn(name, "."), name);
    bool starts = padded && strstr(starters, padded);
    free(padded);
    return starts;
}

/* A file that can be executed, but no shared library: compilers make these executable, too. */
static bool is_program(const char *word)
{
    struct stat about;
    if (*word == '-' || strchr(file_name(word), '=') || strstr(file_name(word), ".so"))
        return false;
    char *path = ct_program_find(word);
    bool is = path && stat(path, &about) == 0 && S_ISREG(about.st_mode);
    free(path);
    return is;
}

/* A name without a folder may be the value of an option, such as a partition of Slurm. */
size_t ct_launch_application(const char *const *words)
{
    for (int anywhere = 0; anywhere < 2; anywhere++)
        for (size_t i = 1; words[0] && words[i]; i++)
            if ((anywhere || strchr(words[i], '/')) && is_program(words[i]) && !starts_another(words[i]))
                return i;
    return 0;
}

/* --- the answers of ranks --- */

struct host {
    char *name;
    size_t ranks;
    size_t cpus;
};

struct answers {
    struct ct_launch_result result;
    struct host *hosts;
    size_t host_capacity;
};

static const char mark[] = "colltune-probe\t";

enum { RANK, SIZE, CPUS, HOST, TUNED, MPI, PRELOAD, FIELDS };

static int count_on_host(struct answers *answers, const char *name, size_t cpus)
{
    size_t count = answers->result.hosts, i = 0;
    while (i < count && strcmp(answers->hosts[i].name, name) != 0)
        i++;
    if (i == count) {
        if (ct_grow(&answers->hosts, &answers->host_capacity, count + 1, sizeof *answers->hosts) != CT_OK)
            return CT_E_MEMORY;
        answers->hosts[i] = (struct host){.name = strdup(name), .cpus = cpus};
        if (!answers->hosts[i].name)
            return CT_E_MEMORY;
        answers->result.hosts++;
    }
    struct host *host = &answers->hosts[i];
    size_t over = ++host->ranks > cpus ? host->ranks - cpus : 0;
    if (over > answers->result.crowded)
        answers->result.crowded = over;
    return CT_OK;
}

/* Takes a line; launchers may have put a label before ours. Other lines are passed over. */
static int take_line(char *line, const char *preload, struct answers *answers)
{
    struct ct_launch_result *result = &answers->result;
    char *rest = strstr(line, mark), *fields[FIELDS];
    if (!rest) {
        bool warns = !result->warning && strstr(line, "LD_PRELOAD") && strstr(line, "ld.so");
        return warns && !(result->warning = strdup(line)) ? CT_E_MEMORY : CT_OK;
    }
    rest += sizeof mark - 1;
    for (int i = 0; i < FIELDS; i++)
        if (!(fields[i] = strsep(&rest, "\t")))
            return CT_OK;
    result->ranks++;
    result->worlds += strcmp(fields[RANK], "0") == 0;
    result->tuned += *fields[TUNED] != '\0';
    if (!preload || strstr(fields[PRELOAD], preload))
        result->reached++;
    else if (!result->lost_host && !(result->lost_host = strdup(fields[HOST])))
        return CT_E_MEMORY;
    if (!result->mpi && !(result->mpi = strdup(fields[MPI])))
        return CT_E_MEMORY;
    return count_on_host(answers, fields[HOST], strtoul(fields[CPUS], NULL, 10));
}

static int take_log(const char *log, const char *preload, struct ct_error *error,
                    struct ct_launch_result *ret_result)
{
    struct answers answers = {0};
    char *text = NULL, *first = NULL;
    size_t length;
    int status = ct_file_read(log, error, &text, &length);
    char *rest = text;
    for (char *line; status == CT_OK && (line = strsep(&rest, "\n"));) {
        first = first || !line[strspn(line, " \t-=[]")] ? first : line;
        status = take_line(line, preload, &answers);
    }
    if (status == CT_OK && answers.result.ranks == 0)
        status = ct_fail(error, CT_E_SYSTEM, "no rank answers; %s%.400s",
                         first ? "the launch says: " : "the launch prints nothing", first ? first : "");
    for (size_t i = 0; i < answers.result.hosts; i++)
        free(answers.hosts[i].name);
    free(answers.hosts);
    free(text);
    if (status == CT_OK)
        *ret_result = answers.result;
    else
        ct_launch_result_free(&answers.result);
    return status;
}

/* --- the launch --- */

/* The share of the timeout that is gone is all that is known of the progress. */
static int wait_for(struct ct_process *process, const struct ct_launch_probe *probe, struct ct_error *error)
{
    enum { PARTS = 1000 };
    const struct timespec nap = {.tv_nsec = 20000000};
    const double begun = ct_monotonic_now(), grace = 1;
    int ended = 0, code;
    while (!ended) {
        int status = ct_process_poll(process, &ended, &code);
        if (status != CT_OK)
            return ct_fail(error, status, "the state of the launch is unknown");
        if (ended)
            break;
        const double share = (ct_monotonic_now() - begun) / probe->timeout;
        const bool is_stopped = ct_watch_is_stopped(probe->watch);
        if (is_stopped || share > 1) {
            ct_process_end(process, grace);
            return is_stopped
                       ? ct_fail(error, CT_E_STOPPED, "stopped")
                       : ct_fail(error, CT_E_SYSTEM, "the launch does not end within %g s", probe->timeout);
        }
        ct_watch_progress(probe->watch,
                          &(struct ct_progress){.done = (size_t)(PARTS * share), .total = PARTS});
        nanosleep(&nap, NULL);
    }
    return CT_OK;
}

int ct_launch_probe_run(const char *const *words, const struct ct_launch_probe *probe, struct ct_error *error,
                        struct ct_launch_result *ret_result)
{
    struct ct_preload_variables variables = {0};
    char *folder = NULL, *log = NULL;
    struct ct_process process;
    int status = ct_folder_temporary(error, &folder);
    if (status != CT_OK)
        return status;
    log = ct_format("%s/log", folder);
    status = log ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && probe->preload)
        status = ct_preload_variables_make(probe->preload, error, &variables);
    const struct ct_process_options options = {.output = log,
                                               .environment = (const char *const *)variables.entries};
    if (status == CT_OK && (status = ct_process_start(words, &options, error, &process)) == CT_OK &&
        (status = wait_for(&process, probe, error)) == CT_OK)
        status = take_log(log, variables.word, error, ret_result);
    ct_remove_all(folder, NULL);
    free(folder);
    free(log);
    ct_preload_variables_free(&variables);
    return status;
}

void ct_launch_result_free(struct ct_launch_result *result)
{
    free(result->lost_host);
    free(result->mpi);
    free(result->warning);
    *result = (struct ct_launch_result){0};
}
