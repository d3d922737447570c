/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_CHANGE_PAGE_H
#define CT_REPORT_CHANGE_PAGE_H

#include "decision/change.h"
#include "samples/conditions.h"

/* One HTML page about what changed between two runs, in the style of the report. */

struct ct_change_report {
    const char *names[2]; /* of the runs */
    const struct ct_run_description *descriptions[2];
    const struct ct_condition *conditions; /* those that differ */
    size_t condition_count;
    const struct ct_changes *changes;
};

/* Writes FOLDER/index.html: whole or not at all, nothing is overwritten. CT_OK; CT_E_INPUT where
 * ct_page_folder_check() says no; CT_E_SYSTEM, CT_E_MEMORY. */
int ct_change_page_write(const struct ct_change_report *report, const char *folder, struct ct_error *error);

#endif
