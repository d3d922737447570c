/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/program.h"
#include "plan/shapes.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The common clock. The lowest of the ranks that read the same clock is their leader. Leaders learn down a
 * binomial tree, and pass their models on to the other ranks, as Hunold and Carpen-Amarie (2018) do within a
 * node. A rank that learns or checks asks several times; its parent answers until it is told that there are
 * no more questions. The first ranks of a job form a tree of their own, so that a group needs no
 * other ranks. */

enum question { ASK_TIME, ASK_MODEL, ASK_NO_MORE };
enum { QUESTION_TAG = 1, ANSWER_TAG = 2, TRIES = 3, TESTS_AT_FIRST = 100 };

struct ct_bench_clocks {
    MPI_Comm comm;
    int *leader_of; /* by rank */
    int *leaders;   /* rising */
    int leader_count;
    int parent; /* rank that is asked; -1 at rank 0 */
    int *children;
    int child_count;
};

/* What the exchanges of a rank go through. */
struct asking {
    struct ct_bench *bench;
    enum ct_wait_policy policy;
};

static double own_time(const struct ct_bench *bench)
{
    return bench->clock.read(bench->clock.context) - bench->epoch;
}

/* After a while a rank yields its CPU even if no other rank shares it: unknown processes may need it. */
static void finish(MPI_Request *request, enum ct_wait_policy policy)
{
    int done = 0;
    for (int tests = policy == CT_WAIT_SPIN ? TESTS_AT_FIRST : 0; !done; tests -= tests > 0) {
        ct_bench_check(MPI_Test(request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (!done && tests == 0)
            sched_yield();
    }
}

static void send(const struct asking *asking, const void *data, int bytes, int peer, int tag)
{
    MPI_Request request;
    ct_bench_check(MPI_Isend(data, bytes, MPI_BYTE, peer, tag, asking->bench->clocks->comm, &request),
                   "MPI_Isend");
    finish(&request, asking->policy);
}

static void receive(const struct asking *asking, void *data, int bytes, int peer, int tag)
{
    MPI_Request request;
    ct_bench_check(MPI_Irecv(data, bytes, MPI_BYTE, peer, tag, asking->bench->clocks->comm, &request),
                   "MPI_Irecv");
    finish(&request, asking->policy);
}

static double port_now(void *context)
{
    const struct asking *asking = context;
    return own_time(asking->bench);
}

static void port_exchange(void *context, struct ct_clock_exchange *ret_exchange)
{
    const struct asking *asking = context;
    const int question = ASK_TIME, parent = asking->bench->clocks->parent;
    struct ct_clock_exchange exchange;
    double asked = own_time(asking->bench);
    send(asking, &question, sizeof question, parent, QUESTION_TAG);
    receive(asking, &exchange, sizeof exchange, parent, ANSWER_TAG);
    exchange.answered = own_time(asking->bench);
    exchange.asked = asked;
    *ret_exchange = exchange;
}

static void port_pause(void *context, double seconds)
{
    (void)context;
    const struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&time, NULL);
}

/* Answers one child until it has no more questions. */
static void serve(const struct asking *asking, int child)
{
    const struct ct_clock_model *model = &asking->bench->model;
    int question;
    for (;;) {
        receive(asking, &question, sizeof question, child, QUESTION_TAG);
        if (question == ASK_NO_MORE)
            return;
        if (question == ASK_MODEL) {
            send(asking, model, sizeof *model, child, ANSWER_TAG);
            continue;
        }
        double now = own_time(asking->bench);
        const struct ct_clock_exchange answer = {.stamp = ct_clock_global(model, now),
                                                 .slack = ct_clock_bound(model, now),
                                                 .wander = model->wander};
        send(asking, &answer, sizeof answer, child, ANSWER_TAG);
    }
}

/* What a rank does when it is its turn to ask. `skew` is NULL where it learns a new model. */
static bool ask(const struct asking *asking, struct ct_clock_skew *skew)
{
    struct ct_bench *bench = asking->bench;
    const int question = ASK_MODEL, parent = bench->clocks->parent;
    const struct ct_clock_port port = {(void *)asking, port_now, port_exchange, port_pause};
    int status = CT_E_ANSWER;
    if (parent == bench->clocks->leader_of[bench->rank]) {
        send(asking, &question, sizeof question, parent, QUESTION_TAG);
        receive(asking, &bench->model, sizeof bench->model, parent, ANSWER_TAG);
        return true;
    }
    if (skew) {
        ct_clock_check(&port, ct_clock_usual.exchanges, &bench->model, skew);
        return true;
    }
    for (int i = 0; i < TRIES && status != CT_OK; i++)
        status = ct_clock_learn(&port, &ct_clock_usual, &bench->model);
    return status == CT_OK;
}

/* This rank's own turn, then those of its children among the first `size` ranks. False if this rank could not
 * learn a model. */
static bool walk(const struct asking *asking, size_t size, struct ct_clock_skew *skew)
{
    const struct ct_bench_clocks *clocks = asking->bench->clocks;
    const int no_more = ASK_NO_MORE;
    bool done = true;
    if (clocks->parent >= 0) {
        done = ask(asking, skew);
        send(asking, &no_more, sizeof no_more, clocks->parent, QUESTION_TAG);
    }
    for (int i = 0; i < clocks->child_count; i++)
        if ((size_t)clocks->children[i] < size)
            serve(asking, clocks->children[i]);
    return done;
}

/* The greatest of each number over the group. */
static void agree(const struct ct_bench *bench, const struct ct_bench_group *group, double *numbers,
                  size_t count)
{
    double most[4];
    const struct ct_operands operands = ct_reduction(numbers, most, count, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, &bench->agreement, &operands);
    memcpy(numbers, most, count * sizeof *most);
}

static void learn_all(struct ct_bench *bench, const struct ct_bench_group *group)
{
    const struct asking asking = {bench, group->policy};
    bench->model = (struct ct_clock_model){0};
    double culprit = walk(&asking, group->size, NULL) ? -1 : bench->rank;
    agree(bench, group, &culprit, 1);
    if (culprit >= 0)
        ct_bench_abort("the clock of rank %.0f jumps, or that of a rank between it and rank 0: no common "
                       "clock can be made; --sync barrier needs none",
                       culprit);
}

struct ct_bench_skew ct_bench_check_clocks(struct ct_bench *bench, const struct ct_bench_group *group)
{
    struct ct_bench_skew found = {.jumped = -1};
    if (!bench->clocks)
        return found;
    const struct asking asking = {bench, group->policy};
    struct ct_clock_skew skew = {0};
    walk(&asking, group->size, &skew);
    double jumped = skew.jumped ? fabs(skew.seconds) : 0;
    double numbers[] = {fabs(skew.seconds), skew.bound, jumped};
    agree(bench, group, numbers, 3);
    found.seconds = numbers[0];
    found.bound = numbers[1];
    if (numbers[2] > 0) {
        double furthest = skew.jumped && jumped >= numbers[2] ? bench->rank : -1;
        agree(bench, group, &furthest, 1);
        found.jumped = (int)furthest;
        learn_all(bench, group);
    }
    return found;
}

/* Finds the leaders from the identities of all ranks' clocks. */
static void find_leaders(const struct ct_bench *bench, struct ct_bench_clocks *clocks)
{
    uint64_t *identities = ct_bench_allocate((size_t)bench->size, sizeof *identities),
             mine = bench->clock.identity;
    ct_bench_check(PMPI_Allgather(&mine, 1, MPI_UINT64_T, identities, 1, MPI_UINT64_T, clocks->comm),
                   "MPI_Allgather");
    for (int i = 0; i < bench->size; i++) {
        int leader = 0;
        while (leader < clocks->leader_count && identities[clocks->leaders[leader]] != identities[i])
            leader++;
        if (leader == clocks->leader_count)
            clocks->leaders[clocks->leader_count++] = i;
        clocks->leader_of[i] = clocks->leaders[leader];
    }
    free(identities);
}

/* Finds this rank's parent and children: leaders first, those with the largest subtrees ahead. */
static void find_place(const struct ct_bench *bench, struct ct_bench_clocks *clocks)
{
    clocks->parent = clocks->leader_of[bench->rank];
    if (clocks->parent != bench->rank)
        return;
    int place = 0;
    struct ct_tree tree;
    while (clocks->leaders[place] != bench->rank)
        place++;
    ct_tree_binomial_balanced(place, clocks->leader_count, &tree);
    clocks->parent = tree.parent < 0 ? -1 : clocks->leaders[tree.parent];
    for (int i = 0; i < tree.child_count; i++)
        clocks->children[clocks->child_count++] = clocks->leaders[tree.children[i]];
    for (int i = bench->rank + 1; i < bench->size; i++)
        if (clocks->leader_of[i] == bench->rank)
            clocks->children[clocks->child_count++] = i;
}

void ct_bench_make_clocks(struct ct_bench *bench)
{
    bool wanted = ct_sync_modes[bench->job.sync].clock == CT_SYNC_CLOCK_COMMON;
    if (bench->common_clock || !wanted)
        return;
    struct ct_bench_clocks *clocks = ct_bench_allocate(1, sizeof *clocks);
    ct_bench_check(PMPI_Comm_dup(MPI_COMM_WORLD, &clocks->comm), "MPI_Comm_dup");
    clocks->leader_of = ct_bench_allocate((size_t)bench->size, sizeof *clocks->leader_of);
    clocks->leaders = ct_bench_allocate((size_t)bench->size, sizeof *clocks->leaders);
    clocks->children = ct_bench_allocate((size_t)bench->size, sizeof *clocks->children);
    find_leaders(bench, clocks);
    find_place(bench, clocks);
    bench->clocks = clocks;
    bench->clock_count = (size_t)clocks->leader_count;
    learn_all(bench, ct_bench_find_group(bench, (size_t)bench->size));
    bench->common_clock = true;
}

void ct_bench_free_clocks(struct ct_bench *bench)
{
    struct ct_bench_clocks *clocks = bench->clocks;
    if (!clocks)
        return;
    PMPI_Comm_free(&clocks->comm);
    free(clocks->leader_of);
    free(clocks->leaders);
    free(clocks->children);
    free(clocks);
    bench->clocks = NULL;
}

enum { JUMPS_MAX = 3 };

bool ct_bench_tell_jump(const struct ct_bench *bench, const struct ct_bench_skew *skew, size_t before)
{
    if (skew->jumped < 0)
        return false;
    if (before == JUMPS_MAX)
        ct_bench_abort("the clock of rank %d jumps again and again: --sync barrier needs no common clock",
                       skew->jumped);
    struct ct_text text = {0};
    ct_text_append(&text, "jump %d %.9g\n", skew->jumped, skew->seconds);
    ct_bench_report(bench, &text);
    return true;
}
