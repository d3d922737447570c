/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_BACKEND_SIMULATED_H
#define CT_MEASURE_BACKEND_BACKEND_SIMULATED_H

#include "measure/backend/job_place.h"

/* Simulated machines, under smpirun. */
extern const struct ct_backend ct_backend_simulated;

#endif
