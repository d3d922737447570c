/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sync.h"

#include <string.h>

const char *const ct_sync_names[CT_SYNCS] = {
    [CT_SYNC_AUTO] = "auto",
    [CT_SYNC_BARRIER] = "barrier",
    [CT_SYNC_COMMON] = "common",
    [CT_SYNC_WINDOW] = "window",
};

enum ct_sync ct_sync_find(const char *name)
{
    int sync = 0;
    while (sync < CT_SYNCS && strcmp(ct_sync_names[sync], name) != 0)
        sync++;
    return (enum ct_sync)sync;
}
