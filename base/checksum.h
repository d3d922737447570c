/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_CHECKSUM_H
#define CT_BASE_CHECKSUM_H

#include "base/error.h"

enum { CT_CHECKSUM_TEXT = 65 };

/* The file's SHA-256 as 64 hexadecimal digits and a NUL.
 * CT_OK; CT_E_SYSTEM with a line in `error` if it cannot be read; CT_E_MEMORY. */
int ct_file_checksum(const char *path, struct ct_error *error, char ret_checksum[CT_CHECKSUM_TEXT]);

#endif
