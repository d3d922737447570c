/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_FRAME_H
#define CT_REPORT_FRAME_H

#include "report/picture.h"

/* What is around the contents of every page. */

/* Appends the head of the page, up to the begin of its body. `title` is plain text. */
void ct_page_begin(struct ct_page *page, const char *title);

/* Appends the end of the page, which says which command made it. */
void ct_page_finish(struct ct_page *page, const char *command);

#endif
