/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_EACH_MAP_H
#define CT_STUDIES_EACH_MAP_H

#include "decision/map.h"

/* What a study does with one collective of a run; `name` is the last part of the run's folder. CT_OK, or a
 * failure that ends the study. */
typedef int study_map(void *context, const char *name, const struct ct_run *run, const struct ct_map *map);

/* Does it with each collective of each run, in order. As the study; as ct_run_read(), ct_maps_make(). */
int study_each_map(char *const *folders, int count, study_map *study, void *context, struct ct_error *error);

#endif
