/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/text.h"
#include "plan/pattern.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* friend_groups PATTERN RANKS K PPN: how many groups of K ranks there are, each rank counted, that have more
 * common destinations than a threshold (Ghazimirsaeed 2019, section 7.2: hyperedges), as the largest number
 * of the ranks of a node in the middle, PPN ranks being on each node: groups anywhere, of which more than
 * K (K - 1) are asked, and groups within the node, more than K. Enumerated one by one, apart from what
 * common_neighbors does. K is a list. */

enum { WORDS_MOST = 64 };

struct search {
    const struct ct_pattern *pattern;
    size_t words;
    uint64_t *common; /* by rank: which destinations of the rank in question it has, too */
    int *candidates;
    size_t candidate_count, threshold, found;
};

static size_t bits_of(const uint64_t *set, size_t words)
{
    size_t bits = 0;
    for (size_t i = 0; i < words; i++)
        bits += (size_t)__builtin_popcountll(set[i]);
    return bits;
}

/* Adds `left` more ranks, from this candidate on, to a group whose common destinations are `set`. At most
 * K - 1 deep. */
static void add_ranks(struct search *search, size_t first, size_t left, const uint64_t *set)
{
    if (left == 0) {
        search->found++;
        return;
    }
    for (size_t c = first; c < search->candidate_count; c++) {
        uint64_t both[WORDS_MOST];
        const uint64_t *other = search->common + (size_t)search->candidates[c] * search->words;
        for (size_t i = 0; i < search->words; i++)
            both[i] = set[i] & other[i];
        if (bits_of(both, search->words) > search->threshold)
            add_ranks(search, c + 1, left - 1, both);
    }
}

static size_t groups_of(struct search *search, int rank, size_t k, bool within, int ppn)
{
    const struct ct_pattern *pattern = search->pattern;
    const struct ct_neighbors *own = &pattern->ranks[rank];
    uint64_t all[WORDS_MOST] = {0};
    search->words = own->out_count / 64 + 1;
    if (search->words > WORDS_MOST)
        return 0;
    for (size_t i = 0; i < (size_t)pattern->size * search->words; i++)
        search->common[i] = 0;
    for (size_t d = 0; d < own->out_count; d++) {
        const struct ct_neighbors *to = &pattern->ranks[own->out[d]];
        all[d / 64] |= UINT64_C(1) << d % 64;
        for (size_t i = 0; i < to->in_count; i++)
            search->common[(size_t)to->in[i] * search->words + d / 64] |= UINT64_C(1) << d % 64;
    }
    search->threshold = within ? k : k * (k - 1);
    search->candidate_count = search->found = 0;
    for (int other = 0; other < pattern->size; other++)
        if (other != rank && (!within || other / ppn == rank / ppn) &&
            bits_of(search->common + (size_t)other * search->words, search->words) > search->threshold)
            search->candidates[search->candidate_count++] = other;
    add_ranks(search, 0, k - 1, all);
    return search->found;
}

static void print_rows(const char *text, struct search *search, const size_t *ks, size_t k_count, int ppn)
{
    const int first = search->pattern->size / 2 / ppn * ppn;
    for (size_t i = 0; i < k_count; i++) {
        size_t within = 0;
        for (int rank = first; rank < first + ppn && rank < search->pattern->size; rank++) {
            size_t found = groups_of(search, rank, ks[i], true, ppn);
            within = found > within ? found : within;
        }
        printf("\"%s\",%zu,%zu,%zu\n", text, ks[i], groups_of(search, first, ks[i], false, ppn), within);
    }
}

int main(int argc, char **argv)
{
    struct ct_error error = {{0}};
    struct ct_edge *edges = NULL;
    struct ct_pattern pattern = {0};
    size_t count = 0, size = 0, ppn = 0, *ks = NULL, k_count = 0;
    if (argc != 5 || ct_size_parse(argv[2], &size) != CT_OK || ct_size_parse(argv[4], &ppn) != CT_OK ||
        size < 1 || size > 100000 || ppn < 1 || ppn > size) {
        fputs("usage: friend_groups PATTERN RANKS K PPN\n", stderr);
        return 2;
    }
    int status = ct_list_parse(argv[3], &error, &ks, &k_count);
    for (size_t i = 0; status == CT_OK && i < k_count; i++)
        if (ks[i] < 2 || ks[i] > 64)
            status = ct_fail(&error, CT_E_INPUT, "K %zu: expected 2 to 64", ks[i]);
    if (status == CT_OK)
        status = ct_pattern_edges(argv[1], (int)size, &error, &edges, &count);
    if (status == CT_OK)
        status = ct_pattern_make((int)size, edges, count, false, &pattern);
    struct search search = {.pattern = &pattern,
                            .common = ct_allocate(size * WORDS_MOST, sizeof *search.common),
                            .candidates = ct_allocate(size, sizeof *search.candidates)};
    if (status == CT_OK && (!search.common || !search.candidates))
        status = CT_E_MEMORY;
    if (status == CT_OK)
        print_rows(argv[1], &search, ks, k_count, (int)ppn);
    else
        fprintf(stderr, "friend_groups: %s\n", error.text);
    free(search.common);
    free(search.candidates);
    free(edges);
    free(ks);
    ct_pattern_free(&pattern);
    return status == CT_OK ? 0 : 1;
}
