/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_TREES_RANDOM_TABLE_H
#define CT_TESTS_TREES_RANDOM_TABLE_H

#include "decision/table.h"

/* A table of random trees over features of every kind, always the same. Free with ct_table_free(). */
void random_table(struct ct_table *ret_table);

#endif
