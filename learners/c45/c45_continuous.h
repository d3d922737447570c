/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_CONTINUOUS_H
#define CT_LEARNERS_C45_C45_CONTINUOUS_H

#include "learners/c45/c45_state.h"

/* Finds the merit of a continuous attribute; sorts the range. */
void ct_c45_judge_continuous(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

/* The least weight of either part of a cut if both together weigh `known`. */
float ct_c45_least_part(const struct ct_c45_engine *engine, float known);

#endif
