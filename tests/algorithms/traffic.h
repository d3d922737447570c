/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_ALGORITHMS_TRAFFIC_H
#define TESTS_ALGORITHMS_TRAFFIC_H

/* What algorithms send in a call, as formulas in P (ranks), m (bytes of the message size, a multiple of P and
 * of the segments), S (segments that m is cut into), n (ranks on a node, the same on all) and the parameters
 * by name; root 0, no rank in place. Besides muParser's own functions there are lg(P), the logarithm to base
 * 2 rounded up, lgr(radix, P), that to any base, power(radix, P), the largest power of the radix up to P,
 * digits(radix, P), how many digits other than 0 the numbers below P have to that base, neighbors(dims, P)
 * and hops(dims, P) of a grid of ranks: the messages of a rank, and the hops that its messages to all make if
 * the grid has no holes, else an upper bound of them; ceil(x), floor(x), and odd(P), 0 where P is a power of
 * two and 1 elsewhere. Exact where P is a power of two; for other P upper bounds. */
struct traffic {
    const char *algorithms;    /* COLLECTIVE/ALGORITHM, separated by spaces */
    const char *rank_messages; /* of the rank that sends the most messages */
    const char *rank_bytes;    /* of the rank that sends the most bytes */
    const char *messages;      /* of all ranks together */
    const char *bytes;
};

/* Ended by an entry without algorithms. */
extern const struct traffic traffics[];

#endif
