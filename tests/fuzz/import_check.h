/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_FUZZ_IMPORT_CHECK_H
#define CT_TESTS_FUZZ_IMPORT_CHECK_H

#include "samples/import/import.h"

#include <stdint.h>

/* Imports the bytes in this format and aborts where a property is broken: what is taken makes a run whose
 * samples.csv a reader takes, with as many samples; what is not is explained in one line. */
void import_check(const struct ct_import_format *format, const struct ct_import_request *request,
                  const uint8_t *data, size_t size);

#endif
