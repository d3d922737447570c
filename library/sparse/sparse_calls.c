/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/sparse/sparse_calls.h"
#include "base/memory.h"
#include "library/communicators/meeting.h"
#include "library/decide/settled_choices.h"
#include "library/execute/executor.h"
#include "library/execute/set_up.h"
#include "library/execute/topology.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What ranks tell each other: the maximum of each number counts. Numbers are signed, since MPI_MAX of MPICH
 * 4.0.2 compares unsigned ones as if they were. */
enum {
    CHANGES, /* this rank has no routes for the call */
    FAILS,   /* it cannot go on */
    NO_COMM, /* it may make no communicator for the set-up */
    DIFFERS, /* it has several lengths where there must be one */
    LENGTH,  /* its only length; 0 where it has none */
    BELOW,   /* and how far that is below the largest number, so that the least length counts, too */
    NUMBERS
};

bool ct_lengths_are_like(const size_t *kept, const size_t *lengths, size_t count)
{
    return count == 0 || (!kept && !lengths) ||
           (kept && lengths && memcmp(kept, lengths, count * sizeof *kept) == 0);
}

/* Where routes of the collective are kept; NULL where this rank can keep none. */
static struct ct_topology *topology_of(const struct ct_channel *channel, MPI_Comm comm,
                                       enum ct_collective collective)
{
    struct ct_topology *of_all;
    if (ct_collectives[collective].is_sparse)
        return channel->topology;
    return ct_topology_of_all(comm, &of_all) == MPI_SUCCESS ? of_all : NULL;
}

static struct ct_kept_routes **place_of(struct ct_topology *topology, const struct ct_method *method)
{
    struct ct_kept_routes **place = &topology->routes;
    while (*place && !ct_method_equal(&(*place)->method, method))
        place = &(*place)->next;
    return place;
}

/* What is kept for the method; NULL: nothing. */
static struct ct_kept_routes *find_kept(const struct ct_channel *channel, MPI_Comm comm,
                                        const struct ct_method *method)
{
    struct ct_topology *topology = topology_of(channel, comm, method->algorithm->collective);
    return topology ? *place_of(topology, method) : NULL;
}

/* Are these routes those of the call, as far as this rank knows? */
static bool is_for(const struct ct_kept_routes *kept, const struct ct_call *call)
{
    return kept->routes.counts_blocks ||
           (kept->count == call->count &&
            ct_lengths_are_like(kept->lengths[CT_BUFFER_SEND], call->send_counts,
                                ct_call_blocks(call, CT_BUFFER_SEND)) &&
            ct_lengths_are_like(kept->lengths[CT_BUFFER_RECV], call->recv_counts,
                                ct_call_blocks(call, CT_BUFFER_RECV)));
}

/* --- the agreement --- */

/* The least and the greatest length at this rank, in forms that have one for all blocks of a side. False
 * where it has none. */
static bool find_lengths(const struct ct_call *call, size_t *ret_least, size_t *ret_greatest)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    if (neighbors->out_count + neighbors->in_count == 0)
        return false;
    size_t least = call->count, greatest = call->count;
    const size_t *own[] = {neighbors->out_count > 0 ? call->send_counts : NULL,
                           neighbors->in_count > 0 ? call->recv_counts : NULL};
    for (int i = 0; i < 2; i++)
        if (own[i]) { /* a table of one length */
            least = own[i][0] < least ? own[i][0] : least;
            greatest = own[i][0] > greatest ? own[i][0] : greatest;
        }
    *ret_least = least;
    *ret_greatest = greatest;
    return true;
}

/* All lengths of the call that mean something at this rank. */
static void add_lengths(const struct ct_call *call, int64_t numbers[NUMBERS])
{
    size_t least, greatest;
    if (!find_lengths(call, &least, &greatest))
        return;
    numbers[DIFFERS] = least != greatest;
    numbers[LENGTH] = (int64_t)greatest;
    numbers[BELOW] = INT64_MAX - (int64_t)least;
}

int ct_sparse_reduce(struct ct_channel *channel, const int64_t *own, int64_t *ret_all, size_t count,
                     MPI_Op op)
{
    struct ct_method method;
    if (ct_method_parse("allreduce/recursive_doubling", CT_COLLECTIVES, NULL, &method) != CT_OK)
        return MPI_ERR_INTERN;
    const struct ct_operands operands = ct_reduction(own, ret_all, count, MPI_INT64_T, op, 0);
    return ct_execute(channel, &method, &operands);
}

static int agree(struct ct_channel *channel, const int64_t own[NUMBERS], int64_t ret_all[NUMBERS])
{
    return ct_sparse_reduce(channel, own, ret_all, NUMBERS, MPI_MAX);
}

/* --- making routes --- */

/* False without memory. */
bool ct_lengths_copy(const size_t *lengths, size_t count, size_t **ret_copy)
{
    *ret_copy = NULL;
    if (!lengths)
        return true;
    *ret_copy = ct_allocate(count + 1, sizeof **ret_copy);
    if (*ret_copy)
        memcpy(*ret_copy, lengths, count * sizeof **ret_copy);
    return *ret_copy;
}

static void free_lengths(struct ct_kept_routes *kept)
{
    free(kept->lengths[CT_BUFFER_SEND]);
    free(kept->lengths[CT_BUFFER_RECV]);
    kept->lengths[CT_BUFFER_SEND] = kept->lengths[CT_BUFFER_RECV] = NULL;
}

static bool keep_lengths(struct ct_kept_routes *kept, const struct ct_call *call)
{
    free_lengths(kept);
    kept->count = call->count;
    return ct_lengths_copy(call->send_counts, ct_call_blocks(call, CT_BUFFER_SEND),
                           &kept->lengths[CT_BUFFER_SEND]) &&
           ct_lengths_copy(call->recv_counts, ct_call_blocks(call, CT_BUFFER_RECV),
                           &kept->lengths[CT_BUFFER_RECV]);
}

static int set_up(struct ct_topology *topology, struct ct_kept_routes *kept, const struct ct_call *call)
{
    struct ct_error error = {{0}};
    struct ct_call own = *call;
    struct ct_neighbors neighbors = topology->neighbors;
    bool varies = ct_collectives[kept->method.algorithm->collective].varies;
    ct_routes_free(&kept->routes);
    neighbors.out_lengths = varies ? call->send_counts : NULL;
    neighbors.in_lengths = varies ? call->recv_counts : NULL;
    own.neighbors = call->neighbors ? &neighbors : NULL;
    int code = ct_set_up_code(
        ct_set_up(&kept->method, &own, topology->comm, &topology->supersteps, &error, &kept->routes));
    kept->routes.number = ct_topology_number_routes();
    return code;
}

/* An entry for the routes of the method; NULL without memory. */
static struct ct_kept_routes *reserve(struct ct_topology *topology, const struct ct_method *method)
{
    struct ct_kept_routes **place = place_of(topology, method);
    if (!*place && (*place = ct_allocate(1, sizeof **place)))
        **place = (struct ct_kept_routes){.method = *method};
    return *place;
}

static void remove_entry(struct ct_topology *topology, struct ct_kept_routes *kept)
{
    struct ct_kept_routes **place = place_of(topology, &kept->method);
    *place = kept->next;
    ct_routes_free(&kept->routes);
    free_lengths(kept);
    free(kept);
}

struct ct_method ct_sparse_direct_method(enum ct_collective collective)
{
    struct ct_method method = {.algorithm = ct_algorithm_find(collective, "linear")};
    const struct ct_descriptor *descriptor = method.algorithm->descriptor;
    for (int i = 0; i < ct_parameter_count(descriptor); i++)
        method.values[i] = ct_parameter_standard(descriptor->parameters[i]);
    return method;
}

/* Makes the communicator of set-ups, unless it is there. The ranks meet before, since those that wait for it
 * in MPI do not move calls of others. */
static int open_comm(MPI_Comm comm, struct ct_topology *topology)
{
    if (topology->comm == MPI_COMM_NULL)
        ct_meet_comm(comm);
    return ct_topology_open(comm, topology);
}

/* Decisions by the pattern are left; dense collectives have none. */
static void unsettle(struct ct_topology *topology, enum ct_collective collective)
{
    if (ct_collectives[collective].is_sparse)
        ct_pattern_choices_unsettle(topology, collective);
}

/* Counts an agreement, of which all ranks know the same. Returns whether lengths have changed since the
 * last. */
static bool count_agreement(struct ct_kept_routes *kept, const int64_t all[NUMBERS])
{
    const size_t agreed = all[BELOW] > 0 ? (size_t)all[LENGTH] : 0;
    const bool has_changed = all[CHANGES] || agreed != kept->agreed;
    kept->agreed = agreed;
    kept->alike = has_changed ? 1 : kept->alike + 1;
    kept->calls = 0;
    return has_changed;
}

int ct_sparse_call_prepare(struct ct_channel *channel, MPI_Comm comm, const struct ct_method *method,
                           struct ct_call *call, struct ct_method *ret_method)
{
    enum ct_collective collective = method->algorithm->collective;
    struct ct_topology *topology = topology_of(channel, comm, collective);
    bool varies = ct_collectives[collective].varies;
    int64_t own[NUMBERS] = {0}, all[NUMBERS];
    struct ct_kept_routes *kept = topology ? *place_of(topology, method) : NULL;
    own[CHANGES] = !kept || !is_for(kept, call);
    if (topology && !kept)
        kept = reserve(topology, method);
    own[NO_COMM] = topology && !ct_topology_may_open(topology);
    own[FAILS] = !kept || (own[CHANGES] && varies && !keep_lengths(kept, call));
    if (!varies)
        add_lengths(call, own);
    int code = agree(channel, own, all);
    if (code != MPI_SUCCESS)
        return code;
    bool has_one = all[LENGTH] == INT64_MAX - all[BELOW] || all[BELOW] == 0;
    if (all[FAILS])
        code = MPI_ERR_NO_MEM;
    else if ((!varies && (all[DIFFERS] || !has_one)) ||
             (all[CHANGES] && (all[NO_COMM] || open_comm(comm, topology) != MPI_SUCCESS))) {
        *ret_method = ct_sparse_direct_method(collective);
        call->routes = NULL;
        unsettle(topology, collective);
        if (own[CHANGES])
            remove_entry(topology, kept);
        else
            kept->alike = 0;
        return MPI_SUCCESS;
    } else if (all[CHANGES]) {
        code = set_up(topology, kept, call);
    }
    if (code != MPI_SUCCESS) {
        if (kept)
            remove_entry(topology, kept);
        return code;
    }
    if (count_agreement(kept, all))
        unsettle(topology, collective);
    if (!varies && all[BELOW] > 0)
        call->count = (size_t)all[LENGTH];
    call->routes = &kept->routes;
    *ret_method = *method;
    return MPI_SUCCESS;
}

/* --- calls after the ranks have settled --- */

/* Do all blocks of this rank have the lengths that travel along the routes? */
static bool has_routed_lengths(const struct ct_kept_routes *kept, const struct ct_call *call)
{
    size_t least, greatest;
    if (!kept->routes.counts_blocks)
        return is_for(kept, call);
    return !find_lengths(call, &least, &greatest) || (least == kept->agreed && greatest == kept->agreed);
}

/* The call goes along the routes as they are. */
static void take_routes(struct ct_kept_routes *kept, struct ct_call *call)
{
    call->routes = &kept->routes;
    if (!has_routed_lengths(kept, call)) {
        kept->routed = (struct ct_lengths){.count = kept->agreed};
        if (!kept->routes.counts_blocks)
            kept->routed = (struct ct_lengths){
                kept->count, {kept->lengths[CT_BUFFER_SEND], kept->lengths[CT_BUFFER_RECV]}};
        call->routed = &kept->routed;
    } else if (kept->routes.counts_blocks) {
        call->count = kept->agreed;
    }
}

static bool is_settled(const struct ct_kept_routes *kept)
{
    return kept && kept->alike >= CT_SETTLED_AFTER;
}

bool ct_sparse_call_is_settled(const struct ct_channel *channel, MPI_Comm comm,
                               const struct ct_method *method, struct ct_call *call)
{
    struct ct_kept_routes *kept = find_kept(channel, comm, method);
    if (!is_settled(kept))
        return false;
    take_routes(kept, call);
    return true;
}

int ct_sparse_call_follow(struct ct_channel *channel, MPI_Comm comm, const struct ct_method *method,
                          struct ct_call *call, struct ct_method *ret_method)
{
    struct ct_kept_routes *kept = find_kept(channel, comm, method);
    call->routed = NULL;
    if (!is_settled(kept) || ++kept->calls == CT_SETTLED_FOR)
        return ct_sparse_call_prepare(channel, comm, method, call, ret_method);
    take_routes(kept, call);
    *ret_method = *method;
    return MPI_SUCCESS;
}

void ct_sparse_call_settle(const struct ct_channel *channel, MPI_Comm comm, const struct ct_method *method)
{
    struct ct_kept_routes *kept = find_kept(channel, comm, method);
    if (!kept)
        return;
    kept->alike = CT_SETTLED_AFTER;
    kept->calls = 0;
}

const struct ct_routes *ct_sparse_call_routes(const struct ct_channel *channel, MPI_Comm comm,
                                              const struct ct_method *method)
{
    const struct ct_kept_routes *kept = find_kept(channel, comm, method);
    return kept ? &kept->routes : NULL;
}
