/* SPDX-License-Identifier: BSD-3-Clause */
/* Different cases often have the same plans: segments that are longer than the message, a form with equal
 * counts, parameters that coincide for few ranks. Plans that have been verified are known again by 128 bits
 * that depend on all of their steps and of the task. */
#include "plan/verify/verifier_known.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { KNOWN_MOST = 1 << 16 };

static void add(struct ct_fingerprint *print, uint64_t word)
{
    print->low = (print->low ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    print->low ^= print->low >> 32;
    print->high = (print->high + word) * UINT64_C(0xd6e8feb86659fd93);
    print->high ^= print->high >> 29;
}

/* Of whole words. */
static void add_words(struct ct_fingerprint *print, const void *memory, size_t bytes)
{
    const char *at = memory;
    for (size_t i = 0; i < bytes / sizeof(uint64_t); i++) {
        uint64_t word;
        memcpy(&word, at + i * sizeof word, sizeof word);
        add(print, word);
    }
}

static void add_plan(struct ct_fingerprint *print, const struct ct_plan *plan)
{
    add(print, plan->step_count);
    add_words(print, plan->steps, plan->step_count * sizeof *plan->steps);
    add(print, plan->round_count);
    for (size_t i = 0; i < plan->round_count; i++) {
        add(print, plan->rounds[i].end);
        add(print, plan->rounds[i].window);
    }
    add(print, plan->buffer_count);
    for (size_t i = CT_BUFFER_TEMPORARY; i < plan->buffer_count; i++)
        add(print, plan->temporary[i]);
}

static void add_pieces(struct ct_fingerprint *print, const struct ct_piece *pieces, size_t count)
{
    _Static_assert(sizeof *pieces == 3 * sizeof(size_t) + 2 * sizeof(int), "a piece is whole words");
    add(print, count);
    add_words(print, pieces, count * sizeof *pieces);
}

static void add_share(struct ct_fingerprint *print, const struct ct_share *share)
{
    add(print, share->input_buffer);
    for (int i = 0; i < 2; i++) {
        bool has_blocks = share->buffers[i].blocks;
        add(print, share->buffers[i].length);
        add(print, has_blocks ? share->buffers[i].block_count + 1 : 0);
        if (has_blocks)
            add_words(print, share->buffers[i].blocks,
                      share->buffers[i].block_count * sizeof *share->buffers[i].blocks);
    }
    add_pieces(print, share->inputs, share->input_count);
    add_pieces(print, share->results, share->result_count);
}

struct ct_fingerprint ct_fingerprint_of(const struct ct_task *task, const struct ct_plan *plans)
{
    struct ct_fingerprint print = {0};
    add(&print, (uint64_t)task->size);
    add(&print, (uint64_t)task->reduces | (uint64_t)task->commutative << 1 |
                    (uint64_t)task->same_result << 2 | (uint64_t)task->synchronizes << 3);
    for (int rank = 0; rank < task->size; rank++) {
        add_plan(&print, &plans[rank]);
        add_share(&print, &task->shares[rank]);
    }
    return print;
}

struct sought {
    const struct ct_known_plans *known;
    uint64_t high;
};

static bool is_sought(const void *context, size_t index)
{
    const struct sought *sought = context;
    return sought->known->items[index].high == sought->high;
}

const struct ct_known_plan *ct_known_find(const struct ct_known_plans *known, struct ct_fingerprint print)
{
    const struct sought sought = {known, print.high};
    size_t index = ct_hash_find(&known->table, print.low, is_sought, &sought);
    return index == SIZE_MAX ? NULL : &known->items[index];
}

int ct_known_add(struct ct_known_plans *known, struct ct_fingerprint print, const struct ct_verdict *verdict)
{
    if (known->count == KNOWN_MOST) {
        ct_hash_clear(&known->table);
        known->count = 0;
    }
    int status = ct_grow(&known->items, &known->capacity, known->count + 1, sizeof *known->items);
    if (status == CT_OK)
        status = ct_hash_add(&known->table, print.low, known->count);
    if (status == CT_OK)
        known->items[known->count++] =
            (struct ct_known_plan){print.high, verdict->steps, verdict->messages, verdict->units};
    return status;
}

void ct_known_free(struct ct_known_plans *known)
{
    ct_hash_free(&known->table);
    free(known->items);
    *known = (struct ct_known_plans){0};
}
