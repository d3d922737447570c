/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_VALIDATION_PAGE_H
#define CT_REPORT_VALIDATION_PAGE_H

#include "report/picture.h"
#include "report/report_input.h"

/* Appends tuned against native as measured. */
void ct_validation_add(const struct ct_report *report, struct ct_page *page);

#endif
