/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_CONTENTION_NETWORK_ROUTES_H
#define CT_MODELS_CONTENTION_NETWORK_ROUTES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A network of any shape: all links, and for each pair of nodes the links of its way, as SimGrid 3.32 has
 * them. Links may differ in rate and latency, and nodes in speed. The text is
 *
 *     LATENCY,RATE,WINDOW,WEIGHT;FACTORS;SLOWNESS;LINKS;WAYS
 *
 * Seconds and bytes per second of the way that was measured (latencies of its links in sum, the rate that one
 * message can have); the most bytes of a message on its way (0: any number); the bytes per second that count
 * as a second of latency in the share of a link. Then factors of latency, as BYTES,FACTOR,... for
 * messages of more than BYTES; the last that fits holds, or else the first. For each node how much longer its
 * CPU takes than the first one's. For each link its rate, its latency, and 1, or 0 if messages do not share
 * it. For each node and each other one, in this order, the numbers of links joined by dots. */

/* The text grows by the square of it. */
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

struct ct_network_factors {
    struct ct_network_factor *all;
    size_t count; /* 0: 1 for all sizes */
};

struct ct_network_routes {
    size_t nodes, links;
    struct ct_network_way measured; /* its weight is not used */
    double window, weight;
    struct ct_network_factors factors; /* of latency */
    double *slowness;                  /* by node */
    double *rates;                     /* by link, bytes per second */
    double *latencies;                 /* by link, seconds */
    bool *is_shared;                   /* by link */
    uint32_t *steps;                   /* links of ways, of those that are shared */
    size_t *begins;                    /* by pair (from * nodes + to), and one more: where its steps begin */
    size_t longest;                    /* shared links of a way */
    struct ct_network_way *ways;       /* by pair */
};

/* CT_OK; CT_E_INPUT where the text is none; CT_E_MEMORY. Caller frees with ct_network_routes_free(). */
int ct_network_routes_parse(const char *text, struct ct_network_routes **ret_routes);
void ct_network_routes_free(struct ct_network_routes *routes);

double ct_network_factor_of(const struct ct_network_factors *factors, double bytes);

/* Is it as one switch with links that are all alike, and nodes of one speed? */
bool ct_network_routes_are_switch(const struct ct_network_routes *routes);

#endif
