/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_HOLM_H
#define CT_SAMPLES_STATISTICS_HOLM_H

#include <stdbool.h>
#include <stddef.h>

/* Holm's correction (1979, Scandinavian Journal of Statistics 6, 65-70): which of `count` null hypotheses are
 * rejected, so that the family-wise error rate is at most `alpha`. Fills ret_rejected. CT_OK or CT_E_MEMORY.
 */
int ct_holm(const double *p_values, size_t count, double alpha, bool *ret_rejected);

#endif
