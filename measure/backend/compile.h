/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_COMPILE_H
#define CT_MEASURE_BACKEND_COMPILE_H

#include "base/progress.h"
#include "measure/backend/toolchain.h"

#include <stdint.h>

/* Compiles colltune's MPI sources with the compiler wrapper of an MPI. */

/* What the sources use without MPI, compiled once for all MPIs: an archive in the build or data folder. */
#define CT_CORE_NAME "libcolltune-core.a"

enum ct_product {
    CT_PROGRAM,        /* a program */
    CT_PROGRAM_OBJECT, /* one object of a program */
    CT_LIBRARY_OBJECT, /* one object, for the tuned library and the benchmark program */
    CT_LIBRARY         /* `output`.so and `output`.a (for smpi only .a) of the same objects */
};

struct ct_compilation {
    enum ct_product product;
    const char *list; /* "library", "benchmark", ...: NAME.list in the build or data folder; NULL: none */
    const char *const *extra; /* further sources, objects, flags or libraries (full paths), NULL at the end */
    const char *output;       /* file to make; of a library without its ending */
};

/* Compiles all files of the list and of `extra` (may be NULL), and makes the product of them. The compilers
 * are ended if the watch (may be NULL) is stopped; no file is left behind on failure, except `output`. CT_OK;
 * CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_STOPPED, CT_E_MEMORY. */
int ct_mpi_compile(const struct ct_mpi *mpi, const struct ct_compilation *what, const struct ct_watch *watch,
                   struct ct_error *error);

/* The folder that the includes of the sources are relative to. CT_OK, or an error as above. Caller frees. */
int ct_source_root(struct ct_error *error, char **ret_root);

/* Goes on with a hash: it changes with the options that everything is compiled and joined with. */
uint64_t ct_compile_hash(uint64_t hash);

#endif
