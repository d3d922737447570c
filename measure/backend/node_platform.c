/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/node_platform.h"
#include "base/data.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "measure/backend/compile.h"
#include "measure/backend/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "smpicc" becomes "smpicxx". */
static char *cxx_of(const char *cc)
{
    const char *slash = strrchr(cc, '/'), *at = strstr(slash ? slash : cc, "cc");
    return at ? ct_format("%.*scxx%s", (int)(at - cc), cc, at + strlen("cc")) : strdup(cc);
}

static int compile(const char *cxx, const char *root, const char *source, const char *output,
                   struct ct_error *error)
{
    static const char advice[] =
        "simulating several ranks on a host needs a C++ compiler: install g++, or set "
        "COLLTUNE_NODE=mpi";
    char *include = ct_format("-I%s", root);
    struct ct_text said = {0};
    int code = 0;
    const char *const argv[] = {cxx,     "-std=gnu++17", "-O2",  "-shared", "-fPIC",
                                include, "-o",           output, source,    NULL};
    int status = !include ? CT_E_MEMORY
                 : access(cxx, X_OK) == 0
                     ? ct_command_run(argv, &said, error, &code)
                     : ct_fail(error, CT_E_SYSTEM, "%s: no such compiler; %s", cxx, advice);
    if (status == CT_OK && code != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: does not compile: %.*s; %s", source,
                         said.data ? (int)strcspn(said.data, "\n") : 0, said.data ? said.data : "", advice);
    ct_text_free(&said);
    free(include);
    return status;
}

/* Two colltunes may compile it at the same time: each writes another file and renames it. */
static int compile_to(const struct ct_mpi *mpi, const char *path, struct ct_error *error)
{
    char *cxx = cxx_of(mpi->cc), *fresh = ct_format("%s.%ld", path, (long)getpid()), *root = NULL;
    char *source = NULL;
    int status = ct_data_path("measure/backend/node_platform.cpp", error, &source);
    if (status == CT_OK)
        status = ct_source_root(error, &root);
    if (status == CT_OK)
        status = cxx && fresh ? compile(cxx, root, source, fresh, error) : CT_E_MEMORY;
    if (status == CT_OK && rename(fresh, path) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", path);
    if (status != CT_OK && fresh)
        unlink(fresh);
    free(cxx);
    free(fresh);
    free(root);
    free(source);
    return status;
}

int ct_node_platform_keep(const struct ct_mpi *mpi, struct ct_error *error, char **ret_path)
{
    char *stem = NULL, *path;
    int status = ct_mpi_kept(mpi, "point-to-point", "node-platform", error, &stem);
    if (status != CT_OK)
        return status;
    path = ct_format("%s.so", stem);
    free(stem);
    if (!path)
        return CT_E_MEMORY;
    if (access(path, R_OK) != 0)
        status = compile_to(mpi, path, error);
    if (status == CT_OK)
        *ret_path = path;
    else
        free(path);
    return status;
}
