#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Shared by tests of MPICH and Open MPI. They set `mpi` and `mpiexec` first; `launch` then holds the words
# that start a job. Tells whether Open MPI runs here at all, too.
# shellcheck disable=SC2034,SC2154 # who takes this in has `mpi` and `mpiexec`, and uses `launch`

# Says why not, if it does not.
openmpi_runs() {
    [ "$(id -u)" -ne 0 ] || [ -n "${OMPI_ALLOW_RUN_AS_ROOT_CONFIRM:-}" ] || {
        echo 'Open MPI does not run as root, unless OMPI_ALLOW_RUN_AS_ROOT and _CONFIRM say so: skipped'
        return 1
    }
}

launch=("$mpiexec")
if [ "$mpi" = openmpi ]; then
    launch+=(--oversubscribe)
    openmpi_runs || exit 77
fi
