/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sync.h"

#include <string.h>

const struct ct_sync_mode ct_sync_modes[CT_SYNCS] = {
#define SYNC(constant, name, clock, start, recorded, text)                                                   \
    [CT_SYNC_##constant] = {name, CT_SYNC_CLOCK_##clock, recorded},
#include "measure/sync.def"
#undef SYNC
};

#define SEPARATOR ", "

static const char names[] =
#define SYNC(constant, name, ...) SEPARATOR name
#include "measure/sync.def"
#undef SYNC
    ;

const char ct_sync_help[] = "choose how repetitions start and are timed"
#define SYNC(constant, name, clock, start, recorded, text) "; " name ": " text
#include "measure/sync.def"
#undef SYNC
    ;

const char *const ct_sync_names = names + sizeof SEPARATOR - 1;

enum ct_sync ct_sync_find(const char *name)
{
    int sync = 0;
    while (sync < CT_SYNCS && strcmp(ct_sync_modes[sync].name, name) != 0)
        sync++;
    return (enum ct_sync)sync;
}
