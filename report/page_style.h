/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_PAGE_STYLE_H
#define CT_REPORT_PAGE_STYLE_H

/* The page's style sheet: light and dark as the reader's system is, and for paper. */
extern const char ct_page_style[];

#endif
