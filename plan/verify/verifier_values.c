/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_values.h"

#include <limits.h>
#include <stdlib.h>

enum { SMALL_COUNT = 17 }; /* up to here segments may be of one unit */

const struct ct_density *ct_density_of(int size)
{
    static const struct ct_density densities[] = {
        {.size_most = 33, .all_roots = true, .all_cuts = true, .from_least = 4, .combinations = 16},
        {.size_most = 256, .from_least = 2, .combinations = 4},
        {.size_most = INT_MAX, .few = true, .from_least = 1, .combinations = 2, .messages = 8},
    };
    const struct ct_density *density = densities;
    while (density->size_most < size)
        density++;
    return density;
}

static void add(struct ct_values *values, size_t value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->items[i] == value)
            return;
    if (values->count < CT_VALUES_MAX)
        values->items[values->count++] = value;
}

/* A number that depends on P: so many halves of it, and more. */
struct in_size {
    size_t halves;
    long more;
    bool among_few;
};

static void add_all(struct ct_values *values, const struct in_size *numbers, size_t count, int size)
{
    bool few = ct_density_of(size)->few;
    for (size_t i = 0; i < count; i++)
        if (!few || numbers[i].among_few)
            add(values, (size_t)size * numbers[i].halves / 2 + (size_t)numbers[i].more);
}

struct ct_values ct_roots_tried(enum ct_collective collective, int size)
{
    static const struct in_size some[] = {
        {.halves = 0, .among_few = true},
        {.halves = 0, .more = 1},
        {.halves = 1, .among_few = true},
        {.halves = 2, .more = -1},
    };
    struct ct_values roots = {.count = 0};
    if (!ct_collectives[collective].has_root)
        add(&roots, 0);
    else if (!ct_density_of(size)->all_roots)
        add_all(&roots, some, sizeof some / sizeof some[0], size);
    else
        for (size_t root = 0; root < (size_t)size; root++)
            add(&roots, root);
    return roots;
}

struct ct_values ct_counts_tried(enum ct_collective collective, int size)
{
    static const struct in_size standard[] = {
        {.halves = 0},
        {.more = 1, .among_few = true},
        {.halves = 2, .more = -1},
        {.halves = 2},
        {.halves = 2, .more = 1, .among_few = true},
        {.more = 17},
        {.more = 3 * (1L << 31) + 1, .among_few = true}, /* beyond what 32 bits hold */
    };
    struct ct_values counts = {.count = 0};
    if (ct_collectives[collective].has_data)
        add_all(&counts, standard, sizeof standard / sizeof standard[0], size);
    else
        add(&counts, 0);
    return counts;
}

/* Segment sizes in bytes that cut `n` units into one, two, three, five or other numbers of segments. */
static struct ct_values all_cuts_of(size_t n, size_t unit_bytes)
{
    static const size_t pieces[] = {1, 2, 3, 5};
    struct ct_values units = {.count = 0}, sizes = {.count = 0};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        add(&units, n / pieces[i] + (n % pieces[i] > 0));
        add(&units, n / pieces[i]);
    }
    if (n > 1)
        add(&units, n - 1);
    add(&sizes, 0);
    for (size_t i = 0; i < units.count; i++)
        if (units.items[i] > 1 || n <= SMALL_COUNT)
            add(&sizes, units.items[i] * unit_bytes);
    if (n > 0 && n <= SMALL_COUNT)
        add(&sizes, unit_bytes);
    if (unit_bytes > 1 && n > 1) /* not made of whole units */
        add(&sizes, (n / 2 + 1) * unit_bytes - 1);
    return sizes;
}

/* None; two segments; four or so, not made of whole units; five, the last one ragged. Five show a first one,
 * a steady state and a last one. */
static struct ct_values some_cuts_of(size_t n, size_t unit_bytes)
{
    struct ct_values sizes = {.count = 0};
    add(&sizes, 0);
    add(&sizes, (n / 2 + n % 2) * unit_bytes);
    add(&sizes, (n / 3 + 1) * unit_bytes - 1);
    add(&sizes, (n / 5 + (n % 5 > 0)) * unit_bytes);
    return sizes;
}

int ct_parameter_tried(const struct ct_parameter *parameter, const struct ct_call *call,
                       struct ct_values *ret_values)
{
    const struct ct_density *density = ct_density_of(call->size);
    struct ct_values wanted = {.count = 0};
    ret_values->count = 0;
    if (parameter->standard_name) {
        for (size_t i = 0; i < ct_algorithm_count; i++)
            if (ct_parameter_allows(parameter, &ct_algorithms[i]))
                add(ret_values, i);
        return CT_OK;
    }
    if (parameter->in_bytes) {
        wanted = (density->all_cuts ? all_cuts_of : some_cuts_of)(call->count, call->unit_bytes);
    } else if (parameter->words) {
        for (size_t i = parameter->least; i <= parameter->most; i++)
            add(&wanted, i);
    } else {
        size_t *sweep, count;
        int status = ct_parameter_sweep(parameter, &sweep, &count);
        if (status != CT_OK)
            return status;
        for (size_t i = 0; i < density->from_least; i++)
            add(&wanted, parameter->least + i);
        for (size_t i = 0; i < count; i++)
            add(&wanted, sweep[i]);
        free(sweep);
    }
    for (size_t i = 0; i < wanted.count; i++)
        if (wanted.items[i] >= parameter->least && wanted.items[i] <= parameter->most)
            add(ret_values, wanted.items[i]);
    if (ret_values->count == 0)
        add(ret_values, parameter->standard);
    return CT_OK;
}

/* Length of a block; uneven ones are around `count`. */
static size_t length_of(size_t count, bool uneven, size_t from, size_t to)
{
    if (!uneven)
        return count;
    return (from + 2 * to) % 3 == 0 ? 0 : count / 2 * ((from + 3 * to) % 4) + (from * to) % 3;
}

void ct_block_counts(enum ct_collective collective, struct ct_call *call, bool uneven, size_t *tables)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    size_t size = (size_t)call->size, *by_sender = tables, *by_receiver = tables + size * size;
    if (about->result[0] != CT_CONTENTS_PARTS_OF_EACH) {
        for (size_t i = 0; i < size; i++)
            by_sender[i] = length_of(call->count, uneven, i, i / 3);
        *(about->input[0] == CT_CONTENTS_PARTS ? &call->send_counts : &call->recv_counts) = by_sender;
        return;
    }
    for (size_t from = 0; from < size; from++)
        for (size_t to = 0; to < size; to++)
            by_sender[from * size + to] = by_receiver[to * size + from] =
                length_of(call->count, uneven, from, to);
    call->send_counts = by_sender;
    call->recv_counts = by_receiver;
}
