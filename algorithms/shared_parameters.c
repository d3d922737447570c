/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/shared_parameters.h"

#include <stdint.h>

const struct ct_parameter ct_segment_parameter = {
    .name = "seg",
    .text = "segment size in bytes, 0 does not cut",
    .least = 0,
    .most = SIZE_MAX,
    .standard = 0,
    .in_bytes = true,
    .sweep = "0,1K,8K,16K",
};

const struct ct_parameter ct_unswept_segment_parameter = {
    .name = "seg",
    .text = "segment size in bytes, 0 does not cut",
    .least = 0,
    .most = SIZE_MAX,
    .standard = 0,
    .in_bytes = true,
    .sweep = "0",
};

const struct ct_parameter ct_chains_parameter = {"radix",    "number of chains", "2,4",
                                                 .least = 1, .most = 64,         .standard = 2};

const struct ct_parameter ct_radix_parameter = {
    "radix", "fan-out of a tree, base of an exchange", "2,4,8", .least = 2, .most = 64, .standard = 2};

const struct ct_parameter ct_wide_radix_parameter = {
    "radix", "fan-out of a tree, base of an exchange", "3,4,8", .least = 2, .most = 64, .standard = 4};

const struct ct_parameter ct_children_parameter = {
    "radix", "children of each rank", "4", .least = 2, .most = 64, .standard = 4};

const struct ct_parameter ct_requests_parameter = {
    "reqs", "most messages outstanding at once", "4,16", .least = 2, .most = 4096, .standard = 8};

const struct ct_parameter ct_dimensions_parameter = {
    "dims", "dimensions of the grid of ranks, at most log2 P", "2,3", .least = 1, .most = 30, .standard = 2};
