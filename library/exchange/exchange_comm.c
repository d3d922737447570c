/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/exchange_comm.h"
#include "base/hash.h"
#include "base/memory.h"
#include "library/communicators/carrier.h"
#include "library/communicators/meeting.h"
#include "library/decide/tuner.h"
#include "library/execute/channel.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/comm_keyval.h"
#include "library/mpi/placement.h"
#include "library/mpi/yielding_calls.h"
#include "library/sparse/sparse_calls.h"

#include <stdlib.h>
#include <string.h>

enum { DELIVERY_TAG = 2, FIRST_TAG = 5 };

/* State of the process, see tuner.c. */
static struct {
    atomic_int keyval;
} state = {.keyval = MPI_KEYVAL_INVALID};

void ct_exchange_comm_release(struct ct_exchange_comm *own)
{
    if (--own->references > 0)
        return;
    ct_deliverer_free(own->deliverer);
    ct_carrier_take_context_back(own->channel);
    ct_channel_close_apart(&own->comm, &own->channel);
    free(own);
}

/* The attribute's delete function. */
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    ct_exchange_comm_release(value);
    return MPI_SUCCESS;
}

static int keyval(void)
{
    return ct_comm_keyval(&state.keyval, forget);
}

/* --- methods --- */

static void choose_methods(struct ct_exchange_comm *own)
{
    const struct ct_configuration *configuration = &ct_tuner()->configuration;
    enum ct_collective collective = CT_COLLECTIVE_NEIGHBOR_ALLTOALLV;
    bool is_forced = configuration->is_forced[collective] &&
                     ct_has_plan(configuration->forced[collective].algorithm) && !configuration->disabled;
    own->known = is_forced ? configuration->forced[collective] : ct_sparse_direct_method(collective);
    own->unknown = configuration->disabled ? ct_unknown_method_standard() : configuration->exchange;
}

/* For the comparison between ranks. */
static int64_t hash_methods(const struct ct_exchange_comm *own)
{
    char known[CT_METHOD_TEXT], unknown[CT_UNKNOWN_METHOD_TEXT];
    ct_method_format(&own->known, true, known);
    ct_unknown_method_format(&own->unknown, unknown);
    return (int64_t)(ct_hash(ct_hash(0, known, strlen(known)), unknown, strlen(unknown)) >> 1);
}

/* --- making it --- */

/* Lanes of the node, the same for all channels on the communicator. */
static int add_node(const struct ct_channel *whole, struct ct_channel *channel)
{
    int code = ct_channel_use_lanes(channel, ct_carrier_node());
    if (code == MPI_SUCCESS && whole->nodes.count > 0)
        code = ct_channel_set_nodes(channel, whole->nodes.node_of);
    ct_channel_set_context(channel, whole->context);
    ct_channel_set_policy(channel, whole->flight.messages.policy);
    return code;
}

/* Opens the whole channel, with labels of all ranks' nodes. Takes part in what is collective, whatever fails.
 */
static int open_whole(MPI_Comm comm, struct ct_exchange_comm *own, enum ct_wait_policy *policy)
{
    int size = 0;
    PMPI_Comm_size(comm, &size);
    int *labels = ct_allocate((size_t)size, sizeof *labels), spare = 0;
    int all_have = labels != NULL;
    int code = ct_yielding_allreduce(&all_have, 1, MPI_INT, MPI_MIN, comm);
    if (code == MPI_SUCCESS)
        code = ct_placement_find(comm, all_have ? labels : NULL, policy);
    int opened = ct_channel_open_apart(comm, *policy, &own->comm, &own->channel);
    code = code != MPI_SUCCESS ? code : opened;
    if (code == MPI_SUCCESS && !all_have)
        code = MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS)
        code = ct_channel_set_nodes(own->channel, labels ? labels : &spare);
    if (code == MPI_SUCCESS)
        code = ct_channel_use_lanes(own->channel, ct_carrier_node());
    if (code == MPI_SUCCESS)
        ct_carrier_give_context(own->channel);
    free(labels);
    return code;
}

/* The greatest of what ranks tell each other counts. Returns an MPI error class, the same at all ranks. */
static int agree_on_comm(MPI_Comm comm, struct ct_exchange_comm *own, int code, enum ct_wait_policy policy)
{
    enum { CODE, POLICY, CONTEXT, METHODS, OTHER_METHODS, NUMBERS };
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        PMPI_Error_class(code, &class);
    bool is_right = code == MPI_SUCCESS;
    int64_t hash = hash_methods(own);
    int64_t all[NUMBERS] = {[CODE] = class,
                            [POLICY] = (int64_t)ct_tuner_policy(policy),
                            [CONTEXT] = is_right ? (int64_t)own->channel->context : CT_NO_CONTEXT,
                            [METHODS] = hash,
                            [OTHER_METHODS] = -hash};
    int agreed = ct_yielding_allreduce(all, NUMBERS, MPI_INT64_T, MPI_MAX, comm);
    if (agreed != MPI_SUCCESS || all[CODE] != MPI_SUCCESS)
        return agreed != MPI_SUCCESS ? agreed : (int)all[CODE];
    ct_channel_set_policy(own->channel, (enum ct_wait_policy)all[POLICY]);
    ct_channel_set_context(own->channel, (unsigned)all[CONTEXT]);
    if (all[METHODS] == -all[OTHER_METHODS])
        return MPI_SUCCESS;
    own->known = ct_sparse_direct_method(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV);
    own->unknown = ct_unknown_method_standard();
    return MPI_SUCCESS;
}

/* Errors must return here and not reach the user's handler: a lack of communicators is told by our own. */
static int make_own(MPI_Comm comm, struct ct_exchange_comm **ret_own)
{
    struct ct_exchange_comm spare = {.comm = MPI_COMM_NULL}, *own = ct_allocate(1, sizeof *own);
    struct ct_exchange_comm *used = own ? own : &spare;
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    MPI_Errhandler handler;
    int code = PMPI_Comm_get_errhandler(comm, &handler);
    if (code != MPI_SUCCESS) {
        free(own);
        return code;
    }
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    *used = (struct ct_exchange_comm){.references = 1, .comm = MPI_COMM_NULL};
    choose_methods(used);
    ct_meet_comm(comm);
    code = open_whole(comm, used, &policy);
    if (code == MPI_SUCCESS && (!own || keyval() == MPI_KEYVAL_INVALID))
        code = MPI_ERR_NO_MEM;
    code = agree_on_comm(comm, used, code, policy);
    ct_unknown_method_format(&used->unknown, used->unknown_spelling);
    if (code == MPI_SUCCESS &&
        !(used->deliverer = ct_deliverer_make(&used->unknown, used->comm, DELIVERY_TAG)))
        code = MPI_ERR_NO_MEM;
    bool is_attached = code == MPI_SUCCESS && PMPI_Comm_set_attr(comm, keyval(), own) == MPI_SUCCESS;
    int all = is_attached ? MPI_SUCCESS : code != MPI_SUCCESS ? code : MPI_ERR_NO_MEM;
    if (ct_yielding_allreduce(&all, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS)
        all = MPI_ERR_INTERN;
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    if (all == MPI_SUCCESS) {
        *ret_own = own;
        return all;
    }
    if (is_attached) {
        PMPI_Comm_delete_attr(comm, keyval());
        return all;
    }
    ct_deliverer_free(used->deliverer);
    ct_carrier_take_context_back(used->channel);
    ct_channel_close_apart(&used->comm, &used->channel);
    free(own);
    return all;
}

int ct_exchange_comm_of(MPI_Comm comm, struct ct_exchange_comm **ret_own)
{
    struct ct_exchange_comm *own = NULL;
    int found = false, code = MPI_SUCCESS;
    if (keyval() != MPI_KEYVAL_INVALID)
        code = PMPI_Comm_get_attr(comm, keyval(), &own, &found);
    if (code == MPI_SUCCESS && !found)
        code = make_own(comm, &own);
    if (code == MPI_SUCCESS)
        *ret_own = own;
    return code;
}

int ct_exchange_comm_tag(struct ct_exchange_comm *own)
{
    int most = own->channel->tag_limit < CT_LANE_TAGS ? own->channel->tag_limit : CT_LANE_TAGS;
    return FIRST_TAG + (int)(own->made++ % (unsigned)(most - FIRST_TAG));
}

int ct_exchange_comm_open(const struct ct_exchange_comm *own, struct ct_channel **ret_channel)
{
    struct ct_channel *channel;
    int code = ct_channel_open(own->comm, own->channel->flight.messages.policy, &channel);
    if (code != MPI_SUCCESS)
        return code;
    code = add_node(own->channel, channel);
    if (code == MPI_SUCCESS)
        *ret_channel = channel;
    else
        ct_channel_close(channel);
    return code;
}

int ct_exchange_comm_agree(const struct ct_exchange_comm *own, int code)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int class = MPI_SUCCESS, all = MPI_ERR_INTERN;
    if (code != MPI_SUCCESS)
        PMPI_Error_class(code, &class);
    int agreed = CT_SIMULATED
                     ? PMPI_Allreduce(&class, &all, 1, MPI_INT, MPI_MAX, own->comm)
                     : ct_finish_request(
                           PMPI_Iallreduce(&class, &all, 1, MPI_INT, MPI_MAX, own->comm, &request), &request);
    return agreed == MPI_SUCCESS ? all : agreed;
}
