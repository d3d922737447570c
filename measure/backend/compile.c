/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "measure/backend/source_list.h"
#include "measure/backend/toolchain.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t usable_cpus(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static bool is_source(const char *word)
{
    size_t length = strlen(word);
    return length > 2 && strcmp(word + length - 2, ".c") == 0;
}

/* The first line of the compiler's output that tells of an error, or its first line. */
static int compiler_error(const char *log, const char *what, struct ct_error *error)
{
    static const char *const marks[] = {"undefined reference", "multiple definition", "error: "};
    char *text = NULL;
    size_t length;
    const char *line = NULL;
    if (ct_file_read(log, NULL, &text, &length) == CT_OK) {
        for (size_t i = 0; i < sizeof marks / sizeof marks[0] && !line; i++)
            line = strstr(text, marks[i]);
        while (line && line > text && line[-1] != '\n')
            line--;
        line = line ? line : text;
    }
    int status = ct_fail(error, CT_E_SYSTEM, "%s: does not compile: %.*s", what,
                         line && *line ? (int)strcspn(line, "\n") : 22,
                         line && *line ? line : "no word from the compiler");
    free(text);
    return status;
}

/* Runs one command of `argv` with its output in `log`. */
static int run_logged(const char *const *argv, const char *log, const char *what, struct ct_error *error)
{
    struct ct_process_options options = {.output = log};
    struct ct_process process;
    int code, status = ct_process_start(argv, &options, error, &process);
    if (status != CT_OK)
        return status;
    do
        status = ct_process_wait(&process, &code);
    while (status == CT_E_STOPPED);
    return status != CT_OK ? status : code == 0 ? CT_OK : compiler_error(log, what, error);
}

struct compiler {
    const struct ct_mpi *mpi;
    const char *root;
    const char *folder;       /* for objects and logs */
    const char *const *extra; /* flags for every file; sources and libraries are passed over */
    bool shared;              /* objects for a shared library */
    bool whole;               /* can optimize over all files at link time */
};

/* Optimizing over all files saves some 10 ns a call. Fat objects, so that an archive of them serves any
 * linker. */
static const char *const whole_flags[] = {"-flto", "-ffat-lto-objects", NULL};

static bool takes_whole_flags(const char *cc)
{
    const char *const argv[] = {cc,  whole_flags[0], whole_flags[1], "-Werror",   "-c", "-x",
                                "c", "/dev/null",    "-o",           "/dev/null", NULL};
    int code;
    return ct_command_run(argv, NULL, NULL, &code) == CT_OK && code == 0;
}

static int start_object(const struct compiler *compiler, const char *source, size_t index,
                        struct ct_error *error, struct ct_process *ret_process)
{
    struct ct_word_list argv = {0};
    ct_word_list_add(&argv, strdup(compiler->mpi->cc));
    static const char *const flags[] = {"-std=gnu11", "-D_GNU_SOURCE", "-O3", "-fPIC"};
    size_t flag_count = sizeof flags / sizeof flags[0] - !compiler->shared;
    for (size_t i = 0; i < flag_count; i++)
        ct_word_list_add(&argv, strdup(flags[i]));
    for (const char *const *flag = whole_flags; compiler->whole && *flag; flag++)
        ct_word_list_add(&argv, strdup(*flag));
    for (const char *const *extra = compiler->extra; extra && *extra; extra++)
        if ((*extra)[0] == '-' && strncmp(*extra, "-l", 2) != 0 && strncmp(*extra, "-Wl,", 4) != 0)
            ct_word_list_add(&argv, strdup(*extra));
    ct_word_list_add(&argv, ct_format("-I%s", compiler->root));
    ct_word_list_add(&argv, strdup("-c"));
    ct_word_list_add(&argv, strdup(source));
    ct_word_list_add(&argv, strdup("-o"));
    ct_word_list_add(&argv, ct_format("%s/%zu.o", compiler->folder, index));
    char *log = ct_format("%s/%zu.log", compiler->folder, index);
    int status = log ? argv.status : CT_E_MEMORY;
    if (status == CT_OK) {
        struct ct_process_options options = {.output = log};
        status = ct_process_start((const char *const *)argv.data, &options, error, ret_process);
    }
    free(log);
    ct_word_list_free(&argv);
    return status;
}

/* Waits for the compilation of one file; `error` is NULL where another has failed before. */
static int finish_object(const struct compiler *compiler, struct ct_process *process, const char *source,
                         size_t index, struct ct_error *error)
{
    int code, status;
    do
        status = ct_process_wait(process, &code);
    while (status == CT_E_STOPPED);
    if (status != CT_OK || code == 0)
        return status;
    char *log = ct_format("%s/%zu.log", compiler->folder, index);
    status = log ? compiler_error(log, source, error) : CT_E_MEMORY;
    free(log);
    return status;
}

/* Compiles all sources, as many at a time as there are CPUs. */
static int compile_objects(const struct compiler *compiler, const struct ct_word_list *sources,
                           struct ct_error *error)
{
    size_t begun = 0, ended = 0, cpus = usable_cpus();
    int status = CT_OK;
    struct ct_process *processes = ct_allocate(sources->count, sizeof *processes);
    if (!processes)
        return CT_E_MEMORY;
    while (ended < begun || (status == CT_OK && begun < sources->count)) {
        if (status == CT_OK && begun < sources->count && begun - ended < cpus) {
            status = start_object(compiler, sources->data[begun], begun, error, &processes[begun]);
            begun += status == CT_OK;
            continue;
        }
        int code = finish_object(compiler, &processes[ended], sources->data[ended], ended,
                                 status == CT_OK ? error : NULL);
        status = status == CT_OK ? code : status;
        ended++;
    }
    free(processes);
    return status;
}

/* Runs `head...`, all objects, `tail...`. */
static int join_objects(const struct compiler *compiler, size_t objects, const char *const *head,
                        const char *const *tail, const char *what, struct ct_error *error)
{
    struct ct_word_list argv = {0};
    for (; *head; head++)
        ct_word_list_add(&argv, strdup(*head));
    for (size_t i = 0; i < objects; i++)
        ct_word_list_add(&argv, ct_format("%s/%zu.o", compiler->folder, i));
    for (; tail && *tail; tail++)
        ct_word_list_add(&argv, strdup(*tail));
    char *log = ct_format("%s/link.log", compiler->folder);
    int status = log ? argv.status : CT_E_MEMORY;
    if (status == CT_OK)
        status = run_logged((const char *const *)argv.data, log, what, error);
    free(log);
    ct_word_list_free(&argv);
    return status;
}

/* What of `extra` the linker gets: libraries and linker flags. */
static int linker_words(const char *const *extra, const char *const *more, struct ct_word_list *ret_words)
{
    struct ct_word_list words = {0};
    for (; extra && *extra; extra++)
        if (!is_source(*extra))
            ct_word_list_add(&words, strdup(*extra));
    for (; *more; more++)
        ct_word_list_add(&words, strdup(*more));
    if (words.status != CT_OK) {
        int status = words.status;
        ct_word_list_free(&words);
        return status;
    }
    *ret_words = words;
    return CT_OK;
}

static int link_program(const struct compiler *compiler, size_t objects, const char *output,
                        struct ct_error *error)
{
    const char *const head[] = {
        compiler->mpi->cc, compiler->whole ? "-flto" : "-O3", "-O3", "-o", output, NULL};
    const char *const more[] = {"-pthread", "-lm", NULL};
    struct ct_word_list tail;
    int status = linker_words(compiler->extra, more, &tail);
    if (status == CT_OK) {
        status = join_objects(compiler, objects, head, (const char *const *)tail.data, output, error);
        ct_word_list_free(&tail);
    }
    return status;
}

static int link_library(const struct compiler *compiler, size_t objects, const char *stem,
                        struct ct_error *error)
{
    char *archive = ct_format("%s.a", stem), *shared = ct_format("%s.so", stem);
    int status = archive && shared ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        const char *const head[] = {"ar", "rcs", archive, NULL};
        unlink(archive);
        status = join_objects(compiler, objects, head, NULL, archive, error);
    }
    /* Under the simulator's privatisation of globals a shared library does not interpose. */
    if (status == CT_OK && compiler->shared) {
        const char *const head[] = {compiler->mpi->cc,
                                    compiler->whole ? "-flto" : "-O3",
                                    "-O3",
                                    "-fPIC",
                                    "-shared",
                                    "-o",
                                    shared,
                                    NULL};
        const char *const more[] = {"-pthread", NULL};
        struct ct_word_list tail;
        status = linker_words(compiler->extra, more, &tail);
        if (status == CT_OK) {
            status = join_objects(compiler, objects, head, (const char *const *)tail.data, shared, error);
            ct_word_list_free(&tail);
        }
    }
    free(archive);
    free(shared);
    return status;
}

static int compile(const struct ct_mpi *mpi, const struct ct_compilation *what, bool library,
                   struct ct_error *error)
{
    struct ct_word_list sources;
    char *root;
    int status = ct_source_list_read(what->list, error, &sources, &root);
    if (status != CT_OK)
        return status;
    for (const char *const *extra = what->extra; extra && *extra; extra++)
        if (is_source(*extra))
            ct_word_list_add(&sources, strdup(*extra));
    char *folder = NULL;
    status = sources.status;
    if (status == CT_OK)
        status = ct_folder_temporary(error, &folder);
    if (status == CT_OK) {
        struct compiler compiler = {mpi,
                                    root,
                                    folder,
                                    what->extra,
                                    library && strcmp(mpi->name, "smpi") != 0,
                                    takes_whole_flags(mpi->cc)};
        status = compile_objects(&compiler, &sources, error);
        if (status == CT_OK)
            status = (library ? link_library : link_program)(&compiler, sources.count, what->output, error);
        ct_remove_all(folder, NULL);
    }
    free(folder);
    free(root);
    ct_word_list_free(&sources);
    return status;
}

int ct_mpi_compile_program(const struct ct_mpi *mpi, const struct ct_compilation *what,
                           struct ct_error *error)
{
    return compile(mpi, what, false, error);
}

int ct_mpi_compile_library(const struct ct_mpi *mpi, const struct ct_compilation *what,
                           struct ct_error *error)
{
    return compile(mpi, what, true, error);
}
