/* SPDX-License-Identifier: BSD-3-Clause */
/* As alltoall/linear, with a bound on the outstanding messages of a rank: when one is done, the next is
 * posted. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

const struct ct_descriptor ct_alltoall_linear_sync = {
    .text = "all messages, with a bound on those outstanding",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) (alpha + m beta)",
    .parameters = {&ct_requests_parameter},
    .build = ct_alltoall_at_once,
};
