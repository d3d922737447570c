/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_runs.h"
#include "base/memory.h"

#include <string.h>

/* A mixer of 64 bits: each bit of the result depends on all of the input. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0x9fb21c651e98df25);
    x = (x ^ x >> 29) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

uint64_t ct_rank_key(int rank)
{
    return mix(mix((uint64_t)rank + UINT64_C(0x51ed270b7f4a7c15)));
}

static uint64_t combined_expression(uint64_t a, uint64_t b)
{
    return mix((mix(a) + mix(b)) ^ UINT64_C(0x2545f4914f6cdd1d));
}

static bool tells_the_same(const struct ct_run *a, const struct ct_run *b)
{
    return a->shift == b->shift && a->sum == b->sum && a->expression == b->expression && a->low == b->low &&
           a->high == b->high && a->defined == b->defined && a->used == b->used;
}

static size_t find(const struct ct_cells *cells, size_t position)
{
    const struct ct_run *runs = cells->array.runs;
    size_t low = 0, high = cells->array.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (runs[middle].start <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t end_of(const struct ct_cells *cells, size_t index)
{
    return index + 1 < cells->array.count ? cells->array.runs[index + 1].start : cells->length;
}

const struct ct_run *ct_cells_at(const struct ct_cells *cells, size_t position)
{
    return &cells->array.runs[find(cells, position)];
}

size_t ct_run_end(const struct ct_cells *cells, const struct ct_run *run)
{
    return end_of(cells, (size_t)(run - cells->array.runs));
}

/* Appends to the patch, unless the run just goes on. */
static int patch_add(struct ct_run_array *patch, const struct ct_run *run)
{
    if (patch->count > 0 && tells_the_same(&patch->runs[patch->count - 1], run))
        return CT_OK;
    int status = ct_grow(&patch->runs, &patch->capacity, patch->count + 1, sizeof *patch->runs);
    if (status == CT_OK)
        patch->runs[patch->count++] = *run;
    return status;
}

/* Replaces [begin, end) by the patch, which covers it, and merges at both ends. */
static int splice(struct ct_cells *cells, size_t begin, size_t end, const struct ct_run_array *patch)
{
    struct ct_run_array *array = &cells->array;
    size_t first = find(cells, begin), last = find(cells, end - 1);
    struct ct_run right = array->runs[last];
    right.start = end;
    size_t last_end = end_of(cells, last);
    bool has_left = array->runs[first].start < begin, has_right = end < last_end;

    const struct ct_run *before = has_left ? &array->runs[first] : first > 0 ? &array->runs[first - 1] : NULL;
    const struct ct_run *after = has_right ? &right : last + 1 < array->count ? &array->runs[last + 1] : NULL;
    size_t skip = before && tells_the_same(before, &patch->runs[0]);
    bool goes_on = after && tells_the_same(after, &patch->runs[patch->count - 1]);

    size_t head = first + has_left, tail = last + 1 + (goes_on && !has_right);
    has_right = has_right && !goes_on;
    size_t behind = array->count - tail, fresh = patch->count - skip;
    size_t count = head + fresh + has_right + behind;
    int status = ct_grow(&array->runs, &array->capacity, count, sizeof *array->runs);
    if (status != CT_OK)
        return status;
    if (count - behind != tail && behind > 0)
        memmove(array->runs + (count - behind), array->runs + tail, behind * sizeof *array->runs);
    for (size_t i = 0; i < fresh; i++)
        array->runs[head + i] = patch->runs[skip + i];
    if (has_right)
        array->runs[head + fresh] = right;
    array->count = count;
    return CT_OK;
}

int ct_cells_reset(struct ct_cells *cells, size_t length)
{
    cells->length = length;
    cells->array.count = 0;
    if (length == 0)
        return CT_OK;
    int status = ct_grow(&cells->array.runs, &cells->array.capacity, 1, sizeof *cells->array.runs);
    if (status != CT_OK)
        return status;
    cells->array.runs[0] = (struct ct_run){0};
    cells->array.count = 1;
    return CT_OK;
}

int ct_cells_input(struct ct_cells *cells, size_t begin, size_t n, int rank, size_t unit, bool ordered,
                   struct ct_run_array *patch)
{
    if (n == 0)
        return CT_OK;
    const struct ct_run run = {begin,
                               .shift = unit - begin,
                               .sum = ct_rank_key(rank),
                               .expression = ct_rank_key(rank),
                               .low = ordered ? rank : 0,
                               .high = ordered ? rank : 0,
                               .defined = true,
                               .used = true};
    patch->count = 0;
    int status = patch_add(patch, &run);
    return status == CT_OK ? splice(cells, begin, begin + n, patch) : status;
}

int ct_cells_read(struct ct_cells *cells, size_t begin, size_t n, struct ct_run_array *patch,
                  struct ct_fault *ret_fault)
{
    const struct ct_run *runs = cells->array.runs;
    size_t end = begin + n, first = find(cells, begin);
    bool used = true;
    for (size_t i = first; i < cells->array.count && runs[i].start < end; i++) {
        if (!runs[i].defined) {
            size_t where = runs[i].start > begin ? runs[i].start : begin;
            *ret_fault = (struct ct_fault){CT_FLAW_UNDEFINED, where};
            return CT_E_ANSWER;
        }
        used = used && runs[i].used;
    }
    if (used)
        return CT_OK;
    patch->count = 0;
    for (size_t i = first; i < cells->array.count && runs[i].start < end; i++) {
        struct ct_run run = runs[i];
        run.start = run.start > begin ? run.start : begin;
        run.used = true;
        int status = patch_add(patch, &run);
        if (status != CT_OK)
            return status;
    }
    return splice(cells, begin, end, patch);
}

int ct_cells_store(struct ct_cells *to, size_t to_begin, const struct ct_cells *from, size_t from_begin,
                   size_t n, struct ct_run_array *patch, struct ct_fault *ret_fault)
{
    const struct ct_run *runs = to->array.runs;
    for (size_t i = find(to, to_begin); i < to->array.count && runs[i].start < to_begin + n; i++) {
        if (runs[i].defined && !runs[i].used) {
            *ret_fault =
                (struct ct_fault){CT_FLAW_DEAD_STORE, runs[i].start > to_begin ? runs[i].start : to_begin};
            return CT_E_ANSWER;
        }
    }
    patch->count = 0;
    runs = from->array.runs;
    for (size_t i = find(from, from_begin); i < from->array.count && runs[i].start < from_begin + n; i++) {
        struct ct_run run = runs[i];
        run.start = (run.start > from_begin ? run.start - from_begin : 0) + to_begin;
        run.shift += from_begin - to_begin;
        run.used = false;
        int status = patch_add(patch, &run);
        if (status != CT_OK)
            return status;
    }
    return splice(to, to_begin, to_begin + n, patch);
}

/* One run of the result: from `a` at from_position and `b` at to_position. */
static int combine(const struct ct_run *a, size_t from_position, const struct ct_run *b, size_t to_position,
                   bool ordered, struct ct_run_array *patch, struct ct_fault *ret_fault)
{
    enum ct_flaw flaw = !b->defined                                          ? CT_FLAW_UNDEFINED
                        : a->shift + from_position != b->shift + to_position ? CT_FLAW_MISPLACED
                        : ordered && ((int64_t)a->high + 1 != b->low)        ? CT_FLAW_ORDER
                                                                             : CT_FLAW_NONE;
    if (flaw != CT_FLAW_NONE) {
        *ret_fault = (struct ct_fault){flaw, to_position};
        return CT_E_ANSWER;
    }
    const struct ct_run run = {to_position,
                               .shift = b->shift,
                               .sum = a->sum + b->sum,
                               .expression = combined_expression(a->expression, b->expression),
                               .low = a->low,
                               .high = b->high,
                               .defined = true};
    return patch_add(patch, &run);
}

int ct_cells_reduce(struct ct_cells *to, size_t to_begin, struct ct_cells *from, size_t from_begin, size_t n,
                    bool ordered, struct ct_run_array *patch, struct ct_fault *ret_fault)
{
    int status = ct_cells_read(from, from_begin, n, patch, ret_fault);
    if (status != CT_OK)
        return status;
    patch->count = 0;
    size_t a = find(from, from_begin), b = find(to, to_begin);
    for (size_t done = 0; done < n;) {
        status = combine(&from->array.runs[a], from_begin + done, &to->array.runs[b], to_begin + done,
                         ordered, patch, ret_fault);
        if (status != CT_OK)
            return status;
        size_t a_end = end_of(from, a) - from_begin, b_end = end_of(to, b) - to_begin;
        done = a_end < b_end ? a_end : b_end;
        a += done == a_end;
        b += done == b_end;
    }
    return splice(to, to_begin, to_begin + n, patch);
}
