/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_check.h"
#include "plan/verify/verifier_locate.h"
#include "plan/verify/verifier_report.h"

/* Checks of single steps before they are carried out, and of the buffers after all is done. */

/* May the rank write there? */
static bool may_write(const struct ct_verifier *verifier, int rank, unsigned buffer, size_t begin, size_t n)
{
    if (buffer >= CT_BUFFER_TEMPORARY)
        return true;
    if (buffer == CT_BUFFER_SEND)
        return false;
    const struct ct_share *share = &verifier->task->shares[rank];
    size_t end = begin + n, low = 0, high = share->result_count;
    while (low < high) { /* the first piece that ends after `begin` */
        size_t middle = low + (high - low) / 2;
        const struct ct_piece *piece = &share->results[middle];
        if (piece->offset + piece->n <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < share->result_count && begin < end && share->results[low].offset <= begin; low++)
        begin = share->results[low].offset + share->results[low].n;
    return begin >= end;
}

static int check_slice(struct ct_verifier *verifier, int rank, const struct ct_step *step, bool written,
                       size_t *ret_begin)
{
    unsigned buffer;
    if (!ct_step_locate(verifier, rank, step, written, &buffer, ret_begin))
        return ct_verifier_fail(verifier, CT_FLAW_BOUNDS, rank, step,
                                "the slice it %s is not in a buffer of its plan",
                                written ? "writes" : "reads");
    if (written && !may_write(verifier, rank, buffer, *ret_begin, step->n))
        return ct_verifier_fail(verifier, CT_FLAW_WRITE, rank, step, "writes to %s",
                                buffer == CT_BUFFER_SEND ? "SEND" : "RECV outside the result");
    return CT_OK;
}

/* A receive that reduces. */
static int check_fused(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t *ret_begin,
                       size_t *ret_operand)
{
    if (step->n == 0)
        return ct_verifier_fail(verifier, CT_FLAW_STEP, rank, step, "a token cannot be reduced");
    if (!verifier->task->reduces)
        return ct_verifier_fail(verifier, CT_FLAW_STEP, rank, step, "there is nothing to reduce");
    int status = check_slice(verifier, rank, step, true, ret_begin);
    if (status == CT_OK)
        status = check_slice(verifier, rank, step, false, ret_operand);
    if (status == CT_OK && step->kind == CT_STEP_RECEIVE_UPPER && step->buffer == step->other &&
        *ret_operand < *ret_begin + step->n && *ret_begin < *ret_operand + step->n)
        return ct_verifier_fail(verifier, CT_FLAW_CONFLICT, rank, step, "operand and destination overlap");
    return status;
}

int ct_check_message(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t *ret_begin,
                     size_t *ret_operand)
{
    if (step->peer < 0 || step->peer >= verifier->task->size)
        return ct_verifier_fail(verifier, CT_FLAW_PEER, rank, step, "there is no rank %d", step->peer);
    if (step->peer == rank)
        return ct_verifier_fail(verifier, CT_FLAW_PEER, rank, step, "a message to itself");
    *ret_begin = *ret_operand = 0;
    if (ct_step_is_fused(step))
        return check_fused(verifier, rank, step, ret_begin, ret_operand);
    if (step->n > 0)
        return check_slice(verifier, rank, step, step->kind == CT_STEP_RECEIVE, ret_begin);
    return CT_OK;
}

int ct_check_local(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t *ret_from,
                   size_t *ret_to)
{
    if (step->kind > CT_STEP_WAIT)
        return ct_verifier_fail(verifier, CT_FLAW_STEP, rank, step, "there is no such kind of step");
    if (step->n == 0)
        return ct_verifier_fail(verifier, CT_FLAW_STEP, rank, step, "local work on nothing");
    if (step->kind == CT_STEP_REDUCE && !verifier->task->reduces)
        return ct_verifier_fail(verifier, CT_FLAW_STEP, rank, step, "there is nothing to reduce");
    int status = check_slice(verifier, rank, step, false, ret_from);
    if (status == CT_OK)
        status = check_slice(verifier, rank, step, true, ret_to);
    if (status != CT_OK)
        return status;
    if (step->buffer == step->other && *ret_from < *ret_to + step->n && *ret_to < *ret_from + step->n)
        return ct_verifier_fail(verifier, CT_FLAW_CONFLICT, rank, step, "source and destination overlap");
    return CT_OK;
}

static uint64_t sum_of(const struct ct_piece *piece)
{
    uint64_t sum = 0;
    for (int rank = piece->origin; rank < piece->origin + (piece->ranks ? piece->ranks : 1); rank++)
        sum += ct_rank_key(rank);
    return sum;
}

/* Names the rank whose data is lost or doubled, if it is one rank. */
static int fail_sum(struct ct_verifier *verifier, int rank, size_t where, uint64_t missing)
{
    for (int other = 0; other < verifier->task->size; other++) {
        bool lost = missing == ct_rank_key(other);
        if (lost || missing == 0 - ct_rank_key(other))
            return ct_verifier_fail_at(
                verifier, CT_FLAW_LOST, rank, CT_BUFFER_RECV, where,
                lost ? "the result lacks rank %d's data" : "the result holds rank %d's data twice", other);
    }
    return ct_verifier_fail_at(verifier, CT_FLAW_LOST, rank, CT_BUFFER_RECV, where,
                               "the result does not hold every rank's data just once");
}

static int check_run(struct ct_verifier *verifier, int rank, const struct ct_piece *piece,
                     const struct ct_run *run, size_t where, uint64_t wanted)
{
    if (!run->defined)
        return ct_verifier_fail_at(verifier, CT_FLAW_UNDEFINED, rank, CT_BUFFER_RECV, where,
                                   "the result is not complete");
    if (piece->ranks == 0 && run->sum != wanted)
        return ct_verifier_fail_at(verifier, CT_FLAW_MISPLACED, rank, CT_BUFFER_RECV, where,
                                   "the result does not hold rank %d's data", piece->origin);
    if (run->shift != piece->unit - piece->offset)
        return ct_verifier_fail_at(verifier, CT_FLAW_MISPLACED, rank, CT_BUFFER_RECV, where,
                                   "the result holds unit %zu there", run->shift + where);
    if (run->sum != wanted)
        return fail_sum(verifier, rank, where, wanted - run->sum);
    if (verifier->ordered && piece->ranks > 0 &&
        (run->low != piece->origin || run->high != piece->origin + piece->ranks - 1))
        return ct_verifier_fail_at(verifier, CT_FLAW_ORDER, rank, CT_BUFFER_RECV, where,
                                   "combined out of rank order");
    return CT_OK;
}

/* Both ranks' results in the piece must be the same expression. */
static int check_same(struct ct_verifier *verifier, int rank, int other, const struct ct_piece *piece)
{
    const struct ct_cells *a = ct_verifier_cells(verifier, rank, CT_BUFFER_RECV),
                          *b = ct_verifier_cells(verifier, other, CT_BUFFER_RECV);
    size_t end = piece->offset + piece->n;
    for (size_t at = piece->offset; at < end;) {
        const struct ct_run *left = ct_cells_at(a, at), *right = ct_cells_at(b, at);
        if (left->expression != right->expression)
            return ct_verifier_fail_at(verifier, CT_FLAW_UNEQUAL, rank, CT_BUFFER_RECV, at,
                                       "combined in another way than at rank %d", other);
        size_t left_end = ct_run_end(a, left), right_end = ct_run_end(b, right);
        at = left_end < right_end ? left_end : right_end;
    }
    return CT_OK;
}

static int check_piece(struct ct_verifier *verifier, int rank, const struct ct_piece *piece)
{
    const struct ct_cells *cells = ct_verifier_cells(verifier, rank, CT_BUFFER_RECV);
    uint64_t wanted = sum_of(piece);
    for (size_t at = piece->offset; at < piece->offset + piece->n;) {
        const struct ct_run *run = ct_cells_at(cells, at);
        int status = check_run(verifier, rank, piece, run, at, wanted);
        if (status != CT_OK)
            return status;
        at = ct_run_end(cells, run);
    }
    return CT_OK;
}

static int check_stores(struct ct_verifier *verifier, int rank)
{
    for (unsigned buffer = CT_BUFFER_TEMPORARY; buffer < verifier->ranks[rank].plan->buffer_count; buffer++) {
        const struct ct_run_array *array = &ct_verifier_cells(verifier, rank, buffer)->array;
        for (size_t i = 0; i < array->count; i++)
            if (array->runs[i].defined && !array->runs[i].used)
                return ct_verifier_fail_at(verifier, CT_FLAW_DEAD_STORE, rank, buffer, array->runs[i].start,
                                           "stored, and never read");
    }
    return CT_OK;
}

int ct_check_results(struct ct_verifier *verifier)
{
    const struct ct_task *task = verifier->task;
    for (int rank = 0; rank < task->size; rank++) {
        const struct ct_share *share = &task->shares[rank];
        for (size_t i = 0; i < share->result_count; i++) {
            int status = check_piece(verifier, rank, &share->results[i]);
            if (status == CT_OK && task->same_result && rank > 0)
                status = check_same(verifier, rank, 0, &share->results[i]);
            if (status != CT_OK)
                return status;
        }
        int status = check_stores(verifier, rank);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}
