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

int ct_node_pool_read(const char *path, struct ct_error *error, struct ct_node_pool *ret_pool)
{
    struct ct_node_pool pool = {0};
    char *text = NULL;
    size_t length, capacity = 0;
    int status = ct_file_read(path, error, &text, &length);
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

bool ct_node_pool_take(struct ct_node_pool *pool, size_t owner, size_t count)
{
    assert(owner > 0 && count > 0);
    if (pool->free < count)
        return false;
    for (size_t i = find_row(pool, count), taken = 0; taken < count; i++)
        if (pool->owner[i] == 0) {
            pool->owner[i] = owner;
            taken++;
        }
    pool->free -= count;
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
