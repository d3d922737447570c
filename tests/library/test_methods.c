/* SPDX-License-Identifier: BSD-3-Clause */
/* Every registered algorithm over MPI against a serial oracle, with random parameters, counts, roots, types
 * and operations, in place and not, among other traffic and on pretended nodes: on communicators of all sizes
 * from the first argument to that of the job, so many rounds as the second says, with all kinds of reductions
 * in each; a third and a fourth, K and N, leave every N-th algorithm from the K-th on. The MPI library's own
 * collectives are held against the oracle as well on up to 4 ranks. Prints how many calls were checked; ends
 * with 1 where one is wrong. */
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/native_call.h"
#include "library/execute/set_up.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/placement.h"
#include "native_flaws.h"
#include "other_traffic.h"
#include "tests/library/open_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMPI_H
enum { NATIVE_RANKS = 0 }; /* the simulator's own collectives are not what is asked about */
enum { MANY_RANKS = 4 };
#else
enum { NATIVE_RANKS = 4 };
enum { MANY_RANKS = 16 };
#endif

enum { TRIALS = 12, FEW_TRIALS = 130 };

struct check {
    MPI_Comm comm; /* the user's, for other traffic */
    MPI_Comm set_ups;
    unsigned supersteps; /* that it has carried */
    struct ct_channel *channel;
    int rank, size;
    int rounds;
    size_t part, parts; /* only every `parts`-th algorithm, from `part` on */
    size_t cases;
    size_t wrong;
};

/* Random values of all parameters; small segments, as most messages are short, but not so small among many
 * ranks that messages are too many. */
static struct ct_method draw_method(const struct ct_algorithm *algorithm, bool many, struct random *random)
{
    static const size_t bytes[] = {1, 24, 100, 0, 1024, 4096};
    unsigned first = many ? 3 : 0;
    struct ct_method method = {.algorithm = algorithm};
    for (int i = 0; i < ct_parameter_count(algorithm->descriptor); i++) {
        const struct ct_parameter *parameter = algorithm->descriptor->parameters[i];
        size_t value = ct_parameter_standard(parameter);
        if (parameter->standard_name)
            do
                value = draw(random, (unsigned)ct_algorithm_count);
            while (!ct_parameter_allows(parameter, &ct_algorithms[value]));
        else if (parameter->in_bytes)
            value = bytes[first + draw(random, (unsigned)(sizeof bytes / sizeof bytes[0]) - first)];
        else if (draw(random, 4) > 0)
            value = parameter->least + draw(random, 6);
        if (!parameter->standard_name && value < parameter->least)
            value = parameter->least;
        if (parameter->words && value > parameter->most)
            value = parameter->most;
        method.values[i] = value;
    }
    return method;
}

/* Nodes that are none: in blocks of two or three ranks, or dealt in turn to two or three. */
static void pretend_nodes(const struct check *check, unsigned layout)
{
    int labels[RANKS_MOST], width = 2 + (int)(layout / 2 % 2);
    for (int i = 0; i < check->size; i++)
        labels[i] = layout % 2 ? i % width : i / width;
    if (ct_channel_set_nodes(check->channel, labels) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void tell(struct check *check, const struct trial *trial, const struct ct_method *method,
                 const char *what)
{
    char spelling[CT_METHOD_TEXT];
    check->wrong++;
    printf("rank %d of %d: %s, root %d, count %zu, '%s'%s, seed %u: %s\n", trial->rank, trial->size,
           ct_method_format(method, true, spelling), trial->root, trial->count,
           trial->types ? trial->types : "", trial->in_place ? ", in place" : "", trial->seed, what);
}

/* Finds the routes of a method that needs them. */
static bool set_up(struct check *check, const struct ct_method *method, struct ct_call *call,
                   struct ct_routes *ret_routes)
{
    struct ct_error error;
    struct ct_call own = *call;
    if (!ct_needs_routes(method))
        return true;
    if (ct_set_up(method, &own, check->set_ups, &check->supersteps, &error, ret_routes) != CT_OK)
        return false;
    ret_routes->number = (unsigned)check->cases;
    call->routes = ret_routes;
    return true;
}

/* Every third call is one of those that are not waited for, but in the simulator, where polling takes long.
 */
static int execute(const struct check *check, const struct ct_method *method, struct trial *trial,
                   struct ct_call *call)
{
    if (CT_SIMULATED || check->cases % 3 > 0)
        return ct_execute_call(check->channel, method, &trial->operands, call);
    enum { TAG = 1 };
    const struct ct_routes *routes = call->routes;
    struct ct_flight *flight = ct_flight_make(check->channel, TAG);
    if (!flight)
        return MPI_ERR_NO_MEM;
    int code = ct_flight_describe(flight, trial->collective, &trial->operands, call);
    call->routes = routes;
    if (code == MPI_SUCCESS)
        code = ct_flight_plan(flight, method, call, false);
    if (code == MPI_SUCCESS)
        code = ct_flight_begin(flight, trial->collective, &trial->operands, call);
    for (int pending = code == MPI_SUCCESS; pending; pending = code == CT_PENDING)
        code = ct_flight_advance(flight, CT_UNTIL_TESTED);
    ct_flight_free(flight);
    return code;
}

static void try_method(struct check *check, const struct ct_method *method, unsigned seed, size_t kind)
{
    struct trial trial;
    struct ct_call call;
    struct other_traffic traffic;
    struct ct_routes routes = {0};
    trial_draw(&trial, method->algorithm->collective, check->rank, check->size, seed, kind);
    if (ct_call_describe(check->channel, trial.collective, &trial.operands, &call) != MPI_SUCCESS) {
        tell(check, &trial, method, "cannot be described");
        return;
    }
    if (!ct_method_applies(method, &call, NULL))
        return;
    check->cases++;
    trial_fill(&trial);
    other_traffic_begin(&traffic, check->comm, seed);
    if (!set_up(check, method, &call, &routes) || execute(check, method, &trial, &call) != MPI_SUCCESS)
        tell(check, &trial, method, "MPI error");
    ct_routes_free(&routes);
    if (!other_traffic_end(&traffic))
        tell(check, &trial, method, "other messages are disturbed");
    if (!trial_right(&trial))
        tell(check, &trial, method, "wrong result");
}

static void try_native(struct check *check, const struct ct_algorithm *native, unsigned seed, size_t kind)
{
    struct trial trial;
    const struct ct_method method = {.algorithm = native};
    trial_draw(&trial, native->collective, check->rank, check->size, seed, kind);
    if (!native_can(&trial))
        return;
    trial_fill(&trial);
    check->cases++;
    if (ct_native_call(native->collective, &trial.operands, check->comm) != MPI_SUCCESS)
        tell(check, &trial, &method, "MPI error");
    if (!trial_right(&trial))
        tell(check, &trial, &method, "wrong result");
}

static void try_algorithm(struct check *check, const struct ct_algorithm *algorithm, unsigned seed)
{
    bool reduces = ct_collectives[algorithm->collective].reduces;
    size_t trials = check->size > MANY_RANKS ? (size_t)(1 + FEW_TRIALS / check->size)
                    : reduces                ? reduction_kind_count()
                                             : TRIALS;
    struct random random = {.state = seed};
    for (size_t i = 0; i < trials; i++) {
        unsigned own = seed + (unsigned)i * 31u;
        if (ct_is_native(algorithm)) {
            if (check->size <= NATIVE_RANKS)
                try_native(check, algorithm, own, i);
            continue;
        }
        struct ct_method method = draw_method(algorithm, check->size > MANY_RANKS, &random);
        try_method(check, &method, own, check->size > MANY_RANKS ? own : i);
    }
}

static void try_size(struct check *check, enum ct_wait_policy policy, struct ct_node *node)
{
    MPI_Comm own;
    MPI_Comm_rank(check->comm, &check->rank);
    MPI_Comm_size(check->comm, &check->size);
    MPI_Comm_dup(check->comm, &own);
    MPI_Comm_dup(check->comm, &check->set_ups);
    check->supersteps = 0;
    if (ct_channel_open(own, policy, &check->channel) != MPI_SUCCESS ||
        ct_channel_use_lanes(check->channel, node) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    ct_channel_set_context(check->channel, (unsigned)check->size);
    for (int round = 0; round < check->rounds; round++) {
        pretend_nodes(check, (unsigned)round);
        for (size_t a = check->part; a < ct_algorithm_count; a += check->parts)
            if (!ct_collectives[ct_algorithms[a].collective].is_sparse)
                try_algorithm(check, &ct_algorithms[a],
                              1000003u * (unsigned)(round + 1) + 1009u * (unsigned)a + (unsigned)check->size);
    }
    ct_channel_close(check->channel);
    MPI_Comm_free(&own);
    MPI_Comm_free(&check->set_ups);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    trials_begin();
    struct check check = {.rounds = argc > 2 ? atoi(argv[2]) : 1, .parts = 1};
    if (argc > 4) {
        check.part = (size_t)atoi(argv[3]);
        check.parts = (size_t)atoi(argv[4]);
    }
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    ct_placement_find(MPI_COMM_WORLD, NULL, &policy);
    const struct ct_node_wishes wishes = {.lanes = true, .sleep = true};
    struct ct_node *node = getenv("LANES") ? open_node_of_world(&wishes) : NULL;
    if (getenv("LANES") && !node && size > 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int p = argc > 1 ? atoi(argv[1]) : 1; p <= size; p++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &check.comm);
        if (check.comm == MPI_COMM_NULL)
            continue;
        try_size(&check, policy, node);
        MPI_Comm_free(&check.comm);
    }
    int all, mine = check.wrong == 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%zu calls on up to %d ranks: %s\n", check.cases, size, all ? "all right" : "WRONG");
    trials_end();
    ct_node_close(node);
    MPI_Finalize();
    return all ? 0 : 1;
}
