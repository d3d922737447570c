/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_CONTENTION_NETWORK_ROUTES_H
#define CT_MODELS_CONTENTION_NETWORK_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A network of any shape: all links, and for each pair of nodes the links of its way, as SimGrid 3.32 has
 * them. Links may differ in rate and latency, and nodes in speed. */

/* Ways grow with the square of it. */
enum { CT_NETWORK_ROUTES_MAX = 128 };

/* From node to node. */
struct ct_network_way {
    double latency; /* seconds of all links, without factors */
    double rate;    /* bytes per second of one message alone */
    double weight;  /* of its share of a link */
};

struct ct_network_factor {
    double above; /* bytes */
    double factor;
};

/* For messages of more than `above` bytes; the last that fits holds, or else the first. */
struct ct_network_factors {
    struct ct_network_factor *all; /* `above` ascends */
    size_t count;                  /* 0: 1 for all sizes */
};

struct ct_network_link {
    double rate;    /* bytes per second, more than 0 */
    double latency; /* seconds */
    bool is_shared; /* do messages share the rate? */
};

struct ct_network_routes {
    size_t nodes, links;
    struct ct_network_way measured; /* the one that the model's parameters are of; its weight is not used */
    double window;                  /* the most bytes of a message on its way; 0: any number */
    double weight;                  /* bytes per second that count as a second of latency in a link's share */
    struct ct_network_factors factors; /* of latency */
    double *slowness;                  /* by node, how much longer its CPU takes than the first one's */
    struct ct_network_link *all_links;
    uint32_t *steps;             /* links of ways */
    size_t *begins;              /* by pair (from * nodes + to), and one more: where its steps begin */
    size_t longest;              /* links of a way */
    struct ct_network_way *ways; /* by pair */
};

/* How many of each are to come: nodes (2 to CT_NETWORK_ROUTES_MAX), links, factors, and steps of all ways. */
struct ct_network_counts {
    size_t nodes, links, factors, steps;
};

/* All zeroes, except `nodes`, `links` and the number of factors. The caller fills in what precedes `steps`
 * above, then adds the ways. NULL without memory. Caller frees with ct_network_routes_free(). */
struct ct_network_routes *ct_network_routes_new(const struct ct_network_counts *counts);
/* Adds a way of 1 link or more, each below `links`. Ways come in the order of their pairs, none left out. */
void ct_network_routes_add(struct ct_network_routes *routes, size_t from, size_t to, const uint32_t *links,
                           size_t count);
void ct_network_routes_free(struct ct_network_routes *routes);

double ct_network_factor_of(const struct ct_network_factors *factors, double bytes);

/* Is it as one switch with links that are all alike, and nodes of one speed? */
bool ct_network_routes_are_switch(const struct ct_network_routes *routes);

#endif
