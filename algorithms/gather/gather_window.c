/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank sends its block to the root, which has at most `reqs` receives posted, so that no more than so
 * many ranks send it large blocks at a time. */
#include "algorithms/descriptor.h"
#include "algorithms/gather_scatter.h"
#include "algorithms/shared_parameters.h"

const struct ct_descriptor ct_gather_window = {
    .text = "every rank sends to the root, which receives a few at a time",
    .source = "the counterpart of Open MPI 4.1, scatter linear_nb; Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) (alpha + m beta)",
    .parameters = {&ct_requests_parameter},
    .build = ct_gather_flat,
};
