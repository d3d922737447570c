/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/node_pool.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r";

static int add_host(struct ct_node_pool *pool, size_t *capacity, const char *line)
{
    char *copy = strdup(line);
    if (!copy || ct_grow(&pool->hosts, capacity, pool->count + 1, sizeof(char *)) != CT_OK) {
        free(copy);
        return CT_E_MEMORY;
    }
    pool->hosts[pool->count++] = copy;
    return CT_OK;
}

/* The name ends at a blank, or before the number of ranks (`node1:4`). */
static size_t length_of_name(const char *line)
{
    return strcspn(line, " \t\r:");
}

static bool names_same(const char *a, const char *b)
{
    return length_of_name(a) == length_of_name(b) && strncmp(a, b, length_of_name(a)) == 0;
}

static int check_hosts(const struct ct_node_pool *pool, const char *path, struct ct_error *error)
{
    if (pool->count == 0)
        return ct_fail(error, CT_E_INPUT, "%s: expected a host a line", path);
    for (size_t i = 0; i < pool->count; i++)
        for (size_t k = 0; k < i; k++)
            if (names_same(pool->hosts[i], pool->hosts[k]))
                return ct_fail(error, CT_E_INPUT, "%s: has the host %.*s twice: expected each host once",
                               path, (int)length_of_name(pool->hosts[i]), pool->hosts[i]);
    return CT_OK;
}

static int join_switches(struct ct_node_pool *pool, const char *path, struct ct_error *error)
{
    int status = ct_switches_read(path, error, &pool->switches);
    if (status == CT_OK && !(pool->leaf = ct_allocate(pool->count, sizeof *pool->leaf)))
        status = CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < pool->count; i++) {
        const int length = (int)length_of_name(pool->hosts[i]);
        pool->leaf[i] = ct_switches_leaf(&pool->switches, pool->hosts[i], (size_t)length);
        if (pool->leaf[i] == CT_NO_SWITCH)
            status = ct_fail(error, CT_E_INPUT, "%s: the host %.*s is below none of the switches", path,
                             length, pool->hosts[i]);
    }
    return status;
}

int ct_node_pool_read(const char *path, const char *switches, struct ct_error *error,
                      struct ct_node_pool *ret_pool)
{
    struct ct_node_pool pool = {0};
    char *text = NULL;
    size_t length, capacity = 0;
    int status = ct_lines_read(path, error, &text, &length);
    char *rest = text;
    for (char *line; status == CT_OK && (line = strsep(&rest, "\n"));) {
        line += strspn(line, blanks);
        if (*line && *line != '#')
            status = add_host(&pool, &capacity, line);
    }
    free(text);
    if (status == CT_OK)
        status = check_hosts(&pool, path, error);
    if (status == CT_OK && !(pool.owner = ct_allocate(pool.count, sizeof *pool.owner)))
        status = CT_E_MEMORY;
    if (status == CT_OK && switches)
        status = join_switches(&pool, switches, error);
    if (status != CT_OK) {
        ct_node_pool_free(&pool);
        return status;
    }
    pool.free = pool.count;
    *ret_pool = pool;
    return CT_OK;
}

void ct_node_pool_free(struct ct_node_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        free(pool->hosts[i]);
    free(pool->hosts);
    free(pool->owner);
    free(pool->leaf);
    ct_switches_free(&pool->switches);
    *pool = (struct ct_node_pool){0};
}

/* Free nodes that follow each other, from `first` on. */
static size_t length_of_row(const struct ct_node_pool *pool, size_t first)
{
    size_t end = first;
    while (end < pool->count && pool->owner[end] == 0)
        end++;
    return end - first;
}

/* The first node of the shortest row that is long enough; where there is none, the first free node. */
static size_t find_row(const struct ct_node_pool *pool, size_t count)
{
    size_t best = SIZE_MAX, shortest = SIZE_MAX, length;
    for (size_t i = 0; i<pool->count; i += length> 0 ? length : 1) {
        length = length_of_row(pool, i);
        if (length >= count && length < shortest) {
            shortest = length;
            best = i;
        }
    }
    return best == SIZE_MAX ? 0 : best;
}

static void take_row(struct ct_node_pool *pool, size_t owner, size_t count)
{
    for (size_t i = find_row(pool, count); count > 0; i++)
        if (pool->owner[i] == 0) {
            pool->owner[i] = owner;
            count--;
        }
}

/* CT_NO_SWITCH stands for what joins the topmost switches. */
static bool is_below(const struct ct_switches *tree, int at, int above)
{
    while (at != above && at != CT_NO_SWITCH)
        at = tree->switches[at].above;
    return at == above;
}

static size_t count_free(const struct ct_node_pool *pool, int above)
{
    size_t count = 0;
    for (size_t i = 0; i < pool->count; i++)
        count += pool->owner[i] == 0 && is_below(&pool->switches, pool->leaf[i], above);
    return count;
}

/* Of the switches below `above`, the lowest with so many free nodes, and of those that with the fewest;
 * `above` where there is none. */
static int find_switch(const struct ct_node_pool *pool, int above, size_t count)
{
    const struct ct_switches *tree = &pool->switches;
    int best = above;
    size_t fewest = 0;
    for (int i = 0; i < tree->count; i++) {
        const int level = tree->switches[i].level;
        if (i == above || !is_below(tree, i, above) || (best != above && level > tree->switches[best].level))
            continue;
        const size_t has = count_free(pool, i);
        if (has >= count && (best == above || level < tree->switches[best].level || has < fewest)) {
            best = i;
            fewest = has;
        }
    }
    return best;
}

/* Of the switches next below `above`, that with the most free nodes. */
static int find_fullest(const struct ct_node_pool *pool, int above)
{
    int best = CT_NO_SWITCH;
    size_t most = 0;
    for (int i = 0; i < pool->switches.count; i++) {
        const size_t has = pool->switches.switches[i].above == above ? count_free(pool, i) : 0;
        if (has > most) {
            most = has;
            best = i;
        }
    }
    return best;
}

/* Gives nodes below the switch until the owner has `count` more, or all of them. Returns how many it gave. */
static size_t take_below(struct ct_node_pool *pool, size_t owner, int above, size_t count)
{
    size_t taken = 0;
    for (size_t i = 0; i < pool->count && taken < count; i++)
        if (pool->owner[i] == 0 && is_below(&pool->switches, pool->leaf[i], above)) {
            pool->owner[i] = owner;
            taken++;
        }
    return taken;
}

static void take_close(struct ct_node_pool *pool, size_t owner, size_t count)
{
    int above = CT_NO_SWITCH;
    while (count > 0) {
        above = find_switch(pool, above, count);
        const bool is_leaf = above != CT_NO_SWITCH && pool->switches.switches[above].level == 0;
        const size_t taken = take_below(pool, owner, is_leaf ? above : find_fullest(pool, above), count);
        assert(taken > 0);
        count -= taken;
    }
}

bool ct_node_pool_take(struct ct_node_pool *pool, size_t owner, size_t count)
{
    assert(owner > 0 && count > 0);
    if (pool->free < count)
        return false;
    pool->free -= count;
    (pool->leaf ? take_close : take_row)(pool, owner, count);
    return true;
}

void ct_node_pool_give_back(struct ct_node_pool *pool, size_t owner)
{
    for (size_t i = 0; i < pool->count; i++)
        if (pool->owner[i] == owner) {
            pool->owner[i] = 0;
            pool->free++;
        }
}

int ct_node_pool_write(const struct ct_node_pool *pool, size_t owner, const char *path,
                       struct ct_error *error)
{
    struct ct_text text = {0};
    for (size_t i = 0; i < pool->count; i++)
        if (pool->owner[i] == owner)
            ct_text_append(&text, "%s\n", pool->hosts[i]);
    int status = text.failed ? CT_E_MEMORY : ct_file_write(path, text.data, text.length, error);
    ct_text_free(&text);
    return status;
}
