/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_MACHINE_H
#define CT_MEASURE_BACKEND_MACHINE_H

#include "samples/run.h"

/* Adds what this machine is (machine.*, from hwloc), the usable CPUs (affinity) and the environment variables
 * that MPI libraries read (env.*). CT_OK or CT_E_MEMORY. */
int ct_machine_describe(struct ct_run_description *description);

/* CPU model and number of cores: "Some CPU, 8 cores". CT_OK or CT_E_MEMORY. Caller frees. */
int ct_machine_summary(char **ret_summary);

/* Host, hardware threads and usable CPUs in one text, which is the same only on the same part of the same
 * machine. CT_OK or CT_E_MEMORY. Caller frees. */
int ct_machine_label(char **ret_label);

/* The CPUs that this process may use, at least 1. */
size_t ct_usable_cpus(void);

/* More ranks on a CPU are a mistake, unless the user says that they are not. */
enum { CT_RANKS_OF_A_CPU = 16 };

/* CT_E_INPUT with a line in `error` if so many ranks on this machine are more than that on each CPU. */
int ct_check_crowd(size_t ranks, struct ct_error *error);

#endif
