/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/routes_element.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static const struct ct_xml_field routes_numbers[] = {
    {"latency", CT_XML_NUMBER, offsetof(struct ct_network_routes, measured.latency)},
    {"rate", CT_XML_NUMBER, offsetof(struct ct_network_routes, measured.rate)},
    {"window", CT_XML_NUMBER, offsetof(struct ct_network_routes, window)},
    {"weight", CT_XML_NUMBER, offsetof(struct ct_network_routes, weight)},
    {0}};
static const struct ct_xml_field factor_numbers[] = {
    {"above", CT_XML_NUMBER, offsetof(struct ct_network_factor, above)},
    {"factor", CT_XML_NUMBER, offsetof(struct ct_network_factor, factor)},
    {0}};
static const struct ct_xml_field node_numbers[] = {{"slowness", CT_XML_NUMBER, 0}, {0}};
static const struct ct_xml_field wire_fields[] = {
    {"rate", CT_XML_NUMBER, offsetof(struct ct_network_link, rate)},
    {"latency", CT_XML_NUMBER, offsetof(struct ct_network_link, latency)},
    {"shared", CT_XML_FLAG, offsetof(struct ct_network_link, is_shared)},
    {0}};

/* --- reading --- */

struct reading {
    const char *name; /* of the file */
    struct ct_error *error;
    struct ct_network_routes *routes;
    size_t factors, nodes, links; /* that were read */
    size_t pair;                  /* the next one's, unless it is a node and itself */
    uint32_t *way;                /* room for the longest */
};

static int out_of_memory(const struct reading *reading)
{
    return ct_fail(reading->error, CT_E_MEMORY, "%s: out of memory", reading->name);
}

static int read_factor(struct reading *reading, const xmlNode *node)
{
    const size_t number = reading->factors++;
    struct ct_network_factor *factor = &reading->routes->factors.all[number];
    int status = ct_xml_fields_read(reading->name, node, factor_numbers, reading->error, factor);
    if (status == CT_OK && factor->factor <= 0)
        return ct_xml_fail(reading->name, node, reading->error, "factor: expected more than 0");
    if (status == CT_OK && number > 0 && factor->above <= factor[-1].above)
        return ct_xml_fail(reading->name, node, reading->error,
                           "above: expected more than %g, since factors are in ascending order",
                           factor[-1].above);
    return status;
}

static int read_node(struct reading *reading, const xmlNode *node)
{
    double *slowness = &reading->routes->slowness[reading->nodes++];
    int status = ct_xml_fields_read(reading->name, node, node_numbers, reading->error, slowness);
    if (status == CT_OK && *slowness <= 0)
        return ct_xml_fail(reading->name, node, reading->error, "slowness: expected more than 0");
    return status;
}

static int read_wire(struct reading *reading, const xmlNode *node)
{
    struct ct_network_link *link = &reading->routes->all_links[reading->links++];
    int status = ct_xml_fields_read(reading->name, node, wire_fields, reading->error, link);
    if (status == CT_OK && link->rate <= 0)
        return ct_xml_fail(reading->name, node, reading->error, "rate: expected more than 0");
    return status;
}

/* The numbers of wires, which blanks separate. */
static int read_steps(struct reading *reading, const xmlNode *node, size_t *ret_count)
{
    char *words = ct_xml_attribute(node, "wires"), *rest = words;
    int status = words ? CT_OK : out_of_memory(reading);
    size_t count = 0;
    for (const char *word; status == CT_OK && (word = strsep(&rest, " ")); count++) {
        size_t wire;
        if (ct_whole_parse(word, reading->routes->links - 1, &wire) == CT_OK)
            reading->way[count] = (uint32_t)wire;
        else
            status = ct_xml_fail(reading->name, node, reading->error,
                                 "wires: there is no wire %.20s; expected 0 to %zu", word,
                                 reading->routes->links - 1);
    }
    free(words);
    *ret_count = count;
    return status;
}

static int read_way(struct reading *reading, const xmlNode *node)
{
    const size_t nodes = reading->routes->nodes;
    reading->pair += reading->pair % (nodes + 1) == 0;
    const size_t from = reading->pair / nodes, to = reading->pair % nodes;
    size_t given_from, given_to, count;
    int status = ct_xml_size(reading->name, node, "from", reading->error, &given_from);
    if (status == CT_OK)
        status = ct_xml_size(reading->name, node, "to", reading->error, &given_to);
    if (status != CT_OK)
        return status;
    if (given_from != from || given_to != to)
        return ct_xml_fail(reading->name, node, reading->error,
                           "a way from %zu to %zu: expected that from %zu to %zu", given_from, given_to, from,
                           to);
    status = read_steps(reading, node, &count);
    if (status == CT_OK)
        ct_network_routes_add(reading->routes, from, to, reading->way, count);
    reading->pair++;
    return status;
}

/* One kind of elements in <routes>. */
static const struct part {
    const char *name;
    int (*read)(struct reading *reading, const xmlNode *node);
} parts[] = {{"factor", read_factor}, {"node", read_node}, {"wire", read_wire}, {"way", read_way}};
enum { FACTOR, NODE, WIRE, WAY, PARTS };

static size_t part_of(const xmlNode *node)
{
    size_t part = 0;
    while (part < WAY && !ct_xml_is(node, parts[part].name))
        part++;
    return part;
}

/* How many elements of each kind there are, and wires of the longest way and of all. */
struct extent {
    size_t elements[PARTS], longest, steps;
};

static int measure(const struct reading *reading, const xmlNode *routes, struct extent *extent)
{
    for (const xmlNode *node = ct_xml_first(routes); node; node = ct_xml_next(node)) {
        const size_t part = part_of(node);
        extent->elements[part]++;
        if (part != WAY)
            continue;
        char *words = ct_xml_attribute(node, "wires");
        if (!words)
            return out_of_memory(reading);
        size_t steps = 1;
        for (const char *blank = words; (blank = strchr(blank, ' ')); blank++)
            steps++;
        free(words);
        extent->longest = steps > extent->longest ? steps : extent->longest;
        extent->steps += steps;
    }
    return CT_OK;
}

static int check_extent(const struct reading *reading, const xmlNode *node, const struct extent *extent)
{
    const size_t nodes = extent->elements[NODE];
    if (nodes < 2 || nodes > CT_NETWORK_ROUTES_MAX)
        return ct_xml_fail(reading->name, node, reading->error, "%zu nodes: expected 2 to %d", nodes,
                           CT_NETWORK_ROUTES_MAX);
    if (extent->elements[WAY] != nodes * (nodes - 1))
        return ct_xml_fail(reading->name, node, reading->error, "%zu ways between %zu nodes: expected %zu",
                           extent->elements[WAY], nodes, nodes * (nodes - 1));
    return CT_OK;
}

int ct_routes_element_read(const char *name, const xmlNode *node, struct ct_error *error,
                           struct ct_network_routes **ret_routes)
{
    struct reading reading = {.name = name, .error = error};
    struct extent extent = {0};
    int status = measure(&reading, node, &extent);
    if (status == CT_OK)
        status = check_extent(&reading, node, &extent);
    if (status != CT_OK)
        return status;
    const struct ct_network_counts counts = {.nodes = extent.elements[NODE],
                                             .links = extent.elements[WIRE],
                                             .factors = extent.elements[FACTOR],
                                             .steps = extent.steps};
    reading.way = ct_allocate(extent.longest, sizeof *reading.way);
    reading.routes = ct_network_routes_new(&counts);
    status = reading.way && reading.routes ? CT_OK : out_of_memory(&reading);
    if (status == CT_OK)
        status = ct_xml_fields_read(name, node, routes_numbers, error, reading.routes);
    if (status == CT_OK && reading.routes->measured.rate <= 0)
        status = ct_xml_fail(name, node, error, "rate: expected more than 0");
    for (const xmlNode *each = ct_xml_first(node); status == CT_OK && each; each = ct_xml_next(each))
        status = parts[part_of(each)].read(&reading, each);
    free(reading.way);
    if (status == CT_OK)
        *ret_routes = reading.routes;
    else
        ct_network_routes_free(reading.routes);
    return status;
}

/* --- writing --- */

static void write_part(const char *element, const struct ct_xml_field *fields, const void *record,
                       struct ct_text *text)
{
    ct_text_append(text, "    <%s", element);
    ct_xml_fields_write(fields, record, text);
    ct_text_append(text, "/>\n");
}

static void write_way(const struct ct_network_routes *routes, size_t pair, struct ct_text *text)
{
    const size_t *begin = &routes->begins[pair];
    if (begin[0] == begin[1])
        return;
    ct_text_append(text, "    <way from=\"%zu\" to=\"%zu\" wires=\"", pair / routes->nodes,
                   pair % routes->nodes);
    for (size_t i = begin[0]; i < begin[1]; i++)
        ct_text_append(text, "%s%u", i > begin[0] ? " " : "", routes->steps[i]);
    ct_text_append(text, "\"/>\n");
}

void ct_routes_element_write(const struct ct_network_routes *routes, struct ct_text *text)
{
    ct_text_append(text, "  <routes");
    ct_xml_fields_write(routes_numbers, routes, text);
    ct_text_append(text, ">\n");
    for (size_t i = 0; i < routes->factors.count; i++)
        write_part(parts[FACTOR].name, factor_numbers, &routes->factors.all[i], text);
    for (size_t i = 0; i < routes->nodes; i++)
        write_part(parts[NODE].name, node_numbers, &routes->slowness[i], text);
    for (size_t i = 0; i < routes->links; i++)
        write_part(parts[WIRE].name, wire_fields, &routes->all_links[i], text);
    for (size_t pair = 0; pair < routes->nodes * routes->nodes; pair++)
        write_way(routes, pair, text);
    ct_text_append(text, "  </routes>\n");
}
