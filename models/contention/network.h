/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_CONTENTION_NETWORK_H
#define CT_MODELS_CONTENTION_NETWORK_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* How many messages share the links of a network if they travel at the same time. Nothing is timed: links are
 * counted. Source: Kumar 2005, Optimizing communication for massively parallel processing, section 4.1, whose
 * lemmas are the tests.
 *
 * Fat tree, `fattree:K,N`: a K-ary N-tree of K^N nodes. Switches of level 0 have K nodes each; a switch of
 * level l has K ports down and, below the top level, K ports up. A message ascends to the nearest level from
 * which its receiver can be reached; from there one way leads down. On the way up the messages of a switch
 * get different ports at random, as far as there are ports: adaptive routing, which makes no two of them
 * share a link on the way up unless it must. Routing by a fixed function of the receiver would hide what this
 * shows: then no cyclic shift shares links.
 *
 * Torus, `torus:XxYxZ`, of 1 to 8 dimensions (models/contention/torus.h): a message goes the shorter way
 * along each dimension, the first dimension first. Where both ways are equal, one of them at random. */

enum { CT_NETWORK_DIMENSIONS_MAX = 20 };

struct ct_network_kind;

struct ct_network {
    const struct ct_network_kind *kind;
    size_t nodes;
    int dimensions;                           /* levels of a fat tree */
    size_t length[CT_NETWORK_DIMENSIONS_MAX]; /* by dimension; of a fat tree K */
    size_t links;                             /* in each direction one */
};

/* Reads `fattree:K,N` or `torus:XxYxZ`. CT_OK or CT_E_INPUT with a line in `error`. */
int ct_network_parse(const char *text, struct ct_error *error, struct ct_network *ret_network);

struct ct_network_message {
    size_t from, to; /* nodes; messages within a node use no link */
    size_t bytes;
};

/* Of the link that most messages use, and of that which most bytes use. */
struct ct_link_load {
    size_t messages;
    size_t bytes;
};

struct ct_contention;

/* Counts for a network, which the caller keeps. NULL without memory. */
struct ct_contention *ct_contention_new(const struct ct_network *network);
void ct_contention_free(struct ct_contention *contention);

/* Sends messages at the same time, each along a way that may be drawn from `random`. CT_OK or CT_E_MEMORY. */
int ct_contention_count(struct ct_contention *contention, const struct ct_network_message *messages,
                        size_t count, uint64_t *random, struct ct_link_load *ret_most);

#endif
