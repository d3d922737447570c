/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_SHARED_PARAMETERS_H
#define CT_ALGORITHMS_SHARED_PARAMETERS_H

#include "algorithms/descriptor.h"
#include "plan/shapes.h"

/* Parameters that several algorithms have. */

/* The segment size, common to all that cut messages: 0 does not cut. */
extern const struct ct_parameter ct_segment_parameter;
/* The same, of algorithms in which a sweep would lose time with segments: it tries none. */
extern const struct ct_parameter ct_unswept_segment_parameter;
/* Number of chains. */
extern const struct ct_parameter ct_chains_parameter;
/* Fan-out of a tree, base of an exchange. The wide one is for algorithms that with 2 are another one. */
extern const struct ct_parameter ct_radix_parameter;
extern const struct ct_parameter ct_wide_radix_parameter;
/* Children of a rank, of a tree whose ranks all have as many. */
extern const struct ct_parameter ct_children_parameter;
/* Outstanding messages, of algorithms that bound them. */
extern const struct ct_parameter ct_requests_parameter;
/* Dimensions of a grid of ranks. */
extern const struct ct_parameter ct_dimensions_parameter;

/* Is it the segment size, swept or not? */
static inline bool ct_is_segment_size(const struct ct_parameter *parameter)
{
    return parameter == &ct_segment_parameter || parameter == &ct_unswept_segment_parameter;
}

/* n units in the segments that the call asks for, of an algorithm that has their size as a parameter. */
static inline struct ct_segments ct_call_segments(const struct ct_call *call, size_t n)
{
    const size_t unswept = ct_value_or(call, &ct_unswept_segment_parameter, SIZE_MAX);
    return ct_segments_cut(n, call->unit_bytes,
                           unswept == SIZE_MAX ? ct_value(call, &ct_segment_parameter) : unswept);
}

#endif
