/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/call_mode.h"

#include <string.h>

const char *const ct_mode_names[CT_MODES + 1] = {
    [CT_MODE_BLOCKING] = "blocking",
    [CT_MODE_NONBLOCKING] = "nonblocking",
    [CT_MODE_PERSISTENT] = "persistent",
};

enum ct_call_mode ct_mode_find(const char *name)
{
    int mode = 0;
    while (mode < CT_MODES && strcmp(ct_mode_names[mode], name) != 0)
        mode++;
    return (enum ct_call_mode)mode;
}
