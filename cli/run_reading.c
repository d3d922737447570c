/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run_reading.h"
#include "cli/terminal.h"
#include "samples/run_folder.h"

int ct_run_read_shown(const struct ct_command *command, const char *folder, struct ct_error *error,
                      struct ct_run *ret_run)
{
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_show(&bar, command);
    int status = ct_run_read_watched(folder, false, &watch, error, ret_run);
    ct_bar_end(&bar);
    return status;
}
