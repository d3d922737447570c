/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_OVERVIEW_H
#define CT_REPORT_OVERVIEW_H

#include "report/section.h"

/* The name of the machine that was measured: its host, or the platform or model. */
const char *ct_report_title(const struct ct_report *report);

/* Appends the first screen: what was gained, which method is taken where, and how far to trust it. */
void ct_overview_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page);

#endif
