/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/prefix.h"
#include "base/data.h"
#include "base/file.h"
#include "codegen/generator.h"
#include "codegen/library_code.h"
#include "config.h"
#include "measure/backend/kept.h"

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

/* Compiles the decisions into libcolltuned.a and .so in the folder `work`. The rest of the library is the
 * same for all tables. */
static int compile(const struct ct_mpi *mpi, const char *work, const struct ct_watch *watch,
                   struct ct_error *error)
{
    char *include = ct_format("-I%s", work), *code = ct_format("%s/decisions.c", work);
    char *stem = ct_format("%s/libcolltuned", work), *object = NULL;
    int status = include && code && stem
                     ? ct_mpi_keep(mpi, CT_LIBRARY_OBJECT, "library", watch, error, &object)
                     : CT_E_MEMORY;
    if (status == CT_OK) {
        const char *const extra[] = {include, code, object, NULL};
        const struct ct_compilation what = {.product = CT_LIBRARY, .extra = extra, .output = stem};
        status = ct_mpi_compile(mpi, &what, watch, error);
    }
    free(object);
    free(include);
    free(code);
    free(stem);
    return status;
}

/* Linkers leave a library out that a program does not refer to, and programs need not refer to this one: in
 * Fortran they call functions of the MPI's Fortran library, which call the tuned ones, and the simulator's
 * header declares its functions as weak. Hence the options around -lcolltuned: they also take the object that
 * takes functions over out of the archive. pkg-config quotes paths with blanks for -I and -L, but not for
 * -Wl: there programs need LD_LIBRARY_PATH. */
static void append_package(const char *prefix, const struct ct_mpi *mpi, struct ct_text *text)
{
    char *whole = realpath(prefix, NULL);
    ct_text_append(text,
                   "prefix=%s\n"
                   "libdir=${prefix}/lib\n"
                   "includedir=${prefix}/include\n"
                   "mpi=%s\n"
                   "mpicc=%s\n\n"
                   "Name: colltuned\n"
                   "Description: tuned MPI collectives for %s %s\n"
                   "Version: %s\n"
                   "Libs: -L\"${libdir}\"%s -Wl,-u,MPI_Init "
                   "-Wl,--push-state,--no-as-needed -lcolltuned -Wl,--pop-state\n"
                   "Libs.private: -pthread -ldl\n"
                   "Cflags: -I\"${includedir}\"\n",
                   whole ? whole : prefix, mpi->name, mpi->cc, mpi->name, mpi->version, CT_VERSION,
                   strchr(whole ? whole : prefix, ' ') ? "" : " -Wl,-rpath,${libdir}");
    free(whole);
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

/* Makes the library in the new folder `work`, then puts everything where it belongs. */
static int build(const char *prefix, const char *work, const struct ct_table *table, const struct ct_mpi *mpi,
                 const struct ct_watch *watch, struct ct_error *error)
{
    static const char *const folders[] = {"lib/pkgconfig", "include", "share/colltuned"};
    static const char *const suffixes[] = {"a", "so"};
    struct ct_text header = {0}, code = {0}, interface = {0}, xml = {0}, package = {0};
    const struct {
        const char *name;
        const struct ct_text *text;
    } files[] = {{"include/colltuned.h", &interface},
                 {"include/colltune_decisions.h", &header},
                 {"share/colltuned/table.xml", &xml},
                 {"lib/pkgconfig/colltuned.pc", &package}};
    int status = ct_c_map_generator.generate(table, NULL, error, &header, NULL);
    if (status != CT_OK)
        goto done;
    ct_library_code_write(table, "colltune_decisions.h", &code);
    ct_table_write(table, &xml);
    append_package(prefix, mpi, &package);
    if ((status = write_below(work, "colltune_decisions.h", &header, error)) != CT_OK ||
        (status = write_below(work, "decisions.c", &code, error)) != CT_OK ||
        (status = compile(mpi, work, watch, error)) != CT_OK ||
        (status = append_interface(error, &interface)) != CT_OK)
        goto done;
    for (size_t i = 0; status == CT_OK && i < sizeof folders / sizeof folders[0]; i++) {
        char *path = ct_format("%s/%s", prefix, folders[i]);
        status = path ? ct_folder_make(path, error) : CT_E_MEMORY;
        free(path);
    }
    for (size_t i = 0; status == CT_OK && i < sizeof files / sizeof files[0]; i++)
        status = write_below(prefix, files[i].name, files[i].text, error);
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
done:
    ct_text_free(&header);
    ct_text_free(&code);
    ct_text_free(&interface);
    ct_text_free(&xml);
    ct_text_free(&package);
    return status;
}

int ct_prefix_build(const char *prefix, const struct ct_table *table, const struct ct_mpi *mpi, bool replace,
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
        status = build(prefix, work, table, mpi, watch, error);
        ct_remove_all(work, NULL);
    }
    if (status != CT_OK && fresh)
        ct_remove_all(prefix, NULL);
done:
    free(library);
    free(work);
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
