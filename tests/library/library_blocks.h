/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_LIBRARY_LIBRARY_BLOCKS_H
#define CT_TESTS_LIBRARY_LIBRARY_BLOCKS_H

/* Linked into programs of tests, it counts the blocks of memory that a preloaded library whose name begins
 * with "libcolltuned" has taken from the C library's malloc(), calloc() or realloc() and not yet freed. Those
 * of the MPI library, whose number varies, do not count. One thread of the program may call that library. */

/* The number of these blocks; right up to some 30000 of them. */
long library_blocks(void);

#endif
