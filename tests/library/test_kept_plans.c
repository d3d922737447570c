/* SPDX-License-Identifier: BSD-3-Clause */
/* Many methods called in turn with the same arguments, as a sweep calls them, and many sizes by one method:
 * all results are right, and the plans of methods in turn are kept. */
#include "library/execute/channel.h"
#include "library/execute/executor.h"
#include "library/execute/kept_plans.h"
#include "library/execute/operands.h"

#include <stdio.h>
#include <stdlib.h>

enum { METHODS = 12, ROUNDS = 4, SIZES = 300 };

static size_t kept_whole(const struct ct_channel *channel)
{
    size_t count = 0;
    for (int i = 0; i < CT_KEPT_PLANS; i++)
        count += channel->kept->plans[i].since > 0;
    return count;
}

/* A sum of `count` ones. */
static bool is_right(struct ct_channel *channel, const struct ct_method *method, size_t count)
{
    int ones[SIZES], sums[SIZES];
    for (size_t i = 0; i < count; i++)
        ones[i] = 1;
    const struct ct_operands operands = ct_reduction(ones, sums, count, MPI_INT, MPI_SUM, 0);
    bool right = ct_execute(channel, method, &operands) == MPI_SUCCESS;
    for (size_t i = 0; i < count; i++)
        right = right && sums[i] == channel->size;
    return right;
}

int main(int argc, char **argv)
{
    struct ct_method methods[METHODS];
    struct ct_channel *channel;
    MPI_Comm comm;
    bool right = true;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (ct_channel_open(comm, CT_WAIT_YIELD, &channel) != MPI_SUCCESS)
        return 1;
    for (size_t i = 0; i < METHODS; i++) {
        char spelling[CT_METHOD_TEXT];
        snprintf(spelling, sizeof spelling, "allreduce/ring_segmented:seg=%zu", 64 * (i + 1));
        if (ct_method_parse(spelling, CT_COLLECTIVES, NULL, &methods[i]) != CT_OK)
            abort();
    }
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < METHODS; i++)
            right = is_right(channel, &methods[i], 2) && right;
    size_t kept = kept_whole(channel);
    /* More plans than there is room for: others make way for them. */
    for (int round = 0; round < ROUNDS; round++)
        for (size_t count = 1; count < SIZES; count++)
            right = is_right(channel, &methods[0], count) && right;
    for (int round = 0; round < ROUNDS; round++)
        right = is_right(channel, &methods[1], 3) && right;
    size_t at_the_end = kept_whole(channel);
    printf("%zu plans of %d kept, %zu at the end; results %s\n", kept, METHODS, at_the_end,
           right ? "right" : "WRONG");
    ct_channel_close(channel);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return right && kept == METHODS && at_the_end > 0 ? 0 : 1;
}
