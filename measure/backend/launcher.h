/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_LAUNCHER_H
#define CT_MEASURE_BACKEND_LAUNCHER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* How parallel programs are started: a template with the words `{np}` and `{cmd}` ("srun -n {np} {cmd}"), or
 * a plain command ("mpiexec -bind-to core"), to which `-n NP COMMAND...` is appended. Blanks separate words;
 * ' and " quote them. A word that is {cmd} becomes the command's words; inside a longer word it is replaced
 * by them, separated by blanks.
 *
 * A template places ranks with `{hostfile}`, `{ppn}` and `{nodes}` (enough nodes for np ranks with ppn on
 * each). Any other word in braces is refused, except for a shell's ${NAME}. The plain commands with known
 * options are mpiexec and mpirun, of MPICH and of Open MPI, and srun. */

struct ct_launch {
    size_t np;
    const char *hostfile; /* NULL: the launcher chooses */
    size_t ppn;           /* ranks on each node; 0: the launcher chooses */
    const char *mpi;      /* "mpich" or "openmpi": the MPI of a plain mpiexec; or NULL */
    bool oversubscribed;  /* more ranks than CPUs, which Open MPI's mpiexec must be told to allow */
};

/* CT_OK, or CT_E_INPUT with a line in `error`: empty, a quote that is not closed, {cmd} without {np} or the
 * reverse; an unknown word in braces; a hostfile or ppn that the launcher has no place for, or a place for a
 * value that is not given. */
int ct_launcher_check(const char *launcher, const struct ct_launch *launch, struct ct_error *error);

/* The argument vector that starts `launch->np` ranks of `command` (NULL at the end). Caller frees with
 * ct_launcher_free(). CT_OK, CT_E_INPUT as above, CT_E_MEMORY. */
int ct_launcher_expand(const char *launcher, const struct ct_launch *launch, const char *const *command,
                       struct ct_error *error, char ***ret_argv);
void ct_launcher_free(char **argv);

/* The path of a program as a launcher: one word, quoted where it has blanks or quotation marks. Caller frees;
 * NULL: no memory. */
char *ct_launcher_of(const char *path);

#endif
