/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CONFIGURATION_H
#define CT_LIBRARY_CONFIGURATION_H

#include "decision/tree/tree.h"
#include "library/decide/unknown_method.h"
#include "library/mpi/wait_policy.h"

#include <stdint.h>

/* What the environment asks of the library (docs/environment.md). */
struct ct_configuration {
    bool disabled;        /* COLLTUNE_DISABLE=1 */
    int verbose;          /* COLLTUNE_VERBOSE: 1 settings and use, 2 provenance, too */
    bool check;           /* COLLTUNE_CHECK=1 */
    bool nonblocking;     /* COLLTUNE_NONBLOCKING=1 */
    bool trace;           /* COLLTUNE_TRACE=1 */
    int adapt;            /* COLLTUNE_ADAPT: 1 calls whose results are the same by all methods, 2 all calls */
    bool adapts_by_model; /* COLLTUNE_ADAPT=...,model: classes of calls predict the times of others */
    bool is_forced[CT_COLLECTIVES]; /* COLLTUNE_<COLLECTIVE>=METHOD */
    struct ct_method forced[CT_COLLECTIVES];
    struct ct_unknown_method exchange; /* COLLTUNE_EXCHANGE=METHOD, else the standard one */
    struct ct_decisions table;         /* COLLTUNE_TABLE=FILE; no trees where none was read */
    char *table_text; /* its text, whose comments have its provenance; NULL where none was read */
    char *profile;    /* COLLTUNE_PROFILE=FILE; NULL where none */
    char *learned;    /* COLLTUNE_LEARNED=FILE; NULL where none */
    bool sets_wait;   /* COLLTUNE_WAIT=spin|yield */
    enum ct_wait_policy wait;
    bool avoids_lanes;         /* COLLTUNE_NODE=mpi: messages within a node go through MPI, too */
    bool is_plain;             /* COLLTUNE_NODE=plain: plans are carried out as they are written */
    uint64_t hash;             /* of all that decides, for agreement between ranks */
    struct ct_text complaints; /* a line per wrong value or name, which is ignored */
};

/* Reads the environment. Never fails: what is wrong is left out and complained of. Its memory is the
 * process's, as long as that lives. */
void ct_configuration_read(struct ct_configuration *ret_configuration);

#endif
