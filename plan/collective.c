/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective.h"

#include <string.h>

const struct ct_collective_description ct_collectives[CT_COLLECTIVES] = {
    [CT_COLLECTIVE_BARRIER] =
        {
            .name = "barrier",
            .text = "no rank leaves before all have entered",
            .synchronizes = true,
        },
    [CT_COLLECTIVE_BCAST] =
        {
            .name = "bcast",
            .text = "the root's data to all",
            .has_root = true,
            .has_data = true,
            .has_size = true,
            .one_buffer = true,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_NOTHING},
            .result = {CT_CONTENTS_OF_ROOT, CT_CONTENTS_OF_ROOT},
        },
    [CT_COLLECTIVE_SCATTER] =
        {
            .name = "scatter",
            .text = "a block of the root's for each",
            .has_root = true,
            .has_data = true,
            .has_size = true,
            .in_place = CT_IN_PLACE_RESULT_IN_INPUT,
            .input = {CT_CONTENTS_PARTS, CT_CONTENTS_NOTHING},
            .result = {CT_CONTENTS_PART_OF_ROOT, CT_CONTENTS_PART_OF_ROOT},
        },
    [CT_COLLECTIVE_SCATTERV] =
        {
            .name = "scatterv",
            .text = "a block of the root's for each, of any length",
            .has_root = true,
            .has_data = true,
            .varies = true,
            .in_place = CT_IN_PLACE_RESULT_IN_INPUT,
            .input = {CT_CONTENTS_PARTS, CT_CONTENTS_NOTHING},
            .result = {CT_CONTENTS_PART_OF_ROOT, CT_CONTENTS_PART_OF_ROOT},
        },
    [CT_COLLECTIVE_GATHER] =
        {
            .name = "gather",
            .text = "all ranks' blocks to the root",
            .has_root = true,
            .has_data = true,
            .has_size = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
            .result = {CT_CONTENTS_OF_EACH, CT_CONTENTS_NOTHING},
        },
    [CT_COLLECTIVE_GATHERV] =
        {
            .name = "gatherv",
            .text = "all ranks' blocks, of any length, to the root",
            .has_root = true,
            .has_data = true,
            .varies = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
            .result = {CT_CONTENTS_OF_EACH, CT_CONTENTS_NOTHING},
        },
    [CT_COLLECTIVE_ALLGATHER] =
        {
            .name = "allgather",
            .text = "all ranks' blocks to all",
            .has_data = true,
            .has_size = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
            .result = {CT_CONTENTS_OF_EACH, CT_CONTENTS_OF_EACH},
        },
    [CT_COLLECTIVE_ALLGATHERV] =
        {
            .name = "allgatherv",
            .text = "all ranks' blocks, of any length, to all",
            .has_data = true,
            .has_size = true,
            .varies = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
            .result = {CT_CONTENTS_OF_EACH, CT_CONTENTS_OF_EACH},
        },
    [CT_COLLECTIVE_ALLTOALL] =
        {
            .name = "alltoall",
            .text = "a block from each to each",
            .has_data = true,
            .has_size = true,
            .in_place = CT_IN_PLACE_INPUT_SAVED,
            .input = {CT_CONTENTS_PARTS, CT_CONTENTS_PARTS},
            .result = {CT_CONTENTS_PARTS_OF_EACH, CT_CONTENTS_PARTS_OF_EACH},
        },
    [CT_COLLECTIVE_ALLTOALLV] =
        {
            .name = "alltoallv",
            .text = "a block from each to each, of any length",
            .has_data = true,
            .varies = true,
            .in_place = CT_IN_PLACE_INPUT_SAVED,
            .input = {CT_CONTENTS_PARTS, CT_CONTENTS_PARTS},
            .result = {CT_CONTENTS_PARTS_OF_EACH, CT_CONTENTS_PARTS_OF_EACH},
        },
    [CT_COLLECTIVE_ALLTOALLW] =
        {
            .name = "alltoallw",
            .text = "a block from each to each, of any length and type",
            .has_data = true,
            .varies = true,
            .in_place = CT_IN_PLACE_INPUT_SAVED,
            .input = {CT_CONTENTS_PARTS, CT_CONTENTS_PARTS},
            .result = {CT_CONTENTS_PARTS_OF_EACH, CT_CONTENTS_PARTS_OF_EACH},
        },
    [CT_COLLECTIVE_REDUCE] =
        {
            .name = "reduce",
            .text = "all ranks' data combined at the root",
            .has_root = true,
            .has_data = true,
            .has_size = true,
            .reduces = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
            .result = {CT_CONTENTS_OF_ALL, CT_CONTENTS_NOTHING},
        },
    [CT_COLLECTIVE_REDUCE_SCATTER_BLOCK] =
        {
            .name = "reduce_scatter_block",
            .text = "all ranks' data combined, a block for each",
            .has_data = true,
            .has_size = true,
            .reduces = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_PARTS, CT_CONTENTS_PARTS},
            .result = {CT_CONTENTS_PART_OF_ALL, CT_CONTENTS_PART_OF_ALL},
        },
    [CT_COLLECTIVE_REDUCE_SCATTER] =
        {
            .name = "reduce_scatter",
            .text = "all ranks' data combined, a block of any length for each",
            .has_data = true,
            .has_size = true,
            .reduces = true,
            .varies = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_PARTS, CT_CONTENTS_PARTS},
            .result = {CT_CONTENTS_PART_OF_ALL, CT_CONTENTS_PART_OF_ALL},
        },
    [CT_COLLECTIVE_ALLREDUCE] =
        {
            .name = "allreduce",
            .text = "all ranks' data combined at all",
            .has_data = true,
            .has_size = true,
            .reduces = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
            .result = {CT_CONTENTS_OF_ALL, CT_CONTENTS_OF_ALL},
        },
    [CT_COLLECTIVE_SCAN] =
        {
            .name = "scan",
            .text = "at each rank the data up to its own combined",
            .has_data = true,
            .has_size = true,
            .reduces = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
            .result = {CT_CONTENTS_OF_FIRST, CT_CONTENTS_OF_FIRST},
        },
    [CT_COLLECTIVE_EXSCAN] =
        {
            .name = "exscan",
            .text = "at each rank the data before its own combined",
            .has_data = true,
            .has_size = true,
            .reduces = true,
            .in_place = CT_IN_PLACE_INPUT_IN_RESULT,
            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
            .result = {CT_CONTENTS_OF_EARLIER, CT_CONTENTS_OF_EARLIER},
        },
};

enum ct_collective ct_collective_find(const char *name)
{
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (strcmp(ct_collectives[i].name, name) == 0)
            return (enum ct_collective)i;
    return CT_COLLECTIVES;
}

bool ct_contents_are_many(enum ct_contents contents)
{
    return contents == CT_CONTENTS_PARTS || contents == CT_CONTENTS_OF_EACH ||
           contents == CT_CONTENTS_PARTS_OF_EACH;
}
