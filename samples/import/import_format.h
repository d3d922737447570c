/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_FORMAT_H
#define CT_SAMPLES_IMPORT_IMPORT_FORMAT_H

#include <stdbool.h>

struct ct_import_file; /* import_rows.h */

/* A format of results that can be imported. */
struct ct_import_format {
    const char *name;   /* as the command takes it */
    const char *text;   /* one line for people */
    const char *origin; /* the run's launcher: what made the results */
    bool has_map;       /* its columns have names of their own, which a map explains */
    const char *time;   /* what its times are, as in run.xml; NULL: as the request says */
    int (*read)(struct ct_import_file *file);
};

#endif
