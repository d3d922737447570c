/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_TRUST_H
#define CT_REPORT_TRUST_H

#include "report/section.h"

/* Appends the part of the first screen on trust: how much was measured, with how many samples, what is slower
 * than native. */
void ct_trust_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page);

#endif
