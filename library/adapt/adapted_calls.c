/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/adapt/adapted_calls.h"
#include "base/memory.h"
#include "library/adapt/adaptation.h"
#include "library/adapt/cost_line.h"
#include "library/adapt/joint_maximum.h"
#include "library/adapt/learned.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/predefined_ops.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)CT_ADAPTATION_CANDIDATES <= (int)CT_JOINT_NUMBERS, "an agreement is one maximum");

/* An agreement is taken so many calls after it has begun. A call begins one at most, so no more are under way
 * at a time, and none has to wait for another. */
enum { AGREEMENT_CALLS = 8 };

struct agreement {
    struct ct_joint_maximum *maximum;
    struct ct_adapted_class *class; /* whose agreement is under way */
};

/* Further classes are certain. */
enum { CLASSES_MAX = 32 };

/* The times of classes whose sizes are up to so many powers of two away predict those of a class. */
enum { NEIGHBOUR_BITS = 4 };

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
    unsigned predicted;                                  /* so many candidates were, when it began */
    /* Of the calls whose times count since the last fence: equal at all ranks. */
    double bytes;
    unsigned calls;
    double mean_bytes[CT_ADAPTATION_CANDIDATES]; /* message size of what the candidate's time is known by */
    struct ct_adaptation adaptation;
};

struct ct_adapted_calls {
    struct agreement agreements[AGREEMENT_CALLS]; /* by the number of the call that begins and takes it */
    unsigned under_way;                           /* set of them */
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
static void keep_times(const struct ct_adapted_class *class)
{
    const struct ct_collective_description *about = &ct_collectives[class->key.collective];
    if (about->has_data && !about->has_size)
        return;
    for (size_t i = 0; i < class->candidates; i++) {
        if (ct_adaptation_is_measured(&class->adaptation, (unsigned)i))
            ct_learned_add(class->choices[i], &class->features, class->adaptation.known[i]);
    }
}

/* What is predicted is not known. */
static double known_seconds(const struct ct_adaptation *adaptation, unsigned candidate)
{
    return ct_adaptation_is_measured(adaptation, candidate) ? adaptation->known[candidate] : 0;
}

static void keep_learned(const struct ct_adapted_class *class)
{
    const struct ct_adaptation *adaptation = &class->adaptation;
    if (class->candidates < 2)
        return;
    keep_times(class);
    ct_learned_add_class(&(struct ct_learned_class){
        .features = &class->features,
        .decided = class->choices[0],
        .chosen = class->choices[adaptation->chosen],
        .decided_seconds = known_seconds(adaptation, 0),
        .chosen_seconds = known_seconds(adaptation, adaptation->chosen),
        .is_settled = ct_adaptation_is_settled(adaptation),
    });
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

/* --- what other classes predict --- */

static bool may_predict(const struct ct_adapted_class *class, const struct ct_adapted_class *other)
{
    unsigned a = class->key.size_bits, b = other->key.size_bits;
    return other != class && other->key.collective == class->key.collective && other->candidates > 1 &&
           (a > b ? a - b : b - a) <= NEIGHBOUR_BITS;
}

static void add_times(const struct ct_adapted_class *class, const struct ct_method *method,
                      struct ct_cost_line *line)
{
    for (unsigned i = 0; i < class->candidates; i++)
        if (ct_method_equal(&class->choices[i]->method, method) &&
            ct_adaptation_is_measured(&class->adaptation, i))
            ct_cost_line_add(line, class->mean_bytes[i], class->adaptation.known[i]);
}

/* Predicts the seconds of a candidate; 0: the other classes tell nothing about it. */
static double predict(const struct ct_adapted_class *class, const struct ct_choice *choice)
{
    const struct ct_adapted_calls *calls = class->of;
    struct ct_cost_line line = {0};
    double bytes =
        class->calls > 0 ? class->bytes / class->calls : (double)class->features.value[CT_FEATURE_MSG_BYTES];
    double seconds = 0;
    for (size_t i = 0; i < calls->class_count; i++)
        if (may_predict(class, &calls->classes[i]))
            add_times(&calls->classes[i], &choice->method, &line);
    ct_cost_line_at(&line, bytes, &seconds);
    return seconds;
}

/* Begins a class, or begins it again if more of its candidates are predicted than before. One prediction
 * alone spares no trial. */
static void begin_by_model(struct ct_adapted_class *class)
{
    double seconds[CT_ADAPTATION_CANDIDATES];
    unsigned predicted = 0;
    for (unsigned i = 0; i < class->candidates; i++) {
        seconds[i] = predict(class, class->choices[i]);
        predicted += seconds[i] > 0;
    }
    if (predicted < 2 || predicted <= class->predicted)
        return;
    class->predicted = predicted;
    ct_adaptation_begin(&class->adaptation, (unsigned)class->candidates, seconds);
}

/* What was learned of one class may spare others of the collective their trials. */
static void tell_others(const struct ct_adapted_class *class)
{
    struct ct_adapted_calls *calls = class->of;
    for (size_t i = 0; i < calls->class_count; i++) {
        struct ct_adapted_class *other = &calls->classes[i];
        if (may_predict(other, class) && ct_adaptation_is_untried(&other->adaptation))
            begin_by_model(other);
    }
}

/* --- classes --- */

static bool may_adapt(enum ct_collective collective, const struct ct_known_call *known)
{
    const struct ct_operands *operands = &known->operands;
    return ct_tuner_has_candidates(collective) &&
           (!ct_collectives[collective].reduces || ct_tuner()->configuration.adapt > 1 ||
            ct_is_exact_reduction(operands->op, operands->recv.type));
}

static struct class_key class_of(enum ct_collective collective, const struct ct_call *call)
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
    if (class->candidates < 2)
        return class;
    ct_adaptation_begin(&class->adaptation, (unsigned)class->candidates, NULL);
    if (ct_tuner()->configuration.adapts_by_model)
        begin_by_model(class);
    return class;
}

struct ct_adapted_class *ct_adapted_class_of(struct ct_adapted_calls *calls, enum ct_collective collective,
                                             const struct ct_known_call *known)
{
    if (!calls || !may_adapt(collective, known))
        return NULL;
    struct class_key key = class_of(collective, &known->call);
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

/* The number of the agreement that the next call takes, and may begin again. */
static unsigned next_number(const struct ct_adapted_calls *calls)
{
    return (unsigned)(calls->calls % AGREEMENT_CALLS);
}

static bool is_next_taken(const struct ct_adapted_calls *calls)
{
    return calls->under_way >> next_number(calls) & 1;
}

static int begin_agreement(struct ct_adapted_class *class)
{
    unsigned number = next_number(class->of);
    struct agreement *agreement = &class->of->agreements[number];
    double own[CT_JOINT_NUMBERS] = {0};
    ct_adaptation_measured(&class->adaptation, own);
    int code = ct_joint_maximum_begin(agreement->maximum, own);
    if (code != MPI_SUCCESS)
        return code;
    agreement->class = class;
    class->is_agreeing = true;
    class->of->under_way |= 1U << number;
    return MPI_SUCCESS;
}

static void learn_seconds(struct ct_adapted_class *class, const double seconds[CT_ADAPTATION_CANDIDATES])
{
    for (unsigned i = 0; class->calls > 0 && i < class->candidates; i++)
        if (ct_adaptation_is_in_turn(&class->adaptation, i))
            class->mean_bytes[i] = class->bytes / class->calls;
    class->bytes = 0;
    class->calls = 0;
    ct_adaptation_agree(&class->adaptation, seconds);
    if (ct_tuner()->configuration.adapts_by_model && ct_adaptation_is_settled(&class->adaptation))
        tell_others(class);
}

static int take_agreement(struct ct_adapted_calls *calls)
{
    double greatest[CT_JOINT_NUMBERS];
    unsigned number = next_number(calls);
    struct agreement *agreement = &calls->agreements[number];
    struct ct_adapted_class *class = agreement->class;
    class->is_agreeing = false;
    calls->under_way &= ~(1U << number);
    int code = ct_joint_maximum_end(agreement->maximum, greatest);
    if (code == MPI_SUCCESS)
        learn_seconds(class, greatest);
    return code;
}

static void advance_agreements(struct ct_adapted_calls *calls)
{
    for (unsigned left = calls->under_way, i = 0; left; left >>= 1, i++)
        if (left & 1)
            ct_joint_maximum_advance(calls->agreements[i].maximum);
}

/* --- calls --- */

/* What is decided may differ between calls of a class. */
static struct ct_choice *choice_of(const struct ct_known_call *known, unsigned candidate)
{
    return candidate == 0 ? known->choice : known->adapted->choices[candidate];
}

__attribute__((always_inline)) inline struct ct_choice *
ct_adapted_call_pass(const struct ct_known_call *known)
{
    struct ct_adapted_class *class = known->adapted;
    struct ct_adapted_calls *calls = class->of;
    bool is_due = class->adaptation.is_at_fence && !class->is_agreeing;
    if (is_next_taken(calls) || is_due || !ct_adaptation_is_quiet(&class->adaptation))
        return NULL;
    struct ct_choice *choice = choice_of(known, class->adaptation.chosen);
    if (!ct_has_short_way(known, choice))
        return NULL;
    if (calls->under_way)
        advance_agreements(calls);
    ct_adaptation_count(&class->adaptation);
    calls->calls++;
    return choice;
}

int ct_adapted_call_begin(const struct ct_known_call *known, struct ct_adapted_call *ret_call)
{
    struct ct_adapted_class *class = known->adapted;
    if (is_next_taken(class->of)) {
        int code = take_agreement(class->of);
        if (code != MPI_SUCCESS)
            return code;
    }
    struct ct_choice *choice = choice_of(known, ct_adaptation_candidate(&class->adaptation));
    bool applies = ct_choice_applies(choice, &known->call);
    ret_call->choice = applies ? choice : known->choice;
    ret_call->is_alone = ct_adaptation_is_alone(&class->adaptation);
    ret_call->is_timed = applies && ct_adaptation_is_timed(&class->adaptation);
    ret_call->begun = ret_call->is_timed ? ct_own_clock() : 0;
    return MPI_SUCCESS;
}

static void note_size(struct ct_adapted_class *class, const struct ct_call *call)
{
    class->bytes += (double)ct_call_bytes(class->key.collective, call);
    class->calls++;
}

int ct_adapted_call_end(const struct ct_known_call *known, const struct ct_adapted_call *call)
{
    struct ct_adapted_class *class = known->adapted;
    struct ct_adapted_calls *calls = class->of;
    int code = MPI_SUCCESS;
    if (call->is_timed) {
        ct_adaptation_note(&class->adaptation, ct_own_clock() - call->begun);
        if (ct_tuner()->configuration.adapts_by_model)
            note_size(class, &known->call);
    }
    if (calls->under_way)
        advance_agreements(calls);
    if (ct_adaptation_count(&class->adaptation) && !class->is_agreeing)
        code = begin_agreement(class);
    calls->calls++;
    return code;
}
