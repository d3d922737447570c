/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/data.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "config.h"
#include "measure/backend/toolchain.h"

#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Programs compiled once are kept under a name made of everything that went into them. */

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

/* All files that a pattern below the folder of `root` matches, in the order of their names. */
static int hash_matching(const char *root, const char *pattern, struct ct_error *error, uint64_t *hash)
{
    glob_t found;
    char *whole = ct_format("%s/%s", root, pattern);
    int status = whole ? CT_OK : CT_E_MEMORY;
    if (whole && glob(whole, 0, NULL, &found) == 0) {
        for (size_t i = 0; status == CT_OK && i < found.gl_pathc; i++)
            status = hash_file(found.gl_pathv[i], error, hash);
        globfree(&found);
    }
    free(whole);
    return status;
}

/* Sources, headers and the registry of every folder that a program is compiled from. */
static int hash_sources(struct ct_error *error, uint64_t *hash)
{
    static const char *const patterns[] = {"base/*.[ch]",         "algorithms/*.[ch]", "algorithms/*.def",
                                           "algorithms/*/*.[ch]", "decision/*.[ch]",   "library/*.[ch]",
                                           "library/*/*.[ch]",    "measure/*.[ch]",    "measure/*/*.[ch]"};
    char *anchor;
    int status = ct_data_path("algorithms/registry.def", error, &anchor);
    if (status != CT_OK)
        return status;
    *(strrchr(anchor, '/')) = '\0';
    *(strrchr(anchor, '/')) = '\0';
    for (size_t i = 0; status == CT_OK && i < sizeof patterns / sizeof patterns[0]; i++)
        status = hash_matching(anchor, patterns[i], error, hash);
    free(anchor);
    return status;
}

/* The user's cache folder for colltune, made where it is not there. */
static int cache_folder(struct ct_error *error, char **ret_folder)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *folder = cache && *cache ? ct_format("%s/colltune", cache)
                   : home && *home ? ct_format("%s/.cache/colltune", home)
                                   : ct_format("/tmp/colltune-%ld", (long)getuid());
    int status = folder ? ct_folder_make(folder, error) : CT_E_MEMORY;
    if (status != CT_OK) {
        free(folder);
        return status;
    }
    *ret_folder = folder;
    return CT_OK;
}

static int compile_to(const struct ct_mpi *mpi, const char *list, const char *path, struct ct_error *error)
{
    char *fresh = ct_format("%s.%ld", path, (long)getpid());
    if (!fresh)
        return CT_E_MEMORY;
    struct ct_compilation what = {.list = list, .output = fresh};
    int status = ct_mpi_compile_program(mpi, &what, error);
    if (status == CT_OK && rename(fresh, path) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", path);
    if (status != CT_OK)
        unlink(fresh);
    free(fresh);
    return status;
}

int ct_mpi_program(const struct ct_mpi *mpi, const char *list, struct ct_error *error, char **ret_program)
{
    uint64_t hash = ct_hash(0, CT_VERSION, sizeof CT_VERSION);
    hash = ct_hash(hash, mpi->cc, strlen(mpi->cc));
    hash = ct_hash(hash, mpi->version, strlen(mpi->version));
    char *folder;
    int status = hash_sources(error, &hash);
    if (status == CT_OK)
        status = cache_folder(error, &folder);
    if (status != CT_OK)
        return status;
    char *path = ct_format("%s/%s-%s-%016llx", folder, list, mpi->name, (unsigned long long)hash);
    free(folder);
    if (!path)
        return CT_E_MEMORY;
    if (access(path, X_OK) != 0)
        status = compile_to(mpi, list, path, error);
    if (status != CT_OK) {
        free(path);
        return status;
    }
    *ret_program = path;
    return CT_OK;
}
