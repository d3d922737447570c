/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pattern_share.h"
#include "base/memory.h"

/* Saturates. */
static int64_t whole(size_t number)
{
    return number < INT64_MAX ? (int64_t)number : INT64_MAX;
}

static int64_t sum(int64_t a, int64_t b)
{
    return a < INT64_MAX - b ? a + b : INT64_MAX;
}

/* Bytes of the blocks of a side; `count` is the length of each where there are no lengths. */
static int64_t volume_of(const struct ct_call *call, const size_t *lengths, size_t blocks)
{
    size_t units = 0, bytes;
    for (size_t i = 0; lengths && i < blocks; i++)
        if (!ct_add(units, lengths[i], &units))
            return INT64_MAX;
    if (!lengths && !ct_multiply(call->count, blocks, &units))
        return INT64_MAX;
    return ct_multiply(units, call->unit_bytes, &bytes) ? whole(bytes) : INT64_MAX;
}

static size_t edges_on_node(const struct ct_call *call)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    size_t count = 0;
    for (size_t i = 0; call->nodes && i < neighbors->out_count; i++)
        count += ct_nodes_join(call->nodes, neighbors->out[i], call->rank);
    return count;
}

struct ct_pattern_share ct_pattern_share_of(enum ct_collective collective, const struct ct_call *call)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    const bool sends_one = ct_collectives[collective].input[0] == CT_CONTENTS_OWN;
    const int64_t sent = volume_of(call, sends_one ? NULL : call->send_counts, neighbors->out_count);
    const int64_t received = volume_of(call, call->recv_counts, neighbors->in_count);
    const size_t degree =
        neighbors->out_count > neighbors->in_count ? neighbors->out_count : neighbors->in_count;
    return (struct ct_pattern_share){
        .sums = {[CT_PATTERN_EDGES] = whole(neighbors->out_count),
                 [CT_PATTERN_EDGES_ON_NODE] = whole(edges_on_node(call)),
                 [CT_PATTERN_BYTES] = sent},
        .maxima = {
            [CT_PATTERN_DEGREE] = whole(degree), [CT_PATTERN_VOLUME] = sent > received ? sent : received}};
}

void ct_pattern_share_add(struct ct_pattern_share *all, const struct ct_pattern_share *share)
{
    for (int i = 0; i < CT_PATTERN_SUMS; i++)
        all->sums[i] = sum(all->sums[i], share->sums[i]);
    for (int i = 0; i < CT_PATTERN_MAXIMA; i++)
        if (share->maxima[i] > all->maxima[i])
            all->maxima[i] = share->maxima[i];
}

/* part / whole in parts of `unit`, rounded down, at most UINT32_MAX. */
static uint32_t ratio(int64_t part, int64_t whole_part, unsigned unit)
{
    const double exact = (double)part * unit / (double)whole_part;
    if (part <= INT64_MAX / (int64_t)unit) {
        const int64_t parts = part * (int64_t)unit / whole_part;
        return parts < UINT32_MAX ? (uint32_t)parts : UINT32_MAX;
    }
    return exact < (double)UINT32_MAX ? (uint32_t)exact : UINT32_MAX;
}

struct ct_pattern_features ct_pattern_features_of(const struct ct_pattern_share *all, int size)
{
    enum { PERCENT = 100, HUNDREDTHS = 100 };
    const int64_t edges = all->sums[CT_PATTERN_EDGES], bytes = all->sums[CT_PATTERN_BYTES];
    struct ct_pattern_features features = {.imbalance = PERCENT};
    const int64_t degree = all->maxima[CT_PATTERN_DEGREE];
    features.degree = degree < UINT32_MAX ? (uint32_t)degree : UINT32_MAX;
    features.mean_degree = ratio(edges, size, HUNDREDTHS);
    if (edges > 0) {
        features.edge_bytes = (size_t)(bytes / edges);
        features.on_node = ratio(all->sums[CT_PATTERN_EDGES_ON_NODE], edges, PERCENT);
    }
    if (bytes > 0) /* the largest volume over the mean of all: bytes / size */
        features.imbalance =
            ratio(all->maxima[CT_PATTERN_VOLUME] < INT64_MAX / size ? all->maxima[CT_PATTERN_VOLUME] * size
                                                                    : INT64_MAX,
                  bytes, PERCENT);
    return features;
}

struct ct_pattern_features ct_pattern_features_of_all(enum ct_collective collective,
                                                      const struct ct_call *all)
{
    struct ct_pattern_share shares = {{0}, {0}};
    for (int rank = 0; rank < all->size; rank++) {
        const struct ct_call own = ct_call_of_rank(collective, all, rank);
        const struct ct_pattern_share share = ct_pattern_share_of(collective, &own);
        ct_pattern_share_add(&shares, &share);
    }
    return ct_pattern_features_of(&shares, all->size);
}
