/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/set_up.h"
#include "base/memory.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/split_barrier.h"
#include "library/mpi/backend_mpi.h"

#include <limits.h>
#include <stdlib.h>

/* A rank may be one superstep ahead of another one, never two: so two tags tell the letters apart. */
enum { TAGS = 2, BARRIER_TAG = TAGS };

/* A rank that fails tells all ranks so: its state is beyond those of a set-up. Of several failures the
 * greatest counts. */
enum { FAILED = CT_ROUTING_PREPARES + 1 };
static const int failures[] = {CT_E_SYSTEM, CT_E_MEMORY, CT_E_LIMIT, CT_E_INPUT};
enum { FAILURES = sizeof failures / sizeof failures[0] };

struct set_up {
    MPI_Comm comm;
    struct ct_routing *routing;
    struct ct_letters inbox;
    struct ct_letters outbox;
    MPI_Request *requests; /* of the letters in the outbox */
    size_t request_capacity;
    int status;           /* of this rank; it goes on, since the others wait for it, but does no more work */
    bool is_cut;          /* MPI itself has failed: this rank cannot even go on */
    unsigned *supersteps; /* that the communicator has carried */
    struct ct_error *error;
};

static void fail(struct set_up *set_up, int status)
{
    if (set_up->status == CT_OK)
        set_up->status = status;
}

static bool is_done(struct set_up *set_up, int code)
{
    if (code == MPI_SUCCESS)
        return true;
    set_up->is_cut = true;
    fail(set_up, ct_fail(set_up->error, CT_E_SYSTEM, "set-up: a message cannot be sent or received"));
    return false;
}

static int state_of(int status, enum ct_routing_state state)
{
    if (status == CT_OK)
        return (int)state;
    for (int i = 0; i < FAILURES; i++)
        if (failures[i] == status)
            return FAILED + i;
    return FAILED;
}

/* --- letters --- */

/* Begins to send the letters of the outbox. Returns how many there are. */
static int send_letters(struct set_up *set_up, int tag)
{
    const struct ct_letters *outbox = &set_up->outbox;
    int begun = 0;
    fail(set_up,
         ct_grow(&set_up->requests, &set_up->request_capacity, outbox->count + 1, sizeof *set_up->requests));
    for (size_t i = 0; i < outbox->count && set_up->status == CT_OK; i++) {
        const struct ct_letter *letter = &outbox->items[i];
        if (letter->count > INT_MAX || begun == INT_MAX)
            fail(set_up, ct_fail(set_up->error, CT_E_LIMIT, "set-up: more than %d numbers for rank %d",
                                 INT_MAX, letter->rank));
        else if (is_done(set_up,
                         PMPI_Issend(outbox->numbers + letter->begin, (int)letter->count, MPI_UINT64_T,
                                     letter->rank, tag, set_up->comm, &set_up->requests[begun])))
            begun++;
    }
    return begun;
}

/* Makes room for a letter and returns it; NULL without memory, or where letters are no longer read. */
static uint64_t *make_room(struct set_up *set_up, int sender, size_t count)
{
    struct ct_letters *inbox = &set_up->inbox;
    if (set_up->status == CT_OK)
        fail(set_up, ct_letter_begin(inbox, sender));
    if (set_up->status == CT_OK)
        fail(set_up, ct_grow(&inbox->numbers, &inbox->number_capacity, inbox->number_count + count + 1,
                             sizeof *inbox->numbers));
    if (set_up->status != CT_OK)
        return NULL;
    uint64_t *room = inbox->numbers + inbox->number_count;
    inbox->number_count += count;
    inbox->items[inbox->count - 1].count = count;
    return room;
}

/* Receives a letter, if there is one. Its sender waits for that, so a rank that cannot keep it receives it in
 * no room at all. */
static bool receive_letter(struct set_up *set_up, int tag)
{
    MPI_Status status;
    int found = false, count;
    if (!is_done(set_up, PMPI_Iprobe(MPI_ANY_SOURCE, tag, set_up->comm, &found, &status)) || !found ||
        !is_done(set_up, PMPI_Get_count(&status, MPI_UINT64_T, &count)))
        return false;
    uint64_t *room = make_room(set_up, status.MPI_SOURCE, (size_t)count);
    int code = PMPI_Recv(room, room ? count : 0, MPI_UINT64_T, status.MPI_SOURCE, tag, set_up->comm,
                         MPI_STATUS_IGNORE);
    if (room)
        is_done(set_up, code);
    return true;
}

/* --- supersteps --- */

/* The agreement on the greatest state of all ranks, in two phases. SMPI's non-blocking reductions send a
 * message for each pair of ranks, so there a barrier goes before a blocking one. */
struct agreement {
    int own;
    MPI_Request request;
    struct ct_split_barrier barrier;
};

static int begin_agreement(const struct set_up *set_up, int own, struct agreement *agreement, int *ret_all)
{
    agreement->own = own;
    if (CT_SIMULATED)
        return ct_split_barrier_enter(set_up->comm, BARRIER_TAG, &agreement->barrier);
    return PMPI_Iallreduce(&agreement->own, ret_all, 1, MPI_INT, MPI_MAX, set_up->comm, &agreement->request);
}

static int test_agreement(const struct set_up *set_up, struct agreement *agreement, int *ret_all,
                          int *ret_is_agreed)
{
    if (!CT_SIMULATED)
        return PMPI_Test(&agreement->request, ret_is_agreed, MPI_STATUS_IGNORE);
    int code = ct_split_barrier_test(&agreement->barrier, ret_is_agreed);
    if (code != MPI_SUCCESS || !*ret_is_agreed)
        return code;
    return PMPI_Allreduce(&agreement->own, ret_all, 1, MPI_INT, MPI_MAX, set_up->comm);
}

/* Sends the letters, receives those of others, and finds the greatest state of all ranks. */
static void exchange_states(struct set_up *set_up, int tag, int own, int *ret_all)
{
    struct ct_patience patience = ct_progress_begin_wait();
    struct agreement agreement = {.request = MPI_REQUEST_NULL};
    int sends = send_letters(set_up, tag), are_sent = false, is_agreed = false;
    ct_letters_clear(&set_up->inbox);
    while (!is_agreed && !set_up->is_cut) {
        bool has_received = receive_letter(set_up, tag);
        if (!are_sent &&
            is_done(set_up, PMPI_Testall(sends, set_up->requests, &are_sent, MPI_STATUSES_IGNORE)) &&
            are_sent) {
            own = set_up->status == CT_OK ? own : state_of(set_up->status, CT_ROUTING_DONE);
            is_done(set_up, begin_agreement(set_up, own, &agreement, ret_all));
        } else if (are_sent) {
            is_done(set_up, test_agreement(set_up, &agreement, ret_all, &is_agreed));
        }
        if (!has_received && !is_agreed)
            ct_progress_pass_time(&patience);
    }
    ct_letters_sort(&set_up->inbox);
}

static int run(struct set_up *set_up)
{
    int all = CT_ROUTING_PREPARES;
    while (all != CT_ROUTING_DONE) {
        enum ct_routing_state state = CT_ROUTING_DONE;
        ct_letters_clear(&set_up->outbox);
        if (set_up->status == CT_OK)
            fail(set_up, ct_routing_step(set_up->routing, (enum ct_routing_state)all, &set_up->inbox,
                                         &set_up->outbox, &state, set_up->error));
        if (set_up->status != CT_OK)
            ct_letters_clear(&set_up->outbox);
        exchange_states(set_up, (int)((*set_up->supersteps)++ % TAGS), state_of(set_up->status, state), &all);
        if (set_up->is_cut)
            return CT_E_SYSTEM;
        if (all >= FAILED)
            return failures[all - FAILED];
    }
    return CT_OK;
}

int ct_set_up(const struct ct_method *method, struct ct_call *call, MPI_Comm comm, unsigned *supersteps,
              struct ct_error *error, struct ct_routes *ret_routes)
{
    struct set_up set_up = {.comm = comm, .status = CT_OK, .supersteps = supersteps, .error = error};
    struct ct_routes routes = {0};
    fail(&set_up, ct_routing_begin(method, call, &routes, &set_up.routing));
    int status = run(&set_up);
    if (status == CT_OK)
        *ret_routes = routes;
    else
        ct_routes_free(&routes);
    ct_routing_free(set_up.routing);
    ct_letters_free(&set_up.inbox);
    ct_letters_free(&set_up.outbox);
    free(set_up.requests);
    return status;
}

int ct_set_up_code(int status)
{
    return status == CT_OK         ? MPI_SUCCESS
           : status == CT_E_INPUT  ? MPI_ERR_TRUNCATE
           : status == CT_E_MEMORY ? MPI_ERR_NO_MEM
                                   : MPI_ERR_INTERN;
}
