/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_locate.h"

/* Where a slice begins in its buffer; blocks lie end to end. The block counts only where the buffer has any.
 */
static bool locate(const struct ct_verifier *verifier, int rank, unsigned buffer, size_t block, size_t offset,
                   size_t n, size_t *ret_begin)
{
    if (buffer >= verifier->ranks[rank].plan->buffer_count)
        return false;
    const struct ct_cells *cells = &verifier->cells[verifier->ranks[rank].cells + buffer];
    const size_t *blocks =
        buffer < CT_BUFFER_TEMPORARY ? verifier->task->shares[rank].buffers[buffer].blocks : NULL;
    size_t begin = 0, length = cells->length;
    if (blocks) {
        if (block >= verifier->task->shares[rank].buffers[buffer].block_count)
            return false;
        begin = blocks[block];
        length = blocks[block + 1] - begin;
    }
    if (n > length || offset > length - n)
        return false;
    *ret_begin = begin + offset;
    return true;
}

bool ct_step_locate(const struct ct_verifier *verifier, int rank, const struct ct_step *step, bool written,
                    unsigned *ret_buffer, size_t *ret_begin)
{
    bool message = ct_step_is_message(step);
    bool fused = ct_step_is_fused(step);
    if (step->n == 0 || step->kind >= CT_STEP_WAIT ||
        (message && !fused && written != (step->kind == CT_STEP_RECEIVE)))
        return false;
    bool other = fused ? step->kind == CT_STEP_RECEIVE_UPPER && !written : !message && written;
    size_t block = fused ? 0 : message ? step->block : (size_t)step->peer;
    *ret_buffer = other ? step->other : step->buffer;
    return locate(verifier, rank, *ret_buffer, block, other ? step->other_offset : step->offset, step->n,
                  ret_begin);
}
