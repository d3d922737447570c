/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_result.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/gains.h"
#include "measure/backend/machine.h"
#include "report/validation.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_tune_tell_use(const struct ct_tune_runs *runs, const char *command)
{
    char *path = realpath(runs->folder, NULL);
    const char *above = *runs->folder == '/' ? "" : "$PWD/";
    printf("Use it: %s", runs->modes == 1U << CT_MODE_BLOCKING ? "" : "COLLTUNE_NONBLOCKING=1 ");
    if (path && strchr(path, ' ')) /* which separates names in LD_PRELOAD */
        printf("LD_LIBRARY_PATH=\"%s%s/library/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\" "
               "LD_PRELOAD=libcolltuned.so %s\n",
               above, runs->folder, command);
    else
        printf("LD_PRELOAD=%s%s/library/lib/libcolltuned.so %s\n", above, runs->folder, command);
    free(path);
}

int ct_tune_tell(const struct ct_tune_runs *runs, bool simulated, struct ct_error *error)
{
    const char *folder = runs->folder;
    char *points = ct_format("%s/validation.csv", folder), *command = NULL;
    struct ct_run run = {0};
    struct ct_validation validation = {0};
    struct ct_sweep_grid grid = {0};
    struct ct_text text = {0};
    int status = CT_E_MEMORY;
    if (!points || (status = ct_tune_runs_read(folder, error, &run)) != CT_OK ||
        (status = ct_validation_read(points, error, &validation)) != CT_OK ||
        (status = ct_tune_runs_cells(runs, simulated, error, &grid)) != CT_OK)
        goto done;
    ct_gains_tell(&validation, &grid, simulated ? SIZE_MAX : ct_usable_cpus(), &text);
    if (grid.cells_done < grid.cell_count)
        ct_text_append(&text, "Measure more: the same command with --budget TIME.\n");
    ct_text_append(&text, "Report: %s/report/index.html\n", folder);
    command = ct_format("%s -n 4 ./app", run.description.launcher);
    if (text.failed || !command) {
        status = CT_E_MEMORY;
        goto done;
    }
    fputs(text.data, stdout);
    if (!simulated)
        ct_tune_tell_use(runs, command);
done:
    free(command);
    ct_text_free(&text);
    ct_validation_free(&validation);
    ct_run_free(&run);
    free(points);
    return status;
}
