/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_memory COLLTUNE: peak memory and time of the commands on a run of a million samples (made up, not
 * measured). */
#include "base/file.h"
#include "samples/run_folder.h"
#include "samples/samples_csv_write.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZES = 31, MESSAGES = 20, REPETITIONS = 96 };

static void fill(struct ct_run_description *description)
{
    static size_t comm_sizes[SIZES], msg_sizes[MESSAGES];
    static enum ct_collective collectives[] = {CT_COLLECTIVE_BCAST};
    size_t capacity = 0;
    for (size_t i = 0; i < SIZES; i++)
        comm_sizes[i] = i + 2;
    for (size_t i = 0; i < MESSAGES; i++)
        msg_sizes[i] = (size_t)1 << i;
    *description = (struct ct_run_description){.tool_version = strdup("0.1.0"),
                                               .created = strdup("2026-01-01T00:00:00Z"),
                                               .backend = strdup("real"),
                                               .launcher = strdup("none"),
                                               .time = strdup("global"),
                                               .sync = strdup("barrier/dissemination"),
                                               .seed = 1,
                                               .collectives = collectives,
                                               .collective_count = 1,
                                               .comm_sizes = comm_sizes,
                                               .comm_size_count = SIZES,
                                               .msg_sizes = msg_sizes,
                                               .msg_size_count = MESSAGES,
                                               .launches = 1,
                                               .least_repetitions = REPETITIONS,
                                               .most_repetitions = REPETITIONS,
                                               .precision = 0.05,
                                               .most_seconds = 1};
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (ct_algorithms[i].collective == CT_COLLECTIVE_BCAST)
            ct_methods_of(&ct_algorithms[i], &description->methods, &description->method_count, &capacity);
    if (description->method_count > 17)
        description->method_count = 17;
}

static int make_run(const char *folder, struct ct_error *error)
{
    struct ct_run_description description;
    struct ct_sample_writer writer;
    fill(&description);
    int status = ct_run_create(folder, &description, error);
    if (status == CT_OK)
        status = ct_samples_open(folder, &description, SIZE_MAX, error, &writer);
    if (status != CT_OK)
        return status;
    struct ct_sample sample = {.key = {.nodes = 1}};
    for (size_t cell = 0; cell < (size_t)SIZES * MESSAGES; cell++) {
        sample.key.comm_size = sample.key.ppn = (uint32_t)description.comm_sizes[cell / MESSAGES];
        sample.key.msg_bytes = description.msg_sizes[cell % MESSAGES];
        for (size_t method = 0; method < description.method_count; method++)
            for (sample.rep = 0; status == CT_OK && sample.rep < REPETITIONS; sample.rep++) {
                sample.seconds = 1e-6 * (double)(1 + (method * 7 + cell) % 13) + 1e-9 * (double)sample.rep;
                status = ct_samples_add(&writer, &description.methods[method], &sample, "byte", "");
            }
        if (status == CT_OK)
            status = ct_samples_commit(&writer, CT_COLLECTIVE_BCAST, &sample);
    }
    free(description.methods);
    int closed = ct_samples_close(&writer);
    return status == CT_OK ? closed : status;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Runs a command in `folder` and prints what it needed. */
static bool measure(const char *folder, const char *const *argv)
{
    struct rusage usage;
    double begin = now();
    int code = 0;
    fflush(stdout);
    pid_t id = fork();
    if (id == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        if (chdir(folder) == 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
            execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    if (id < 0 || wait4(id, &code, 0, &usage) != id)
        return false;
    printf("%-8s %7.1f MiB %7.2f s  exit %d\n", argv[1], (double)usage.ru_maxrss / 1024, now() - begin,
           WEXITSTATUS(code));
    return code == 0;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/colltune-bench-XXXXXX";
    struct ct_error error = {0};
    char *run = mkdtemp(folder) ? ct_format("%s/run", folder) : NULL;
    char *colltune = argc == 2 ? realpath(argv[1], NULL) : NULL; /* commands run in the folder */
    if (!colltune || !run || make_run(run, &error) != CT_OK) {
        fprintf(stderr, "bench_memory: %s\n", colltune ? error.text : "expected the path of colltune");
        return EXIT_FAILURE;
    }
    printf("%d samples\n", SIZES * MESSAGES * 17 * REPETITIONS);
    const char *const commands[][8] = {{colltune, "map", "run", NULL},
                                       {colltune, "learn", "run", "-o", "table.xml", NULL},
                                       {colltune, "score", "table.xml", "run", NULL},
                                       {colltune, "report", "run", "table.xml", "-o", "report", NULL}};
    bool good = true;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        good = measure(folder, commands[i]) && good;
    ct_remove_all(folder, NULL);
    free(run);
    free(colltune);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
