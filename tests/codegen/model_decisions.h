/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_MODELS_MODEL_DECISIONS_H
#define CT_TESTS_MODELS_MODEL_DECISIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Generated decision functions that ask a model, as their files declare them. */

struct colltune_model_choice {
    const char *algorithm;
    size_t segment;
    double seconds;
    size_t method;
};

typedef struct colltune_model_choice decide(size_t comm_size, size_t msg_bytes, bool commutes);

decide colltune_model_decide_barrier, colltune_model_decide_bcast, colltune_model_decide_gather,
    colltune_model_decide_allgather, colltune_model_decide_reduce, colltune_model_decide_allreduce,
    colltune_model_decide_allgatherv, colltune_model_decide_reduce_scatter_block, colltune_model_decide_scan,
    colltune_model_decide_alltoall, colltune_model_decide_reduce_scatter;

#endif
