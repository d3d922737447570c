/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/contention/network.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "models/contention/torus.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 20 };

struct ct_contention {
    const struct ct_network *network;
    struct ct_link_load *loads; /* by link */
    size_t *used;               /* links that are not at zero */
    size_t used_count, used_capacity;

    /* Of fat trees. */
    size_t *ports; /* of all switches of a level, K each: those that are free stand first */
    size_t *taken; /* by switch of a level: ports that are taken */
    size_t *ways;  /* by message: the ports chosen so far, as digits to the base K */
    size_t way_capacity;
};

struct ct_network_kind {
    const char *name;
    const char *example;
    int (*read)(const char *text, struct ct_network *network);
    int (*route)(struct ct_contention *contention, const struct ct_network_message *messages, size_t count,
                 uint64_t *random);
};

static int use(struct ct_contention *contention, size_t link, size_t bytes)
{
    struct ct_link_load *load = &contention->loads[link];
    if (load->messages == 0) {
        int status = ct_grow(&contention->used, &contention->used_capacity, contention->used_count + 1,
                             sizeof *contention->used);
        if (status != CT_OK)
            return status;
        contention->used[contention->used_count++] = link;
    }
    load->messages++;
    load->bytes += bytes;
    return CT_OK;
}

/* --- reading --- */

/* Reads digits at *text, and `separator` behind them, which must stand there unless the text ends. */
static int read_length(const char **text, char separator, size_t *ret_length)
{
    char word[8] = "";
    size_t digits = strspn(*text, "0123456789"), length = 0;
    if (digits == 0 || digits >= sizeof word)
        return CT_E_INPUT;
    memcpy(word, *text, digits);
    const char *rest = *text + digits;
    if (ct_whole_parse(word, NODES_MAX, &length) != CT_OK || length == 0 ||
        (*rest && (*rest != separator || !rest[1])))
        return CT_E_INPUT;
    *text = rest + (*rest == separator);
    *ret_length = length;
    return CT_OK;
}

static int add_dimension(struct ct_network *network, size_t length)
{
    if (network->dimensions == CT_NETWORK_DIMENSIONS_MAX || length > NODES_MAX / network->nodes)
        return CT_E_INPUT;
    network->length[network->dimensions++] = length;
    network->nodes *= length;
    return CT_OK;
}

static int read_torus(const char *text, struct ct_network *network)
{
    struct ct_torus torus;
    int status = ct_torus_parse(text, &torus);
    for (size_t d = 0; status == CT_OK && d < torus.dimensions; d++)
        status = add_dimension(network, torus.length[d]);
    network->links = 2 * (size_t)network->dimensions * network->nodes;
    return status;
}

static int read_tree(const char *text, struct ct_network *network)
{
    size_t arity = 0, levels = 0;
    int status = read_length(&text, ',', &arity);
    if (status == CT_OK)
        status = read_length(&text, '\0', &levels);
    if (status == CT_OK && arity < 2)
        status = CT_E_INPUT;
    for (size_t level = 0; status == CT_OK && level < levels; level++)
        status = add_dimension(network, arity);
    network->links = 2 * (size_t)network->dimensions * network->nodes;
    return status;
}

/* --- torus --- */

static int route_torus(struct ct_contention *contention, const struct ct_network_message *messages,
                       size_t count, uint64_t *random)
{
    const struct ct_network *network = contention->network;
    int status = CT_OK;
    for (size_t i = 0; i < count; i++) {
        size_t at = messages[i].from, stride = 1;
        for (int d = 0; d < network->dimensions; stride *= network->length[d++]) {
            const size_t length = network->length[d];
            size_t here = at / stride % length, there = messages[i].to / stride % length;
            size_t up = (there + length - here) % length, down = (length - up) % length;
            bool rises = up < down || (up == down && up > 0 && ct_random(random) >> 63);
            for (size_t hops = rises ? up : down; status == CT_OK && hops > 0; hops--) {
                status = use(contention, 2 * (at * (size_t)network->dimensions + (size_t)d) + rises,
                             messages[i].bytes);
                size_t next = (here + (rises ? 1 : length - 1)) % length;
                at = at - here * stride + next * stride;
                here = next;
            }
        }
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* --- fat tree ---
 *
 * Height 0 are the nodes, height h + 1 the switches of level h. There are as many links between heights h and
 * h + 1 as nodes: below them h digits are free, the ports chosen on the way up, and the others those of the
 * sender on the way up and of the receiver on the way down. */

static size_t link_between(const struct ct_network *network, int height, bool is_down, size_t end,
                           size_t size, size_t way)
{
    return (2 * (size_t)height + is_down) * network->nodes + end / size * size + way;
}

/* A free port of the switch, or any one once all are taken as often. */
static size_t take_port(struct ct_contention *contention, size_t number, uint64_t *random)
{
    const size_t arity = contention->network->length[0];
    size_t *ports = contention->ports + number * arity;
    size_t taken = contention->taken[number]++ % arity, left = arity - taken;
    if (taken == 0)
        for (size_t i = 0; i < arity; i++)
            ports[i] = i;
    size_t chosen = ct_random(random) % left, port = ports[chosen];
    ports[chosen] = ports[left - 1];
    return port;
}

/* Climbs one height, `size` nodes being below a switch of the height above; *ret_goes_on tells whether a
 * message goes further up. Then its way has one digit more. */
static int climb(struct ct_contention *contention, const struct ct_network_message *messages, size_t count,
                 int height, size_t size, uint64_t *random, bool *ret_goes_on)
{
    const struct ct_network *network = contention->network;
    const size_t above = size * network->length[0];
    int status = CT_OK;
    memset(contention->taken, 0, network->nodes / network->length[0] * sizeof *contention->taken);
    *ret_goes_on = false;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        const struct ct_network_message *message = &messages[i];
        if (message->from / size == message->to / size)
            continue;
        status =
            use(contention, link_between(network, height, false, message->from, size, contention->ways[i]),
                message->bytes);
        if (status == CT_OK)
            status =
                use(contention, link_between(network, height, true, message->to, size, contention->ways[i]),
                    message->bytes);
        if (message->from / above == message->to / above)
            continue;
        *ret_goes_on = true;
        contention->ways[i] +=
            size * take_port(contention, message->from / above * size + contention->ways[i], random);
    }
    return status;
}

static int route_tree(struct ct_contention *contention, const struct ct_network_message *messages,
                      size_t count, uint64_t *random)
{
    bool goes_on = true;
    size_t size = 1;
    int status = ct_grow(&contention->ways, &contention->way_capacity, count + 1, sizeof *contention->ways);
    if (status != CT_OK)
        return status;
    memset(contention->ways, 0, count * sizeof *contention->ways);
    for (int height = 0; status == CT_OK && goes_on; height++, size *= contention->network->length[0])
        status = climb(contention, messages, count, height, size, random, &goes_on);
    return status;
}

/* --- all --- */

static const struct ct_network_kind kinds[] = {
    {"fattree", "fattree:4,3", read_tree, route_tree},
    {"torus", "torus:4x4x4", read_torus, route_torus},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

int ct_network_parse(const char *text, struct ct_error *error, struct ct_network *ret_network)
{
    struct ct_network network = {.nodes = 1};
    size_t length = strcspn(text, ":");
    int i = 0;
    while (i < KINDS && (strlen(kinds[i].name) != length || memcmp(kinds[i].name, text, length) != 0))
        i++;
    if (i == KINDS || text[length] != ':')
        return ct_fail(error, CT_E_INPUT, "unknown network '%s': expected fattree:K,N or torus:XxYxZ", text);
    network.kind = &kinds[i];
    if (kinds[i].read(text + length + 1, &network) != CT_OK)
        return ct_fail(error, CT_E_INPUT,
                       "network '%s': expected whole numbers such as %s, with at most %d nodes", text,
                       kinds[i].example, NODES_MAX);
    *ret_network = network;
    return CT_OK;
}

struct ct_contention *ct_contention_new(const struct ct_network *network)
{
    struct ct_contention *made = ct_allocate(1, sizeof *made);
    if (!made)
        return NULL;
    *made = (struct ct_contention){.network = network,
                                   .loads = ct_allocate(network->links, sizeof *made->loads),
                                   .ports = ct_allocate(network->nodes, sizeof *made->ports),
                                   .taken = ct_allocate(network->nodes, sizeof *made->taken)};
    if (made->loads && made->ports && made->taken)
        return made;
    ct_contention_free(made);
    return NULL;
}

void ct_contention_free(struct ct_contention *contention)
{
    if (!contention)
        return;
    free(contention->loads);
    free(contention->used);
    free(contention->ports);
    free(contention->taken);
    free(contention->ways);
    free(contention);
}

int ct_contention_count(struct ct_contention *contention, const struct ct_network_message *messages,
                        size_t count, uint64_t *random, struct ct_link_load *ret_most)
{
    int status = contention->network->kind->route(contention, messages, count, random);
    struct ct_link_load most = {0};
    for (size_t i = 0; i < contention->used_count; i++) {
        struct ct_link_load *load = &contention->loads[contention->used[i]];
        most.messages = load->messages > most.messages ? load->messages : most.messages;
        most.bytes = load->bytes > most.bytes ? load->bytes : most.bytes;
        *load = (struct ct_link_load){0};
    }
    contention->used_count = 0;
    if (status == CT_OK)
        *ret_most = most;
    return status;
}
