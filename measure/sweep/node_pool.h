/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_NODE_POOL_H
#define CT_MEASURE_SWEEP_NODE_POOL_H

#include "base/error.h"
#include "measure/sweep/switches.h"

#include <stdbool.h>
#include <stddef.h>

/* The nodes of a sweep whose jobs run side by side, each on nodes of its own. Nodes are the lines of a file
 * of hosts.
 *
 * If it is known on which switches they hang, a job gets nodes below the lowest switch that has enough free
 * ones, and of several such switches below the one that has the fewest, so that others stay whole. If even
 * that one only joins other switches, the job gets all free nodes of the fullest, and the rest likewise.
 *
 * Else the order of the file tells which are close, as in the lists that job schedulers give: a job gets
 * nodes that follow each other where there are any, and the shortest such row that is long enough. */
struct ct_node_pool {
    char **hosts;  /* by node, its line of the file */
    size_t *owner; /* by node: who has it, counted from 1; 0: nobody */
    size_t count;
    size_t free;
    struct ct_switches switches; /* none: not known */
    int *leaf;                   /* by node, the switch that it hangs on; NULL: not known */
};

/* Reads the file: a host a line; empty lines and those that begin with # are passed over. `switches` is the
 * file of measure/sweep/switches.h, or NULL. CT_OK; CT_E_INPUT with a line in `error` if a file has no host,
 * or one twice, or if a host is below none of the switches; CT_E_LIMIT, CT_E_SYSTEM, CT_E_MEMORY. Caller
 * frees. */
int ct_node_pool_read(const char *path, const char *switches, struct ct_error *error,
                      struct ct_node_pool *ret_pool);
void ct_node_pool_free(struct ct_node_pool *pool);

/* Gives `owner` so many nodes, at least one; it must have none. False, and nothing, if there are too few. */
bool ct_node_pool_take(struct ct_node_pool *pool, size_t owner, size_t count);
/* Takes back what the owner has, if anything. */
void ct_node_pool_give_back(struct ct_node_pool *pool, size_t owner);

/* Writes the owner's nodes as a file of hosts. CT_OK; CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. */
int ct_node_pool_write(const struct ct_node_pool *pool, size_t owner, const char *path,
                       struct ct_error *error);

#endif
