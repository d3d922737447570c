/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/contention/network_routes.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- making --- */

struct ct_network_routes *ct_network_routes_new(const struct ct_network_counts *counts)
{
    const size_t nodes = counts->nodes;
    struct ct_network_routes *routes = ct_allocate(1, sizeof *routes);
    if (!routes)
        return NULL;
    *routes = (struct ct_network_routes){
        .nodes = nodes,
        .links = counts->links,
        .factors = {ct_allocate(counts->factors + 1, sizeof *routes->factors.all), counts->factors},
        .slowness = ct_allocate(nodes, sizeof *routes->slowness),
        .all_links = ct_allocate(counts->links, sizeof *routes->all_links),
        .steps = ct_allocate(counts->steps, sizeof *routes->steps),
        .begins = ct_allocate(nodes * nodes + 1, sizeof *routes->begins),
        .ways = ct_allocate(nodes * nodes, sizeof *routes->ways)};
    if (routes->factors.all && routes->slowness && routes->all_links && routes->steps && routes->begins &&
        routes->ways)
        return routes;
    ct_network_routes_free(routes);
    return NULL;
}

static struct ct_network_way way_of(const struct ct_network_routes *routes, const uint32_t *links,
                                    size_t count)
{
    struct ct_network_way way = {.rate = INFINITY};
    double seconds = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ct_network_link *link = &routes->all_links[links[i]];
        way.latency += link->latency;
        seconds += routes->weight / link->rate;
        way.rate = fmin(way.rate, link->rate);
    }
    if (routes->window > 0 && way.latency > 0)
        way.rate = fmin(way.rate, routes->window / (2 * way.latency));
    seconds += way.latency;
    way.weight = seconds > 0 ? 1 / seconds : 1;
    return way;
}

void ct_network_routes_add(struct ct_network_routes *routes, size_t from, size_t to, const uint32_t *links,
                           size_t count)
{
    const size_t pair = from * routes->nodes + to;
    size_t *begin = &routes->begins[pair];
    assert(from != to && from < routes->nodes && to < routes->nodes && count > 0);
    memcpy(&routes->steps[begin[0]], links, count * sizeof *links);
    begin[1] = begin[0] + count;
    if ((pair + 1) % (routes->nodes + 1) == 0) /* from a node to itself */
        begin[2] = begin[1];
    routes->ways[pair] = way_of(routes, links, count);
    routes->longest = count > routes->longest ? count : routes->longest;
}

void ct_network_routes_free(struct ct_network_routes *routes)
{
    if (!routes)
        return;
    free(routes->factors.all);
    free(routes->slowness);
    free(routes->all_links);
    free(routes->steps);
    free(routes->begins);
    free(routes->ways);
    free(routes);
}

/* --- use --- */

double ct_network_factor_of(const struct ct_network_factors *factors, double bytes)
{
    size_t i = 0;
    while (i + 1 < factors->count && bytes > factors->all[i + 1].above)
        i++;
    return factors->count > 0 ? factors->all[i].factor : 1;
}

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

static bool are_one(const struct ct_network_factors *factors)
{
    for (size_t i = 0; i < factors->count; i++)
        if (!is_close(factors->all[i].factor, 1))
            return false;
    return true;
}

/* Do only messages of one node, or only messages to one node, use each link? */
static bool are_of_nodes(const struct ct_network_routes *routes)
{
    enum { FROM, TO, ENDS };
    const size_t nodes = routes->nodes;
    size_t *users =
        ct_allocate(ENDS * (routes->links + 1), sizeof *users); /* 1 + the node; SIZE_MAX: several */
    bool are = users != NULL;
    for (size_t pair = 0; users && pair < nodes * nodes; pair++)
        for (size_t i = routes->begins[pair]; i < routes->begins[pair + 1]; i++) {
            const size_t ends[ENDS] = {1 + pair / nodes, 1 + pair % nodes};
            size_t *user = &users[ENDS * routes->steps[i]];
            for (int end = FROM; end < ENDS; end++)
                user[end] = user[end] == 0 || user[end] == ends[end] ? ends[end] : SIZE_MAX;
        }
    for (size_t i = 0; are && i < routes->links; i++)
        are = users[ENDS * i + FROM] < SIZE_MAX || users[ENDS * i + TO] < SIZE_MAX;
    free(users);
    return are;
}

bool ct_network_routes_are_switch(const struct ct_network_routes *routes)
{
    const size_t nodes = routes->nodes;
    const struct ct_network_way *first = &routes->ways[1];
    for (size_t i = 0; i < nodes; i++)
        if (!is_close(routes->slowness[i], 1))
            return false;
    for (size_t pair = 0; pair < nodes * nodes; pair++) {
        const struct ct_network_way *way = &routes->ways[pair];
        if (pair / nodes == pair % nodes)
            continue;
        if (!is_close(way->latency, first->latency) || !is_close(way->rate, first->rate) ||
            !is_close(way->weight, first->weight))
            return false;
    }
    for (size_t i = 0; i < routes->links; i++)
        if (!routes->all_links[i].is_shared || !is_close(routes->all_links[i].rate, first->rate))
            return false;
    return are_one(&routes->factors) && are_of_nodes(routes);
}
