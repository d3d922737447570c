/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/sparse/pattern_choices.h"
#include "library/decide/settled_choices.h"
#include "library/execute/topology.h"
#include "library/sparse/sparse_calls.h"
#include "plan/pattern_share.h"

#include <stdlib.h>

int ct_pattern_features_agree(struct ct_channel *channel, enum ct_collective collective,
                              const struct ct_call *call, struct ct_pattern_features *ret_features)
{
    const struct ct_pattern_share own = ct_pattern_share_of(collective, call);
    struct ct_pattern_share all;
    int code = ct_sparse_reduce(channel, own.sums, all.sums, CT_PATTERN_SUMS, MPI_SUM);
    if (code == MPI_SUCCESS)
        code = ct_sparse_reduce(channel, own.maxima, all.maxima, CT_PATTERN_MAXIMA, MPI_MAX);
    if (code == MPI_SUCCESS)
        *ret_features = ct_pattern_features_of(&all, call->size);
    return code;
}

static bool is_decided_for(const struct ct_pattern_choice *decided, const struct ct_call *call)
{
    return decided->choice && decided->count == call->count &&
           ct_lengths_are_like(decided->lengths[CT_BUFFER_SEND], call->send_counts,
                               call->neighbors->out_count) &&
           ct_lengths_are_like(decided->lengths[CT_BUFFER_RECV], call->recv_counts,
                               call->neighbors->in_count);
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
    int code = ct_sparse_reduce(channel, own, all, ENDS, MPI_MAX);
    if (code == MPI_SUCCESS)
        *ret_place =
            all[HIGHEST] >= 0 && all[HIGHEST] == -all[LOWEST] ? (size_t)all[HIGHEST] : CT_PATTERN_CHOICES;
    return code;
}

/* Keeps a decision. Without memory this rank keeps none, and the ranks will decide again. */
static void keep_choice(struct ct_pattern_choices *choices, const struct ct_call *described,
                        const struct ct_pattern_features *features, struct ct_choice *choice,
                        const struct ct_method *method, size_t agreed_count)
{
    struct ct_pattern_choice *place = &choices->items[choices->next++ % CT_PATTERN_CHOICES];
    free(place->lengths[CT_BUFFER_SEND]);
    free(place->lengths[CT_BUFFER_RECV]);
    *place = (struct ct_pattern_choice){
        .method = *method, .count = described->count, .agreed_count = agreed_count, .features = *features};
    bool is_kept = ct_lengths_copy(described->send_counts, described->neighbors->out_count,
                                   &place->lengths[CT_BUFFER_SEND]) &&
                   ct_lengths_copy(described->recv_counts, described->neighbors->in_count,
                                   &place->lengths[CT_BUFFER_RECV]);
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
    const struct ct_routes *routes = ct_sparse_call_routes(channel, comm, method);
    if (!routes || ct_collectives[method->algorithm->collective].varies)
        return ct_sparse_call_prepare(channel, comm, method, call, ret_method);
    call->count = decided->agreed_count;
    call->routes = routes;
    return MPI_SUCCESS;
}

static int decide(struct ct_channel *channel, MPI_Comm comm, enum ct_agreement agreement,
                  enum ct_collective collective, struct ct_call *call, struct ct_choice **ret_choice,
                  struct ct_method *ret_method)
{
    const struct ct_call described = *call;
    struct ct_pattern_features features;
    int code = ct_pattern_features_agree(channel, collective, call, &features);
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
    keep_choice(ct_pattern_choices_of(channel->topology, collective), &described, &features, choice,
                ret_method, call->count);
    ct_pattern_choices_of(channel->topology, collective)->features = features;
    *ret_choice = choice;
    return MPI_SUCCESS;
}

struct ct_choice *ct_pattern_choice_nonblocking(const struct ct_topology *topology,
                                                enum ct_agreement agreement, enum ct_collective collective,
                                                const struct ct_call *call)
{
    const struct ct_pattern_choices *choices = ct_pattern_choices_of(topology, collective);
    struct ct_call own = *call;
    own.pattern = &choices->features;
    return choices->settled ? ct_tuner_decide(agreement, collective, &own) : ct_tuner_native(collective);
}

int ct_pattern_choice_make(struct ct_channel *channel, MPI_Comm comm, enum ct_agreement agreement,
                           enum ct_collective collective, struct ct_call *call, struct ct_choice **ret_choice,
                           struct ct_method *ret_method)
{
    struct ct_pattern_choices *choices = ct_pattern_choices_of(channel->topology, collective);
    size_t place;
    call->routes = NULL;
    call->routed = NULL;
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
        choices->features = choices->items[place].features;
        code = follow(channel, comm, &choices->items[place], call, ret_method);
    }
    if (code == MPI_SUCCESS)
        ct_pattern_choices_settle(choices, *ret_choice);
    return code;
}
