/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/compiled.h"

/* The library of the benchmark, which puts one method after the other in force, decides nothing itself. */
const struct ct_compiled_decisions ct_compiled_decisions = {.provenance = ""};
