/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/preload.h"
#include "base/file.h"

#include <stdlib.h>

int ct_preload_make(const char *prefix, struct ct_error *error, struct ct_preload_variables *ret_variables)
{
    char *library = ct_format("%s/lib/libcolltuned.so", prefix);
    char *path = library ? realpath(library, NULL) : NULL;
    int status = CT_E_MEMORY;
    if (library && !path)
        status = ct_fail(error, CT_E_INPUT,
                         "%s: does not exist: expected the folder that `colltune build` made", library);
    else if (path)
        status = ct_preload_variables_make(path, error, ret_variables);
    free(path);
    free(library);
    return status;
}

int ct_preload_fail_unused(const char *command, struct ct_error *error)
{
    return ct_fail(error, CT_E_ANSWER,
                   "'%s' does not load the tuned library: the program is linked statically or with another "
                   "MPI, or the launcher does not pass LD_PRELOAD on",
                   command);
}
