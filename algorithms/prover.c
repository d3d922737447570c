/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/prover_state.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct ct_prover *ct_prover_new(void)
{
    return ct_allocate(1, sizeof(struct ct_prover));
}

void ct_prover_free(struct ct_prover *prover)
{
    if (!prover)
        return;
    for (size_t i = 0; i < prover->cell_capacity; i++)
        free(prover->cells[i].array.runs);
    for (size_t i = 0; i < prover->plan_count; i++)
        ct_plan_free(&prover->plans[i]);
    free(prover->ranks);
    free(prover->cells);
    free(prover->traffic);
    free(prover->flights);
    free(prover->channels);
    free(prover->ready);
    free(prover->knowledge.ranks);
    free(prover->knowledge.carried);
    free(prover->knowledge.idle);
    free(prover->patch.runs);
    free(prover->plans);
    ct_task_memory_free(&prover->memory);
    free(prover);
}

/* Rounds must rise and end where the steps do. */
static int check_plan(struct ct_prover *prover, int rank)
{
    const struct ct_plan *plan = prover->ranks[rank].plan;
    if (plan->status == CT_E_MEMORY)
        return CT_E_MEMORY;
    if (plan->status != CT_OK)
        return ct_prover_fail(prover, CT_FLAW_PLAN, rank, 0, NULL, -1, "it could not be built: status %d",
                              plan->status);
    if (plan->buffer_count < CT_TEMPORARY || plan->buffer_count > CT_BUFFERS_MAX)
        return ct_prover_fail(prover, CT_FLAW_PLAN, rank, 0, NULL, -1, "it has %u buffers",
                              plan->buffer_count);
    size_t end = 0;
    for (size_t i = 0; i < plan->round_count; i++) {
        if (plan->rounds[i].end < end)
            return ct_prover_fail(prover, CT_FLAW_PLAN, rank, i, NULL, -1, "the round ends before it begins");
        end = plan->rounds[i].end;
    }
    if (end != plan->step_count)
        return ct_prover_fail(prover, CT_FLAW_PLAN, rank, 0, NULL, -1, "its rounds hold %zu of %zu steps",
                              end, plan->step_count);
    return CT_OK;
}

/* Cells keep the memory of their runs, so fresh ones must be zero. */
static int grow_cells(struct ct_prover *prover, size_t need)
{
    size_t before = prover->cell_capacity;
    int status = ct_grow(&prover->cells, &prover->cell_capacity, need, sizeof *prover->cells);
    if (status == CT_OK && prover->cell_capacity > before)
        memset(prover->cells + before, 0, (prover->cell_capacity - before) * sizeof *prover->cells);
    return status;
}

static int set_up_rank(struct ct_prover *prover, int rank)
{
    const struct ct_share *share = &prover->task->shares[rank];
    const struct ct_plan *plan = prover->ranks[rank].plan;
    size_t first = prover->cell_count;
    int status = grow_cells(prover, first + plan->buffer_count);
    if (status != CT_OK)
        return status;
    prover->ranks[rank].cells = first;
    prover->cell_count += plan->buffer_count;
    for (unsigned i = 0; status == CT_OK && i < plan->buffer_count; i++)
        status = ct_cells_reset(&prover->cells[first + i],
                                i < CT_TEMPORARY ? share->buffers[i].length : plan->temporary[i]);
    for (size_t i = 0; status == CT_OK && i < share->input_count; i++)
        status =
            ct_cells_input(&prover->cells[first + share->input_buffer], share->inputs[i].offset,
                           share->inputs[i].n, rank, share->inputs[i].unit, prover->ordered, &prover->patch);
    return status;
}

static int set_up(struct ct_prover *prover, const struct ct_plan *plans)
{
    size_t size = (size_t)prover->task->size;
    int status = ct_grow(&prover->ranks, &prover->rank_capacity, size, sizeof *prover->ranks);
    if (status == CT_OK)
        status = ct_grow(&prover->traffic, &prover->traffic_capacity, size, sizeof *prover->traffic);
    if (status == CT_OK)
        status = ct_grow(&prover->ready, &prover->ready_capacity, size, sizeof *prover->ready);
    if (status == CT_OK)
        status = ct_flights_reset(prover);
    if (status == CT_OK)
        status = ct_channels_reset(prover);
    if (status == CT_OK && prover->task->synchronizes)
        status = ct_knowledge_reset(&prover->knowledge, prover->task->size);
    if (status != CT_OK)
        return status;
    memset(prover->traffic, 0, size * sizeof *prover->traffic);
    prover->cell_count = 0;
    for (int rank = 0; rank < prover->task->size; rank++) {
        prover->ranks[rank] = (struct ct_rank_state){.plan = &plans[rank]};
        status = check_plan(prover, rank);
        if (status == CT_OK)
            status = set_up_rank(prover, rank);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

int ct_prove_plans(struct ct_prover *prover, const struct ct_task *task, const struct ct_plan *plans,
                   struct ct_error *error, struct ct_proof *ret_proof)
{
    prover->task = task;
    prover->ordered = task->reduces && !task->commutative;
    prover->error = error;
    prover->result = (struct ct_proof){.peer = -1};
    int status = set_up(prover, plans);
    if (status == CT_OK)
        status = ct_prover_run(prover);
    if (status == CT_OK)
        status = ct_check_results(prover);
    if (status != CT_OK && status != CT_E_ANSWER)
        return status;
    for (int rank = 0; rank < task->size; rank++) {
        prover->result.steps += plans[rank].step_count;
        prover->result.messages += prover->traffic[rank].messages;
        prover->result.units += prover->traffic[rank].units;
    }
    prover->result.traffic = prover->traffic;
    prover->task = NULL;
    *ret_proof = prover->result;
    return status;
}

/* Builds all ranks' plans. */
static int build(struct ct_prover *prover, const struct ct_method *method, const struct ct_call *call)
{
    size_t size = (size_t)call->size;
    int status = ct_grow(&prover->plans, &prover->plan_capacity, size, sizeof *prover->plans);
    if (status != CT_OK)
        return status;
    for (; prover->plan_count < size; prover->plan_count++)
        prover->plans[prover->plan_count] = (struct ct_plan){0};
    for (int rank = 0; rank < call->size; rank++) {
        struct ct_call own = ct_call_of_rank(method->algorithm->collective, call, rank);
        ct_plan_reset(&prover->plans[rank]);
        ct_method_build(method, &prover->plans[rank], &own); /* a failure is in the plan's status */
    }
    return CT_OK;
}

int ct_prove(struct ct_prover *prover, const struct ct_method *method, const struct ct_call *call,
             struct ct_error *error, struct ct_proof *ret_proof)
{
    enum ct_collective collective = method->algorithm->collective;
    if (ct_is_native(method->algorithm))
        return ct_fail(error, CT_E_INPUT, "%s/%s has no plan: the MPI library carries it out",
                       ct_collectives[collective].name, method->algorithm->name);
    struct ct_task task;
    int status = build(prover, method, call);
    if (status == CT_OK)
        status = ct_task_make(collective, call, &prover->memory, &task);
    if (status != CT_OK)
        return status;
    return ct_prove_plans(prover, &task, prover->plans, error, ret_proof);
}
