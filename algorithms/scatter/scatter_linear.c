/* SPDX-License-Identifier: BSD-3-Clause */
/* The root sends every rank its block, all sends at once. */
#include "algorithms/descriptor.h"
#include "algorithms/gather_scatter.h"

const struct ct_descriptor ct_scatter_linear = {
    .text = "the root sends to every rank",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.4",
    .cost = "(P - 1) (alpha + m beta)",
    .build = ct_scatter_flat,
};
