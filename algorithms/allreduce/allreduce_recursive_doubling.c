/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks 2^k apart swap and combine all they have. Where P is not a power of two, the first ranks
 * form pairs: the even one of a pair sends its data to the odd one before and gets the result afterwards.
 * Ranks combined are always neighbours, which keeps the order of ranks.
 * Memory: m. */
#include "algorithms/allreduce/allreduce.h"
#include "algorithms/descriptor.h"

const struct ct_descriptor ct_allreduce_recursive_doubling = {
    .text = "in step k ranks 2^k apart swap and combine all they have",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.10",
    .cost = "floor(log2 P) (+ 2) (alpha + m (beta + gamma))",
    .build = ct_allreduce_recursive,
};
