/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_TUNER_H
#define CT_LIBRARY_TUNER_H

#include "library/colltuned.h"
#include "library/configuration.h"
#include "library/executor.h"

/* What this process tunes with: decisions, configuration, wait policy, counters. There is one, since MPI is
 * one. */

/* Which decisions a communicator's ranks agree on. */
enum ct_agreement {
    CT_AGREEMENT_AGREED,          /* all as configured */
    CT_AGREEMENT_ENVIRONMENT_OFF, /* the environment differs between ranks: compiled decisions only */
    CT_AGREEMENT_NATIVE_ONLY      /* tuned differently built, disabled, or not possible */
};

/* Reads the configuration and finds the wait policy; collective over `comm`, natively. Later calls do
 * nothing. */
void ct_tuner_start(MPI_Comm comm);
bool ct_tuner_started(void);
/* Finds which ranks share a node: collective over MPI_COMM_WORLD, natively, and so only right behind
 * MPI_Init. Where it was not called, node-aware methods do not apply. */
void ct_tuner_find_nodes(void);
/* Frees all; the profile must have been written. */
void ct_tuner_stop(void);

const struct ct_configuration *ct_tuner_configuration(void);
enum ct_wait_policy ct_tuner_policy(void);
/* By rank of MPI_COMM_WORLD, equal where ranks share a node; NULL where that is not known. */
const int *ct_tuner_node_labels(void);
/* Of the compiled decisions, for agreement between ranks. */
uint64_t ct_tuner_compiled_hash(void);

/* A method of the process and its number among the counters. */
struct ct_choice {
    const struct ct_method *method;
    unsigned counter;
};

/* Does everything of this collective go to the MPI library, whatever the call, and unrecorded? */
bool ct_tuner_leaves(enum ct_collective collective);
/* The method for a call: forced, by the table read, or as compiled; the next best where that does not apply.
 */
struct ct_choice ct_tuner_decide(enum ct_agreement agreement, enum ct_collective collective,
                                 const struct ct_call *call);
/* The MPI library's own. */
struct ct_choice ct_tuner_native(enum ct_collective collective);

void ct_tuner_count(struct ct_choice choice, uint64_t messages);

#endif
