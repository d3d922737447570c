/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_EXECUTABLE_H
#define CT_MEASURE_BACKEND_EXECUTABLE_H

#include "base/error.h"

#include <stdbool.h>

/* What an executable or a shared library tells of itself: whether a library can be preloaded into it, and
 * which MPI it uses. */

enum ct_executable_kind {
    CT_EXECUTABLE_SCRIPT, /* or anything else that is not an ELF file */
    CT_EXECUTABLE_STATIC, /* has no loader, so that nothing can be preloaded */
    CT_EXECUTABLE_DYNAMIC
};

struct ct_executable {
    enum ct_executable_kind kind;
    bool is_privileged;   /* setuid, setgid, or with capabilities: the loader ignores LD_PRELOAD */
    char *missing;        /* the first library that the loader does not find; NULL: it finds all */
    char *mpi;            /* the MPI library that the loader finds, with links resolved; NULL: none */
    char *mpi_soname;     /* "libmpi.so.40"; NULL: none */
    const char *mpi_name; /* "mpich" or "openmpi" as that name says; NULL: neither */
    bool is_tuned;        /* the loader finds libcolltuned */
    bool loads_later;     /* the file itself loads libraries by dlopen(), as interpreters do */
};

/* Reads the file with ldd and nm. CT_OK; CT_E_INPUT with a line in `error` where it is not there, or cannot
 * be read; CT_E_SYSTEM, CT_E_MEMORY. Caller frees with ct_executable_free(). */
int ct_executable_read(const char *path, struct ct_error *error, struct ct_executable *ret_executable);
void ct_executable_free(struct ct_executable *executable);

#endif
