/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_SUMMARY_H
#define CT_REPORT_SUMMARY_H

#include "report/section.h"

/* Appends the slowdowns of all decisions, and the run with its conditions. */
void ct_summary_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page);

#endif
