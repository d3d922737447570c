/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_CELL_KEY_H
#define CT_PLAN_CELL_KEY_H

#include "plan/call.h"

#include <assert.h>
#include <stdint.h>

/* What is known of all calls of one cell, besides their collective: where they ran and how large they were.
 * The columns of all CSV files, the order of cells and the features of decisions derive from the table of
 * descriptors: a further key is a member here, its descriptor, and whatever gives it a value. */

struct ct_cell_key {
    uint32_t nodes;     /* that the ranks lie on */
    uint32_t ppn;       /* ranks on a node; on the fullest where that differs */
    uint32_t comm_size; /* ranks of the communicator */
    size_t msg_bytes;   /* 0 where the collective has no message size */
    uint32_t yield;     /* 1: ranks yield the CPU while they wait */
    uint32_t by;        /* enum ct_mapped_by */
    uint32_t mode;      /* enum ct_call_mode */
    uint32_t root;      /* 0 where the collective has none */

    /* Of sparse collectives, else 0: what is known of their pattern (plan/pattern_features.h), and which it
     * is, ct_pattern_id() of its text. Decisions look at the former alone. */
    uint32_t degree;
    uint32_t mean_degree;
    uint32_t imbalance;
    uint32_t on_node;
    size_t pattern;
};

/* Tells patterns apart by their texts: not 0. */
size_t ct_pattern_id(const char *text);

/* How consecutive ranks are mapped: an imported run has it from the user, a call from its nodes. */
enum ct_mapped_by {
    CT_MAPPED_BY_UNKNOWN,
    CT_MAPPED_BY_CORE,   /* neighbouring cores: a node is filled, then the next */
    CT_MAPPED_BY_SOCKET, /* the sockets of a node in turn */
    CT_MAPPED_BY_NODE,   /* the nodes in turn */
    CT_MAPPED_WAYS
};

/* By enum: "unknown", "core", "socket", "node"; NULL behind the last. */
extern const char *const ct_mapped_names[CT_MAPPED_WAYS + 1];
/* The mapping of that name; CT_MAPPED_WAYS where there is none. */
enum ct_mapped_by ct_mapped_find(const char *name);

enum ct_key {
    CT_KEY_NODES,
    CT_KEY_PPN,
    CT_KEY_COMM_SIZE,
    CT_KEY_MSG_BYTES,
    CT_KEY_COLUMNS, /* the keys above are columns of files; most that follow derive from a run's conditions
                     */
    CT_KEY_YIELD = CT_KEY_COLUMNS,
    CT_KEY_BY,
    CT_KEY_MODE,
    CT_KEY_ROOT,     /* a column of samples.csv */
    CT_KEY_PATTERNS, /* from here on: features of patterns, columns of files about sparse collectives */
    CT_KEY_DEGREE = CT_KEY_PATTERNS,
    CT_KEY_MEAN_DEGREE,
    CT_KEY_IMBALANCE,
    CT_KEY_ON_NODE,
    CT_KEYS
};

struct ct_key_descriptor {
    const char *name; /* of its column and feature */
    const char *text; /* one line for people */
    size_t offset;    /* in struct ct_cell_key */
    size_t bytes;     /* there: 4 or 8 */
    size_t least;
    size_t most;
    bool in_bytes; /* written with K, M and G where people read it */
};

/* By enum ct_key, in the order in which cells are sorted. */
extern const struct ct_key_descriptor ct_key_descriptors[CT_KEYS];

static inline size_t ct_key_value(const struct ct_cell_key *key, const struct ct_key_descriptor *descriptor)
{
    const void *place = (const char *)key + descriptor->offset;
    return descriptor->bytes == sizeof(uint32_t) ? *(const uint32_t *)place : *(const size_t *)place;
}

static inline void ct_key_set(struct ct_cell_key *key, const struct ct_key_descriptor *descriptor,
                              size_t value)
{
    void *place = (char *)key + descriptor->offset;
    assert(value <= descriptor->most);
    if (descriptor->bytes == sizeof(uint32_t))
        *(uint32_t *)place = (uint32_t)value;
    else
        *(size_t *)place = value;
}

/* The order of cells: less than, equal to or greater than 0, as qsort() takes it. */
int ct_cell_key_compare(const struct ct_cell_key *left, const struct ct_cell_key *right);

/* The key of a call, equal on all its ranks. Where it is not known which ranks share a node, each is taken to
 * have its own. */
struct ct_cell_key ct_call_key(enum ct_collective collective, const struct ct_call *call);

#endif
