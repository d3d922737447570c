/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/adapt/joint_maximum.h"
#include "base/memory.h"
#include "library/errors/error_guard.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/operands.h"

#include <assert.h>
#include <stdlib.h>

struct ct_joint_maximum {
    struct ct_flight *flight;
    struct ct_operands operands;
    struct ct_call call;
    float own[CT_JOINT_NUMBERS]; /* all of them fit into one cell of a lane */
    float greatest[CT_JOINT_NUMBERS];
    bool is_under_way;
    int code; /* of the one under way; CT_PENDING until it is complete */
};

/* Writes the plan, which all of them follow. */
static bool prepare(struct ct_joint_maximum *maximum, struct ct_channel *channel, int number)
{
    struct ct_method method;
    const int tag = channel->flight.messages.tag + 1 + number;
    if (ct_method_parse("allreduce/recursive_doubling", CT_COLLECTIVES, NULL, &method) != CT_OK ||
        !(maximum->flight = ct_flight_make(channel, tag)))
        return false;
    maximum->operands =
        ct_reduction(maximum->own, maximum->greatest, CT_JOINT_NUMBERS, MPI_FLOAT, MPI_MAX, 0);
    return ct_call_describe(channel, CT_COLLECTIVE_ALLREDUCE, &maximum->operands, &maximum->call) ==
               MPI_SUCCESS &&
           ct_flight_plan(maximum->flight, &method, &maximum->call, true) == MPI_SUCCESS;
}

struct ct_joint_maximum *ct_joint_maximum_make(struct ct_channel *channel, int number)
{
    struct ct_joint_maximum *maximum = ct_allocate(1, sizeof *maximum);
    if (maximum && !prepare(maximum, channel, number)) {
        ct_joint_maximum_free(maximum);
        return NULL;
    }
    return maximum;
}

void ct_joint_maximum_free(struct ct_joint_maximum *maximum)
{
    double unused[CT_JOINT_NUMBERS];
    if (!maximum)
        return;
    if (maximum->is_under_way)
        ct_joint_maximum_end(maximum, unused);
    ct_flight_free(maximum->flight);
    free(maximum);
}

/* A message that is left where it came makes the next call leave its shortcut. Ranks that call at the same
 * time see it within a fraction of a microsecond; others look in vain. */
enum { LOOKS = 64 };

int ct_joint_maximum_begin(struct ct_joint_maximum *maximum, const double own[CT_JOINT_NUMBERS])
{
    assert(!maximum->is_under_way);
    for (int i = 0; i < CT_JOINT_NUMBERS; i++)
        maximum->own[i] = (float)own[i];
    if (!ct_flight_begin_again(maximum->flight)) {
        int code =
            ct_flight_begin(maximum->flight, CT_COLLECTIVE_ALLREDUCE, &maximum->operands, &maximum->call);
        if (code != MPI_SUCCESS)
            return code;
    }
    maximum->is_under_way = true;
    maximum->code = CT_PENDING;
    ct_joint_maximum_advance(maximum);
    for (int i = 1; i < LOOKS && maximum->flight->is_short && maximum->code == CT_PENDING; i++)
        ct_joint_maximum_advance(maximum);
    return MPI_SUCCESS;
}

/* A flight on its shortcut stays there until the end: by rounds it would take longer than a call of a few
 * bytes does. No guard is up where the call that advances it is passed. */
void ct_joint_maximum_advance(struct ct_joint_maximum *maximum)
{
    struct ct_flight *flight = maximum->flight;
    if (maximum->code != CT_PENDING)
        return;
    if (flight->is_short) {
        if (ct_flight_run_short(flight))
            maximum->code = MPI_SUCCESS;
        return;
    }
    bool is_guarded = ct_error_guard_up();
    maximum->code = ct_flight_advance(flight, CT_UNTIL_TESTED);
    ct_error_guard_down(is_guarded);
}

int ct_joint_maximum_end(struct ct_joint_maximum *maximum, double ret_greatest[CT_JOINT_NUMBERS])
{
    assert(maximum->is_under_way);
    struct ct_flight *flight = maximum->flight;
    struct ct_patience patience = {.policy = flight->channel->flight.messages.policy};
    ct_joint_maximum_advance(maximum);
    while (maximum->code == CT_PENDING) {
        ct_progress_pass_time(&patience);
        maximum->code = ct_flight_advance(flight, CT_UNTIL_TESTED);
    }
    maximum->is_under_way = false;
    for (int i = 0; i < CT_JOINT_NUMBERS; i++)
        ret_greatest[i] = (double)maximum->greatest[i];
    return maximum->code;
}
