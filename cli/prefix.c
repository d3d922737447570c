/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/prefix.h"
#include "base/data.h"
#include "base/file.h"
#include "codegen/generator.h"
#include "codegen/library_code.h"
#include "config.h"
#include "measure/backend/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Paths that a build writes to; `work` is a folder of its own that goes at the end. */
struct places {
    char *work;
    char *header;
    char *code;
    char *include;
    char *stem;
};

static void free_places(struct places *places)
{
    if (places->work)
        ct_remove_all(places->work, NULL);
    free(places->work);
    free(places->header);
    free(places->code);
    free(places->include);
    free(places->stem);
}

static int find_places(const char *prefix, struct ct_error *error, struct places *places)
{
    places->work = ct_format("%s/.build-XXXXXX", prefix);
    if (!places->work)
        return CT_E_MEMORY;
    if (!mkdtemp(places->work)) {
        int status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", prefix);
        free(places->work);
        places->work = NULL;
        return status;
    }
    places->header = ct_format("%s/colltune_decisions.h", places->work);
    places->code = ct_format("%s/decisions.c", places->work);
    places->include = ct_format("-I%s", places->work);
    places->stem = ct_format("%s/libcolltuned", places->work);
    return places->header && places->code && places->include && places->stem ? CT_OK : CT_E_MEMORY;
}

static int write_code(const struct ct_table *table, const struct places *places, struct ct_error *error)
{
    struct ct_text header = {0}, code = {0};
    int status = ct_c_map_generator.generate(table, NULL, error, &header, NULL);
    if (status == CT_OK)
        ct_library_code_write(table, "colltune_decisions.h", &code);
    if (status == CT_OK && (header.failed || code.failed))
        status = CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_file_write(places->header, header.data, header.length, error);
    if (status == CT_OK)
        status = ct_file_write(places->code, code.data, code.length, error);
    ct_text_free(&header);
    ct_text_free(&code);
    return status;
}

static int compile(const struct ct_mpi *mpi, const struct places *places, struct ct_error *error)
{
    /* hidden: a preloaded library must not lend its inner functions to the application */
    const char *const extra[] = {places->include, "-fvisibility=hidden", places->code, NULL};
    const struct ct_compilation what = {.list = "library", .extra = extra, .output = places->stem};
    return ct_mpi_compile_library(mpi, &what, error);
}

static int copy_to(const char *from, const char *prefix, const char *name, struct ct_error *error)
{
    char *text, *path = ct_format("%s/%s", prefix, name);
    size_t length;
    int status = path ? ct_file_read(from, error, &text, &length) : CT_E_MEMORY;
    if (status == CT_OK) {
        status = ct_file_write(path, text, length, error);
        free(text);
    }
    free(path);
    return status;
}

static int write_package(const char *prefix, const struct ct_mpi *mpi, struct ct_error *error)
{
    char *whole = realpath(prefix, NULL), *path = ct_format("%s/lib/pkgconfig/colltuned.pc", prefix);
    struct ct_text text = {0};
    ct_text_append(
        &text,
        "prefix=%s\n"
        "libdir=${prefix}/lib\n"
        "includedir=${prefix}/include\n"
        "mpi=%s\n"
        "mpicc=%s\n\n"
        "Name: colltuned\n"
        "Description: tuned MPI collectives for %s %s\n"
        "Version: %s\n"
        "Libs: -L${libdir} %s -lcolltuned\n"
        "Cflags: -I${includedir}\n",
        whole ? whole : prefix, mpi->name, mpi->cc, mpi->name, mpi->version, CT_VERSION,
        /* the simulator's header declares weak functions, for which nothing is taken out of an archive */
        strcmp(mpi->name, "smpi") == 0 ? "-Wl,-u,MPI_Init" : "-Wl,-rpath,${libdir}");
    int status = path && !text.failed ? ct_file_write(path, text.data, text.length, error) : CT_E_MEMORY;
    ct_text_free(&text);
    free(path);
    free(whole);
    return status;
}

static int write_table(const char *prefix, const struct ct_table *table, struct ct_error *error)
{
    struct ct_text text = {0};
    char *path = ct_format("%s/share/colltuned/table.xml", prefix);
    ct_table_write(table, &text);
    int status = path && !text.failed ? ct_file_write(path, text.data, text.length, error) : CT_E_MEMORY;
    ct_text_free(&text);
    free(path);
    return status;
}

/* Everything is compiled by now: puts it where it belongs. */
static int install(const char *prefix, const struct ct_table *table, const struct ct_mpi *mpi,
                   const struct places *places, struct ct_error *error)
{
    static const char *const suffixes[] = {"a", "so"};
    char *header = NULL;
    int status = ct_data_path("library/colltuned.h", error, &header);
    if (status == CT_OK)
        status = copy_to(header, prefix, "include/colltuned.h", error);
    free(header);
    if (status == CT_OK)
        status = copy_to(places->header, prefix, "include/colltune_decisions.h", error);
    if (status == CT_OK)
        status = write_table(prefix, table, error);
    if (status == CT_OK)
        status = write_package(prefix, mpi, error);
    for (size_t i = 0; status == CT_OK && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char *from = ct_format("%s.%s", places->stem, suffixes[i]);
        char *to = ct_format("%s/lib/libcolltuned.%s", prefix, suffixes[i]);
        if (!from || !to)
            status = CT_E_MEMORY;
        else if (access(from, F_OK) == 0 && rename(from, to) != 0)
            status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", to);
        free(from);
        free(to);
    }
    return status;
}

static int make_folders(const char *prefix, struct ct_error *error)
{
    static const char *const folders[] = {"lib/pkgconfig", "include", "share/colltuned"};
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < sizeof folders / sizeof folders[0]; i++) {
        char *path = ct_format("%s/%s", prefix, folders[i]);
        status = path ? ct_folder_make(path, error) : CT_E_MEMORY;
        free(path);
    }
    return status;
}

int ct_prefix_build(const char *prefix, const struct ct_table *table, const struct ct_mpi *mpi, bool replace,
                    struct ct_error *error)
{
    char *library = ct_format("%s/lib/libcolltuned.a", prefix);
    if (!library)
        return CT_E_MEMORY;
    bool taken = access(library, F_OK) == 0, fresh = access(prefix, F_OK) != 0;
    free(library);
    if (taken && !replace)
        return ct_fail(error, CT_E_INPUT, "%s: holds a tuned library already; nothing was overwritten",
                       prefix);

    struct places places = {0};
    int status = ct_folder_make(prefix, error);
    if (status == CT_OK)
        status = find_places(prefix, error, &places);
    if (status == CT_OK)
        status = write_code(table, &places, error);
    if (status == CT_OK)
        status = compile(mpi, &places, error);
    if (status == CT_OK)
        status = make_folders(prefix, error);
    if (status == CT_OK)
        status = install(prefix, table, mpi, &places, error);
    free_places(&places);
    if (status != CT_OK && fresh)
        ct_remove_all(prefix, NULL);
    return status;
}

/* The value of a variable of a pkg-config file; NULL where it has none. */
static char *variable(const char *package, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = package; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, name, length) == 0 && line[length] == '=')
            return strndup(line + length + 1, strcspn(line + length + 1, "\n"));
    return NULL;
}

int ct_prefix_read(const char *prefix, struct ct_error *error, struct ct_prefix *ret_prefix)
{
    char *text, *path = ct_format("%s/lib/pkgconfig/colltuned.pc", prefix);
    size_t length;
    if (!path)
        return CT_E_MEMORY;
    if (ct_file_read(path, NULL, &text, &length) != CT_OK) {
        free(path);
        return ct_fail(error, CT_E_INPUT, "%s: holds no tuned library: expected what `colltune build` makes",
                       prefix);
    }
    struct ct_prefix found = {.mpi = variable(text, "mpi"), .cc = variable(text, "mpicc")};
    free(text);
    int status = CT_OK;
    if (!found.mpi || !found.cc) {
        status = ct_fail(error, CT_E_INPUT, "%s: lacks the variables mpi and mpicc", path);
        ct_prefix_free(&found);
    } else {
        *ret_prefix = found;
    }
    free(path);
    return status;
}

void ct_prefix_free(struct ct_prefix *prefix)
{
    free(prefix->mpi);
    free(prefix->cc);
    *prefix = (struct ct_prefix){0};
}
