/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/collective.h"

#include <string.h>

const struct ct_collective_description ct_collectives[CT_COLLECTIVES] = {
    [CT_BARRIER] =
        {
            .name = "barrier",
            .text = "no rank leaves before all have entered",
            .synchronizes = true,
        },
    [CT_BCAST] =
        {
            .name = "bcast",
            .text = "the root's data to all",
            .has_root = true,
            .has_size = true,
            .one_buffer = true,
            .input = {CT_OWN, CT_NOTHING},
            .result = {CT_OF_ROOT, CT_OF_ROOT},
        },
    [CT_REDUCE] =
        {
            .name = "reduce",
            .text = "all ranks' data combined at the root",
            .has_root = true,
            .has_size = true,
            .reduces = true,
            .input = {CT_OWN, CT_OWN},
            .result = {CT_OF_ALL, CT_NOTHING},
        },
    [CT_ALLREDUCE] =
        {
            .name = "allreduce",
            .text = "all ranks' data combined at all",
            .has_size = true,
            .reduces = true,
            .input = {CT_OWN, CT_OWN},
            .result = {CT_OF_ALL, CT_OF_ALL},
        },
};

enum ct_collective ct_collective_find(const char *name)
{
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (strcmp(ct_collectives[i].name, name) == 0)
            return (enum ct_collective)i;
    return CT_COLLECTIVES;
}
