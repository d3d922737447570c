/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/given_twice.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is given twice would count twice. */

/* One with the text of another is the same one, unless something else is said of it: a short table may come
 * out alike for other ranks or another method. Of the same file, other rows or columns may be read. */
static bool is_same(const struct ct_import_source *a, const struct ct_import_source *b)
{
    return ct_import_is_equal(a->where, b->where) && ct_import_is_equal(a->map, b->map) &&
           (ct_import_is_equal(a->path, b->path) ||
            (ct_import_is_equal(a->method, b->method) && a->collective == b->collective &&
             ct_cell_key_compare(&a->key, &b->key) == 0));
}

/* "" where it cannot be read, which who reads it says better. */
static int take_checksum(const struct ct_import_source *source, const char *inside,
                         char ret_checksum[CT_CHECKSUM_TEXT])
{
    struct ct_error ignored;
    char *path = ct_format("%s%s", source->path, inside);
    if (!path)
        return CT_E_MEMORY;
    if (ct_file_checksum(path, &ignored, ret_checksum) != CT_OK)
        *ret_checksum = '\0';
    free(path);
    return CT_OK;
}

/* What comes through a pipe is gone once its checksum is taken. */
static int forbid_pipe(const char *path, struct ct_error *error)
{
    struct stat about;
    bool once = stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
    return once ? ct_fail(error, CT_E_INPUT, "%s: is no ordinary file: expected one, for it is read twice",
                          path)
                : CT_OK;
}

int ct_import_forbid_twice(const struct ct_import_source *sources, size_t count, const char *inside,
                           struct ct_error *error)
{
    char(*checksums)[CT_CHECKSUM_TEXT] = ct_allocate(count, sizeof *checksums);
    int status = checksums ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        status = forbid_pipe(sources[i].path, error);
        if (status == CT_OK)
            status = take_checksum(&sources[i], inside, checksums[i]);
        for (size_t k = 0; status == CT_OK && k < i; k++)
            if (*checksums[i] && strcmp(checksums[i], checksums[k]) == 0 && is_same(&sources[i], &sources[k]))
                status = ct_fail(error, CT_E_INPUT, "%s: holds the same as %s: expected each result once",
                                 sources[i].path, sources[k].path);
    }
    free(checksums);
    return status;
}
