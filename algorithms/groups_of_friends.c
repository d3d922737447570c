/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/groups_of_friends.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_MOST = 1 << 20 };

/* Candidates that a group may still take after those chosen before, rising, each with what it has in common
 * with all of these. */
struct level {
    uint32_t *candidates;
    uint32_t *weights;
    uint64_t *sets;
    size_t count;
};

struct finding {
    struct ct_friend_groups *groups;
    size_t words;
    size_t threshold;
    struct level levels[CT_FRIENDS_MOST];
    uint32_t chosen[CT_FRIENDS_MOST];
};

/* Counts in pairs of bits, in fours and in bytes, and adds the bytes up (Warren 2013, Hacker's Delight,
 * section 5.1). __builtin_popcountll() is a call unless all processors that we build for have the
 * instruction. */
static inline size_t bits_of(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (size_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

size_t ct_friend_candidate_find(const struct ct_friend_candidate *candidates, size_t count, int rank)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (candidates[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && candidates[low].rank == rank ? low : count;
}

size_t ct_set_count(const uint64_t *set, size_t words)
{
    size_t count = 0;
    for (size_t i = 0; i < words; i++)
        count += bits_of(set[i]);
    return count;
}

static void free_levels(struct finding *finding)
{
    for (size_t i = 0; i < CT_FRIENDS_MOST; i++) {
        free(finding->levels[i].candidates);
        free(finding->levels[i].weights);
        free(finding->levels[i].sets);
    }
}

static int make_level(struct finding *finding, struct level *level, size_t count)
{
    size_t words;
    if (count == 0)
        return CT_OK;
    if (!ct_multiply(count, finding->words, &words))
        return CT_E_MEMORY;
    level->candidates = ct_allocate(count, sizeof *level->candidates);
    level->weights = ct_allocate(count, sizeof *level->weights);
    level->sets = ct_allocate(words, sizeof *level->sets);
    return level->candidates && level->weights && level->sets ? CT_OK : CT_E_MEMORY;
}

/* Adds a candidate with the intersection of two sets, unless that is too small. */
static void offer(const struct finding *finding, struct level *level, uint32_t candidate, const uint64_t *a,
                  const uint64_t *b)
{
    uint64_t *both = level->sets + level->count * finding->words;
    size_t weight = 0;
    for (size_t w = 0; w < finding->words; w++) {
        both[w] = a[w] & b[w];
        weight += bits_of(both[w]);
    }
    if (weight <= finding->threshold)
        return; /* sets only shrink with further friends */
    level->candidates[level->count] = candidate;
    level->weights[level->count++] = (uint32_t)weight;
}

/* Adds a group of the chosen candidates and each of the last level. */
static int add_groups(struct finding *finding, const struct level *last)
{
    struct ct_friend_groups *groups = finding->groups;
    size_t others = groups->others, count = groups->count + last->count;
    if (count > GROUPS_MOST)
        return CT_E_LIMIT;
    int status = ct_grow(&groups->weights, &groups->weight_capacity, count, sizeof *groups->weights);
    if (status == CT_OK)
        status = ct_grow(&groups->members, &groups->member_capacity, count * others, sizeof *groups->members);
    if (status != CT_OK)
        return status;
    memcpy(groups->weights + groups->count, last->weights, last->count * sizeof *last->weights);
    uint32_t *members = groups->members + groups->count * others;
    for (size_t i = 0; i < last->count; i++) {
        for (size_t k = 0; k + 1 < others; k++)
            *members++ = finding->chosen[k];
        *members++ = last->candidates[i];
    }
    groups->count = count;
    return CT_OK;
}

/* Groups come in the order of their members. */
static int choose(struct finding *finding, size_t depth)
{
    const struct level *level = &finding->levels[depth];
    if (depth + 1 == finding->groups->others)
        return level->count > 0 ? add_groups(finding, level) : CT_OK;
    struct level *deeper = &finding->levels[depth + 1];
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < level->count; i++) {
        finding->chosen[depth] = level->candidates[i];
        deeper->count = 0;
        for (size_t k = i + 1; k < level->count; k++)
            offer(finding, deeper, level->candidates[k], level->sets + i * finding->words,
                  level->sets + k * finding->words);
        status = choose(finding, depth + 1);
    }
    return status;
}

/* Counts the groups of each weight; that keeps the order of members. */
static int sort_groups(struct ct_friend_groups *groups)
{
    uint32_t heaviest = 0;
    int status = ct_grow(&groups->order, &groups->order_capacity, groups->count, sizeof *groups->order);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < groups->count; i++)
        heaviest = groups->weights[i] > heaviest ? groups->weights[i] : heaviest;
    uint32_t *begins = ct_allocate((size_t)heaviest + 2, sizeof *begins); /* by how much lighter it is */
    if (!begins)
        return CT_E_MEMORY;
    for (size_t i = 0; i < groups->count; i++)
        begins[heaviest - groups->weights[i] + 1]++;
    for (size_t i = 1; i <= heaviest; i++)
        begins[i] += begins[i - 1];
    for (size_t i = 0; i < groups->count; i++)
        groups->order[begins[heaviest - groups->weights[i]]++] = (uint32_t)i;
    free(begins);
    return CT_OK;
}

int ct_friend_groups_find(struct ct_friend_groups *groups, const struct ct_friend_candidate *candidates,
                          size_t candidate_count, const uint64_t *active, size_t words, size_t others,
                          size_t threshold)
{
    struct finding finding = {.groups = groups, .words = words, .threshold = threshold};
    assert(others > 0 && others < CT_FRIENDS_MOST);
    groups->others = others;
    groups->count = 0;
    groups->candidate_count = candidate_count;
    if (candidate_count == 0)
        return CT_OK;
    int status = ct_grow(&groups->is_gone, &groups->gone_capacity, candidate_count, sizeof *groups->is_gone);
    if (status == CT_OK)
        memset(groups->is_gone, 0, candidate_count * sizeof *groups->is_gone);
    if (status == CT_OK)
        status = make_level(&finding, &finding.levels[0], candidate_count);
    for (size_t i = 0; status == CT_OK && i < candidate_count; i++)
        offer(&finding, &finding.levels[0], (uint32_t)i, active, candidates[i].common);
    for (size_t i = 1; status == CT_OK && i < others; i++)
        status = make_level(&finding, &finding.levels[i], finding.levels[0].count);
    if (status == CT_OK)
        status = choose(&finding, 0);
    free_levels(&finding);
    return status == CT_OK && groups->count > 0 ? sort_groups(groups) : status;
}

void ct_friend_groups_free(struct ct_friend_groups *groups)
{
    free(groups->weights);
    free(groups->members);
    free(groups->order);
    free(groups->is_gone);
    *groups = (struct ct_friend_groups){0};
}

void ct_friend_groups_mark(const struct ct_friend_groups *groups, bool *marks)
{
    size_t unmarked = groups->candidate_count; /* few groups mark all candidates, if most have groups */
    memset(marks, 0, groups->candidate_count * sizeof *marks);
    for (size_t i = 0; i < groups->candidate_count; i++)
        unmarked -= groups->is_gone[i];
    for (size_t i = 0; unmarked > 0 && i < groups->count; i++) {
        const uint32_t *members = ct_friend_group(groups, i);
        if (!ct_friend_group_is_left(groups, i))
            continue;
        for (size_t k = 0; k < groups->others; k++) {
            unmarked -= !marks[members[k]];
            marks[members[k]] = true;
        }
    }
}
