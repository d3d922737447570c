/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_TUNER_H
#define CT_LIBRARY_TUNER_H

#include "decision/tree/feature.h"
#include "library/colltuned.h"
#include "library/decide/choice.h"
#include "library/decide/configuration.h"
#include "library/execute/executor.h"
#include "plan/node_channel.h"

#include <stdatomic.h>

/* What this process tunes with: decisions, configuration, wait policy, counters, profile. */

/* Which decisions a communicator's ranks agree on. */
enum ct_agreement {
    CT_AGREEMENT_AGREED,          /* all as configured */
    CT_AGREEMENT_ENVIRONMENT_OFF, /* the environment differs between ranks: compiled decisions only */
    CT_AGREEMENT_NATIVE_ONLY      /* the libraries differ, are disabled, or a rank cannot use its own */
};

struct ct_tuner {
    bool failed; /* broken build or out of memory: this rank cannot decide */
    bool many_threads;
    struct ct_configuration configuration;
    int rank;                   /* in MPI_COMM_WORLD, or as the launcher counts; 0 if neither is known */
    enum ct_wait_policy policy; /* of this rank, as far as it knew at the start */
    uint64_t compiled_hash;     /* of the compiled decisions, for agreement between ranks */
    int *node_labels; /* by rank of MPI_COMM_WORLD, equal if ranks share a node; NULL if that is not known */
    struct ct_profile *profile; /* NULL if nothing is recorded */
};

/* What is known of the process when its tuner starts. */
struct ct_process {
    int rank; /* in MPI_COMM_WORLD, or as the launcher counts; 0 if neither is known */
    bool many_threads;
    enum ct_wait_policy policy;
    int *node_labels; /* becomes the tuner's; NULL if they are not known */
};

/* Reads the configuration and lists the methods. Sends no messages. The tuner lives until the process ends:
 * communicators of MPI sessions may outlive MPI_Finalize. Called once, by library/process/lifetime.c. */
void ct_tuner_start(const struct ct_process *process);
bool ct_tuner_is_started(void);
/* Rank 0 prints what the user should know at the start, also of messages between ranks of its node, if there
 * are others among the `size` ranks of MPI_COMM_WORLD (0: not known). */
void ct_tuner_print_start(int size, enum ct_node_channel channel);
/* The policy of this rank, where `found` was found for it: the configured one, if there is any. */
enum ct_wait_policy ct_tuner_policy(enum ct_wait_policy found);
/* Prints which methods this process has used, on rank 0, if COLLTUNE_VERBOSE asks for it. */
void ct_tuner_print_use(void);

/* The tuner of the process, which has started. */
const struct ct_tuner *ct_tuner(void);

/* By collective the choice that holds for all calls between ranks that agree so, and that is passed on; NULL
 * if calls must be described. The tuner's, valid also before it starts. */
struct ct_choice *const *ct_tuner_bypasses(enum ct_agreement agreement);
/* Returns the method for a call: the forced one, that of the table read, or that compiled in; its fallback if
 * it does not apply. For a call of a sparse collective whose pattern no rank knows alone, it is a choice that
 * depends on the pattern, if anything is decided for the collective (pattern_choices.h). */
struct ct_choice *ct_tuner_decide(enum ct_agreement agreement, enum ct_collective collective,
                                  const struct ct_call *call);
/* The same for a call with these features, see ct_call_features(). */
struct ct_choice *ct_tuner_decide_by(enum ct_agreement agreement, enum ct_collective collective,
                                     const struct ct_call *call, const struct ct_features *features);
/* May calls of the collective have other candidates than what is decided? Not where it is forced, or where
 * nothing is decided. */
bool ct_tuner_has_candidates(enum ct_collective collective);
/* Lists methods that apply to the call, between ranks that agree: first what is decided for it, then native,
 * then what is decided for other sizes, the near ones first, then the others that the library knows. Returns
 * their number, at most `room`. */
size_t ct_tuner_candidates(enum ct_collective collective, const struct ct_call *call, size_t room,
                           struct ct_choice **ret_choices);
/* Does the choice apply to the call? Equal on all ranks. */
bool ct_choice_applies(const struct ct_choice *choice, const struct ct_call *call);
struct ct_choice *ct_tuner_native(enum ct_collective collective);

/* Counts a call by the method. */
static inline void ct_tuner_count(struct ct_choice *choice, uint64_t messages)
{
    bool many_threads = ct_tuner()->many_threads;
    ct_counter_add(many_threads, &choice->calls, 1);
    if (messages > 0)
        ct_counter_add(many_threads, &choice->messages, messages);
}

/* What the benchmark sets between calls, alike on all ranks. */

/* Puts a method in force for its collective, as COLLTUNE_<COLLECTIVE> does from the start. */
void ct_tuner_force(const struct ct_method *method);
/* The number of calls by that method since it was put in force. */
unsigned long long ct_tuner_forced_calls(enum ct_collective collective);

#endif
