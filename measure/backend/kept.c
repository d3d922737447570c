/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/kept.h"
#include "base/data.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "config.h"
#include "measure/backend/compile.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name of what is kept has a hash of everything that went into it. */

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

/* Hashes a file of the build or data folder. */
static int hash_data(const char *name, struct ct_error *error, uint64_t *hash)
{
    char *path = NULL;
    int status = name ? ct_data_path(name, error, &path) : CT_E_MEMORY;
    if (status == CT_OK)
        status = hash_file(path, error, hash);
    free(path);
    return status;
}

/* Hashes the sources, headers and tables of every folder that a program is compiled from, in the order of
 * their names. */
static int hash_sources(struct ct_error *error, uint64_t *hash)
{
    char *root = NULL;
    glob_t found = {0};
    int status = ct_source_root(error, &root);
    if (status != CT_OK)
        return status;
    char *pattern = ct_format(
        "%s/{base,plan,algorithms,decision/tree,library,library/*,measure,measure/*}/*.{c,h,def,cpp}", root);
    status = pattern && glob(pattern, GLOB_BRACE, NULL, &found) != GLOB_NOSPACE ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < found.gl_pathc; i++)
        status = hash_file(found.gl_pathv[i], error, hash);
    globfree(&found);
    free(pattern);
    free(root);
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

int ct_shared_folder(struct ct_error *error, char **ret_folder)
{
    char *cache;
    int status = ct_cache_folder(error, &cache);
    if (status != CT_OK)
        return status;
    char *folder = ct_format("%s/job-XXXXXX", cache);
    free(cache);
    if (!folder)
        return CT_E_MEMORY;
    if (!mkdtemp(folder)) {
        status = ct_fail(error, CT_E_SYSTEM, "%s: a folder for a job cannot be made", folder);
        free(folder);
        return status;
    }
    *ret_folder = folder;
    return CT_OK;
}

/* Two colltunes may compile the same thing at the same time: each writes another file and renames it. */
static int compile_to(const struct ct_mpi *mpi, enum ct_product product, const char *list, const char *with,
                      const char *path, const struct ct_watch *watch, struct ct_error *error)
{
    char *fresh = ct_format("%s.%ld", path, (long)getpid());
    if (!fresh)
        return CT_E_MEMORY;
    const char *const extra[] = {with, NULL};
    const struct ct_compilation what = {.product = product, .list = list, .extra = extra, .output = fresh};
    ct_watch_notice(watch, "getting ready: compiling the %s%s for %s %s", list,
                    product == CT_LIBRARY_OBJECT ? "" : " program", mpi->name, mpi->version);
    int status = ct_mpi_compile(mpi, &what, watch, error);
    if (status == CT_OK && rename(fresh, path) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", path);
    if (status != CT_OK)
        unlink(fresh);
    free(fresh);
    return status;
}

int ct_mpi_kept(const struct ct_mpi *mpi, const char *list, const char *name, struct ct_error *error,
                char **ret_path)
{
    uint64_t hash = ct_compile_hash(ct_hash(0, CT_VERSION, sizeof CT_VERSION));
    hash = ct_hash(hash, mpi->cc, strlen(mpi->cc));
    hash = ct_hash(hash, mpi->compiler, strlen(mpi->compiler));
    hash = ct_hash(hash, mpi->version, strlen(mpi->version));
    char *folder, *sources = ct_format("%s.list", list);
    int status = hash_data(sources, error, &hash);
    free(sources);
    if (status != CT_OK || (status = hash_data(CT_CORE_NAME, error, &hash)) != CT_OK ||
        (status = hash_sources(error, &hash)) != CT_OK || (status = ct_cache_folder(error, &folder)) != CT_OK)
        return status;
    char *path = ct_format("%s/%s-%s-%016llx", folder, name, mpi->name, (unsigned long long)hash);
    free(folder);
    if (!path)
        return CT_E_MEMORY;
    *ret_path = path;
    return CT_OK;
}

int ct_mpi_keep(const struct ct_mpi *mpi, enum ct_product product, const char *list, const char *with,
                const struct ct_watch *watch, struct ct_error *error, char **ret_path)
{
    static const char *const endings[] = {
        [CT_PROGRAM] = "", [CT_PROGRAM_OBJECT] = ".o", [CT_LIBRARY_OBJECT] = ".o"};
    char *stem;
    int status = ct_mpi_kept(mpi, list, list, error, &stem);
    if (status != CT_OK)
        return status;
    char *path = ct_format("%s%s", stem, endings[product]);
    free(stem);
    if (!path)
        return CT_E_MEMORY;
    if (access(path, R_OK) != 0 &&
        (status = compile_to(mpi, product, list, with, path, watch, error)) != CT_OK) {
        free(path);
        return status;
    }
    *ret_path = path;
    return CT_OK;
}
