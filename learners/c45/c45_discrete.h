/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_DISCRETE_H
#define CT_LEARNERS_C45_C45_DISCRETE_H

#include "learners/c45/c45_state.h"

/* Find the merit of a discrete attribute with one branch for each value, or for each of the best subsets. */
void ct_c45_judge_values(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);
void ct_c45_judge_subsets(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

#endif
