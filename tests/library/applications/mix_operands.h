/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_APPLICATIONS_MIX_OPERANDS_H
#define TESTS_APPLICATIONS_MIX_OPERANDS_H

#include "mix.h"

/* Reductions of many kinds: integers, bits, values with places, floating sums, and operations of the
 * program's own that do not commute or whose type has gaps. */
struct mix_operand {
    const char *name;
    MPI_Datatype type;
    MPI_Op op;
    size_t extent; /* bytes from one element to the next */
    int exact;     /* the result does not depend on bracketing */
    /* Writes element `index` of the input of a communicator's `rank`. */
    void (*write)(void *element, int rank, int index);
    /* Takes up what an element holds, and no gaps. */
    uint64_t (*read)(uint64_t hash, const void *element);
};

enum { MIX_OPERANDS = 6 };

/* Makes the types and operations; to be freed with mix_operands_free(). */
void mix_operands_make(struct mix_operand operands[MIX_OPERANDS]);
void mix_operands_free(struct mix_operand operands[MIX_OPERANDS]);

/* The input of `rank`: n elements. Caller frees. */
void *mix_operand_input(const struct mix_operand *operand, int rank, int n);
/* What `n` elements hold. */
uint64_t mix_operand_hash(const struct mix_operand *operand, const void *elements, int n);
/* Are these floating sums within n eps of the true ones, over ranks 0 .. size - 1? Operands that are exact:
 * yes. */
int mix_operand_within(const struct mix_operand *operand, const void *elements, int n, int size);

#endif
