/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/data.h"
#include "base/file.h"
#include "config.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode);
}

/* The folder of the installed data; NULL if the program is not installed or memory is short. */
static char *installed_root(void)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return NULL;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    char *root = ct_format("%s/../share/colltune", program);
    if (root && !is_folder(root)) {
        free(root);
        root = NULL;
    }
    return root;
}

int ct_data_path(const char *name, struct ct_error *error, char **ret_path)
{
    const char *given = getenv("COLLTUNE_DATA");
    char *installed = given && *given ? NULL : installed_root();
    char *compiled = installed ? ct_format("%s/../../" CT_LIBRARY_FOLDER "/colltune", installed) : NULL;
    const char *const roots[] = {given && *given ? given
                                 : installed     ? installed
                                                 : CT_SOURCE_ROOT,
                                 compiled ? compiled : CT_BUILD_ROOT};
    int status = CT_OK;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        char *path = ct_format("%s/%s", roots[i], name);
        if (!path) {
            status = ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
            break;
        }
        if (access(path, R_OK) == 0) {
            *ret_path = path;
            status = CT_OK;
            break;
        }
        if (i == 0)
            status =
                ct_fail(error, CT_E_SYSTEM,
                        "%s: this file of colltune is missing; set COLLTUNE_DATA to the folder that has %s",
                        path, name);
        free(path);
    }
    free(installed);
    free(compiled);
    return status;
}
