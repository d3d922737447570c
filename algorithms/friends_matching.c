/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/friends_matching.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A rank has asked for this group. */
struct ct_friends_request {
    int members[CT_FRIENDS_MOST];
};

int ct_friends_matching_begin(struct ct_friends_matching *matching,
                              const struct ct_friend_candidate *candidates, size_t candidate_count,
                              const uint64_t *active, size_t words, size_t threshold)
{
    matching->candidates = candidates;
    matching->candidate_count = candidate_count;
    matching->turn = 0;
    matching->best = 0;
    matching->is_matched = false;
    matching->request_count = 0;
    return ct_friend_groups_find(&matching->groups, candidates, candidate_count, active, words,
                                 matching->k - 1, threshold);
}

void ct_friends_matching_free(struct ct_friends_matching *matching)
{
    ct_friend_groups_free(&matching->groups);
    free(matching->requests);
}

/* Candidates are sorted by rank, so their order of groups is that of all members. */
static struct ct_friends make_group(const struct ct_friends_matching *matching, size_t index)
{
    const uint32_t *candidates = ct_friend_group(&matching->groups, index);
    struct ct_friends group = {.weight = matching->groups.weights[index]};
    size_t count = 0, self = matching->k - 1;
    for (size_t i = 0; i + 1 < matching->k; i++) {
        int rank = matching->candidates[candidates[i]].rank;
        if (self == matching->k - 1 && rank > matching->rank)
            self = count++;
        group.members[count++] = rank;
    }
    group.members[self] = matching->rank;
    return group;
}

bool ct_is_friend(const struct ct_friends *group, size_t k, int rank)
{
    for (size_t i = 0; i < k; i++)
        if (group->members[i] == rank)
            return true;
    return false;
}

static int write_request(struct ct_friends_matching *matching, struct ct_letters *outbox)
{
    const struct ct_friends *group = &matching->wish;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < matching->k; i++) {
        if (group->members[i] == matching->rank)
            continue;
        uint64_t numbers[CT_FRIENDS_MOST + 1] = {CT_FRIENDS_REQUEST};
        for (size_t m = 0; m < matching->k; m++)
            numbers[m + 1] = (uint64_t)group->members[m];
        status = ct_letter_begin(outbox, group->members[i]);
        if (status == CT_OK)
            status = ct_letter_write(outbox, numbers, matching->k + 1);
    }
    return status;
}

/* To the members of all other groups, but for those of the chosen one. */
static int write_send_away(struct ct_friends_matching *matching, struct ct_letters *outbox)
{
    const uint64_t kind = CT_FRIENDS_SEND_AWAY;
    bool *is_in_group = ct_allocate(matching->candidate_count, sizeof *is_in_group);
    int status = is_in_group ? CT_OK : CT_E_MEMORY;
    if (is_in_group)
        ct_friend_groups_mark(&matching->groups, is_in_group);
    for (size_t c = 0; status == CT_OK && c < matching->candidate_count; c++) {
        int rank = matching->candidates[c].rank;
        if (!is_in_group[c] || ct_is_friend(&matching->wish, matching->k, rank))
            continue;
        status = ct_letter_begin(outbox, rank);
        if (status == CT_OK)
            status = ct_letter_write(outbox, &kind, 1);
    }
    free(is_in_group);
    return status;
}

static void leave_groups(struct ct_friends_matching *matching, int rank)
{
    size_t candidate = ct_friend_candidate_find(matching->candidates, matching->candidate_count, rank);
    if (candidate < matching->candidate_count)
        matching->groups.is_gone[candidate] = true;
}

static int add_request(struct ct_friends_matching *matching, const struct ct_letters *inbox,
                       const struct ct_letter *letter)
{
    struct ct_friends_request request = {{0}};
    size_t place = 1;
    uint64_t number = 0;
    for (size_t i = 0; i < matching->k && ct_letter_read(inbox, letter, &place, &number); i++)
        request.members[i] = (int)number;
    int status = ct_grow(&matching->requests, &matching->request_capacity, matching->request_count + 1,
                         sizeof *matching->requests);
    if (status == CT_OK)
        matching->requests[matching->request_count++] = request;
    return status;
}

/* Have all others of the group asked for it? */
static bool is_wanted(const struct ct_friends_matching *matching, const struct ct_friends *group)
{
    size_t wanting = 0;
    for (size_t i = 0; i < matching->request_count; i++)
        wanting += memcmp(matching->requests[i].members, group->members, sizeof group->members) == 0;
    return wanting + 1 == matching->k;
}

/* Passes over groups that have lost a member. Was the best one among them? */
static bool pass_over_groups(struct ct_friends_matching *matching)
{
    const struct ct_friend_groups *groups = &matching->groups;
    size_t before = matching->best;
    while (matching->best < groups->count && !ct_friend_group_is_left(groups, groups->order[matching->best]))
        matching->best++;
    return matching->best > before;
}

int ct_friends_matching_proceed(struct ct_friends_matching *matching, const struct ct_letters *inbox,
                                struct ct_letters *outbox, bool *ret_active)
{
    bool asks = matching->turn == 0;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && matching->turn > 0 && i < inbox->count; i++) {
        const struct ct_letter *letter = &inbox->items[i];
        if (letter->count > 0 && inbox->numbers[letter->begin] == CT_FRIENDS_REQUEST)
            status = add_request(matching, inbox, letter);
        else if (!matching->is_matched)
            leave_groups(matching, letter->rank);
    }
    matching->turn++;
    if (!matching->is_matched)
        asks |= pass_over_groups(matching);
    *ret_active = !matching->is_matched && matching->best < matching->groups.count;
    if (status != CT_OK || !*ret_active)
        return status;
    if (asks) {
        matching->wish = make_group(matching, matching->groups.order[matching->best]);
        status = write_request(matching, outbox);
    }
    if (status == CT_OK && is_wanted(matching, &matching->wish)) {
        matching->is_matched = true;
        status = write_send_away(matching, outbox);
    }
    return status;
}
