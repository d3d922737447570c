/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_FUZZ_TARGET_H
#define CT_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* The entry that every fuzz_*.c defines: libFuzzer's, or that of replay.c. Aborts on a broken property;
 * always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
