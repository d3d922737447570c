/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/prefix.h"
#include "base/data.h"
#include "base/file.h"
#include "codegen/generator.h"
#include "codegen/library_code.h"
#include "codegen/model_library.h"
#include "config.h"
#include "measure/backend/kept.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_below(const char *folder, const char *name, const struct ct_text *text,
                       struct ct_error *error)
{
    char *path = ct_format("%s/%s", folder, name);
    int status = path && !text->failed ? ct_file_write(path, text->data, text->length, error) : CT_E_MEMORY;
    free(path);
    return status;
}

/* --- what a library is made of --- */

enum { PARTS_MAX = CT_COLLECTIVES + 2, PART_NAME = 48 };

/* A file: it is compiled if it is C, and kept if it has a place in the prefix. */
struct part {
    char name[PART_NAME];
    const char *place; /* or NULL */
    struct ct_text text;
};

struct parts {
    struct part items[PARTS_MAX];
    size_t count;
    bool uses_math; /* formulas of models round; tables need no libm */
};

/* What a prefix may hold from a library that is replaced. */
static const char header_place[] = "include/colltune_decisions.h",
                  table_place[] = "share/colltuned/table.xml", model_place[] = "share/colltuned/model.xml";

static struct ct_text *add_part(struct parts *parts, const char *name, const char *place)
{
    assert(parts->count < PARTS_MAX);
    struct part *part = &parts->items[parts->count++];
    snprintf(part->name, sizeof part->name, "%s", name);
    part->place = place;
    return &part->text;
}

static void free_parts(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        ct_text_free(&parts->items[i].text);
}

static int add_parts_of_table(const struct ct_table *table, struct ct_error *error, struct parts *parts)
{
    static const char header[] = "colltune_decisions.h";
    int status = ct_c_map_generator.generate(table, NULL, error, add_part(parts, header, header_place), NULL);
    if (status != CT_OK)
        return status;
    ct_library_code_write(table, header, add_part(parts, "decisions.c", NULL));
    ct_table_write(table, add_part(parts, "table.xml", table_place));
    return CT_OK;
}

static int add_parts_of_model(const struct ct_model_origin *origin, struct ct_error *error,
                              struct parts *parts)
{
    char *content = NULL;
    size_t length;
    parts->uses_math = true;
    int status = ct_model_library_write(origin, add_part(parts, "decisions.c", NULL));
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        char name[PART_NAME];
        snprintf(name, sizeof name, "decide_%s.c", ct_collectives[i].name);
        if (ct_model_decides((enum ct_collective)i))
            status = ct_model_code_write(origin, (enum ct_collective)i, error, add_part(parts, name, NULL));
    }
    if (status == CT_OK)
        status = ct_file_read(origin->file, error, &content, &length);
    if (status == CT_OK)
        ct_text_append_bytes(add_part(parts, "model.xml", model_place), content, length);
    free(content);
    return status;
}

/* --- making it --- */

/* Compiles the decisions into libcolltuned.a and .so in the folder `work`, where the parts are. The rest of
 * the library is the same for all of them. */
static int compile(const struct ct_mpi *mpi, const char *work, const struct parts *parts,
                   const struct ct_watch *watch, struct ct_error *error)
{
    char *words[PARTS_MAX + 4] = {NULL}, *stem = ct_format("%s/libcolltuned", work);
    size_t count = 0;
    words[count++] = ct_format("-I%s", work);
    int status = stem && words[0] ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < parts->count; i++) {
        const char *ending = strrchr(parts->items[i].name, '.');
        if (strcmp(ending, ".c") != 0)
            continue;
        words[count] = ct_format("%s/%s", work, parts->items[i].name);
        status = words[count++] ? CT_OK : CT_E_MEMORY;
    }
    if (status == CT_OK && parts->uses_math) {
        words[count] = strdup("-lm");
        status = words[count++] ? CT_OK : CT_E_MEMORY;
    }
    if (status == CT_OK)
        status = ct_mpi_keep(mpi, CT_LIBRARY_OBJECT, "library", NULL, watch, error, &words[count]);
    if (status == CT_OK) {
        const struct ct_compilation what = {
            .product = CT_LIBRARY, .extra = (const char *const *)words, .output = stem};
        status = ct_mpi_compile(mpi, &what, watch, error);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        free(words[i]);
    free(stem);
    return status;
}

/* Do shells, pkg-config and the linker's -rpath take the path as it is? */
static bool is_plain(const char *path)
{
    return !strpbrk(path, " \t\n\"'\\#$,:");
}

/* Appends a path as it stands between quotes in a file of pkg-config. */
static void append_quoted(const char *path, struct ct_text *text)
{
    for (; *path; path++)
        ct_text_append(text, "%s%c", strchr("\"\\#", *path) ? "\\" : "", *path);
}

/* Appends the variable `prefix`, where only the sign of comments has a meaning. */
static void append_prefix(const char *path, struct ct_text *text)
{
    ct_text_append(text, "prefix=");
    for (; *path; path++)
        ct_text_append(text, "%s%c", *path == '#' ? "\\" : "", *path);
    ct_text_append(text, "\n");
}

/* Linkers leave a library out that a program does not refer to, and programs need not refer to this one: in
 * Fortran they call functions of the MPI's Fortran library, which call the tuned ones, and the simulator's
 * header declares its functions as weak. Hence the options around -lcolltuned: they also take the object that
 * takes functions over out of the archive. pkg-config expands variables before it reads quotes, so that a
 * path with a quotation mark stands there itself. It quotes paths with blanks for -I and -L, but not for
 * -Wl: there programs need LD_LIBRARY_PATH. */
static void append_package(const char *prefix, const struct ct_mpi *mpi, struct ct_text *text)
{
    char *real = realpath(prefix, NULL);
    const char *path = real ? real : prefix;
    const bool plain = is_plain(path);
    append_prefix(path, text);
    ct_text_append(text,
                   "libdir=${prefix}/lib\n"
                   "includedir=${prefix}/include\n"
                   "mpi=%s\n"
                   "mpicc=%s\n\n"
                   "Name: colltuned\n"
                   "Description: tuned MPI collectives for %s %s\n"
                   "Version: %s\n"
                   "Libs: -L\"",
                   mpi->name, mpi->cc, mpi->name, mpi->version, CT_VERSION);
    append_quoted(plain ? "${prefix}" : path, text);
    ct_text_append(text,
                   "/lib\"%s -Wl,-u,MPI_Init -Wl,--push-state,--no-as-needed -lcolltuned -Wl,--pop-state\n"
                   "Libs.private: -pthread -ldl -lm\n"
                   "Cflags: -I\"",
                   plain ? " -Wl,-rpath,${libdir}" : "");
    append_quoted(plain ? "${prefix}" : path, text);
    ct_text_append(text, "/include\"\n");
    free(real);
}

/* Appends library/colltuned.h, which applications include. */
static int append_interface(struct ct_error *error, struct ct_text *text)
{
    char *path = NULL, *content = NULL;
    size_t length;
    int status;
    if ((status = ct_data_path("library/colltuned.h", error, &path)) == CT_OK &&
        (status = ct_file_read(path, error, &content, &length)) == CT_OK)
        ct_text_append_bytes(text, content, length);
    free(path);
    free(content);
    return status;
}

/* Removes what a library that is replaced had and this one does not have. */
static void remove_others(const char *prefix, const struct parts *parts)
{
    static const char *const places[] = {header_place, table_place, model_place};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        bool is_kept = false;
        for (size_t p = 0; p < parts->count; p++)
            is_kept |= parts->items[p].place == places[i];
        char *path = is_kept ? NULL : ct_format("%s/%s", prefix, places[i]);
        if (path)
            unlink(path);
        free(path);
    }
}

/* Makes the library in the new folder `work`, then puts everything where it belongs. */
static int make(const char *prefix, const char *work, const struct parts *parts, const struct ct_mpi *mpi,
                const struct ct_watch *watch, struct ct_error *error)
{
    static const char *const folders[] = {"lib/pkgconfig", "include", "share/colltuned"};
    static const char *const suffixes[] = {"a", "so"};
    struct ct_text interface = {0}, package = {0};
    int status = CT_OK;
    append_package(prefix, mpi, &package);
    for (size_t i = 0; status == CT_OK && i < parts->count; i++)
        status = write_below(work, parts->items[i].name, &parts->items[i].text, error);
    if (status != CT_OK || (status = compile(mpi, work, parts, watch, error)) != CT_OK ||
        (status = append_interface(error, &interface)) != CT_OK)
        goto done;
    for (size_t i = 0; status == CT_OK && i < sizeof folders / sizeof folders[0]; i++) {
        char *path = ct_format("%s/%s", prefix, folders[i]);
        status = path ? ct_folder_make(path, error) : CT_E_MEMORY;
        free(path);
    }
    if (status == CT_OK)
        status = write_below(prefix, "include/colltuned.h", &interface, error);
    if (status == CT_OK)
        status = write_below(prefix, "lib/pkgconfig/colltuned.pc", &package, error);
    for (size_t i = 0; status == CT_OK && i < parts->count; i++)
        if (parts->items[i].place)
            status = write_below(prefix, parts->items[i].place, &parts->items[i].text, error);
    for (size_t i = 0; status == CT_OK && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char *from = ct_format("%s/libcolltuned.%s", work, suffixes[i]);
        char *to = ct_format("%s/lib/libcolltuned.%s", prefix, suffixes[i]);
        if (!from || !to)
            status = CT_E_MEMORY;
        else if (access(from, F_OK) == 0 && rename(from, to) != 0)
            status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", to);
        free(from);
        free(to);
    }
    if (status == CT_OK)
        remove_others(prefix, parts);
done:
    ct_text_free(&interface);
    ct_text_free(&package);
    return status;
}

static int build(const char *prefix, const struct parts *parts, const struct ct_mpi *mpi, bool replace,
                 const struct ct_watch *watch, struct ct_error *error)
{
    char *library = ct_format("%s/lib/libcolltuned.a", prefix), *work = ct_format("%s/.build-XXXXXX", prefix);
    bool fresh = access(prefix, F_OK) != 0;
    int status = CT_E_MEMORY;
    if (!library || !work)
        goto done;
    if (!replace && access(library, F_OK) == 0) {
        status =
            ct_fail(error, CT_E_INPUT, "%s: holds a tuned library already; nothing was overwritten", prefix);
        goto done;
    }
    status = ct_folder_make(prefix, error);
    if (status == CT_OK && !mkdtemp(work))
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", prefix);
    if (status == CT_OK) {
        status = make(prefix, work, parts, mpi, watch, error);
        ct_remove_all(work, NULL);
    }
    if (status != CT_OK && fresh)
        ct_remove_all(prefix, NULL);
done:
    free(library);
    free(work);
    return status;
}

int ct_prefix_build(const char *prefix, const struct ct_table *table, const struct ct_mpi *mpi, bool replace,
                    const struct ct_watch *watch, struct ct_error *error)
{
    struct parts parts = {.count = 0};
    int status = add_parts_of_table(table, error, &parts);
    if (status == CT_OK)
        status = build(prefix, &parts, mpi, replace, watch, error);
    free_parts(&parts);
    return status;
}

int ct_prefix_build_model(const char *prefix, const struct ct_model_origin *origin, const struct ct_mpi *mpi,
                          bool replace, const struct ct_watch *watch, struct ct_error *error)
{
    struct parts parts = {.count = 0};
    int status = add_parts_of_model(origin, error, &parts);
    if (status == CT_OK)
        status = build(prefix, &parts, mpi, replace, watch, error);
    free_parts(&parts);
    return status;
}

int ct_prefix_compiler(const char *prefix, struct ct_error *error, char **ret_cc)
{
    static const char name[] = "\nmpicc=";
    char *text = NULL, *path = ct_format("%s/lib/pkgconfig/colltuned.pc", prefix);
    size_t length;
    int status = CT_E_MEMORY;
    if (path && ct_file_read(path, NULL, &text, &length) != CT_OK) {
        status = ct_fail(error, CT_E_INPUT,
                         "%s: holds no tuned library: expected what `colltune build` makes", prefix);
    } else if (path) {
        const char *line = strstr(text, name), *value = line ? line + sizeof name - 1 : NULL;
        char *cc = value ? strndup(value, strcspn(value, "\n")) : NULL;
        status = cc      ? CT_OK
                 : value ? CT_E_MEMORY
                         : ct_fail(error, CT_E_INPUT, "%s: lacks the variable mpicc", path);
        if (cc)
            *ret_cc = cc;
    }
    free(text);
    free(path);
    return status;
}
