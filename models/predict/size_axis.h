/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_SIZE_AXIS_H
#define CT_MODELS_PREDICT_SIZE_AXIS_H

#include <stddef.h>

/* How far apart message sizes are, as the model sees them. Where latency is all, 1 byte and 64 are one call
 * to it, though six doublings apart; where bandwidth is, a doubling is one. */

/* Where each message size lies: the mean, over communicator sizes and methods, of log(time / time at the
 * first size that has times). `seconds` is [communicator size][message size][method], NAN where there is
 * none; sizes without any lie at 0. The order of sizes does not matter. */
void ct_size_axis(const double *seconds, size_t comm_size_count, size_t msg_size_count, size_t method_count,
                  double *ret_axis);

#endif
