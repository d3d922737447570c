/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_HOST_NAMES_H
#define CT_MEASURE_SWEEP_HOST_NAMES_H

#include "base/error.h"

#include <stddef.h>

/* Names of hosts as Slurm writes them: "n1,rack[1-2]n[01-16,20]". Numbers keep their leading zeros. Splits
 * the list into heap-allocated names, in the order written; the caller frees them with ct_words_free. CT_OK;
 * CT_E_INPUT with a line in `error` for an empty name, a blank, a bracket without its other one, and a range
 * that runs backwards; CT_E_LIMIT beyond a million names or 9 digits; CT_E_MEMORY. */
int ct_host_names_split(const char *list, struct ct_error *error, char ***ret_names, size_t *ret_count);

#endif
