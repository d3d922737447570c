/* SPDX-License-Identifier: BSD-3-Clause */
/* Different cases often have the same plans: segments that are longer than the message, a form with equal
 * counts, parameters that coincide for few ranks. Others differ only in the names of ranks, as with another
 * root, or in scale, as with longer blocks. Plans that have been verified are known again by 128 bits of
 * their normal form, which depend on all that a verdict depends on. */
#include "plan/verify/verifier_known.h"
#include "base/memory.h"

#include <stdlib.h>

enum { KNOWN_MOST = 1 << 16 };

static bool uses_other_offset(const struct ct_step *step)
{
    return step->kind == CT_STEP_COPY || step->kind == CT_STEP_REDUCE || step->kind == CT_STEP_RECEIVE_UPPER;
}

/* --- scale: the greatest common divisor of all lengths and positions --- */

static inline void take(size_t *scale, size_t value)
{
    if (value == 0 || value == *scale) /* as most are */
        return;
    for (size_t rest; *scale != 0; *scale = rest) {
        rest = value % *scale;
        value = *scale;
    }
    *scale = value;
}

static void take_pieces(size_t *scale, const struct ct_piece *pieces, size_t count)
{
    for (size_t i = 0; i < count && *scale != 1; i++) {
        take(scale, pieces[i].offset);
        take(scale, pieces[i].n);
        take(scale, pieces[i].unit);
    }
}

/* Ranks often share the same tables: where all get the same. These are read once. `before` is NULL or another
 * rank's share. */
static bool has_blocks_of(const struct ct_share *share, const struct ct_share *before, int buffer)
{
    return before && share->buffers[buffer].blocks == before->buffers[buffer].blocks &&
           share->buffers[buffer].block_count == before->buffers[buffer].block_count;
}

static bool has_results_of(const struct ct_share *share, const struct ct_share *before)
{
    return before && share->results == before->results && share->result_count == before->result_count;
}

static void take_share(size_t *scale, const struct ct_share *share, const struct ct_share *before)
{
    for (int i = 0; i < 2; i++) {
        take(scale, share->buffers[i].length);
        if (share->buffers[i].blocks && !has_blocks_of(share, before, i))
            for (size_t k = 0; k <= share->buffers[i].block_count; k++)
                take(scale, share->buffers[i].blocks[k]);
    }
    take_pieces(scale, share->inputs, share->input_count);
    if (!has_results_of(share, before))
        take_pieces(scale, share->results, share->result_count);
}

static void take_plan(size_t *scale, const struct ct_plan *plan)
{
    for (size_t i = CT_BUFFER_TEMPORARY; i < plan->buffer_count && i < CT_BUFFERS_MAX; i++)
        take(scale, plan->temporary[i]);
    for (size_t i = 0; i < plan->step_count && *scale != 1; i++) {
        const struct ct_step *step = &plan->steps[i];
        take(scale, step->n);
        take(scale, step->offset);
        if (uses_other_offset(step))
            take(scale, step->other_offset);
    }
}

static size_t scale_of(const struct ct_task *task, const struct ct_plan *plans)
{
    size_t scale = 0;
    for (int rank = 0; rank < task->size && scale != 1; rank++)
        take_share(&scale, &task->shares[rank], rank > 0 ? &task->shares[rank - 1] : NULL);
    for (int rank = 0; rank < task->size && scale != 1; rank++)
        take_plan(&scale, &plans[rank]);
    return scale == 0 ? 1 : scale;
}

/* --- names --- */

/* May ranks be renamed? Not where their order counts, nor where the task is about some of them. */
static bool may_rename(const struct ct_task *task)
{
    if ((task->reduces && !task->commutative) || task->same_result)
        return false;
    for (int rank = 0; rank < task->size; rank++) {
        const struct ct_share *share = &task->shares[rank];
        for (size_t i = 0; i < share->result_count; i++)
            if (share->results[i].ranks != 0 &&
                (share->results[i].origin != 0 || share->results[i].ranks != task->size))
                return false;
    }
    return true;
}

struct ct_normal_form ct_normal_form_of(const struct ct_task *task, const struct ct_plan *plans, int root)
{
    return (struct ct_normal_form){.ordered = task->reduces && !task->commutative,
                                   .first = root > 0 && may_rename(task) ? root : 0,
                                   .scale = scale_of(task, plans)};
}

/* --- fingerprints --- */

/* What is added to a fingerprint, and how it is named there. */
struct adding {
    struct ct_fingerprint print, other; /* of half of a step: two chains of products take half the time */
    const struct ct_normal_form *form;
    int size;
    unsigned scale_twos; /* the scale is 2 to the power of that, times an odd number */
    uint64_t inverse;    /* of the odd number, modulo 2^64 */
};

/* Newton's iteration doubles the bits that are right. */
static uint64_t inverse_of(uint64_t odd)
{
    uint64_t inverse = odd; /* right in 3 bits */
    for (int bits = 3; bits < 64; bits *= 2)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* The product of both halves, to all of its 128 bits, mixes two words into a fingerprint. Its factors are
 * added to it, so that nothing is lost where one of them is 0. */
static inline void add_words(struct ct_fingerprint *print, uint64_t a, uint64_t b)
{
    const uint64_t low = print->low ^ a, high = print->high ^ b;
    const unsigned __int128 product = (unsigned __int128)low * high;
    print->low = (uint64_t)product + low;
    print->high = (uint64_t)(product >> 64) + high;
}

static inline void add_pair(struct adding *adding, uint64_t a, uint64_t b)
{
    add_words(&adding->print, a, b);
}

static inline void add(struct adding *adding, uint64_t word)
{
    add_words(&adding->print, word, 0);
}

/* A length or a position, divided by the scale, which divides it without a rest. */
static inline uint64_t scaled(const struct adding *adding, size_t units)
{
    return ((uint64_t)units >> adding->scale_twos) * adding->inverse;
}

static inline void add_units(struct adding *adding, size_t units)
{
    add(adding, scaled(adding, units));
}

/* What is no rank keeps its name. */
static inline int name_of(const struct adding *adding, int rank)
{
    if (rank < 0 || rank >= adding->size)
        return rank;
    return rank < adding->form->first ? rank - adding->form->first + adding->size
                                      : rank - adding->form->first;
}

static inline void add_step(struct adding *adding, const struct ct_step *step)
{
    int peer = ct_step_is_message(step) ? name_of(adding, step->peer) : step->peer;
    add_words(&adding->print,
              (uint64_t)step->kind | (uint64_t)step->buffer << 4 | (uint64_t)step->other << 10 |
                  (uint64_t)step->until << 16 | (uint64_t)(uint32_t)peer << 32,
              scaled(adding, step->offset));
    add_words(&adding->other, scaled(adding, step->n),
              uses_other_offset(step) ? scaled(adding, step->other_offset) : step->block);
}

static void add_plan(struct adding *adding, const struct ct_plan *plan)
{
    add(adding, (uint64_t)plan->status);
    add_pair(adding, plan->step_count, plan->round_count);
    struct adding own = *adding; /* which no pointer to a step can point to: it stays in registers */
    for (size_t i = 0; i < plan->step_count; i++)
        add_step(&own, &plan->steps[i]);
    *adding = own;
    for (size_t i = 0; i < plan->round_count; i++)
        add_pair(adding, plan->rounds[i].end, plan->rounds[i].window);
    add(adding, plan->buffer_count);
    for (size_t i = CT_BUFFER_TEMPORARY; i < plan->buffer_count && i < CT_BUFFERS_MAX; i++)
        add_units(adding, plan->temporary[i]);
}

static void add_piece(struct adding *adding, const struct ct_piece *piece)
{
    add_pair(adding, scaled(adding, piece->offset), scaled(adding, piece->n));
    add_units(adding, piece->unit);
}

static void add_blocks(struct adding *adding, const size_t *blocks, size_t count)
{
    for (size_t i = 0; i <= count; i++)
        add_units(adding, blocks[i]);
}

static void add_result(struct adding *adding, const struct ct_piece *piece)
{
    int origin = piece->ranks == 0 ? name_of(adding, piece->origin) : piece->origin;
    add_piece(adding, piece);
    add(adding, (uint64_t)(uint32_t)origin << 32 | (uint32_t)piece->ranks);
}

/* `before` is the share that was added before; NULL. */
static void add_share(struct adding *adding, const struct ct_share *share, const struct ct_share *before)
{
    add(adding, share->input_buffer);
    for (int i = 0; i < 2; i++) {
        const size_t *blocks = share->buffers[i].blocks;
        bool is_known = has_blocks_of(share, before, i);
        add_units(adding, share->buffers[i].length);
        add(adding, blocks ? share->buffers[i].block_count + 1 : 0);
        add(adding, is_known);
        if (blocks && !is_known)
            add_blocks(adding, blocks, share->buffers[i].block_count);
    }
    add(adding, share->input_count);
    for (size_t i = 0; i < share->input_count; i++)
        add_piece(adding, &share->inputs[i]);
    bool is_known = has_results_of(share, before);
    add_pair(adding, share->result_count, is_known);
    for (size_t i = 0; !is_known && i < share->result_count; i++)
        add_result(adding, &share->results[i]);
}

struct ct_fingerprint ct_fingerprint_of(const struct ct_task *task, const struct ct_plan *plans,
                                        const struct ct_normal_form *form)
{
    unsigned twos = (unsigned)__builtin_ctzll(form->scale);
    /* Begins with large numbers, so that the first products mix, too: fractions of the roots of 2, 3, 5, 7.
     */
    struct adding adding = {.print = {UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b)},
                            .other = {UINT64_C(0x3c6ef372fe94f82b), UINT64_C(0xa54ff53a5f1d36f1)},
                            .form = form,
                            .size = task->size,
                            .scale_twos = twos,
                            .inverse = inverse_of(form->scale >> twos)};
    add(&adding, (uint64_t)task->size);
    add(&adding, (uint64_t)task->reduces | (uint64_t)form->ordered << 1 | (uint64_t)task->same_result << 2 |
                     (uint64_t)task->synchronizes << 3);
    const struct ct_share *before = NULL;
    for (int name = 0; name < task->size; name++) {
        int rank = (name + form->first) % task->size;
        add_plan(&adding, &plans[rank]);
        add_share(&adding, &task->shares[rank], before);
        before = &task->shares[rank];
    }
    add_words(&adding.print, adding.other.low, adding.other.high);
    return adding.print;
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

static size_t find(const struct ct_known_plans *known, struct ct_fingerprint print)
{
    const struct sought sought = {known, print.high};
    return ct_hash_find(&known->table, print.low, is_sought, &sought);
}

bool ct_known_find(const struct ct_known_plans *known, struct ct_fingerprint print,
                   const struct ct_normal_form *form, struct ct_verdict *ret_verdict)
{
    size_t index = find(known, print);
    if (index == SIZE_MAX)
        return false;
    const struct ct_known_plan *plan = &known->items[index];
    *ret_verdict = (struct ct_verdict){
        .peer = -1, .steps = plan->steps, .messages = plan->messages, .units = plan->units * form->scale};
    return true;
}

int ct_known_add(struct ct_known_plans *known, struct ct_fingerprint print, const struct ct_normal_form *form,
                 const struct ct_verdict *verdict)
{
    if (find(known, print) != SIZE_MAX)
        return CT_OK;
    if (known->count == KNOWN_MOST) {
        ct_hash_clear(&known->table);
        known->count = 0;
    }
    int status = ct_grow(&known->items, &known->capacity, known->count + 1, sizeof *known->items);
    if (status == CT_OK)
        status = ct_hash_add(&known->table, print.low, known->count);
    if (status == CT_OK)
        known->items[known->count++] = (struct ct_known_plan){print.high, verdict->steps, verdict->messages,
                                                              verdict->units / form->scale};
    return status;
}

void ct_known_free(struct ct_known_plans *known)
{
    ct_hash_free(&known->table);
    free(known->items);
    *known = (struct ct_known_plans){0};
}
