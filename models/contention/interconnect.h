/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_CONTENTION_INTERCONNECT_H
#define CT_MODELS_CONTENTION_INTERCONNECT_H

#include "base/error.h"
#include "models/contention/network_routes.h"

#include <stddef.h>
#include <stdint.h>

/* The links between nodes and switches, and the fixed way of a message from node to node: the topologies of
 * SimGrid's platforms, with the routing of its version 3.32, and its texts of their parameters. Every link is
 * two, one for each direction.
 *
 * `fattree:LEVELS;DOWN;UP;CABLES`, of each level the number of children, of parents, and of cables to each of
 * them, as in `fattree:2;16,16;1,8;1,1`. The way up is a function of the receiver (d-mod-k).
 *
 * `torus:XxYxZ` (models/contention/torus.h): the first dimension first, each the shorter way round. SimGrid
 * has commas in place of x.
 *
 * `dragonfly:GROUPS,N;CHASSIS,N;ROUTERS,N;NODES`: groups, chassis in a group, routers in a chassis, nodes at
 * a router; N is the number of cables of a link. The chassis of a group, the routers of a chassis, and the
 * groups are joined all to all. One router of a group has the link to one other group. Shortest ways.
 *
 * A network of any shape has all its ways (models/contention/network_routes.h).
 *
 * Without any of these all nodes are joined by one switch, which never is the bottleneck. */

enum { CT_INTERCONNECT_LEVELS_MAX = 8 };

struct ct_interconnect_kind;

/* All zeroes is one switch with any number of nodes. */
struct ct_interconnect {
    const struct ct_interconnect_kind *kind;
    size_t nodes;
    size_t links;   /* in each direction one */
    size_t longest; /* links of the longest way, or more */
    size_t levels;  /* of a fat tree; dimensions of a torus */
    size_t
        down[CT_INTERCONNECT_LEVELS_MAX];  /* children; lengths of a torus; groups, chassis, routers, nodes */
    size_t up[CT_INTERCONNECT_LEVELS_MAX]; /* parents */
    size_t cables[CT_INTERCONNECT_LEVELS_MAX];
    size_t first[CT_INTERCONNECT_LEVELS_MAX + 1]; /* link of each level, or of each kind of links */
    const struct ct_network_routes *routes;       /* of a network of any shape, not owned; else NULL */
};

/* CT_OK; CT_E_INPUT with a line in `error`. */
int ct_interconnect_parse(const char *text, struct ct_error *error, struct ct_interconnect *ret_topology);

/* One switch with so many nodes. */
struct ct_interconnect ct_interconnect_switch(size_t nodes);
/* With these routes, which must stay as long as it does. */
struct ct_interconnect ct_interconnect_of_routes(const struct ct_network_routes *routes);

/* Writes the links of the way between two different nodes to links[longest]; returns how many. 0: messages
 * share none. */
size_t ct_interconnect_route(const struct ct_interconnect *topology, size_t from, size_t to, uint32_t *links);

/* What the link carries as a multiple of what a node's own link carries. */
double ct_interconnect_capacity(const struct ct_interconnect *topology, size_t link);

/* How a message shares the links of its way. Rates are multiples of that of a message which has the way for
 * itself that was measured. */
struct ct_interconnect_share {
    double weight;
    double most; /* rate; INFINITY: what links let through */
};

/* The share of a message between two different nodes, whose way has so many links (of which messages share
 * some). */
struct ct_interconnect_share ct_interconnect_share_of(const struct ct_interconnect *topology, size_t from,
                                                      size_t to, size_t links);

/* How much longer the node's CPU takes than that of the first. */
double ct_interconnect_slowness(const struct ct_interconnect *topology, size_t node);

#endif
