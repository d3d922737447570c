/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/contention/network_routes.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

/* Items of one section, separated by commas. */
static size_t count_items(const char *text)
{
    const size_t length = strcspn(text, ";");
    size_t count = length > 0;
    for (size_t i = 0; i < length; i++)
        count += text[i] == ',';
    return count;
}

/* Reads `count` numbers of 0 or more, separated by commas; *text moves behind the last. */
static int read_numbers(const char **text, size_t count, double *ret_numbers)
{
    for (size_t i = 0; i < count; i++) {
        char *end;
        if (i > 0 && *(*text)++ != ',')
            return CT_E_INPUT;
        if (**text < '0' || **text > '9')
            return CT_E_INPUT;
        ret_numbers[i] = strtod(*text, &end);
        *text = end;
        if (!isfinite(ret_numbers[i]) || ret_numbers[i] < 0)
            return CT_E_INPUT;
    }
    return CT_OK;
}

static int end_section(const char **text)
{
    return *(*text)++ == ';' ? CT_OK : CT_E_INPUT;
}

/* The numbers of a whole section, in rows. */
static int read_rows(const char **text, size_t width, size_t *ret_count, double **ret_numbers)
{
    const size_t count = count_items(*text);
    double *numbers = ct_allocate(count + 1, sizeof *numbers);
    if (!numbers)
        return CT_E_MEMORY;
    int status = count % width == 0 ? read_numbers(text, count, numbers) : CT_E_INPUT;
    if (status == CT_OK)
        status = end_section(text);
    if (status != CT_OK) {
        free(numbers);
        return status;
    }
    *ret_count = count / width;
    *ret_numbers = numbers;
    return CT_OK;
}

static int read_factors(const char **text, struct ct_network_factors *factors)
{
    double *numbers;
    size_t count;
    int status = read_rows(text, 2, &count, &numbers);
    if (status != CT_OK)
        return status;
    factors->all = ct_allocate(count + 1, sizeof *factors->all);
    for (size_t i = 0; factors->all && status == CT_OK && i < count; i++) {
        factors->all[i] = (struct ct_network_factor){numbers[2 * i], numbers[2 * i + 1]};
        if (factors->all[i].factor <= 0 || (i > 0 && factors->all[i].above <= factors->all[i - 1].above))
            status = CT_E_INPUT;
    }
    factors->count = count;
    free(numbers);
    return factors->all ? status : CT_E_MEMORY;
}

static int read_measured(const char **text, struct ct_network_routes *routes)
{
    double numbers[4];
    int status = read_numbers(text, 4, numbers);
    if (status != CT_OK || numbers[1] <= 0)
        return CT_E_INPUT;
    routes->measured = (struct ct_network_way){.latency = numbers[0], .rate = numbers[1]};
    routes->window = numbers[2];
    routes->weight = numbers[3];
    return end_section(text);
}

static int read_nodes(const char **text, struct ct_network_routes *routes)
{
    int status = read_rows(text, 1, &routes->nodes, &routes->slowness);
    if (status != CT_OK)
        return status;
    if (routes->nodes < 2 || routes->nodes > CT_NETWORK_ROUTES_MAX)
        return CT_E_INPUT;
    for (size_t i = 0; i < routes->nodes; i++)
        if (routes->slowness[i] <= 0)
            return CT_E_INPUT;
    return CT_OK;
}

static int read_links(const char **text, struct ct_network_routes *routes)
{
    double *numbers;
    int status = read_rows(text, 3, &routes->links, &numbers);
    if (status != CT_OK)
        return status;
    routes->rates = ct_allocate(routes->links + 1, sizeof *routes->rates);
    routes->latencies = ct_allocate(routes->links + 1, sizeof *routes->latencies);
    routes->is_shared = ct_allocate(routes->links + 1, sizeof *routes->is_shared);
    const bool has_memory = routes->rates && routes->latencies && routes->is_shared;
    for (size_t i = 0; has_memory && status == CT_OK && i < routes->links; i++) {
        const double *row = &numbers[3 * i];
        routes->rates[i] = row[0];
        routes->latencies[i] = row[1];
        routes->is_shared[i] = row[2] > 0;
        status = row[0] > 0 && row[2] <= 1 ? CT_OK : CT_E_INPUT;
    }
    free(numbers);
    return has_memory ? status : CT_E_MEMORY;
}

/* One way, and the place behind its steps. */
static int read_way(const char **text, struct ct_network_routes *routes, struct ct_network_way *way,
                    size_t *end)
{
    double rate = INFINITY, seconds = 0;
    do {
        char *behind;
        if (**text < '0' || **text > '9')
            return CT_E_INPUT;
        const unsigned long link = strtoul(*text, &behind, 10);
        if (link >= routes->links)
            return CT_E_INPUT;
        *text = behind;
        way->latency += routes->latencies[link];
        seconds += routes->weight / routes->rates[link];
        rate = fmin(rate, routes->rates[link]);
        if (routes->is_shared[link])
            routes->steps[(*end)++] = (uint32_t)link;
    } while (*(*text)++ == '.');
    (*text)--;
    way->rate =
        routes->window > 0 && way->latency > 0 ? fmin(rate, routes->window / (2 * way->latency)) : rate;
    seconds += way->latency;
    way->weight = seconds > 0 ? 1 / seconds : 1;
    return CT_OK;
}

static int read_ways(const char **text, struct ct_network_routes *routes)
{
    const size_t nodes = routes->nodes;
    routes->steps = ct_allocate(strlen(*text) / 2 + 1, sizeof *routes->steps);
    routes->begins = ct_allocate(nodes * nodes + 1, sizeof *routes->begins);
    routes->ways = ct_allocate(nodes * nodes, sizeof *routes->ways);
    if (!routes->steps || !routes->begins || !routes->ways)
        return CT_E_MEMORY;
    size_t end = 0, pair = 0;
    for (; pair < nodes * nodes; pair++) {
        routes->begins[pair] = end;
        if (pair / nodes == pair % nodes)
            continue;
        if (pair > 1 && *(*text)++ != ',')
            return CT_E_INPUT;
        int status = read_way(text, routes, &routes->ways[pair], &end);
        if (status != CT_OK)
            return status;
        const size_t length = end - routes->begins[pair];
        routes->longest = length > routes->longest ? length : routes->longest;
    }
    routes->begins[pair] = end;
    return **text == '\0' ? CT_OK : CT_E_INPUT;
}

int ct_network_routes_parse(const char *text, struct ct_network_routes **ret_routes)
{
    struct ct_network_routes *routes = ct_allocate(1, sizeof *routes);
    if (!routes)
        return CT_E_MEMORY;
    int status = read_measured(&text, routes);
    if (status == CT_OK)
        status = read_factors(&text, &routes->factors);
    if (status == CT_OK)
        status = read_nodes(&text, routes);
    if (status == CT_OK)
        status = read_links(&text, routes);
    if (status == CT_OK)
        status = read_ways(&text, routes);
    if (status != CT_OK) {
        ct_network_routes_free(routes);
        return status;
    }
    *ret_routes = routes;
    return CT_OK;
}

void ct_network_routes_free(struct ct_network_routes *routes)
{
    if (!routes)
        return;
    free(routes->factors.all);
    free(routes->slowness);
    free(routes->rates);
    free(routes->latencies);
    free(routes->is_shared);
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
        if (routes->begins[pair] == routes->begins[pair + 1] || !is_close(way->latency, first->latency) ||
            !is_close(way->rate, first->rate) || !is_close(way->weight, first->weight))
            return false;
    }
    for (size_t i = 0; i < routes->links; i++)
        if (!routes->is_shared[i] || !is_close(routes->rates[i], first->rate))
            return false;
    return are_one(&routes->factors) && are_of_nodes(routes);
}
