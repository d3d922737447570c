/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/lane.h"

/* Many chunks let a sender run ahead of a receiver that has no CPU now, since each segment of a message takes
 * one. */
void ct_ring_divide(size_t bytes, size_t *ret_chunk_bytes, unsigned *ret_chunk_count)
{
    enum { SHORTEST = 1 << 10, FEWEST = 2, MOST = CT_RING_CELLS };
    size_t room = bytes > sizeof(struct ct_ring) ? bytes - sizeof(struct ct_ring) : 0;
    unsigned count = MOST;
    while (count > FEWEST && room / count < SHORTEST)
        count /= 2;
    *ret_chunk_bytes = room / count / CT_LINE * CT_LINE;
    *ret_chunk_count = count;
}

void ct_lane_make(struct ct_lane *ret_lane, const struct ct_ring_side *out, const struct ct_ring_side *in)
{
    *ret_lane = (struct ct_lane){.out = *out, .in = *in, .copy_from = SIZE_MAX};
    ret_lane->early_end = &ret_lane->early;
}

/* Lines of a chunk that the reader may still need are left to it. */
void ct_lane_fetch_some(struct ct_lane *lane)
{
    enum { SOME = 8 * CT_LINE };
    const struct ct_ring_side *out = &lane->out;
    struct ct_ahead *ahead = &lane->ahead;
    if (ahead->chunk - out->known_chunks_taken >= out->chunk_count) {
        ahead->left = 0;
        return;
    }
    const size_t in_chunk = ahead->piece - ahead->offset, most = in_chunk < SOME ? in_chunk : SOME,
                 bytes = ahead->left < most ? ahead->left : most;
    ct_fetch_lines(ct_ring_chunk(out, ahead->chunk) + ahead->offset, bytes);
    ahead->left -= bytes;
    ahead->offset += bytes;
    if (ahead->offset == ahead->piece) {
        ahead->chunk++;
        ahead->offset = 0;
    }
}
