/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_LIBRARY_NODE_REDUCED_NUMBERS_H
#define TESTS_LIBRARY_NODE_REDUCED_NUMBERS_H

#include "joined_lanes.h"

/* A reduction of numbers of 64 bits, of which the first operand counts three times, so that their order
 * matters. */
extern const struct ct_reduction numbers;

/* Sends `sent` bytes, and reduces `expected`, with an operand or with what is there: not at all if the sender
 * offers its memory, as it does with longer messages alone. Looks at the result. Returns what was copied. */
uint64_t reduce_message(struct joined_lanes *joined, size_t sent, size_t expected, bool has_operand);

#endif
