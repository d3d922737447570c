/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_BACKEND_REAL_H
#define CT_MEASURE_BACKEND_BACKEND_REAL_H

#include "measure/backend/job_place.h"

/* Real machines, under a launcher. */
extern const struct ct_backend ct_backend_real;

#endif
