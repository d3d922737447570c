/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/compile.h"
#include "base/data.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "config.h"
#include "measure/backend/machine.h"
#include "measure/backend/word_list.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- lists of sources --- */

/* Full paths of the sources in LIST.list; *ret_root is the folder that includes are relative to. The caller
 * frees both. */
static int read_sources(const char *list, struct ct_error *error, struct ct_word_list *ret_sources,
                        char **ret_root)
{
    char *name = ct_format("%s.list", list), *path = NULL, *text = NULL, *root = NULL;
    struct ct_word_list sources = {0};
    size_t length;
    int status = CT_E_MEMORY;
    if (!name || (status = ct_data_path(name, error, &path)) != CT_OK ||
        (status = ct_file_read(path, error, &text, &length)) != CT_OK)
        goto done;
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        char *source;
        if (!*line)
            continue;
        status = ct_data_path(line, error, &source);
        if (status != CT_OK)
            goto done;
        if (!root)
            root = strndup(source, strlen(source) - strlen(line) - 1);
        ct_word_list_add(&sources, source);
    }
    status = sources.status != CT_OK ? sources.status
             : root                  ? CT_OK
                                     : ct_fail(error, CT_E_SYSTEM, "%s.list is empty", list);
done:
    free(name);
    free(path);
    free(text);
    if (status != CT_OK) {
        ct_word_list_free(&sources);
        free(root);
        return status;
    }
    *ret_sources = sources;
    *ret_root = root;
    return CT_OK;
}

/* --- compiling --- */

static bool is_source(const char *word)
{
    size_t length = strlen(word);
    return length > 2 && strcmp(word + length - 2, ".c") == 0;
}

/* What the sources of the lists use without MPI, compiled once for all MPIs. */
static const char core_name[] = "libcolltune-core.a";

struct compiler {
    const struct ct_mpi *mpi;
    const char *core; /* that archive */
    const char *root;
    const char *folder;       /* for objects and logs */
    const char *const *extra; /* flags for every file; sources and libraries are passed over */
    const struct ct_watch *watch;
    bool shared; /* objects for a shared library */
    bool whole;  /* can optimize over all files at link time */
};

/* Starts a command, whose words are freed. Its output goes to the log of that number. */
static int start(const struct compiler *compiler, size_t number, struct ct_word_list *command,
                 struct ct_error *error, struct ct_process *ret_process)
{
    char *log = ct_format("%s/%zu.log", compiler->folder, number);
    const struct ct_process_options options = {.output = log};
    int status = log ? command->status : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_process_start((const char *const *)command->data, &options, error, ret_process);
    free(log);
    ct_word_list_free(command);
    return status;
}

/* Waits for a command, or ends it if the user wants to stop. */
static int wait_for(const struct compiler *compiler, struct ct_process *process, struct ct_error *error,
                    int *ret_code)
{
    const struct timespec nap = {.tv_nsec = 5 * 1000 * 1000};
    const double grace_seconds = 1;
    int status, ended = 0;
    while ((status = ct_process_poll(process, &ended, ret_code)) == CT_OK && !ended) {
        if (ct_watch_is_stopped(compiler->watch)) {
            ct_process_end(process, grace_seconds);
            return ct_fail(error, CT_E_STOPPED, "stopped while compiling");
        }
        nanosleep(&nap, NULL);
    }
    return status == CT_OK ? CT_OK : ct_fail(error, status, "the compiler was lost");
}

/* Waits for a command. Where it failed, the error is the first line of its log that names an error, or the
 * first line. */
static int finish(const struct compiler *compiler, size_t number, struct ct_process *process,
                  const char *what, struct ct_error *error)
{
    static const char *const marks[] = {"undefined reference", "multiple definition", "error: "};
    char *text = NULL;
    const char *line = NULL;
    size_t length;
    int code, status = wait_for(compiler, process, error, &code);
    if (status != CT_OK || code == 0)
        return status;
    char *log = ct_format("%s/%zu.log", compiler->folder, number);
    if (log && ct_file_read(log, NULL, &text, &length) == CT_OK) {
        for (size_t i = 0; i < sizeof marks / sizeof marks[0] && !line; i++)
            line = strstr(text, marks[i]);
        while (line && line > text && line[-1] != '\n')
            line--;
        line = line ? line : text;
    }
    if (!line || !*line)
        line = "the compiler printed nothing";
    status = ct_fail(error, CT_E_SYSTEM, "%s: does not compile: %.*s", what, (int)strcspn(line, "\n"), line);
    free(log);
    free(text);
    return status;
}

/* Optimizing over all files saves some 10 ns a call. The objects are fat, so that an archive of them serves
 * any linker. */
static const char *const whole_flags[] = {"-flto", "-ffat-lto-objects", NULL};

static bool takes_whole_flags(const struct compiler *compiler)
{
    struct ct_word_list argv = {0};
    struct ct_process process;
    ct_word_list_add(&argv, strdup(compiler->mpi->cc));
    ct_word_list_add_all(&argv, whole_flags);
    ct_word_list_add_all(
        &argv, (const char *const[]){"-Werror", "-c", "-x", "c", "/dev/null", "-o", "/dev/null", NULL});
    return start(compiler, 0, &argv, NULL, &process) == CT_OK &&
           finish(compiler, 0, &process, compiler->mpi->cc, NULL) == CT_OK;
}

static int start_object(const struct compiler *compiler, const char *source, size_t number,
                        struct ct_error *error, struct ct_process *ret_process)
{
    const char *const head[] = {compiler->mpi->cc,
                                "-std=gnu11",
                                "-D_GNU_SOURCE",
                                "-DNDEBUG",
                                "-O3",
                                compiler->shared ? "-fPIC" : NULL,
                                NULL};
    struct ct_word_list argv = {0};
    ct_word_list_add_all(&argv, head);
    if (compiler->whole)
        ct_word_list_add_all(&argv, whole_flags);
    for (const char *const *extra = compiler->extra; extra && *extra; extra++)
        if ((*extra)[0] == '-' && strncmp(*extra, "-l", 2) != 0 && strncmp(*extra, "-Wl,", 4) != 0)
            ct_word_list_add(&argv, strdup(*extra));
    ct_word_list_add(&argv, ct_format("-I%s", compiler->root));
    ct_word_list_add_all(&argv, (const char *const[]){"-c", source, "-o", NULL});
    ct_word_list_add(&argv, ct_format("%s/%zu.o", compiler->folder, number));
    return start(compiler, number, &argv, error, ret_process);
}

/* Compiles all sources, as many at a time as there are CPUs. */
static int compile_objects(const struct compiler *compiler, const struct ct_word_list *sources,
                           struct ct_error *error)
{
    size_t begun = 0, ended = 0, cpus = ct_usable_cpus();
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
        int code =
            finish(compiler, ended, &processes[ended], sources->data[ended], status == CT_OK ? error : NULL);
        status = status == CT_OK ? code : status;
        ended++;
        const struct ct_progress progress = {
            .what = "compiling", .units = "files", .done = ended, .total = sources->count};
        ct_watch_progress(compiler->watch, &progress);
    }
    free(processes);
    return status;
}

/* Runs `head`, then all objects, then `tail`, as one command that makes `output`. */
static int join_objects(const struct compiler *compiler, size_t objects, const char *const *head,
                        const char *const *tail, const char *output, struct ct_error *error)
{
    struct ct_word_list argv = {0};
    struct ct_process process;
    ct_word_list_add_all(&argv, head);
    for (size_t i = 0; i < objects; i++)
        ct_word_list_add(&argv, ct_format("%s/%zu.o", compiler->folder, i));
    ct_word_list_add_all(&argv, tail);
    int status = start(compiler, objects, &argv, error, &process);
    return status == CT_OK ? finish(compiler, objects, &process, output, error) : status;
}

/* Links a program, or a shared library. */
static int link_objects(const struct compiler *compiler, size_t objects, const char *output,
                        struct ct_error *error)
{
    const bool shared = compiler->shared;
    const char *const head[] = {
        compiler->mpi->cc,         compiler->whole ? "-flto" : "-O3", "-O3", "-o", output,
        shared ? "-shared" : NULL, shared ? "-fPIC" : NULL,           NULL};
    struct ct_word_list tail = {0};
    for (const char *const *extra = compiler->extra; extra && *extra; extra++)
        if (!is_source(*extra))
            ct_word_list_add(&tail, strdup(*extra));
    ct_word_list_add_all(&tail, (const char *const[]){compiler->core, "-pthread", "-ldl",
                                                      shared ? "-Wl,-z,defs" : "-lm", NULL});
    int status = tail.status;
    if (status == CT_OK)
        status = join_objects(compiler, objects, head, (const char *const *)tail.data, output, error);
    ct_word_list_free(&tail);
    return status;
}

/* The archive is complete: the objects are added to a copy of the core. */
static int link_library(const struct compiler *compiler, size_t objects, const char *stem,
                        struct ct_error *error)
{
    char *archive = ct_format("%s.a", stem), *shared = ct_format("%s.so", stem), *core = NULL;
    const char *const head[] = {"ar", "rcs", archive, NULL};
    size_t length;
    int status = CT_E_MEMORY;
    if (!archive || !shared || (status = ct_file_read(compiler->core, error, &core, &length)) != CT_OK ||
        (status = ct_file_write(archive, core, length, error)) != CT_OK ||
        (status = join_objects(compiler, objects, head, NULL, archive, error)) != CT_OK)
        goto done;
    if (compiler->shared)
        status = link_objects(compiler, objects, shared, error);
done:
    free(archive);
    free(shared);
    free(core);
    return status;
}

int ct_mpi_compile(const struct ct_mpi *mpi, const struct ct_compilation *what, const struct ct_watch *watch,
                   struct ct_error *error)
{
    struct ct_word_list sources;
    /* under the simulator's privatisation of globals a shared library does not interpose */
    struct compiler compiler = {.mpi = mpi,
                                .extra = what->extra,
                                .watch = watch,
                                .shared = what->library && strcmp(mpi->name, "smpi") != 0};
    char *root, *core = NULL, *folder = NULL;
    int status = read_sources(what->list, error, &sources, &root);
    if (status != CT_OK)
        return status;
    if ((status = ct_data_path(core_name, error, &core)) != CT_OK)
        goto done;
    for (const char *const *extra = what->extra; extra && *extra; extra++)
        if (is_source(*extra))
            ct_word_list_add(&sources, strdup(*extra));
    if ((status = sources.status) != CT_OK || (status = ct_folder_temporary(error, &folder)) != CT_OK)
        goto done;
    compiler.core = core;
    compiler.root = root;
    compiler.folder = folder;
    compiler.whole = takes_whole_flags(&compiler);
    status = compile_objects(&compiler, &sources, error);
    if (status == CT_OK)
        status = what->library ? link_library(&compiler, sources.count, what->output, error)
                               : link_objects(&compiler, sources.count, what->output, error);
    ct_remove_all(folder, NULL);
done:
    free(core);
    free(folder);
    free(root);
    ct_word_list_free(&sources);
    return status;
}

/* --- the cache: a program's name is a hash of everything that went into it --- */

static int hash_file(const char *path, struct ct_error *error, uint64_t *hash)
{
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    *hash = ct_hash(*hash, text, length);
    free(text);
    return CT_OK;
}

/* Hashes the core, and sources, headers and tables of every folder that a program is compiled from, in the
 * order of their names. */
static int hash_sources(struct ct_error *error, uint64_t *hash)
{
    static const char anchor_name[] = "algorithms/registry.def";
    char *anchor = NULL, *core = NULL, *pattern = NULL;
    glob_t found = {0};
    int status;
    if ((status = ct_data_path(core_name, error, &core)) != CT_OK ||
        (status = hash_file(core, error, hash)) != CT_OK ||
        (status = ct_data_path(anchor_name, error, &anchor)) != CT_OK)
        goto done;
    pattern = ct_format("%.*s{base,plan,algorithms,decision/tree,library,measure,measure/*}/*.{c,h,def}",
                        (int)(strlen(anchor) + 1 - sizeof anchor_name), anchor);
    status = pattern && glob(pattern, GLOB_BRACE, NULL, &found) != GLOB_NOSPACE ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < found.gl_pathc; i++)
        status = hash_file(found.gl_pathv[i], error, hash);
done:
    globfree(&found);
    free(pattern);
    free(anchor);
    free(core);
    return status;
}

int ct_cache_folder(struct ct_error *error, char **ret_folder)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *folder = cache && *cache ? ct_format("%s/colltune", cache)
                   : home && *home ? ct_format("%s/.cache/colltune", home)
                                   : ct_format("/tmp/colltune-%ld", (long)getuid());
    struct ct_error why = {""};
    int status = folder ? ct_folder_make(folder, &why) : CT_E_MEMORY;
    if (status == CT_OK && access(folder, W_OK | X_OK) != 0)
        status = ct_fail(&why, CT_E_SYSTEM, "%s: cannot be written", folder);
    if (status != CT_OK) {
        free(folder);
        return ct_fail(error, status, "%s; set XDG_CACHE_HOME to a folder that can be written", why.text);
    }
    *ret_folder = folder;
    return CT_OK;
}

/* Two colltunes may compile the same program at the same time: each writes another file and renames it. */
static int compile_to(const struct ct_mpi *mpi, const char *list, const char *path,
                      const struct ct_watch *watch, struct ct_error *error)
{
    char *fresh = ct_format("%s.%ld", path, (long)getpid());
    if (!fresh)
        return CT_E_MEMORY;
    const struct ct_compilation what = {.list = list, .output = fresh};
    ct_watch_notice(watch, "getting ready: compiling the %s program for %s %s", list, mpi->name,
                    mpi->version);
    int status = ct_mpi_compile(mpi, &what, watch, error);
    if (status == CT_OK && rename(fresh, path) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", path);
    if (status != CT_OK)
        unlink(fresh);
    free(fresh);
    return status;
}

int ct_mpi_cached(const struct ct_mpi *mpi, const char *what, struct ct_error *error, char **ret_path)
{
    uint64_t hash = ct_hash(0, CT_VERSION, sizeof CT_VERSION);
    hash = ct_hash(hash, mpi->cc, strlen(mpi->cc));
    hash = ct_hash(hash, mpi->version, strlen(mpi->version));
    char *folder;
    int status;
    if ((status = hash_sources(error, &hash)) != CT_OK || (status = ct_cache_folder(error, &folder)) != CT_OK)
        return status;
    char *path = ct_format("%s/%s-%s-%016llx", folder, what, mpi->name, (unsigned long long)hash);
    free(folder);
    if (!path)
        return CT_E_MEMORY;
    *ret_path = path;
    return CT_OK;
}

int ct_mpi_program(const struct ct_mpi *mpi, const char *list, const struct ct_watch *watch,
                   struct ct_error *error, char **ret_program)
{
    char *path;
    int status = ct_mpi_cached(mpi, list, error, &path);
    if (status != CT_OK)
        return status;
    if (access(path, X_OK) != 0 && (status = compile_to(mpi, list, path, watch, error)) != CT_OK) {
        free(path);
        return status;
    }
    *ret_program = path;
    return CT_OK;
}
