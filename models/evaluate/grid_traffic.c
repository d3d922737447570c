/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/grid_traffic.h"
#include "base/memory.h"
#include "models/evaluate/message_cost.h"

#include <stdlib.h>
#include <string.h>

/* One rank's work in a stage, in seconds. */
struct work {
    double cpu, send_port, receive_port;
};

struct walk {
    const struct ct_rank_grid *grid;
    const struct ct_edge *edges;
    size_t count, unit_bytes;
    const struct ct_link *link;
    enum ct_communication_model kind;
    int *holders;   /* by edge */
    size_t *begins; /* by rank its first place in `moving` */
    size_t *moving; /* edges whose block moves in this stage, by holder */
    size_t *units;  /* by receiver: in the message of the rank in question */
    int *receivers; /* of that rank */
    size_t *sent;   /* by rank: messages in all stages */
    struct work *works;
    struct ct_grid_traffic traffic;
};

static int next_of(const struct walk *walk, size_t edge, int stage)
{
    return ct_rank_grid_hop(walk->grid, walk->holders[edge], walk->edges[edge].to, stage);
}

static bool moves(const struct walk *walk, size_t edge, int stage)
{
    return walk->edges[edge].length > 0 && walk->holders[edge] != walk->edges[edge].to &&
           next_of(walk, edge, stage) != walk->holders[edge];
}

static void sort_moving(struct walk *walk, int stage)
{
    const int size = walk->grid->size;
    memset(walk->begins, 0, ((size_t)size + 2) * sizeof *walk->begins);
    for (size_t i = 0; i < walk->count; i++)
        if (moves(walk, i, stage))
            walk->begins[walk->holders[i] + 2]++;
    for (int rank = 0; rank <= size; rank++)
        walk->begins[rank + 1] += walk->begins[rank];
    for (size_t i = 0; i < walk->count; i++)
        if (moves(walk, i, stage))
            walk->moving[walk->begins[walk->holders[i] + 1]++] = i;
}

static double largest(double a, double b)
{
    return a > b ? a : b;
}

static void count_message(struct walk *walk, int from, int to, double *delay)
{
    const struct ct_message_cost cost =
        ct_message_cost_of(walk->link, walk->kind, walk->units[to] * walk->unit_bytes);
    walk->sent[from]++;
    walk->traffic.messages++;
    walk->traffic.units += walk->units[to];
    walk->works[from].cpu += cost.send_busy;
    walk->works[from].send_port += cost.gap;
    walk->works[to].cpu += cost.take_before + cost.take_after;
    walk->works[to].receive_port += cost.gap;
    *delay = largest(*delay, cost.flight - cost.gap + cost.take_after);
    walk->units[to] = 0;
}

static void walk_stage(struct walk *walk, int stage)
{
    const int size = walk->grid->size;
    double longest = 0, delay = 0;
    sort_moving(walk, stage);
    memset(walk->works, 0, (size_t)size * sizeof *walk->works);
    for (int rank = 0; rank < size; rank++) {
        int receiver_count = 0;
        for (size_t i = walk->begins[rank]; i < walk->begins[rank + 1]; i++) {
            const size_t edge = walk->moving[i];
            const int next = next_of(walk, edge, stage);
            if (walk->units[next] == 0)
                walk->receivers[receiver_count++] = next;
            walk->units[next] += walk->edges[edge].length;
            walk->holders[edge] = next;
        }
        for (int i = 0; i < receiver_count; i++)
            count_message(walk, rank, walk->receivers[i], &delay);
    }
    for (int rank = 0; rank < size; rank++) {
        const struct work *work = &walk->works[rank];
        longest = largest(longest, largest(work->cpu, largest(work->send_port, work->receive_port)));
    }
    walk->traffic.seconds += longest + delay;
}

int ct_grid_traffic(const struct ct_rank_grid *grid, const struct ct_edge *edges, size_t count,
                    size_t unit_bytes, const struct ct_link *link, enum ct_communication_model kind,
                    struct ct_grid_traffic *ret_traffic)
{
    const size_t size = (size_t)grid->size;
    struct walk walk = {.grid = grid,
                        .edges = edges,
                        .count = count,
                        .unit_bytes = unit_bytes,
                        .link = link,
                        .kind = kind,
                        .holders = ct_allocate(count + 1, sizeof *walk.holders),
                        .begins = ct_allocate(size + 2, sizeof *walk.begins),
                        .moving = ct_allocate(count + 1, sizeof *walk.moving),
                        .units = ct_allocate(size, sizeof *walk.units),
                        .receivers = ct_allocate(size, sizeof *walk.receivers),
                        .sent = ct_allocate(size, sizeof *walk.sent),
                        .works = ct_allocate(size, sizeof *walk.works)};
    bool has_memory =
        walk.holders && walk.begins && walk.moving && walk.units && walk.receivers && walk.sent && walk.works;
    for (size_t i = 0; has_memory && i < count; i++)
        walk.holders[i] = edges[i].from;
    for (int stage = 0; has_memory && stage < grid->dimensions; stage++)
        walk_stage(&walk, stage);
    for (size_t rank = 0; has_memory && rank < size; rank++)
        if (walk.sent[rank] > walk.traffic.most_messages)
            walk.traffic.most_messages = walk.sent[rank];
    free(walk.holders);
    free(walk.begins);
    free(walk.moving);
    free(walk.units);
    free(walk.receivers);
    free(walk.sent);
    free(walk.works);
    if (has_memory)
        *ret_traffic = walk.traffic;
    return has_memory ? CT_OK : CT_E_MEMORY;
}
