/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "concrete_state.h"

#include <stdlib.h>
#include <string.h>

/* The numbers: what goes in, what is to come out. */

struct concrete *concrete_new(void)
{
    return ct_allocate(1, sizeof(struct concrete));
}

void concrete_free(struct concrete *concrete)
{
    free(concrete->ranks);
    free(concrete->initial);
    free(concrete->values);
    free(concrete->expected);
    free(concrete->is_result);
    free(concrete->flights);
    free(concrete);
}

static uint64_t scramble(uint64_t a, uint64_t b)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f) + 1;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

enum { PRIME = 2147483647 };

static struct value value_of(uint64_t a, uint64_t b)
{
    uint64_t x = scramble(a, b);
    uint64_t factor = 1 + (x >> 32) % (PRIME - 1), term = (x & UINT32_MAX) % PRIME;
    return (struct value){factor << 32 | term, (double)(x >> 12) / (double)(1 + (x & 0xfffff))};
}

struct value concrete_combine(struct value left, struct value right, bool commutative)
{
    struct value result = {left.exact + right.exact, left.rounded + right.rounded};
    if (!commutative) {
        uint64_t factor = (left.exact >> 32) * (right.exact >> 32) % PRIME;
        uint64_t term = ((left.exact >> 32) * (right.exact & UINT32_MAX) + (left.exact & UINT32_MAX)) % PRIME;
        result.exact = factor << 32 | term;
    }
    return result;
}

static struct value input_of(int rank, size_t unit)
{
    return value_of((uint64_t)rank, unit);
}

static struct value result_of(const struct ct_task *task, const struct ct_piece *piece, size_t unit)
{
    struct value value = input_of(piece->origin, unit);
    for (int i = 1; i < piece->ranks; i++)
        value = concrete_combine(value, input_of(piece->origin + i, unit), task->commutative);
    return value;
}

void *concrete_grown(void *items, size_t *capacity, size_t need, size_t size)
{
    void *moved = items;
    if (ct_grow(&moved, capacity, need, size) != CT_OK)
        abort();
    return moved;
}

static void lay_out(struct concrete *concrete, const struct ct_plan *plans)
{
    concrete->value_count = 0;
    for (int r = 0; r < concrete->task->size; r++) {
        struct rank *rank = &concrete->ranks[r];
        for (unsigned i = 0; i < plans[r].buffer_count; i++) {
            rank->begins[i] = concrete->value_count;
            rank->lengths[i] =
                i < CT_BUFFER_TEMPORARY ? concrete->task->shares[r].buffers[i].length : plans[r].temporary[i];
            concrete->value_count += rank->lengths[i];
        }
    }
}

static void fill(struct concrete *concrete)
{
    enum { GARBAGE = 1000 };
    for (size_t i = 0; i < concrete->value_count; i++) {
        concrete->initial[i] = value_of(GARBAGE, i);
        concrete->is_result[i] = false;
    }
    for (int r = 0; r < concrete->task->size; r++) {
        const struct ct_share *share = &concrete->task->shares[r];
        const size_t *begins = concrete->ranks[r].begins;
        for (size_t i = 0; i < share->input_count; i++)
            for (size_t k = 0; k < share->inputs[i].n; k++)
                concrete->initial[begins[share->input_buffer] + share->inputs[i].offset + k] =
                    input_of(r, share->inputs[i].unit + k);
        for (size_t i = 0; i < share->result_count; i++) {
            for (size_t k = 0; k < share->results[i].n; k++) {
                size_t at = begins[CT_BUFFER_RECV] + share->results[i].offset + k;
                concrete->is_result[at] = true;
                concrete->expected[at] =
                    result_of(concrete->task, &share->results[i], share->results[i].unit + k);
            }
        }
    }
}

void concrete_prepare(struct concrete *concrete, const struct ct_task *task, const struct ct_plan *plans)
{
    concrete->task = task;
    concrete->ranks = concrete_grown(concrete->ranks, &concrete->rank_capacity, (size_t)task->size,
                                     sizeof *concrete->ranks);
    lay_out(concrete, plans);
    size_t need = concrete->value_count + 1;
    concrete->initial =
        concrete_grown(concrete->initial, &concrete->initial_capacity, need, sizeof *concrete->initial);
    concrete->values =
        concrete_grown(concrete->values, &concrete->value_capacity, need, sizeof *concrete->values);
    concrete->expected =
        concrete_grown(concrete->expected, &concrete->expected_capacity, need, sizeof *concrete->expected);
    concrete->is_result =
        concrete_grown(concrete->is_result, &concrete->is_result_capacity, need, sizeof *concrete->is_result);
    fill(concrete);
}

static bool same_sums(const struct concrete *concrete)
{
    const size_t first = concrete->ranks[0].begins[CT_BUFFER_RECV],
                 length = concrete->ranks[0].lengths[CT_BUFFER_RECV];
    for (int r = 1; concrete->task->same_result && r < concrete->task->size; r++)
        for (size_t i = 0; i < length; i++)
            if (memcmp(&concrete->values[first + i].rounded,
                       &concrete->values[concrete->ranks[r].begins[CT_BUFFER_RECV] + i].rounded,
                       sizeof(double)) != 0)
                return false;
    return true;
}

/* Temporary buffers may hold anything. */
bool concrete_is_complete(const struct concrete *concrete)
{
    for (int r = 0; r < concrete->task->size; r++) {
        const struct rank *rank = &concrete->ranks[r];
        if (rank->phase != LEFT)
            return false;
        for (unsigned buffer = 0; buffer < CT_BUFFER_TEMPORARY; buffer++) {
            for (size_t i = rank->begins[buffer]; i < rank->begins[buffer] + rank->lengths[buffer]; i++) {
                const struct value *wanted =
                    concrete->is_result[i] ? &concrete->expected[i] : &concrete->initial[i];
                if (concrete->values[i].exact != wanted->exact)
                    return false;
            }
        }
    }
    for (size_t i = 0; i < concrete->flight_count; i++)
        if (concrete->flights[i].other == NONE)
            return false;
    return same_sums(concrete);
}
