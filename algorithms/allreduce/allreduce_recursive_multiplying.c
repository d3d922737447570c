/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive doubling with wider steps: in step k groups of `radix` ranks, radix^k apart, swap all they have
 * combined, each with each. The last step takes as many as fit, 2 to radix - 1, and the remaining ranks,
 * fewer than radix^k, form pairs with others before and after.
 * Memory: (radix - 1) m. */
#include "algorithms/allreduce/allreduce.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

#include <string.h>

enum { MEMBERS_MAX = 64, INPUT = -1 };

/* Vectors lie in CT_BUFFER_SEND, which is INPUT, or in places: CT_BUFFER_RECV is place 0, the others are
 * temporary. */
struct places {
    const struct ct_call *call;
    int count;          /* most that are needed */
    unsigned temporary; /* of the places after 0; 0 as long as none is needed */
};

struct vector {
    unsigned buffer;
    size_t offset;
};

static struct vector vector_at(struct ct_plan *plan, struct places *places, int place)
{
    size_t n = places->call->count;
    if (place <= 0)
        return (struct vector){.buffer = place == INPUT ? CT_BUFFER_SEND : CT_BUFFER_RECV};
    if (!places->temporary)
        places->temporary = ct_temporary(plan, (size_t)(places->count - 1) * n);
    return (struct vector){places->temporary, (size_t)(place - 1) * n};
}

/* Combines the vectors of a group, which lie at `at` in rank order, from the last to the first; returns the
 * place of the result: where operands may swap it is CT_BUFFER_RECV, which is among them, else that of the
 * last. */
static int combine(struct ct_plan *plan, struct places *places, const int *at, int members)
{
    int sum = at[members - 1];
    for (int i = members - 2; i >= 0; i--) {
        bool swap = at[i] == 0 && places->call->commutative;
        struct vector to = vector_at(plan, places, swap ? at[i] : sum);
        struct vector from = vector_at(plan, places, swap ? sum : at[i]);
        ct_reduce(plan, to.buffer, to.offset, from.buffer, from.offset, places->call->count);
        sum = swap ? at[i] : sum;
    }
    ct_round_end(plan);
    return sum;
}

/* Chooses places for what comes in: CT_BUFFER_RECV first, and for the vector of the last. Where order counts,
 * that is written, which the input must not be: CT_BUFFER_RECV takes a copy of it. */
static void choose_places(struct ct_plan *plan, const struct places *places, int held, int own, int members,
                          int *at)
{
    int free = 0;
    bool is_copied = held == INPUT && own == members - 1 && !places->call->commutative;
    if (is_copied) {
        ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, places->call->count);
        free = 1;
    }
    for (int i = members - 1; i >= 0; i--) {
        if (i == own) {
            at[i] = is_copied ? 0 : held;
        } else {
            free += free == held;
            at[i] = free++;
        }
    }
}

/* A member's rank in the communicator from its rank among those that take the steps. */
static int actual_rank(int rank, int folded)
{
    return rank < folded ? 2 * rank + 1 : rank + folded;
}

/* One step: the group's members are `distance` apart. */
static int swap_and_combine(struct ct_plan *plan, struct places *places, int held, int rank, int folded,
                            int distance, int members)
{
    int own = rank / distance % members, first = rank - own * distance;
    int at[MEMBERS_MAX];
    memset(at, 0, (size_t)members * sizeof *at);
    struct vector mine = vector_at(plan, places, held);
    choose_places(plan, places, held, own, members, at);
    for (int k = 1; k < members; k++) {
        int from = ct_virtual(own, k, members), to = ct_actual(own, k, members);
        struct vector theirs = vector_at(plan, places, at[from]);
        ct_receive(plan, actual_rank(first + from * distance, folded), theirs.buffer, theirs.offset,
                   places->call->count);
        ct_send(plan, actual_rank(first + to * distance, folded), mine.buffer, mine.offset,
                places->call->count);
    }
    ct_round_end(plan);
    return combine(plan, places, at, members);
}

/* The odd one of a pair takes in what the even one before it has. */
static int take_in(struct ct_plan *plan, struct places *places, int held)
{
    int at[2] = {0};
    choose_places(plan, places, held, 1, 2, at);
    struct vector theirs = vector_at(plan, places, at[0]);
    ct_receive(plan, places->call->rank - 1, theirs.buffer, theirs.offset, places->call->count);
    ct_round_end(plan);
    return combine(plan, places, at, 2);
}

void ct_allreduce_recursive(struct ct_plan *plan, const struct ct_call *call)
{
    int radix = (int)ct_value_or(call, &ct_wide_radix_parameter, 2);
    int power = 1, held = call->in_place ? 0 : INPUT;
    while (power <= call->size / radix)
        power *= radix;
    int steppers = power * (call->size / power), folded = call->size - steppers;
    bool in_pair = call->rank < 2 * folded;
    struct places places = {.call = call, .count = steppers < radix ? steppers : radix};

    if (in_pair && call->rank % 2 == 0) {
        ct_send(plan, call->rank + 1, ct_input(call), 0, call->count);
        ct_round_end(plan);
        ct_receive(plan, call->rank + 1, CT_BUFFER_RECV, 0, call->count);
        return;
    }
    if (in_pair)
        held = take_in(plan, &places, held);
    int rank = in_pair ? call->rank / 2 : call->rank - folded;
    for (int distance = 1, members; distance < steppers; distance *= members) {
        members = steppers / distance < radix ? steppers / distance : radix;
        held = swap_and_combine(plan, &places, held, rank, folded, distance, members);
    }
    if (held != 0) {
        struct vector result = vector_at(plan, &places, held);
        ct_copy(plan, CT_BUFFER_RECV, 0, result.buffer, result.offset, call->count);
        ct_round_end(plan);
    }
    if (in_pair)
        ct_send(plan, call->rank - 1, CT_BUFFER_RECV, 0, call->count);
}

const struct ct_descriptor ct_allreduce_recursive_multiplying = {
    .text = "in step k groups of radix ranks swap and combine all they have",
    .source = "Ruefenacht, Bull, Booth 2017, Generalisation of recursive doubling for AllReduce",
    .cost = "ceil(log_radix P) (+ 2) (alpha + (radix - 1) m (beta + gamma))",
    .parameters = {&ct_wide_radix_parameter},
    .build = ct_allreduce_recursive,
};
