/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank sends its block to the root, which posts all receives at once. */
#include "algorithms/descriptor.h"
#include "algorithms/gather_scatter.h"

const struct ct_descriptor ct_gather_linear = {
    .text = "every rank sends to the root",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.5",
    .cost = "(P - 1) (alpha + m beta)",
    .build = ct_gather_flat,
};
