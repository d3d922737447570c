/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks with many common destinations form groups of k friends: each sends a part of the common destinations
 * what all of the group have for them, in one message. Friends exchange before what the others send for them.
 *
 * Groups are found step by step, each step by a matching (friends_matching.h).
 *
 * Source: Ghazimirsaeed 2019, sections 7.2 and 7.3, algorithms 7.1 to 7.4. */
#include "algorithms/friends_matching.h"
#include "algorithms/sparse.h"
#include "base/memory.h"
#include "base/sort.h"
#include "plan/letters.h"

#include <stdlib.h>
#include <string.h>

const struct ct_parameter ct_friends_parameter = {"k",        "ranks in a group of friends", "2,3,4",
                                                  .least = 2, .most = CT_FRIENDS_MOST,       .standard = 2};

enum { WITHIN_ALL, WITHIN_NODE };
static const char *const within_words[] = {"all", "node"};
const struct ct_parameter ct_within_parameter = {"within", "where friends may be", "all,node",
                                                 .most = WITHIN_NODE, .words = within_words};

enum { ORDER_JOINT, ORDER_STEPS };
static const char *const order_words[] = {"joint", "steps"};
const struct ct_parameter ct_friends_order_parameter = {
    "order", "all groups at once, or in the order in which they were found", "joint,steps",
    .most = ORDER_STEPS, .words = order_words};

const struct ct_parameter ct_threshold_parameter = {
    .name = "threshold",
    .text = "common destinations that a group must exceed; 0: as many as save messages",
    .sweep = "0",
    .most = UINT32_MAX};

enum phase { ASK, READ, MATCH, RENEW };

struct friends {
    const struct ct_call *call;
    size_t threshold; /* a group must have more common destinations */
    bool within_node;
    bool in_steps;
    enum phase phase;
    unsigned step; /* matchings that are done */

    int *out; /* destinations, each once and without this rank, rising */
    size_t out_count;
    size_t words;     /* of a set of them */
    uint64_t *active; /* those that no group of this rank has */
    int *carriers;    /* by destination: the friend that sends it what the group has; -1: no group has it */
    unsigned *steps;  /* by destination: the step of its group */

    struct ct_friend_candidate *candidates; /* by rank, rising */
    size_t candidate_count, candidate_capacity;
    uint64_t *sets; /* of the candidates */

    struct ct_friends_matching matching; /* of this step */
};

/* --- sets --- */

static bool has(const uint64_t *set, size_t i)
{
    return set[i / CT_SET_BITS] >> i % CT_SET_BITS & 1;
}

static void insert(uint64_t *set, size_t i)
{
    set[i / CT_SET_BITS] |= (uint64_t)1 << i % CT_SET_BITS;
}

static void drop(uint64_t *set, size_t i)
{
    set[i / CT_SET_BITS] &= ~((uint64_t)1 << i % CT_SET_BITS);
}

/* --- beginning --- */

static int compare_ranks(const void *a, const void *b)
{
    return CT_COMPARE(*(const int *)a, *(const int *)b);
}

/* Copies the ranks of a list, each once, without `self`, rising. Returns how many there are. */
static size_t copy_once(const int *list, size_t count, int self, int *ret_ranks)
{
    size_t kept = 0, once = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i] != self)
            ret_ranks[kept++] = list[i];
    if (kept > 1)
        qsort(ret_ranks, kept, sizeof *ret_ranks, compare_ranks);
    for (size_t i = 0; i < kept; i++)
        if (once == 0 || ret_ranks[once - 1] != ret_ranks[i])
            ret_ranks[once++] = ret_ranks[i];
    return once;
}

static void end(void *rule)
{
    struct friends *friends = rule;
    if (!friends)
        return;
    free(friends->out);
    free(friends->active);
    free(friends->carriers);
    free(friends->steps);
    free(friends->candidates);
    free(friends->sets);
    ct_friends_matching_free(&friends->matching);
    free(friends);
}

static int begin(const struct ct_call *call, void **ret_rule)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    struct friends *friends = ct_allocate(1, sizeof *friends);
    if (!friends)
        return CT_E_MEMORY;
    *friends = (struct friends){
        .call = call,
        .within_node = ct_value(call, &ct_within_parameter) == WITHIN_NODE,
        .in_steps = ct_value(call, &ct_friends_order_parameter) == ORDER_STEPS,
        .matching = {.k = ct_value(call, &ct_friends_parameter), .rank = call->rank},
    };
    const size_t k = friends->matching.k;
    /* A group must save messages; among all ranks it must save more than one with a friend less
     * (Ghazimirsaeed 2019, equations 7.4 and 7.6). */
    friends->threshold = ct_value(call, &ct_threshold_parameter);
    if (friends->threshold == 0)
        friends->threshold = friends->within_node ? k : k * (k - 1);
    friends->out = ct_allocate(neighbors->out_count + 1, sizeof *friends->out);
    if (friends->out) {
        friends->out_count = copy_once(neighbors->out, neighbors->out_count, call->rank, friends->out);
        friends->words = friends->out_count / CT_SET_BITS + 1;
        friends->active = ct_allocate(friends->words, sizeof *friends->active);
        friends->carriers = ct_allocate(friends->out_count + 1, sizeof *friends->carriers);
        friends->steps = ct_allocate(friends->out_count + 1, sizeof *friends->steps);
    }
    if (!friends->out || !friends->active || !friends->carriers || !friends->steps) {
        end(friends);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < friends->out_count; i++) {
        insert(friends->active, i);
        friends->carriers[i] = -1;
    }
    *ret_rule = friends;
    return CT_OK;
}

/* The position of a destination; false where it is none. */
static bool find_out(const struct friends *friends, int rank, size_t *ret_position)
{
    const int *found = friends->out_count == 0 ? NULL
                                               : bsearch(&rank, friends->out, friends->out_count,
                                                         sizeof *friends->out, compare_ranks);
    if (found)
        *ret_position = (size_t)(found - friends->out);
    return found;
}

/* --- who has which destinations in common with this rank? --- */

/* Each rank tells those that send to it which others do. */
static int tell_sources(struct friends *friends, struct ct_letters *outbox)
{
    const struct ct_neighbors *neighbors = friends->call->neighbors;
    int *sources = ct_allocate(neighbors->in_count + 1, sizeof *sources), status = CT_OK;
    uint64_t *numbers = ct_allocate(neighbors->in_count + 1, sizeof *numbers);
    if (!sources || !numbers)
        status = CT_E_MEMORY;
    size_t count =
        status == CT_OK ? copy_once(neighbors->in, neighbors->in_count, friends->call->rank, sources) : 0;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint64_t)sources[i];
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        status = ct_letter_begin(outbox, sources[i]);
        if (status == CT_OK)
            status = ct_letter_write(outbox, numbers, i);
        if (status == CT_OK)
            status = ct_letter_write(outbox, numbers + i + 1, count - i - 1);
    }
    free(sources);
    free(numbers);
    return status;
}

/* Where nodes are not known, all ranks count as on one. */
static bool may_be_friend(const struct friends *friends, uint64_t number)
{
    const struct ct_call *call = friends->call;
    return number < (uint64_t)call->size && (int)number != call->rank &&
           (!friends->within_node || !call->nodes || ct_nodes_join(call->nodes, (int)number, call->rank));
}

/* Ranks that have enough destinations in common with this one. `common` has them by rank, and for each the
 * positions of these destinations. */
static int add_candidates(struct friends *friends, const struct ct_keyed *common, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0, last; i < count; i = last) {
        for (last = i; last < count && common[last].key == common[i].key; last++)
            ;
        kept += last - i > friends->threshold;
    }
    friends->sets = ct_allocate(kept * friends->words + 1, sizeof *friends->sets);
    int status =
        ct_grow(&friends->candidates, &friends->candidate_capacity, kept, sizeof *friends->candidates);
    if (!friends->sets)
        status = CT_E_MEMORY;
    for (size_t i = 0, last; status == CT_OK && i < count; i = last) {
        for (last = i; last < count && common[last].key == common[i].key; last++)
            ;
        if (last - i <= friends->threshold)
            continue;
        uint64_t *set = friends->sets + friends->candidate_count * friends->words;
        friends->candidates[friends->candidate_count++] =
            (struct ct_friend_candidate){(int)common[i].key, set};
        for (size_t k = i; k < last; k++)
            insert(set, common[k].value);
    }
    return status;
}

static int read_sources(struct friends *friends, const struct ct_letters *inbox)
{
    struct ct_keyed *common = ct_allocate(2 * inbox->number_count + 1, sizeof *common);
    size_t count = 0;
    if (!common)
        return CT_E_MEMORY;
    for (size_t i = 0; i < inbox->count; i++) {
        size_t place = 0, position;
        uint64_t number;
        if (!find_out(friends, inbox->items[i].rank, &position))
            continue;
        while (ct_letter_read(inbox, &inbox->items[i], &place, &number))
            if (may_be_friend(friends, number))
                common[count++] = (struct ct_keyed){number, position};
    }
    /* letters come by rising rank, so positions rise */
    int status = add_candidates(friends, ct_sort_keyed(common, common + count, count), count);
    free(common);
    return status;
}

/* --- steps --- */

/* The matching of this step is done: divides the common destinations of the group among its members, in the
 * order of ranks, and tells possible friends that they are taken. */
static int take_group(struct friends *friends, struct ct_letters *outbox)
{
    int status = CT_OK;
    if (!friends->matching.is_matched)
        return CT_OK;
    const struct ct_friends *group = &friends->matching.wish;
    const size_t k = friends->matching.k;
    uint64_t *common = ct_allocate(friends->words, sizeof *common);
    if (!common)
        return CT_E_MEMORY;
    memcpy(common, friends->active, friends->words * sizeof *common);
    for (size_t c = 0; c < friends->candidate_count; c++)
        if (ct_is_friend(group, k, friends->candidates[c].rank))
            for (size_t w = 0; w < friends->words; w++)
                common[w] &= friends->candidates[c].common[w];
    size_t left = group->weight, taken = 0, member = 0, share = 0;
    assert(ct_set_count(common, friends->words) == left && "all members know the same weight");
    for (size_t i = 0; i < friends->out_count; i++) {
        if (!has(common, i))
            continue;
        while (taken == share) {
            size_t members_left = k - member;
            share += left / members_left + (left % members_left > 0);
            left -= share - taken;
            member++;
        }
        friends->carriers[i] = group->members[member - 1];
        friends->steps[i] = friends->step;
        drop(friends->active, i);
        taken++;
    }
    for (size_t c = 0; status == CT_OK && c < friends->candidate_count; c++) {
        const uint64_t kind = CT_FRIENDS_TAKEN;
        status = ct_letter_begin(outbox, friends->candidates[c].rank);
        if (status == CT_OK)
            status = ct_letter_write(outbox, &kind, 1);
        for (size_t i = 0; status == CT_OK && i < friends->out_count; i++) {
            uint64_t number = (uint64_t)friends->out[i];
            if (has(common, i))
                status = ct_letter_write(outbox, &number, 1);
        }
    }
    free(common);
    return status;
}

/* Reads which destinations others have taken. */
static void read_taken(struct friends *friends, const struct ct_letters *inbox)
{
    for (size_t i = 0; i < inbox->count; i++) {
        size_t place = 0, position,
               c = ct_friend_candidate_find(friends->candidates, friends->candidate_count,
                                            inbox->items[i].rank);
        uint64_t number;
        if (c == friends->candidate_count || !ct_letter_read(inbox, &inbox->items[i], &place, &number) ||
            number != CT_FRIENDS_TAKEN)
            continue;
        while (ct_letter_read(inbox, &inbox->items[i], &place, &number))
            if (number < (uint64_t)friends->call->size && find_out(friends, (int)number, &position))
                drop(friends->candidates[c].common, position);
    }
}

/* All ranks are in the same phase. */
static int prepare(void *rule, bool all_wait, const struct ct_letters *inbox, struct ct_letters *outbox,
                   bool *ret_active, bool *ret_done)
{
    struct friends *friends = rule;
    int status = CT_OK;
    *ret_active = *ret_done = false;
    switch (friends->phase) {
    case ASK:
        friends->phase = READ;
        return tell_sources(friends, outbox);
    case READ:
        status = read_sources(friends, inbox);
        break;
    case RENEW:
        read_taken(friends, inbox);
        break;
    default:
        if (!all_wait)
            return ct_friends_matching_proceed(&friends->matching, inbox, outbox, ret_active);
        if (friends->matching.turn == 1) { /* no rank has a group */
            *ret_done = true;
            return CT_OK;
        }
        status = take_group(friends, outbox);
        friends->step++;
        friends->phase = RENEW;
        return status;
    }
    if (status == CT_OK)
        status = ct_friends_matching_begin(&friends->matching, friends->candidates, friends->candidate_count,
                                           friends->active, friends->words, friends->threshold);
    friends->phase = MATCH;
    return status == CT_OK ? ct_friends_matching_proceed(&friends->matching, inbox, outbox, ret_active)
                           : status;
}

/* --- the rule --- */

static unsigned stages(const void *rule)
{
    const struct friends *friends = rule;
    return friends->in_steps ? 2 * friends->step + 1 : 2;
}

/* In the first stage of a step friends exchange, in the second their blocks travel together. What no group
 * has goes with the friends' exchange, or in steps last. */
static int next(const void *rule, unsigned stage, int holder, int destination)
{
    const struct friends *friends = rule;
    size_t position = 0;
    bool is_own = find_out(friends, destination, &position);
    int carrier = is_own ? friends->carriers[position] : -1;
    assert(is_own && "a friend's block has a common destination");
    if (carrier < 0)
        return !friends->in_steps || stage == 2 * friends->step ? destination : holder;
    unsigned first = friends->in_steps ? 2 * friends->steps[position] : 0;
    if (stage == first)
        return carrier;
    return stage == first + 1 ? destination : holder;
}

const struct ct_forwarding ct_forwarding_friends = {
    .begin = begin, .end = end, .prepare = prepare, .stages = stages, .next = next};
