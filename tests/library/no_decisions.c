/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for the decisions that are compiled into a tuned library: there are none. */
#include "library/compiled.h"

const struct ct_compiled_decisions ct_compiled_decisions = {.provenance = "a test"};
