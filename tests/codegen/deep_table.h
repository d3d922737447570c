/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_TREES_DEEP_TABLE_H
#define CT_TESTS_TREES_DEEP_TABLE_H

#include "decision/table.h"

/* A table with trees as deep as files may hold: barrier's tests only what is more, bcast's are of both sizes
 * in turn, allgather's of one, each in the low branch of the last. Free with ct_table_free(). */
void deep_table(struct ct_table *ret_table);

#endif
