/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/each_map.h"
#include "samples/run_folder.h"

#include <string.h>

static int study_run(const char *folder, study_map *study, void *context, struct ct_error *error)
{
    struct ct_run run;
    struct ct_map *maps = NULL;
    size_t count = 0;
    const char *name = strrchr(folder, '/');
    int status = ct_run_read(folder, false, error, &run);
    if (status != CT_OK)
        return status;
    status = ct_maps_make(&run, CT_COLLECTIVES, CT_MARGIN, error, &maps, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = study(context, name ? name + 1 : folder, &run, &maps[i]);
    ct_maps_free(maps, count);
    ct_run_free(&run);
    return status;
}

int study_each_map(char *const *folders, int count, study_map *study, void *context, struct ct_error *error)
{
    int status = CT_OK;
    for (int i = 0; status == CT_OK && i < count; i++)
        status = study_run(folders[i], study, context, error);
    return status;
}
