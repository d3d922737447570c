/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_BLOCK_BEGINS_H
#define CT_STUDIES_BLOCK_BEGINS_H

#include <stddef.h>

/* Where blocks of these lengths begin that lie end to end: `count` + 1 numbers, the last of them the length
 * of all. The caller frees them. NULL without memory. */
size_t *ct_block_begins(const size_t *lengths, size_t count);

#endif
