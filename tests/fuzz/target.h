/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_FUZZ_TARGET_H
#define CT_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* The entry that every fuzz_*.c defines: libFuzzer's, or that of replay.c. Aborts on a broken property.
 * Returns 0; or, as libFuzzer knows it, -1 where the input is refused and a target cares to say so. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
