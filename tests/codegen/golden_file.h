/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_TREES_GOLDEN_FILE_H
#define CT_TESTS_TREES_GOLDEN_FILE_H

#include "decision/table.h"

/* The text of golden/NAME; freed by the caller. */
char *golden_text(const char *name, size_t *ret_length);

/* golden/decisions.xml; free with ct_table_free(). */
struct ct_table golden_table(void);

#endif
