/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/sparse_calls.h"
#include "base/memory.h"
#include "library/error_guard.h"
#include "library/meeting.h"
#include "library/set_up.h"
#include "library/topology.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What ranks tell each other: the maximum of each number counts. Numbers are signed, since MPI_MAX of MPICH
 * 4.0.2 compares unsigned ones as if they were. */
enum {
    CHANGES, /* this rank has no routes for the call */
    FAILS,   /* it cannot go on */
    FULL,    /* it may make no communicator for the set-up */
    DIFFERS, /* it has several lengths where there must be one */
    LENGTH,  /* its only length; 0 where it has none */
    BELOW,   /* and how far that is below the largest number, so that the least length counts, too */
    NUMBERS
};

static bool has_lengths(const size_t *kept, const size_t *lengths, size_t count)
{
    return count == 0 || (kept && lengths && memcmp(kept, lengths, count * sizeof *kept) == 0);
}

static struct ct_kept_routes **find(struct ct_topology *topology, const struct ct_method *method)
{
    struct ct_kept_routes **place = &topology->routes;
    while (*place && !ct_method_equal(&(*place)->method, method))
        place = &(*place)->next;
    return place;
}

/* Are these routes those of the call, as far as this rank knows? */
static bool is_for(const struct ct_kept_routes *kept, const struct ct_call *call)
{
    return kept->routes.counts_blocks ||
           (kept->count == call->count &&
            has_lengths(kept->lengths[CT_BUFFER_SEND], call->send_counts, call->neighbors->out_count) &&
            has_lengths(kept->lengths[CT_BUFFER_RECV], call->recv_counts, call->neighbors->in_count));
}

/* --- the agreement --- */

/* All lengths of the call that mean something at this rank. */
static void add_lengths(const struct ct_call *call, int64_t numbers[NUMBERS])
{
    const struct ct_neighbors *neighbors = call->neighbors;
    if (neighbors->out_count + neighbors->in_count == 0)
        return;
    size_t least = call->count, greatest = call->count;
    const size_t *own[] = {neighbors->out_count > 0 ? call->send_counts : NULL,
                           neighbors->in_count > 0 ? call->recv_counts : NULL};
    for (int i = 0; i < 2; i++)
        if (own[i]) { /* a table of one length */
            least = own[i][0] < least ? own[i][0] : least;
            greatest = own[i][0] > greatest ? own[i][0] : greatest;
        }
    numbers[DIFFERS] = least != greatest;
    numbers[LENGTH] = (int64_t)greatest;
    numbers[BELOW] = INT64_MAX - (int64_t)least;
}

static int reduce(struct ct_channel *channel, const int64_t *own, int64_t *ret_all, size_t count, MPI_Op op)
{
    struct ct_method method;
    if (ct_method_parse("allreduce/recursive_doubling", CT_COLLECTIVES, NULL, &method) != CT_OK)
        return MPI_ERR_INTERN;
    const struct ct_operands operands = ct_reduction(own, ret_all, count, MPI_INT64_T, op, 0);
    return ct_execute(channel, &method, &operands);
}

static int agree(struct ct_channel *channel, const int64_t own[NUMBERS], int64_t ret_all[NUMBERS])
{
    return reduce(channel, own, ret_all, NUMBERS, MPI_MAX);
}

int ct_sparse_features(struct ct_channel *channel, enum ct_collective collective, const struct ct_call *call,
                       struct ct_pattern_features *ret_features)
{
    const struct ct_pattern_share own = ct_pattern_share_of(collective, call);
    struct ct_pattern_share all;
    int code = reduce(channel, own.sums, all.sums, CT_PATTERN_SUMS, MPI_SUM);
    if (code == MPI_SUCCESS)
        code = reduce(channel, own.maxima, all.maxima, CT_PATTERN_MAXIMA, MPI_MAX);
    if (code == MPI_SUCCESS)
        *ret_features = ct_pattern_features_of(&all, call->size);
    return code;
}

/* --- making routes --- */

/* False without memory. */
static bool copy(const size_t *lengths, size_t count, size_t **ret_copy)
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
    return copy(call->send_counts, call->neighbors->out_count, &kept->lengths[CT_BUFFER_SEND]) &&
           copy(call->recv_counts, call->neighbors->in_count, &kept->lengths[CT_BUFFER_RECV]);
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
    own.neighbors = &neighbors;
    int code = ct_set_up_code(
        ct_set_up(&kept->method, &own, topology->comm, &topology->supersteps, &error, &kept->routes));
    kept->routes.number = ++topology->made;
    return code;
}

/* An entry for the routes of the method; NULL without memory. */
static struct ct_kept_routes *reserve(struct ct_topology *topology, const struct ct_method *method)
{
    struct ct_kept_routes **place = find(topology, method);
    if (!*place && (*place = ct_allocate(1, sizeof **place)))
        **place = (struct ct_kept_routes){.method = *method};
    return *place;
}

static void remove_entry(struct ct_topology *topology, struct ct_kept_routes *kept)
{
    struct ct_kept_routes **place = find(topology, &kept->method);
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

int ct_sparse_call_prepare(struct ct_channel *channel, MPI_Comm comm, const struct ct_method *method,
                           struct ct_call *call, struct ct_method *ret_method)
{
    struct ct_topology *topology = channel->topology;
    enum ct_collective collective = method->algorithm->collective;
    bool varies = ct_collectives[collective].varies;
    int64_t own[NUMBERS] = {0}, all[NUMBERS];
    assert(topology);
    struct ct_kept_routes *kept = *find(topology, method);
    own[CHANGES] = !kept || !is_for(kept, call);
    kept = kept ? kept : reserve(topology, method);
    own[FULL] = !ct_topology_may_open(topology);
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
             (all[CHANGES] && (all[FULL] || open_comm(comm, topology) != MPI_SUCCESS))) {
        *ret_method = ct_sparse_direct_method(collective);
        call->routes = NULL;
        if (own[CHANGES])
            remove_entry(topology, kept);
        return MPI_SUCCESS;
    } else if (all[CHANGES]) {
        code = set_up(topology, kept, call);
    }
    if (code != MPI_SUCCESS) {
        if (kept)
            remove_entry(topology, kept);
        return code;
    }
    if (!varies && all[BELOW] > 0)
        call->count = (size_t)all[LENGTH];
    call->routes = &kept->routes;
    *ret_method = *method;
    return MPI_SUCCESS;
}

const struct ct_routes *ct_sparse_call_routes(const struct ct_channel *channel,
                                              const struct ct_method *method)
{
    const struct ct_kept_routes *kept = channel->topology ? *find(channel->topology, method) : NULL;
    return kept ? &kept->routes : NULL;
}

/* --- decisions by the pattern --- */

static struct ct_pattern_choices *choices_of(const struct ct_channel *channel, enum ct_collective collective)
{
    return &channel->topology->choices[collective - CT_DENSE_COLLECTIVES];
}

static bool are_like(const size_t *kept, const size_t *lengths, size_t count)
{
    return (kept == NULL) == (lengths == NULL) && (!kept || memcmp(kept, lengths, count * sizeof *kept) == 0);
}

static bool is_decided_for(const struct ct_pattern_choice *decided, const struct ct_call *call)
{
    return decided->choice && decided->count == call->count &&
           are_like(decided->lengths[CT_BUFFER_SEND], call->send_counts, call->neighbors->out_count) &&
           are_like(decided->lengths[CT_BUFFER_RECV], call->recv_counts, call->neighbors->in_count);
}

/* All ranks that have neighbors name the place of the decision that their lengths fit; ranks without take
 * part in any. *ret_place is CT_PATTERN_CHOICES unless all name the same one. */
static int agree_on_place(struct ct_channel *channel, const struct ct_pattern_choices *choices,
                          const struct ct_call *call, size_t *ret_place)
{
    enum { HIGHEST, LOWEST, ENDS };
    int64_t own[ENDS] = {-CT_PATTERN_CHOICES, -CT_PATTERN_CHOICES}, all[ENDS];
    size_t place = 0;
    while (place < CT_PATTERN_CHOICES && !is_decided_for(&choices->items[place], call))
        place++;
    if (call->neighbors->out_count + call->neighbors->in_count > 0) {
        own[HIGHEST] = (int64_t)place;
        own[LOWEST] = -(int64_t)place;
    }
    int code = reduce(channel, own, all, ENDS, MPI_MAX);
    if (code == MPI_SUCCESS)
        *ret_place =
            all[HIGHEST] >= 0 && all[HIGHEST] == -all[LOWEST] ? (size_t)all[HIGHEST] : CT_PATTERN_CHOICES;
    return code;
}

/* Keeps a decision. Without memory this rank keeps none, and the ranks will decide again. */
static void keep_choice(struct ct_pattern_choices *choices, const struct ct_call *described,
                        struct ct_choice *choice, const struct ct_method *method, size_t agreed_count)
{
    struct ct_pattern_choice *place = &choices->items[choices->next++ % CT_PATTERN_CHOICES];
    free(place->lengths[CT_BUFFER_SEND]);
    free(place->lengths[CT_BUFFER_RECV]);
    *place = (struct ct_pattern_choice){
        .method = *method, .count = described->count, .agreed_count = agreed_count};
    bool is_kept =
        copy(described->send_counts, described->neighbors->out_count, &place->lengths[CT_BUFFER_SEND]) &&
        copy(described->recv_counts, described->neighbors->in_count, &place->lengths[CT_BUFFER_RECV]);
    place->choice = is_kept ? choice : NULL;
}

/* Goes on as was decided for such calls. Routes of v and w forms may have been made for others since. */
static int follow(struct ct_channel *channel, MPI_Comm comm, const struct ct_pattern_choice *decided,
                  struct ct_call *call, struct ct_method *ret_method)
{
    const struct ct_method *method = &decided->method;
    *ret_method = *method;
    if (!ct_needs_routes(method))
        return MPI_SUCCESS;
    struct ct_kept_routes *kept = *find(channel->topology, method);
    if (!kept || ct_collectives[method->algorithm->collective].varies)
        return ct_sparse_call_prepare(channel, comm, method, call, ret_method);
    call->count = decided->agreed_count;
    call->routes = &kept->routes;
    return MPI_SUCCESS;
}

static int decide(struct ct_channel *channel, MPI_Comm comm, enum ct_agreement agreement,
                  enum ct_collective collective, struct ct_call *call, struct ct_choice **ret_choice,
                  struct ct_method *ret_method)
{
    const struct ct_call described = *call;
    struct ct_pattern_features features;
    int code = ct_sparse_features(channel, collective, call, &features);
    if (code != MPI_SUCCESS)
        return code;
    call->pattern = &features;
    struct ct_choice *choice = ct_tuner_decide(agreement, collective, call);
    call->pattern = NULL;
    *ret_method = choice->method;
    if (ct_needs_routes(&choice->method))
        code = ct_sparse_call_prepare(channel, comm, &choice->method, call, ret_method);
    if (code != MPI_SUCCESS)
        return code;
    keep_choice(choices_of(channel, collective), &described, choice, ret_method, call->count);
    *ret_choice = choice;
    return MPI_SUCCESS;
}

struct ct_choice *ct_sparse_call_settled(const struct ct_channel *channel, enum ct_collective collective)
{
    return choices_of(channel, collective)->settled;
}

/* Counts a decision, which all ranks have made. */
static void settle(struct ct_pattern_choices *choices, struct ct_choice *choice)
{
    choices->alike = choice == choices->last ? choices->alike + 1 : 1;
    choices->last = choice;
    if (choices->alike == CT_SETTLED_AFTER && !ct_needs_routes(&choice->method))
        choices->settled = choice;
}

int ct_sparse_call_decide(struct ct_channel *channel, MPI_Comm comm, enum ct_agreement agreement,
                          enum ct_collective collective, struct ct_call *call, struct ct_choice **ret_choice,
                          struct ct_method *ret_method)
{
    struct ct_pattern_choices *choices = choices_of(channel, collective);
    size_t place;
    call->routes = NULL;
    if (choices->settled) {
        *ret_choice = choices->settled;
        *ret_method = choices->settled->method;
        return MPI_SUCCESS;
    }
    int code = agree_on_place(channel, choices, call, &place);
    if (code != MPI_SUCCESS)
        return code;
    if (place == CT_PATTERN_CHOICES) {
        code = decide(channel, comm, agreement, collective, call, ret_choice, ret_method);
    } else {
        *ret_choice = choices->items[place].choice;
        code = follow(channel, comm, &choices->items[place], call, ret_method);
    }
    if (code == MPI_SUCCESS)
        settle(choices, *ret_choice);
    return code;
}
