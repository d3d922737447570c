/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/adapted_calls.h"
#include "base/memory.h"
#include "library/adaptation.h"
#include "library/backend_mpi.h"
#include "library/joint_maximum.h"
#include "library/learned.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)CT_ADAPTATION_CANDIDATES <= (int)CT_JOINT_NUMBERS, "an agreement is one maximum");

/* An agreement is taken so many calls after it has begun. A call begins one at most, so no more are under way
 * at a time, and none has to wait for another. */
enum { AGREEMENT_CALLS = 8 };

struct agreement {
    struct ct_joint_maximum *maximum;
    struct ct_adapted_class *class; /* whose agreement is under way; NULL: none is */
};

/* Further classes are certain. */
enum { CLASSES_MAX = 32 };

/* What the calls of a class have in common. */
struct class_key {
    enum ct_collective collective;
    unsigned size_bits; /* of the message size */
    bool is_root_first; /* the root is rank 0 */
};

struct ct_adapted_class {
    struct ct_adapted_calls *of;
    struct class_key key;
    struct ct_features features; /* of its first call */
    size_t candidates;
    struct ct_choice *choices[CT_ADAPTATION_CANDIDATES]; /* after the first one, which is what is decided */
    bool is_agreeing;                                    /* an agreement of it is under way */
    struct ct_adaptation adaptation;
};

struct ct_adapted_calls {
    struct agreement agreements[AGREEMENT_CALLS]; /* by the number of the call that begins and takes it */
    unsigned under_way;                           /* agreements */
    uint64_t calls;
    size_t class_count;
    struct ct_adapted_class classes[CLASSES_MAX];
};

struct ct_adapted_calls *ct_adapted_calls_make(struct ct_channel *channel)
{
    struct ct_adapted_calls *calls = ct_allocate(1, sizeof *calls);
    for (int i = 0; calls && i < AGREEMENT_CALLS; i++)
        if (!(calls->agreements[i].maximum = ct_joint_maximum_make(channel, i))) {
            ct_adapted_calls_free(calls);
            return NULL;
        }
    return calls;
}

/* Calls whose size is not known to all ranks tell nothing about others. */
static void keep_learned(const struct ct_adapted_class *class)
{
    const struct ct_collective_description *about = &ct_collectives[class->key.collective];
    if (about->has_data && !about->has_size)
        return;
    for (size_t i = 0; i < class->candidates; i++) {
        double seconds = class->adaptation.known[i];
        if (seconds > 0 && seconds < INFINITY)
            ct_learned_add(class->choices[i], &class->features, seconds);
    }
}

void ct_adapted_calls_free(struct ct_adapted_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < calls->class_count; i++)
        keep_learned(&calls->classes[i]);
    for (int i = 0; i < AGREEMENT_CALLS; i++)
        ct_joint_maximum_free(calls->agreements[i].maximum);
    free(calls);
}

/* --- classes --- */

static bool may_adapt(enum ct_collective collective, const struct ct_known_call *known)
{
    const struct ct_operands *operands = &known->operands;
    return ct_tuner_has_candidates(collective) &&
           (!ct_collectives[collective].reduces || ct_tuner()->configuration.adapt > 1 ||
            ct_is_exact_reduction(operands->op, operands->recv.type));
}

static struct class_key key_of(enum ct_collective collective, const struct ct_call *call)
{
    struct class_key key = {.collective = collective, .is_root_first = call->root == 0};
    for (size_t bytes = ct_call_bytes(collective, call); bytes > 0; bytes /= 2)
        key.size_bits++;
    return key;
}

static struct ct_adapted_class *add_class(struct ct_adapted_calls *calls, struct class_key key,
                                          const struct ct_call *call)
{
    struct ct_adapted_class *class = &calls->classes[calls->class_count++];
    class->of = calls;
    class->key = key;
    class->features = ct_call_features(key.collective, call);
    class->candidates = ct_tuner_candidates(key.collective, call, CT_ADAPTATION_CANDIDATES, class->choices);
    if (class->candidates > 1)
        ct_adaptation_begin(&class->adaptation, (unsigned)class->candidates);
    return class;
}

struct ct_adapted_class *ct_adapted_class_of(struct ct_adapted_calls *calls, enum ct_collective collective,
                                             const struct ct_known_call *known)
{
    if (!calls || !may_adapt(collective, known))
        return NULL;
    struct class_key key = key_of(collective, &known->call);
    struct ct_adapted_class *class = NULL;
    for (size_t i = 0; i < calls->class_count && !class; i++) {
        const struct class_key *other = &calls->classes[i].key;
        if (other->collective == key.collective && other->size_bits == key.size_bits &&
            other->is_root_first == key.is_root_first)
            class = &calls->classes[i];
    }
    if (!class && calls->class_count < CLASSES_MAX)
        class = add_class(calls, key, &known->call);
    return class && class->candidates > 1 ? class : NULL;
}

/* --- agreements --- */

/* The agreement that the next call takes, and may begin anew. */
static struct agreement *next_agreement(struct ct_adapted_calls *calls)
{
    return &calls->agreements[calls->calls % AGREEMENT_CALLS];
}

static int begin_agreement(struct ct_adapted_class *class)
{
    struct agreement *agreement = next_agreement(class->of);
    double own[CT_JOINT_NUMBERS] = {0};
    ct_adaptation_measured(&class->adaptation, own);
    int code = ct_joint_maximum_begin(agreement->maximum, own);
    if (code != MPI_SUCCESS)
        return code;
    agreement->class = class;
    class->is_agreeing = true;
    class->of->under_way++;
    return MPI_SUCCESS;
}

static int take_agreement(struct ct_adapted_calls *calls)
{
    double greatest[CT_JOINT_NUMBERS];
    struct agreement *agreement = next_agreement(calls);
    struct ct_adapted_class *class = agreement->class;
    agreement->class = NULL;
    class->is_agreeing = false;
    calls->under_way--;
    int code = ct_joint_maximum_end(agreement->maximum, greatest);
    if (code == MPI_SUCCESS)
        ct_adaptation_agree(&class->adaptation, greatest);
    return code;
}

static void advance_agreements(struct ct_adapted_calls *calls)
{
    for (int i = 0; i < AGREEMENT_CALLS; i++)
        if (calls->agreements[i].class)
            ct_joint_maximum_advance(calls->agreements[i].maximum);
}

/* --- calls --- */

int ct_adapted_call_begin(const struct ct_known_call *known, struct ct_adapted_call *ret_call)
{
    struct ct_adapted_class *class = known->adapted;
    if (next_agreement(class->of)->class) {
        int code = take_agreement(class->of);
        if (code != MPI_SUCCESS)
            return code;
    }
    unsigned candidate = ct_adaptation_candidate(&class->adaptation);
    struct ct_choice *choice = candidate == 0 ? known->choice : class->choices[candidate];
    bool applies = ct_choice_applies(choice, &known->call);
    ret_call->choice = applies ? choice : known->choice;
    ret_call->is_timed = applies && ct_adaptation_is_timed(&class->adaptation);
    ret_call->begun = ret_call->is_timed ? ct_own_clock() : 0;
    return MPI_SUCCESS;
}

int ct_adapted_call_end(const struct ct_known_call *known, const struct ct_adapted_call *call)
{
    struct ct_adapted_class *class = known->adapted;
    struct ct_adapted_calls *calls = class->of;
    int code = MPI_SUCCESS;
    if (call->is_timed)
        ct_adaptation_note(&class->adaptation, ct_own_clock() - call->begun);
    if (calls->under_way > 0)
        advance_agreements(calls);
    if (ct_adaptation_count(&class->adaptation) && !class->is_agreeing)
        code = begin_agreement(class);
    calls->calls++;
    return code;
}
