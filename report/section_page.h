/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_SECTION_PAGE_H
#define CT_REPORT_SECTION_PAGE_H

#include "report/section.h"

/* Appends a section's maps, methods and curves. */
void ct_section_add(const struct ct_section *section, struct ct_page *page);

#endif
