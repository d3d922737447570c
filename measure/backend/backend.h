/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_BACKEND_H
#define CT_MEASURE_BACKEND_BACKEND_H

#include "measure/backend/job_place.h"

/* Where jobs run: on real machines under a launcher, or on a simulated one. Everything in which the two
 * differ on this side of MPI is in their descriptors (job_place.h); library/mpi/backend_mpi.h has the other
 * side. */

/* Finds MPI, launcher and platform and checks that the request makes sense. CT_OK; CT_E_INPUT, CT_E_SYSTEM
 * with a line in `error`; CT_E_MEMORY. Caller frees with ct_place_close(). */
int ct_place_open(const struct ct_place_request *request, struct ct_error *error, struct ct_place *ret_place);
/* Leaves all zeroes. */
void ct_place_close(struct ct_place *place);

/* Jobs that may run at the same time: a real measurement needs the machine to itself. */
size_t ct_place_jobs(const struct ct_place *place);

/* Adds the machine, the MPI and the place to the description. CT_OK, CT_E_SYSTEM, CT_E_MEMORY. */
int ct_place_describe(const struct ct_place *place, struct ct_error *error,
                      struct ct_run_description *description);

/* Starts `ranks` ranks of `command` (NULL at the end). Their output goes to the file `log`, in a folder that
 * may take further files. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. */
int ct_place_start(const struct ct_place *place, size_t ranks, const char *const *command, const char *log,
                   struct ct_error *error, struct ct_process *ret_process);

#endif
