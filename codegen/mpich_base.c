/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/process.h"
#include "codegen/mpich_tree.h"

#include <stdlib.h>
#include <string.h>

/* The beginning of the texts that MPICH compiles in. One of the three chooses algorithms MPIR_... for all
 * collectives; the others compose these, or are for shared memory. */
static const char beginning[] = "{\"collective=";

/* The first text in the library that is a whole file of selections. */
static int find_in_library(const char *bytes, size_t length, const char *path, struct ct_error *error,
                           struct json_object **ret_tree)
{
    const char *end = bytes + length;
    for (const char *at = bytes; at && at < end; at++) {
        at = memmem(at, (size_t)(end - at), beginning, strlen(beginning));
        if (!at)
            break;
        size_t size = strnlen(at, (size_t)(end - at));
        if (ct_mpich_read(at, size, path, NULL, ret_tree) == CT_OK)
            return CT_OK;
    }
    return ct_fail(error, CT_E_INPUT,
                   "%s: no selections in this library: expected an MPICH from 4.0 on, or "
                   "maint/tuning/coll/mpir/generic.json of its sources",
                   path);
}

static bool is_binary(const char *bytes, size_t length)
{
    static const char *const magic[] = {"\177ELF", "!<arch>\n"};
    for (size_t i = 0; i < sizeof magic / sizeof magic[0]; i++)
        if (length >= strlen(magic[i]) && memcmp(bytes, magic[i], strlen(magic[i])) == 0)
            return true;
    return false;
}

/* The path of the MPICH library at hand. Caller frees. */
static int find_library(struct ct_error *error, char **ret_path)
{
    static const char *const command[] = {"pkg-config", "--variable=libdir", "mpich", NULL};
    struct ct_text folder = {0};
    int exit_code;
    int status = ct_command_run(command, &folder, error, &exit_code);
    if (status == CT_OK && (exit_code != 0 || !folder.data))
        status = ct_fail(error, CT_E_INPUT,
                         "pkg-config knows no mpich, whose own choices are to be kept: expected --base "
                         "LIBRARY, or the JSON file of that release");
    if (status == CT_OK) {
        folder.data[strcspn(folder.data, "\n")] = '\0';
        *ret_path = ct_format("%s/libmpich.so", folder.data);
        status = *ret_path ? CT_OK : ct_fail(error, CT_E_MEMORY, "out of memory");
    }
    ct_text_free(&folder);
    return status;
}

int ct_mpich_base(const char *path, struct ct_error *error, struct json_object **ret_tree)
{
    char *found = NULL, *bytes = NULL;
    size_t length = 0;
    int status = path ? CT_OK : find_library(error, &found);
    if (found)
        path = found;
    if (status == CT_OK)
        status = ct_file_read(path, error, &bytes, &length);
    if (status == CT_OK)
        status = is_binary(bytes, length) ? find_in_library(bytes, length, path, error, ret_tree)
                                          : ct_mpich_read(bytes, length, path, error, ret_tree);
    free(bytes);
    free(found);
    return status;
}
