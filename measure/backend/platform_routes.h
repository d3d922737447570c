/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_PLATFORM_ROUTES_H
#define CT_MEASURE_BACKEND_PLATFORM_ROUTES_H

#include "measure/backend/job_place.h"

/* The ways between the first hosts of a simulated platform, as the simulator finds them: the text of a model
 * (models/model.rng) that has nothing but them. Its messages take no time. */

/* Of so many hosts at most. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`, also where the platform
 * has no way from host to host; CT_E_MEMORY. Caller frees *ret_text. */
int ct_platform_routes(const struct ct_place_request *request, size_t hosts, struct ct_error *error,
                       char **ret_text);

#endif
