/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_PREDICTION_PAGE_H
#define CT_REPORT_PREDICTION_PAGE_H

#include "report/section.h"

/* Measured and predicted times of a section, overlaid; nothing if nothing was predicted. */
void ct_prediction_curves_add(const struct ct_section *section, struct ct_page *page);

/* The relative errors of the predictions, by collective, model and method. */
void ct_prediction_errors_add(const struct ct_report *report, struct ct_page *page);

#endif
