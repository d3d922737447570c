/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_DIRECTION_H
#define CT_CODEGEN_DIRECTION_H

#include "decision/tree/feature_set.h"

/* Whether an expression rises or falls as one feature grows and the others stay: then the result of a test of
 * it changes at most once. */

enum ct_direction { CT_DIRECTION_STAYS, CT_DIRECTION_RISES, CT_DIRECTION_FALLS, CT_DIRECTION_MAY_TURN };

/* CT_DIRECTION_MAY_TURN if neither is certain. */
enum ct_direction ct_feature_direction(const struct ct_feature_set *set, size_t number,
                                       enum ct_feature as_grows);

#endif
