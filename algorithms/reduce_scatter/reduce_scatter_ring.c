/* SPDX-License-Identifier: BSD-3-Clause */
/* Each part travels once around the ring, beginning behind the rank that it is for, and every rank on its way
 * adds its own data.
 * Memory: two parts. */
#include "algorithms/descriptor.h"
#include "plan/parts.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_parts parts = ct_parts_of(plan, call->send_counts, call->size, call->count);
    unsigned input = ct_input(call), pieces[2] = {0}, held = input;
    if (call->size == 1 && !call->in_place)
        ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, call->count);

    int next = ct_actual(call->rank, 1, call->size), previous = ct_virtual(call->rank, 1, call->size);
    int part = previous;
    size_t offset = ct_part_begin(&parts, part); /* of the part in `held` */
    for (int k = 0; k < call->size - 1; k++) {
        int coming = ct_virtual(part, 1, call->size);
        size_t length = ct_parts_length(&parts, coming, coming + 1);
        if (k < 2)
            pieces[k] = ct_temporary(plan, ct_parts_longest(&parts, call->size));
        unsigned arriving = coming == call->rank && !call->in_place ? CT_BUFFER_RECV : pieces[k % 2];
        ct_receive(plan, previous, arriving, 0, length);
        ct_send(plan, next, held, offset, ct_parts_length(&parts, part, part + 1));
        ct_round_end(plan);
        ct_reduce(plan, arriving, 0, input, ct_part_begin(&parts, coming), length);
        ct_round_end(plan);
        held = arriving;
        offset = 0;
        part = coming;
    }
    if (held != input && held != CT_BUFFER_RECV)
        ct_copy(plan, CT_BUFFER_RECV, 0, held, 0, call->count);
}

const struct ct_descriptor ct_reduce_scatter_ring = {
    .text = "each part travels once around the ring, and every rank adds its own data",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.9",
    .cost = "(P - 1) (alpha + m (beta + gamma))",
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .build = build,
};
