/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_DIRECTION_H
#define CT_CODEGEN_DIRECTION_H

#include "decision/tree/feature_set.h"

/* Whether a formula rises or falls as one feature grows, the others staying as they are: then a test on it
 * turns once at most. */

enum ct_direction { CT_DIRECTION_STAYS, CT_DIRECTION_RISES, CT_DIRECTION_FALLS, CT_DIRECTION_MAY_TURN };

/* CT_DIRECTION_MAY_TURN where it is not clear. */
enum ct_direction ct_feature_direction(const struct ct_feature_set *set, size_t number,
                                       enum ct_feature as_grows);

#endif
