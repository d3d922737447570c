/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_REPORT_H
#define CT_REPORT_REPORT_H

#include "report/report_input.h"

/* One HTML page about a run: what was gained, what wins where, what decision tables make of it, and what a
 * validation measured. It needs no network, and its pictures stand in it. Without scripts it lacks only the
 * sorting of tables. */

/* Draws the page and writes it to FOLDER/index.html: whole or not at all, nothing is overwritten. Where
 * gnuplot is not installed, the page says so in the place of its curves of times, and *ret_curves is false.
 * CT_OK; CT_E_INPUT where ct_page_folder_check() says no; CT_E_SYSTEM where gnuplot fails or the file cannot
 * be written; CT_E_MEMORY. */
int ct_report_write(const struct ct_report *report, const char *folder, struct ct_error *error,
                    bool *ret_curves);

#endif
