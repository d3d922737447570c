/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_MACHINE_H
#define CT_MEASURE_BACKEND_MACHINE_H

#include "measure/backend/platform.h"
#include "measure/backend/toolchain.h"
#include "samples/run.h"

/* Adds what this machine is (machine.*, from hwloc), the CPUs that we may use (affinity) and the environment
 * that MPI libraries look at (env.*). CT_OK or CT_E_MEMORY. */
int ct_machine_describe(struct ct_run_description *description);
/* Adds what the simulated machine is (platform.*). CT_OK, CT_E_SYSTEM, CT_E_MEMORY. */
int ct_platform_describe(const struct ct_platform *platform, struct ct_error *error,
                         struct ct_run_description *description);
/* Adds mpi.name, mpi.version and mpi.cc. CT_OK or CT_E_MEMORY. */
int ct_mpi_describe(const struct ct_mpi *mpi, struct ct_run_description *description);

/* CPUs that this process may use. */
size_t ct_usable_cpus(void);

#endif
