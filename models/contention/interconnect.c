/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/contention/interconnect.h"
#include "base/number.h"
#include "models/contention/torus.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NODES_MAX = 1 << 20 };

struct ct_interconnect_kind {
    const char *name;
    int (*read)(const char *text, struct ct_interconnect *topology);
    size_t (*route)(const struct ct_interconnect *topology, size_t from, size_t to, uint32_t *links);
    double (*capacity)(const struct ct_interconnect *topology, size_t link);
};

/* --- reading --- */

/* Reads a list of `count` whole numbers above 0, separated by commas, up to `end` or the end of the text;
 * *text moves behind it. */
static int read_list(const char **text, char end, size_t count, size_t *ret_numbers)
{
    for (size_t i = 0; i < count; i++) {
        char word[8] = "";
        const size_t digits = strspn(*text, "0123456789");
        const char behind = (*text)[digits], wanted = i + 1 < count ? ',' : end;
        if (digits == 0 || digits >= sizeof word || behind != wanted)
            return CT_E_INPUT;
        memcpy(word, *text, digits);
        if (ct_whole_parse(word, NODES_MAX, &ret_numbers[i]) != CT_OK || ret_numbers[i] == 0)
            return CT_E_INPUT;
        *text += digits + (behind != '\0');
    }
    return CT_OK;
}

/* *number *= factor, at most as many as there may be nodes. */
static int multiply(size_t *number, size_t factor)
{
    if (factor > NODES_MAX / *number)
        return CT_E_INPUT;
    *number *= factor;
    return CT_OK;
}

/* --- one switch --- */

static size_t route_switch(const struct ct_interconnect *topology, size_t from, size_t to, uint32_t *links)
{
    (void)topology;
    links[0] = (uint32_t)(2 * from);
    links[1] = (uint32_t)(2 * to + 1);
    return 2;
}

static double one(const struct ct_interconnect *topology, size_t link)
{
    (void)topology;
    (void)link;
    return 1;
}

static const struct ct_interconnect_kind one_switch = {"switch", NULL, route_switch, one};

struct ct_interconnect ct_interconnect_switch(size_t nodes)
{
    return (struct ct_interconnect){.kind = &one_switch, .nodes = nodes, .links = 2 * nodes, .longest = 2};
}

/* --- torus --- */

static int read_torus(const char *text, struct ct_interconnect *topology)
{
    struct ct_torus torus;
    int status = ct_torus_parse(text, &torus);
    if (status != CT_OK)
        return status;
    topology->levels = torus.dimensions;
    topology->nodes = torus.nodes;
    topology->links = 2 * torus.dimensions * torus.nodes;
    for (size_t d = 0; d < torus.dimensions; d++) {
        topology->down[d] = torus.length[d];
        topology->longest += torus.length[d];
    }
    return CT_OK;
}

/* Which way round. Where both are as long, upwards, except from the middle of an even dimension to its first
 * half. */
static bool rises(size_t here, size_t there, size_t length)
{
    const size_t half = length / 2;
    return (there > here && there <= here + half) || (here > half && (here + half) % length >= there);
}

static size_t route_torus(const struct ct_interconnect *topology, size_t from, size_t to, uint32_t *links)
{
    size_t count = 0, at = from, stride = 1;
    for (size_t d = 0; d < topology->levels; stride *= topology->down[d++]) {
        const size_t length = topology->down[d], there = to / stride % length;
        size_t here = from / stride % length;
        const bool is_up = rises(here, there, length);
        while (here != there) {
            const size_t next = (here + (is_up ? 1 : length - 1)) % length;
            const size_t beyond = at - here * stride + next * stride;
            links[count++] = (uint32_t)(2 * ((is_up ? at : beyond) * topology->levels + d) + !is_up);
            at = beyond;
            here = next;
        }
    }
    return count;
}

/* --- fat tree ---
 *
 * An element of level l (0: the nodes) is its label: digit j is below up[j] if j < l, else below down[j]. Its
 * position is its label read as a number, the first digit counting least. */

static int read_tree(const char *text, struct ct_interconnect *topology)
{
    size_t size[CT_INTERCONNECT_LEVELS_MAX + 1] = {1}; /* elements of each level */
    int status = read_list(&text, ';', 1, &topology->levels);
    if (status != CT_OK || topology->levels > CT_INTERCONNECT_LEVELS_MAX)
        return CT_E_INPUT;
    if (read_list(&text, ';', topology->levels, topology->down) != CT_OK ||
        read_list(&text, ';', topology->levels, topology->up) != CT_OK ||
        read_list(&text, '\0', topology->levels, topology->cables) != CT_OK)
        return CT_E_INPUT;
    for (size_t level = 0; status == CT_OK && level <= topology->levels; level++) {
        size[level] = 1;
        for (size_t j = 0; status == CT_OK && j < topology->levels; j++)
            status = multiply(&size[level], j < level ? topology->up[j] : topology->down[j]);
    }
    for (size_t level = 0; status == CT_OK && level < topology->levels; level++) {
        size_t links = size[level];
        status = multiply(&links, topology->up[level]);
        if (status == CT_OK)
            status = multiply(&links, topology->cables[level]);
        topology->first[level + 1] = topology->first[level] + 2 * links;
    }
    topology->nodes = size[0];
    topology->links = topology->first[topology->levels];
    topology->longest = 2 * topology->levels;
    return status;
}

static void label_of(const struct ct_interconnect *topology, size_t node,
                     size_t label[CT_INTERCONNECT_LEVELS_MAX])
{
    for (size_t j = 0; j < topology->levels; node /= topology->down[j++])
        label[j] = node % topology->down[j];
}

/* Of an element of that level. */
static size_t position_of(const struct ct_interconnect *topology, size_t level,
                          const size_t label[CT_INTERCONNECT_LEVELS_MAX])
{
    size_t position = 0;
    for (size_t j = topology->levels; j-- > 0;)
        position = position * (j < level ? topology->up[j] : topology->down[j]) + label[j];
    return position;
}

/* The link between an element of that level and its parent, by the element's port. */
static uint32_t tree_link(const struct ct_interconnect *topology, size_t level,
                          const size_t label[CT_INTERCONNECT_LEVELS_MAX], size_t port, bool is_down)
{
    const size_t ports = topology->up[level] * topology->cables[level];
    const size_t number = position_of(topology, level, label) * ports + port;
    return (uint32_t)(topology->first[level] + 2 * number + is_down);
}

static bool is_above(const struct ct_interconnect *topology, size_t level, const size_t *label,
                     const size_t *to)
{
    for (size_t j = level; j < topology->levels; j++)
        if (label[j] != to[j])
            return false;
    return true;
}

static size_t route_tree(const struct ct_interconnect *topology, size_t from, size_t to, uint32_t *links)
{
    size_t label[CT_INTERCONNECT_LEVELS_MAX], end[CT_INTERCONNECT_LEVELS_MAX], count = 0, level = 0,
                                                                               rest = to;
    label_of(topology, from, label);
    label_of(topology, to, end);
    while (!is_above(topology, level, label, end)) {
        const size_t ports = topology->up[level] * topology->cables[level], port = rest % ports;
        links[count++] = tree_link(topology, level, label, port, false);
        label[level] = port % topology->up[level];
        rest /= ports;
        level++;
    }
    while (level > 0) {
        level--;
        const size_t parent = label[level], cable = from % topology->cables[level];
        label[level] = end[level];
        links[count++] = tree_link(topology, level, label, parent + cable * topology->up[level], true);
    }
    return count;
}

/* --- dragonfly --- */

enum { GROUPS, CHASSIS, ROUTERS, NODES };
/* Links, in the order of their numbers: of nodes, within a chassis, a group, and between groups. */
enum { LOCAL, GREEN, BLACK, BLUE, DRAGONFLY_LINKS };

static int read_dragonfly(const char *text, struct ct_interconnect *topology)
{
    for (size_t level = GROUPS; level <= ROUTERS; level++) {
        size_t pair[2];
        if (read_list(&text, ';', 2, pair) != CT_OK)
            return CT_E_INPUT;
        topology->down[level] = pair[0];
        topology->cables[level] = pair[1];
    }
    int status = read_list(&text, '\0', 1, &topology->down[NODES]);
    size_t routers = 1;
    for (size_t level = GROUPS; status == CT_OK && level <= ROUTERS; level++)
        status = multiply(&routers, topology->down[level]);
    topology->nodes = routers;
    if (status == CT_OK)
        status = multiply(&topology->nodes, topology->down[NODES]);
    /* The router of a group with the link to another group is found by the number of that group. */
    if (status != CT_OK || topology->down[GROUPS] > topology->down[ROUTERS])
        return CT_E_INPUT;
    topology->first[GREEN] = 2 * topology->nodes;
    topology->first[BLACK] = topology->first[GREEN] + routers * topology->down[ROUTERS];
    topology->first[BLUE] = topology->first[BLACK] + routers * topology->down[CHASSIS];
    topology->links = topology->first[DRAGONFLY_LINKS] = topology->first[BLUE] + routers;
    topology->longest = 7;
    return CT_OK;
}

struct router {
    size_t group, chassis, blade; /* blade: its place in the chassis */
};

static struct router router_of(const struct ct_interconnect *topology, size_t node)
{
    const size_t router = node / topology->down[NODES], chassis = router / topology->down[ROUTERS];
    return (struct router){.group = chassis / topology->down[CHASSIS],
                           .chassis = chassis % topology->down[CHASSIS],
                           .blade = router % topology->down[ROUTERS]};
}

static size_t router_number(const struct ct_interconnect *topology, struct router router)
{
    return (router.group * topology->down[CHASSIS] + router.chassis) * topology->down[ROUTERS] + router.blade;
}

/* A link of the router to the one of that place in its chassis or in its group. */
static uint32_t router_link(const struct ct_interconnect *topology, int kind, struct router router,
                            size_t place)
{
    const size_t width = kind == GREEN ? topology->down[ROUTERS] : topology->down[CHASSIS];
    return (uint32_t)(topology->first[kind] + router_number(topology, router) * width + place);
}

static size_t route_dragonfly(const struct ct_interconnect *topology, size_t from, size_t to, uint32_t *links)
{
    const struct router end = router_of(topology, to);
    struct router at = router_of(topology, from);
    size_t count = 0;
    links[count++] = (uint32_t)(2 * from);
    if (at.group != end.group) {
        if (at.blade != end.group)
            links[count++] = router_link(topology, GREEN, at, end.group);
        at.blade = end.group;
        if (at.chassis != 0)
            links[count++] = router_link(topology, BLACK, at, 0);
        at.chassis = 0;
        links[count++] = (uint32_t)(topology->first[BLUE] + router_number(topology, at));
        at = (struct router){.group = end.group, .chassis = 0, .blade = at.group};
    }
    /* The simulator goes on from the first chassis after this link, also if it began in another one. */
    if (at.blade != end.blade) {
        links[count++] = router_link(topology, GREEN, at, end.blade);
        at = (struct router){.group = end.group, .chassis = 0, .blade = end.blade};
    }
    if (at.chassis != end.chassis)
        links[count++] = router_link(topology, BLACK, at, end.chassis);
    links[count++] = (uint32_t)(2 * to + 1);
    return count;
}

static double dragonfly_capacity(const struct ct_interconnect *topology, size_t link)
{
    static const int levels[DRAGONFLY_LINKS] = {[GREEN] = ROUTERS, [BLACK] = CHASSIS, [BLUE] = GROUPS};
    int kind = LOCAL;
    while (kind + 1 < DRAGONFLY_LINKS && link >= topology->first[kind + 1])
        kind++;
    return kind == LOCAL ? 1 : (double)topology->cables[levels[kind]];
}

/* --- any shape --- */

static size_t route_by_table(const struct ct_interconnect *topology, size_t from, size_t to, uint32_t *links)
{
    const struct ct_network_routes *routes = topology->routes;
    const size_t *begin = &routes->begins[from * routes->nodes + to];
    size_t count = 0;
    for (size_t i = begin[0]; i < begin[1]; i++)
        if (routes->all_links[routes->steps[i]].is_shared)
            links[count++] = routes->steps[i];
    return count;
}

static double capacity_by_table(const struct ct_interconnect *topology, size_t link)
{
    return topology->routes->all_links[link].rate / topology->routes->measured.rate;
}

static const struct ct_interconnect_kind by_table = {"routes", NULL, route_by_table, capacity_by_table};

struct ct_interconnect ct_interconnect_of_routes(const struct ct_network_routes *routes)
{
    return (struct ct_interconnect){.kind = &by_table,
                                    .nodes = routes->nodes,
                                    .links = routes->links,
                                    .longest = routes->longest,
                                    .routes = routes};
}

/* --- all --- */

static const struct ct_interconnect_kind kinds[] = {
    {"fattree", read_tree, route_tree, one},
    {"torus", read_torus, route_torus, one},
    {"dragonfly", read_dragonfly, route_dragonfly, dragonfly_capacity},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

int ct_interconnect_parse(const char *text, struct ct_error *error, struct ct_interconnect *ret_topology)
{
    struct ct_interconnect topology = {.nodes = 1};
    const size_t length = strcspn(text, ":");
    int i = 0;
    while (i < KINDS && (strlen(kinds[i].name) != length || memcmp(kinds[i].name, text, length) != 0))
        i++;
    int status = i == KINDS || text[length] != ':' ? CT_E_INPUT : kinds[i].read(text + length + 1, &topology);
    if (status != CT_OK)
        return ct_fail(error, CT_E_INPUT,
                       "unknown topology '%.80s': expected fattree:LEVELS;DOWN;UP;CABLES, torus:XxYxZ or "
                       "dragonfly:GROUPS,N;CHASSIS,N;ROUTERS,N;NODES, with at most %d nodes",
                       text, NODES_MAX);
    topology.kind = &kinds[i];
    *ret_topology = topology;
    return CT_OK;
}

size_t ct_interconnect_route(const struct ct_interconnect *topology, size_t from, size_t to, uint32_t *links)
{
    return topology->kind->route(topology, from, to, links);
}

double ct_interconnect_capacity(const struct ct_interconnect *topology, size_t link)
{
    return topology->kind->capacity(topology, link);
}

struct ct_interconnect_share ct_interconnect_share_of(const struct ct_interconnect *topology, size_t from,
                                                      size_t to, size_t links)
{
    const struct ct_network_routes *routes = topology->routes;
    if (!routes)
        return (struct ct_interconnect_share){.weight = 1 / (double)links, .most = INFINITY};
    const struct ct_network_way *way = &routes->ways[from * routes->nodes + to];
    return (struct ct_interconnect_share){.weight = way->weight, .most = way->rate / routes->measured.rate};
}

double ct_interconnect_slowness(const struct ct_interconnect *topology, size_t node)
{
    return topology->routes ? topology->routes->slowness[node] : 1;
}
