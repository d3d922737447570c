/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/compile.h"
#include "base/data.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "measure/backend/machine.h"
#include "measure/backend/word_list.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* --- lists of sources --- */

int ct_source_root(struct ct_error *error, char **ret_root)
{
    static const char header[] = "library/compiled.h";
    int status = ct_data_path(header, error, ret_root);
    if (status == CT_OK)
        (*ret_root)[strlen(*ret_root) - sizeof header] = '\0';
    return status;
}

/* What -O3 adds takes a third longer to compile, and calls are no faster. */
static const char usual_level[] = "-O2";

/* What is compiled: files, and the level of optimization of each. */
struct sources {
    struct ct_word_list files;
    struct ct_word_list levels;
};

static int add_source(struct sources *sources, char *path, const char *level)
{
    ct_word_list_add(&sources->files, path);
    ct_word_list_add(&sources->levels, strdup(level));
    return sources->files.status == CT_OK ? sources->levels.status : sources->files.status;
}

static void free_sources(struct sources *sources)
{
    ct_word_list_free(&sources->files);
    ct_word_list_free(&sources->levels);
}

/* Adds a new file in the folder, which includes the sources of a unit, and empties the unit. */
static int add_unit(const char *folder, const char *level, struct ct_text *unit, struct ct_error *error,
                    struct sources *sources)
{
    char *path = ct_format("%s/unit-%zu.c", folder, sources->files.count);
    int status = path && !unit->failed ? ct_file_write(path, unit->data, unit->length, error) : CT_E_MEMORY;
    ct_text_free(unit);
    int added = add_source(sources, path, level);
    return status == CT_OK ? added : status;
}

/* Adds the files to compile for the units of LIST.list. Each is a line of its level of optimization, if it
 * has one, lines of sources, and a blank line. So what all sources include is compiled once for a unit. */
static int read_units(const char *list, const char *folder, struct ct_error *error, struct sources *sources)
{
    char *name = ct_format("%s.list", list), *path = NULL, *text = NULL;
    const char *level = usual_level;
    struct ct_text unit = {0};
    size_t length;
    int status = CT_E_MEMORY;
    if (!name || (status = ct_data_path(name, error, &path)) != CT_OK ||
        (status = ct_file_read(path, error, &text, &length)) != CT_OK)
        goto done;
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line && status == CT_OK; line = strsep(&rest, "\n")) {
        if (*line == '-')
            level = line;
        else if (*line)
            ct_text_append(&unit, "#include \"%s\"\n", line);
        if ((unit.length > 0 || unit.failed) && (!*line || !rest)) {
            status = add_unit(folder, level, &unit, error, sources);
            level = usual_level;
        }
    }
    if (status == CT_OK && sources->files.count == 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s.list is empty", list);
done:
    ct_text_free(&unit);
    free(name);
    free(path);
    free(text);
    return status;
}

/* --- compiling --- */

static bool ends_with(const char *word, const char *end)
{
    size_t length = strlen(word);
    return length > strlen(end) && strcmp(word + length - strlen(end), end) == 0;
}

static bool is_source(const char *word)
{
    return ends_with(word, ".c");
}

struct compiler {
    const struct ct_mpi *mpi;
    const char *core; /* the archive CT_CORE_NAME */
    const char *root;
    const char *folder;       /* for objects and logs */
    const char *const *extra; /* flags for every file; sources and libraries are passed over */
    const struct ct_watch *watch;
    bool is_library; /* objects of the tuned library, or of a program */
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

/* On a full disk the log is empty; what the compiler wrote and removed again took more than this. */
static bool is_full(const char *folder)
{
    const double least_bytes = 1 << 20;
    struct statvfs about;
    return statvfs(folder, &about) == 0 && (double)about.f_bavail * (double)about.f_frsize < least_bytes;
}

/* What a command that failed says: the line of its log that tells of a full disk, else the first that names
 * an error, else the first line. */
static int explain(const struct compiler *compiler, size_t number, const char *what, struct ct_error *error)
{
    static const char *const marks[] = {"No space left on device", "Disk quota exceeded",
                                        "undefined reference", "multiple definition", "error: "};
    char *log = ct_format("%s/%zu.log", compiler->folder, number), *text = NULL;
    const char *line = NULL;
    size_t length;
    if (log && ct_file_read(log, error, &text, &length) == CT_OK) {
        for (size_t i = 0; !line && i < sizeof marks / sizeof marks[0]; i++)
            line = strstr(text, marks[i]);
        while (line && line > text && line[-1] != '\n')
            line--;
        line = line ? line : text;
    }
    if (!line || !*line)
        line = is_full(compiler->folder) ? "No space left on device; set TMPDIR to a folder that has space"
                                         : "the compiler printed nothing";
    int status =
        ct_fail(error, CT_E_SYSTEM, "%s: does not compile: %.*s", what, (int)strcspn(line, "\n"), line);
    free(log);
    free(text);
    return status;
}

/* Has the command of that number ended? It is ended if the user wants to stop. */
static int look_after(const struct compiler *compiler, size_t number, struct ct_process *process,
                      const char *what, struct ct_error *error, int *ret_ended)
{
    const double grace_seconds = 1;
    int code, status = ct_process_poll(process, ret_ended, &code);
    if (status != CT_OK) {
        *ret_ended = true;
        return ct_fail(error, status, "the state of the compiler is unknown");
    }
    if (*ret_ended)
        return code == 0 ? CT_OK : explain(compiler, number, what, error);
    if (!ct_watch_is_stopped(compiler->watch))
        return CT_OK;
    ct_process_end(process, grace_seconds);
    *ret_ended = true;
    return ct_fail(error, CT_E_STOPPED, "stopped while compiling");
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
}

/* Waits for the end of a command. */
static int finish(const struct compiler *compiler, size_t number, struct ct_process *process,
                  const char *what, struct ct_error *error)
{
    int status, ended;
    while ((status = look_after(compiler, number, process, what, error, &ended)) == CT_OK && !ended)
        wait_a_little();
    return status;
}

static const char *const common_flags[] = {"-std=gnu11", "-D_GNU_SOURCE", "-DNDEBUG", NULL};
static const char *const usual_flags[] = {usual_level, NULL};
/* hidden, so that a preloaded library does not show its inner functions to the application */
static const char *const library_flags[] = {"-fPIC", "-fvisibility=hidden", NULL};
static const char *const join_flags[] = {"-r", "-O2", "-fPIC", NULL};

uint64_t ct_compile_hash(uint64_t hash)
{
    const char *const *const recipe[] = {common_flags, usual_flags, library_flags, join_flags};
    for (size_t i = 0; i < sizeof recipe / sizeof recipe[0]; i++)
        for (const char *const *word = recipe[i]; *word; word++)
            hash = ct_hash(hash, *word, strlen(*word) + 1);
    return hash;
}

/* The compiler that the wrapper calls: the words before its first option. */
static void add_wrapped_compiler(const struct ct_mpi *mpi, struct ct_word_list *argv)
{
    char *line = strdup(mpi->compiler), *rest = line;
    size_t before = argv->count;
    for (char *word = strsep(&rest, " "); word && *word != '-'; word = strsep(&rest, " "))
        if (*word)
            ct_word_list_add(argv, strdup(word));
    if (argv->count == before)
        ct_word_list_add(argv, strdup("cc"));
    free(line);
}

static int start_object(const struct compiler *compiler, const struct sources *sources, size_t number,
                        struct ct_error *error, struct ct_process *ret_process)
{
    struct ct_word_list argv = {0};
    ct_word_list_add(&argv, strdup(compiler->mpi->cc));
    ct_word_list_add_all(&argv, common_flags);
    ct_word_list_add(&argv, strdup(sources->levels.data[number]));
    if (compiler->is_library)
        ct_word_list_add_all(&argv, library_flags);
    for (const char *const *extra = compiler->extra; extra && *extra; extra++)
        if ((*extra)[0] == '-' && strncmp(*extra, "-l", 2) != 0 && strncmp(*extra, "-Wl,", 4) != 0)
            ct_word_list_add(&argv, strdup(*extra));
    ct_word_list_add(&argv, ct_format("-I%s", compiler->root));
    ct_word_list_add_all(&argv, (const char *const[]){"-c", sources->files.data[number], "-o", NULL});
    ct_word_list_add(&argv, ct_format("%s/%zu.o", compiler->folder, number));
    return start(compiler, number, &argv, error, ret_process);
}

/* Looks after the commands that run, of which those that have ended leave the list of their numbers. */
static int look_after_all(const struct compiler *compiler, const struct sources *sources,
                          struct ct_process *processes, size_t *running, size_t *count,
                          struct ct_error *error)
{
    int status = CT_OK;
    size_t left = 0;
    for (size_t i = 0; i < *count; i++) {
        const size_t number = running[i];
        int ended, code = look_after(compiler, number, &processes[number], sources->files.data[number],
                                     status == CT_OK ? error : NULL, &ended);
        status = status == CT_OK ? code : status;
        if (!ended)
            running[left++] = number;
    }
    *count = left;
    return status;
}

/* Compiles all sources, as many at a time as there are CPUs. */
static int compile_objects(const struct compiler *compiler, const struct sources *sources,
                           struct ct_error *error)
{
    size_t begun = 0, count = 0, total = sources->files.count, cpus = ct_usable_cpus();
    struct ct_process *processes = ct_allocate(total, sizeof *processes);
    size_t *running = ct_allocate(total, sizeof *running);
    int status = processes && running ? CT_OK : CT_E_MEMORY;
    while (count > 0 || (status == CT_OK && begun < total)) {
        if (status == CT_OK && begun < total && count < cpus) {
            status = start_object(compiler, sources, begun, error, &processes[begun]);
            if (status == CT_OK)
                running[count++] = begun++;
            continue;
        }
        wait_a_little();
        int code =
            look_after_all(compiler, sources, processes, running, &count, status == CT_OK ? error : NULL);
        status = status == CT_OK ? code : status;
        const struct ct_progress progress = {
            .what = "compiling", .units = "files", .done = begun - count, .total = total};
        ct_watch_progress(compiler->watch, &progress);
    }
    free(processes);
    free(running);
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

/* Joins all objects in one. The wrapper would add libraries, which cannot be joined. */
static int join_to_one(const struct compiler *compiler, size_t objects, const char *output,
                       struct ct_error *error)
{
    struct ct_word_list head = {0};
    add_wrapped_compiler(compiler->mpi, &head);
    ct_word_list_add_all(&head, join_flags);
    ct_word_list_add_all(&head, (const char *const[]){"-o", output, NULL});
    int status = head.status;
    if (status == CT_OK)
        status = join_objects(compiler, objects, (const char *const *)head.data, NULL, output, error);
    ct_word_list_free(&head);
    return status;
}

/* Links a program, or a shared library. */
static int link_objects(const struct compiler *compiler, size_t objects, const char *output,
                        struct ct_error *error)
{
    struct ct_word_list head = {0}, tail = {0};
    ct_word_list_add(&head, strdup(compiler->mpi->cc));
    ct_word_list_add_all(&head, (const char *const[]){"-O2", "-o", output, NULL});
    if (compiler->is_library)
        ct_word_list_add_all(&head, (const char *const[]){"-shared", "-fPIC", "-Wl,--strip-debug", NULL});
    for (const char *const *extra = compiler->extra; extra && *extra; extra++)
        if (!is_source(*extra))
            ct_word_list_add(&tail, strdup(*extra));
    ct_word_list_add_all(&tail, (const char *const[]){compiler->core, "-pthread", "-ldl",
                                                      compiler->is_library ? "-Wl,-z,defs" : "-lm", NULL});
    int status = head.status == CT_OK ? tail.status : head.status;
    if (status == CT_OK)
        status = join_objects(compiler, objects, (const char *const *)head.data,
                              (const char *const *)tail.data, output, error);
    ct_word_list_free(&head);
    ct_word_list_free(&tail);
    return status;
}

/* The archive is complete: the objects are added to a copy of the core. */
static int archive_objects(const struct compiler *compiler, size_t objects, const char *output,
                           struct ct_error *error)
{
    const char *const head[] = {"ar", "rcs", output, NULL};
    struct ct_word_list tail = {0};
    char *core;
    size_t length;
    int status = ct_file_read(compiler->core, error, &core, &length);
    if (status != CT_OK)
        return status;
    for (const char *const *extra = compiler->extra; extra && *extra; extra++)
        if (ends_with(*extra, ".o"))
            ct_word_list_add(&tail, strdup(*extra));
    if ((status = tail.status) == CT_OK && (status = ct_file_write(output, core, length, error)) == CT_OK)
        status = join_objects(compiler, objects, head, (const char *const *)tail.data, output, error);
    ct_word_list_free(&tail);
    free(core);
    return status;
}

/* Under the simulator's privatisation of globals a shared library does not interpose. */
static int link_library(const struct compiler *compiler, size_t objects, const char *stem,
                        struct ct_error *error)
{
    char *archive = ct_format("%s.a", stem), *shared = ct_format("%s.so", stem);
    int status = archive && shared ? archive_objects(compiler, objects, archive, error) : CT_E_MEMORY;
    if (status == CT_OK && strcmp(compiler->mpi->name, "smpi") != 0)
        status = link_objects(compiler, objects, shared, error);
    free(archive);
    free(shared);
    return status;
}

static int make_program(const struct compiler *compiler, size_t objects, const char *output,
                        struct ct_error *error)
{
    int status = link_objects(compiler, objects, output, error);
    if (status == CT_OK && access(output, X_OK) != 0)
        status = ct_fail(error, CT_E_SYSTEM,
                         "%s: no program can run in that folder; is its file system mounted noexec?", output);
    return status;
}

/* What becomes of the objects. */
static const struct product {
    int (*make)(const struct compiler *compiler, size_t objects, const char *output, struct ct_error *error);
    bool is_library;
} products[] = {
    [CT_PROGRAM] = {make_program, false},
    [CT_PROGRAM_OBJECT] = {join_to_one, false},
    [CT_LIBRARY_OBJECT] = {join_to_one, true},
    [CT_LIBRARY] = {link_library, true},
};

int ct_mpi_compile(const struct ct_mpi *mpi, const struct ct_compilation *what, const struct ct_watch *watch,
                   struct ct_error *error)
{
    const struct product *product = &products[what->product];
    struct compiler compiler = {
        .mpi = mpi, .extra = what->extra, .watch = watch, .is_library = product->is_library};
    struct sources sources = {0};
    char *root = NULL, *core = NULL, *folder = NULL;
    int status = ct_folder_temporary(error, &folder);
    if (status == CT_OK && what->list)
        status = read_units(what->list, folder, error, &sources);
    for (const char *const *extra = what->extra; status == CT_OK && extra && *extra; extra++)
        if (is_source(*extra))
            status = add_source(&sources, strdup(*extra), usual_level);
    if (status != CT_OK || (status = ct_data_path(CT_CORE_NAME, error, &core)) != CT_OK ||
        (status = ct_source_root(error, &root)) != CT_OK)
        goto done;
    compiler.core = core;
    compiler.root = root;
    compiler.folder = folder;
    status = compile_objects(&compiler, &sources, error);
    if (status == CT_OK)
        status = product->make(&compiler, sources.files.count, what->output, error);
done:
    if (folder)
        ct_remove_all(folder, NULL);
    free(core);
    free(folder);
    free(root);
    free_sources(&sources);
    return status;
}
