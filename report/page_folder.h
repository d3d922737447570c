/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_PAGE_FOLDER_H
#define CT_REPORT_PAGE_FOLDER_H

#include "base/text.h"

/* The folder that a page is put into. */

/* Is that a place for a page: a folder that does not exist or is empty? CT_OK; CT_E_INPUT or CT_E_SYSTEM with
 * a line in `error`. */
int ct_page_folder_check(const char *folder, struct ct_error *error);

/* Writes the page to FOLDER/index.html, whole or not at all. A folder that this call made goes again where
 * the page cannot be put into it. CT_OK, CT_E_INPUT, CT_E_SYSTEM, CT_E_MEMORY. */
int ct_page_folder_fill(const char *folder, const struct ct_text *html, struct ct_error *error);

#endif
