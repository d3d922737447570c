/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_PLACE_LAUNCH_H
#define CT_MEASURE_BACKEND_PLACE_LAUNCH_H

#include "measure/backend/job_place.h"

/* The ranks that fit; SIZE_MAX where there is no limit. */
size_t ct_place_room(const struct ct_place *place);

/* For backends: starts a command by the place's launcher. */
int ct_place_launch(const struct ct_place *place, size_t ranks, const char *const *command,
                    const struct ct_process_options *options, struct ct_error *error,
                    struct ct_process *ret_process);

#endif
