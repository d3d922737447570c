/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/requests/held_types.h"
#include "base/memory.h"
#include "library/mpi/predefined_ops.h"
#include "library/mpi/type_envelope.h"

#include <stdlib.h>

bool ct_can_be_held(enum ct_collective collective, const struct ct_operands *operands)
{
    return !ct_collectives[collective].reduces || ct_is_predefined_op(operands->op);
}

static int find_predefined(MPI_Datatype type, bool *ret_is_predefined)
{
    struct ct_type_envelope envelope;
    int code = ct_type_envelope(type, &envelope);
    *ret_is_predefined = code == MPI_SUCCESS && envelope.is_predefined;
    return code;
}

/* MPI_Type_dup would call the user's attribute functions. */
static int copy(MPI_Datatype type, MPI_Datatype *ret_copy)
{
    MPI_Aint lb, extent;
    int code = PMPI_Type_get_extent(type, &lb, &extent);
    if (code == MPI_SUCCESS)
        code = PMPI_Type_create_resized(type, lb, extent, ret_copy);
    return code == MPI_SUCCESS ? PMPI_Type_commit(ret_copy) : code;
}

static int hold(MPI_Datatype type, MPI_Datatype *ret_held)
{
    bool is_predefined;
    int code = find_predefined(type, &is_predefined);
    if (code != MPI_SUCCESS || !is_predefined)
        return code == MPI_SUCCESS ? copy(type, ret_held) : code;
    *ret_held = type;
    return MPI_SUCCESS;
}

static void release(MPI_Datatype *type)
{
    bool is_predefined;
    if (*type != MPI_DATATYPE_NULL && find_predefined(*type, &is_predefined) == MPI_SUCCESS && !is_predefined)
        PMPI_Type_free(type);
    *type = MPI_DATATYPE_NULL;
}

/* Types of blocks without elements may be anything, and are left out. */
static int hold_table(const struct ct_side *side, size_t blocks, MPI_Datatype **ret_table)
{
    MPI_Datatype *table = ct_allocate(blocks, sizeof *table);
    int code = table ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    for (size_t i = 0; table && i < blocks; i++)
        table[i] = MPI_DATATYPE_NULL;
    for (size_t i = 0; code == MPI_SUCCESS && i < blocks; i++)
        if (ct_side_count(side, i) > 0)
            code = hold(side->types[i], &table[i]);
    *ret_table = table;
    return code;
}

int ct_types_hold(enum ct_collective collective, int rank, const size_t blocks[2],
                  struct ct_operands *operands, struct ct_held_types *ret_held)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool elsewhere = ct_is_elsewhere(about, rank, operands->root);
    struct ct_side *sides[] = {[CT_BUFFER_SEND] = &operands->send, [CT_BUFFER_RECV] = &operands->recv};
    struct ct_held_types held = {.types = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL},
                                 .blocks = {blocks[0], blocks[1]}};
    int code = MPI_SUCCESS;
    for (unsigned i = 0; i < 2 && code == MPI_SUCCESS; i++) {
        if (!ct_is_typed_side(about, i, elsewhere, sides[i]))
            continue;
        code = sides[i]->types ? hold_table(sides[i], held.blocks[i], &held.tables[i])
                               : hold(sides[i]->type, &held.types[i]);
    }
    if (code != MPI_SUCCESS) {
        ct_held_types_release(&held);
        return code;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (held.types[i] != MPI_DATATYPE_NULL)
            sides[i]->type = held.types[i];
        if (held.tables[i])
            sides[i]->types = held.tables[i];
    }
    *ret_held = held;
    return MPI_SUCCESS;
}

void ct_held_types_release(struct ct_held_types *held)
{
    for (int i = 0; i < 2; i++) {
        release(&held->types[i]);
        for (size_t k = 0; held->tables[i] && k < held->blocks[i]; k++)
            release(&held->tables[i][k]);
        free(held->tables[i]);
        held->tables[i] = NULL;
    }
}
