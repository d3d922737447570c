/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective.h"

#include <string.h>

/* Fields that the forms of a collective have in common. */
#define SCATTER                                                                                              \
    .has_root = true, .has_data = true, .in_place = CT_IN_PLACE_RESULT_IN_INPUT,                             \
    .input = {CT_CONTENTS_PARTS, CT_CONTENTS_NOTHING},                                                       \
    .result = {CT_CONTENTS_PART_OF_ROOT, CT_CONTENTS_PART_OF_ROOT}
#define GATHER                                                                                               \
    .has_root = true, .has_data = true, .in_place = CT_IN_PLACE_INPUT_IN_RESULT,                             \
    .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN}, .result = {CT_CONTENTS_OF_EACH, CT_CONTENTS_NOTHING}
#define ALLGATHER                                                                                            \
    .has_data = true, .has_size = true, .in_place = CT_IN_PLACE_INPUT_IN_RESULT,                             \
    .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN}, .result = {CT_CONTENTS_OF_EACH, CT_CONTENTS_OF_EACH}
#define ALLTOALL                                                                                             \
    .has_data = true, .in_place = CT_IN_PLACE_INPUT_SAVED, .input = {CT_CONTENTS_PARTS, CT_CONTENTS_PARTS},  \
    .result = {CT_CONTENTS_PARTS_OF_EACH, CT_CONTENTS_PARTS_OF_EACH}
#define REDUCTION .has_data = true, .has_size = true, .reduces = true, .in_place = CT_IN_PLACE_INPUT_IN_RESULT
#define REDUCE_SCATTER                                                                                       \
    REDUCTION, .input = {CT_CONTENTS_PARTS, CT_CONTENTS_PARTS},                                              \
               .result = {CT_CONTENTS_PART_OF_ALL, CT_CONTENTS_PART_OF_ALL}

#define NEIGHBOR_ALLGATHER                                                                                   \
    .has_data = true, .has_size = true, .is_sparse = true, .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},      \
    .result = {CT_CONTENTS_OF_SOURCES, CT_CONTENTS_OF_SOURCES}
#define NEIGHBOR_ALLTOALL                                                                                    \
    .has_data = true, .has_size = true, .is_sparse = true,                                                   \
    .input = {CT_CONTENTS_PARTS_FOR_DESTINATIONS, CT_CONTENTS_PARTS_FOR_DESTINATIONS},                       \
    .result = {CT_CONTENTS_PARTS_OF_SOURCES, CT_CONTENTS_PARTS_OF_SOURCES}

const struct ct_collective_description ct_collectives[CT_COLLECTIVES] = {
    [CT_COLLECTIVE_BARRIER] = {"barrier", "no rank leaves before all have entered", .synchronizes = true},
    [CT_COLLECTIVE_BCAST] = {"bcast", "the root's data to all", .has_root = true, .has_data = true,
                             .has_size = true, .one_buffer = true,
                             .input = {CT_CONTENTS_OWN, CT_CONTENTS_NOTHING},
                             .result = {CT_CONTENTS_OF_ROOT, CT_CONTENTS_OF_ROOT}},
    [CT_COLLECTIVE_SCATTER] = {"scatter", "a block of the root's for each", SCATTER, .has_size = true},
    [CT_COLLECTIVE_SCATTERV] = {"scatterv", "a block of the root's for each, of any length", SCATTER,
                                .varies = true},
    [CT_COLLECTIVE_GATHER] = {"gather", "all ranks' blocks to the root", GATHER, .has_size = true},
    [CT_COLLECTIVE_GATHERV] = {"gatherv", "all ranks' blocks, of any length, to the root", GATHER,
                               .varies = true},
    [CT_COLLECTIVE_ALLGATHER] = {"allgather", "all ranks' blocks to all", ALLGATHER},
    [CT_COLLECTIVE_ALLGATHERV] = {"allgatherv", "all ranks' blocks, of any length, to all", ALLGATHER,
                                  .varies = true},
    [CT_COLLECTIVE_ALLTOALL] = {"alltoall", "a block from each to each", ALLTOALL, .has_size = true},
    [CT_COLLECTIVE_ALLTOALLV] = {"alltoallv", "a block from each to each, of any length", ALLTOALL,
                                 .varies = true},
    [CT_COLLECTIVE_ALLTOALLW] = {"alltoallw", "a block from each to each, of any length and type", ALLTOALL,
                                 .varies = true},
    [CT_COLLECTIVE_REDUCE] = {"reduce", "all ranks' data combined at the root", REDUCTION, .has_root = true,
                              .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
                              .result = {CT_CONTENTS_OF_ALL, CT_CONTENTS_NOTHING}},
    [CT_COLLECTIVE_REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block",
                                            "all ranks' data combined, a block for each", REDUCE_SCATTER},
    [CT_COLLECTIVE_REDUCE_SCATTER] = {"reduce_scatter",
                                      "all ranks' data combined, a block of any length for each",
                                      REDUCE_SCATTER, .varies = true},
    [CT_COLLECTIVE_ALLREDUCE] = {"allreduce", "all ranks' data combined at all", REDUCTION,
                                 .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
                                 .result = {CT_CONTENTS_OF_ALL, CT_CONTENTS_OF_ALL}},
    [CT_COLLECTIVE_SCAN] = {"scan", "at each rank the data up to its own combined", REDUCTION,
                            .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
                            .result = {CT_CONTENTS_OF_FIRST, CT_CONTENTS_OF_FIRST}},
    [CT_COLLECTIVE_EXSCAN] = {"exscan", "at each rank the data before its own combined", REDUCTION,
                              .input = {CT_CONTENTS_OWN, CT_CONTENTS_OWN},
                              .result = {CT_CONTENTS_OF_EARLIER, CT_CONTENTS_OF_EARLIER}},
    [CT_COLLECTIVE_NEIGHBOR_ALLGATHER] = {"neighbor_allgather", "each rank's block to its destinations",
                                          NEIGHBOR_ALLGATHER},
    [CT_COLLECTIVE_NEIGHBOR_ALLGATHERV] = {"neighbor_allgatherv",
                                           "each rank's block, of any length, to its destinations",
                                           NEIGHBOR_ALLGATHER, .varies = true},
    [CT_COLLECTIVE_NEIGHBOR_ALLTOALL] = {"neighbor_alltoall", "a block from each rank to each destination",
                                         NEIGHBOR_ALLTOALL},
    [CT_COLLECTIVE_NEIGHBOR_ALLTOALLV] = {"neighbor_alltoallv",
                                          "a block from each rank to each destination, of any length",
                                          NEIGHBOR_ALLTOALL, .varies = true},
    [CT_COLLECTIVE_NEIGHBOR_ALLTOALLW] =
        {"neighbor_alltoallw", "a block from each rank to each destination, of any length and type",
         NEIGHBOR_ALLTOALL, .varies = true},
    [CT_COLLECTIVE_EXCHANGE] = {"exchange",
                                "a block from each rank to each destination, which does not know its sources",
                                NEIGHBOR_ALLTOALL, .varies = true, .finds_sources = true},
};

enum ct_collective ct_collective_find(const char *name)
{
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (strcmp(ct_collectives[i].name, name) == 0)
            return (enum ct_collective)i;
    return CT_COLLECTIVES;
}

/* With an odd number of blocks the last is the mean. */
static size_t uneven_length(size_t mean, int block, int last)
{
    if (block == last && block % 2 == 0)
        return mean;
    return block % 2 == 0 ? mean - mean / 2 : mean + mean / 2;
}

size_t ct_block_length(enum ct_collective collective, size_t mean, int from, int to, int size)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    if (!about->varies)
        return mean;
    if (about->input[0] == CT_CONTENTS_PARTS && about->result[0] == CT_CONTENTS_PARTS_OF_EACH)
        return uneven_length(mean, (from + to) % 2, 1);
    return uneven_length(mean, about->input[0] == CT_CONTENTS_PARTS ? to : from, size - 1);
}
