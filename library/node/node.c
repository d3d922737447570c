/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/node.h"
#include "base/memory.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/yielding_calls.h"
#include "library/node/common_memory.h"
#include "library/node/doze.h"
#include "library/node/shown_calls.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

struct ct_node {
    MPI_Group group;   /* of the communicator of which the node is a part */
    MPI_Comm comm;     /* of the ranks of the node */
    MPI_Request never; /* a receive from this rank itself, which sends nothing */
    int rank;          /* in `comm` */
    int size;
    struct ct_node_wishes wishes; /* of this rank */
    uint64_t secret;              /* see struct part */
    _Atomic uint32_t *asleep;     /* this rank's; NULL: the ranks of this node do not sleep */
    pthread_mutex_t lock;
    struct ct_common_memory memory;
    int *places;                   /* by rank of the communicator: its rank in `comm`, or MPI_UNDEFINED */
    struct ct_lane *lanes;         /* by rank in `comm`; that of this rank is not used */
    struct ct_board board;         /* this rank's */
    struct ct_call_counts *counts; /* see struct ct_lane */
    unsigned shown;                /* of them */
};

enum {
    PART_HEAD = CT_PAGE,
    TOKEN_BASE = 0x636f6c6d /* changes with what is in the memory */
};

/* A rank's part of the memory: first this, then one share for each rank that sends to it, in which the reader
 * has the ring and its chunks, and at the end the rank's board, if more than one rank can read it. The rank
 * touches all of it first, so that it is near its CPU. */
struct part {
    uint64_t token; /* that only ranks with common memory can see */
    uint64_t rank;
    uint64_t process;
    uint64_t secret;         /* that only the memory of the process has, too */
    uint64_t address;        /* of the secret there */
    _Atomic uint32_t asleep; /* see doze.h */
    struct ct_shown_calls shown;
};
static_assert(sizeof(struct part) <= PART_HEAD, "a part begins with one page");

/* Of equal length: those of all ranks, and the board. */
static size_t shares(int size)
{
    enum { BOARD_FROM = 3 };
    return (size_t)size + (size >= BOARD_FROM);
}

/* A rank's part of the memory stays within 1 MiB for 128 ranks, and a ring needs a few chunks. */
static size_t share_bytes(int size)
{
    enum { ALL = (1 << 20) - PART_HEAD - CT_PAGE, LEAST = 8064, MOST = 512 << 10 };
    size_t share = ALL / shares(size);
    share = share < LEAST ? LEAST : share;
    share = share > MOST ? MOST : share;
    return share / CT_LINE * CT_LINE;
}

static size_t part_bytes(int size)
{
    return (PART_HEAD + share_bytes(size) * shares(size) + CT_PAGE - 1) / CT_PAGE * CT_PAGE;
}

static struct part *part_of(const struct ct_node *node, int rank)
{
    return (struct part *)(void *)node->memory.parts[rank];
}

/* The side of the ring in the part of one rank that another one writes. */
static struct ct_ring_side side_of(const struct ct_node *node, unsigned char *part, int writer)
{
    size_t share = share_bytes(node->size);
    unsigned char *place = part + PART_HEAD + share * (size_t)writer;
    struct ct_ring_side side = {.ring = (struct ct_ring *)(void *)place,
                                .chunks = place + sizeof(struct ct_ring)};
    ct_ring_divide(share, &side.chunk_bytes, &side.chunk_count);
    return side;
}

static uint64_t token_of(int rank)
{
    return (uint64_t)TOKEN_BASE << 32 | (uint64_t)rank;
}

/* Can this process read the memory of that one? A process of another container may have the same number. */
static bool can_read(const struct part *part)
{
    uint64_t secret = 0;
    struct iovec local = {&secret, sizeof secret}, remote = {(void *)(uintptr_t)part->address, sizeof secret};
    return process_vm_readv((pid_t)part->process, &local, 1, &remote, 1, 0) == (ssize_t)sizeof secret &&
           secret == part->secret;
}

/* The board in the part of a rank; NULL: there is none. */
static unsigned char *board_of(const struct ct_node *node, unsigned char *part)
{
    size_t size = (size_t)node->size;
    return shares(node->size) > size ? part + PART_HEAD + share_bytes(node->size) * size : NULL;
}

/* Lets all lanes use this rank's board. A slot has room for any piece. Without memory there is none. */
static void make_board(struct ct_node *node, unsigned char *own)
{
    unsigned char *memory = board_of(node, own);
    if (!memory || node->wishes.plain ||
        ct_board_make(memory, share_bytes(node->size), node->lanes[0].out.chunk_bytes, (unsigned)node->size,
                      &node->board) != CT_OK)
        return;
    for (int i = 0; i < node->size; i++)
        node->lanes[i].board = &node->board;
}

/* Makes the lanes to the other ranks. False if a rank's memory is not what this rank sees. */
static bool make_lanes(struct ct_node *node, bool sleeps, bool *ret_reads)
{
    unsigned char *own = node->memory.parts[node->rank];
    *ret_reads = true;
    node->asleep = sleeps ? &part_of(node, node->rank)->asleep : NULL;
    for (int i = 0; i < node->size; i++) {
        unsigned char *other = node->memory.parts[i];
        struct part *part = part_of(node, i);
        if (part->token != token_of(i) || part->rank != (uint64_t)i)
            return false;
        struct ct_ring_side out = side_of(node, other, node->rank), in = side_of(node, own, i);
        ct_lane_make(&node->lanes[i], &out, &in);
        node->lanes[i].other_board = board_of(node, other);
        node->lanes[i].process = (pid_t)part->process;
        node->lanes[i].decides = node->rank < i;
        node->lanes[i].asleep = sleeps ? &part->asleep : NULL;
        *ret_reads = *ret_reads && (i == node->rank || can_read(part));
    }
    make_board(node, own);
    return true;
}

/* What others look for. */
static struct part signature(struct ct_node *node)
{
    if (getrandom(&node->secret, sizeof node->secret, 0) != (ssize_t)sizeof node->secret)
        node->secret = (uint64_t)(uintptr_t)node ^ (uint64_t)getpid() << 32;
    return (struct part){.token = token_of(node->rank),
                         .rank = (uint64_t)node->rank,
                         .process = (uint64_t)getpid(),
                         .secret = node->secret,
                         .address = (uint64_t)(uintptr_t)&node->secret};
}

static void close_all(struct ct_node *node)
{
    if (node->counts) /* they last longer than the memory */
        ct_call_counts_hide(node->counts);
    for (int i = 0; node->lanes && i < node->size; i++)
        ct_lane_free(&node->lanes[i]);
    pthread_mutex_destroy(&node->lock);
    if (node->never != MPI_REQUEST_NULL) {
        PMPI_Cancel(&node->never);
        PMPI_Wait(&node->never, MPI_STATUS_IGNORE);
    }
    ct_common_memory_free(&node->memory);
    if (node->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&node->comm);
    if (node->group != MPI_GROUP_NULL)
        PMPI_Group_free(&node->group);
    ct_board_free(&node->board);
    free(node->lanes);
    free(node->places);
    node->lanes = NULL;
}

/* Finds where the ranks of the communicator are. False without memory. */
static bool find_places(MPI_Comm comm, struct ct_node *node)
{
    MPI_Group here;
    int size = 0;
    PMPI_Comm_size(comm, &size);
    if (size > CT_LANE_RANKS || PMPI_Comm_group(comm, &node->group) != MPI_SUCCESS)
        return false;
    int *numbers = ct_allocate((size_t)size, sizeof *numbers);
    node->places = ct_allocate((size_t)size, sizeof *node->places);
    node->lanes = ct_allocate_lines((size_t)node->size, sizeof *node->lanes);
    bool done = ct_common_memory_allocate(node->size, part_bytes(node->size), &node->memory) && numbers &&
                node->places && node->lanes;
    if (done) {
        memset(node->lanes, 0, (size_t)node->size * sizeof *node->lanes);
        for (int i = 0; i < size; i++)
            numbers[i] = i;
        PMPI_Comm_group(node->comm, &here);
        done = PMPI_Group_translate_ranks(node->group, size, numbers, here, node->places) == MPI_SUCCESS;
        PMPI_Group_free(&here);
    }
    free(numbers);
    return done;
}

/* Knows the ranks of the node. False if there is none but this one. */
static bool know_ranks(MPI_Comm here, struct ct_node *node)
{
    node->comm = here;
    PMPI_Comm_set_errhandler(here, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(here, &node->rank);
    PMPI_Comm_size(here, &node->size);
    return node->size > 1;
}

/* Ranks that share CPUs cannot tell times of messages from times without a CPU. */
static void set_ways(struct ct_lane *lane, bool sleeps, bool copies, bool pauses)
{
    if (copies)
        lane->copy_from = sleeps ? CT_COPY_FROM_SHARING : CT_COPY_FROM;
    lane->learns_ways = !sleeps;
    lane->arrival.can_copy = copies;
    lane->pauses = pauses;
}

/* Makes the memory and the lanes, at all ranks of the node or at none. */
static bool connect(struct ct_node *node, bool is_able)
{
    enum { ABLE, READS, SAYS };
    int says[SAYS] = {is_able, !node->wishes.sleep};
    ct_yielding_agree(says, SAYS, node->comm);
    if (!says[ABLE])
        return false;
    bool sleeps = !says[READS], reads = false;
    const struct part head = signature(node);
    says[ABLE] = ct_common_memory_make(node->comm, &head, sizeof head, &node->memory) &&
                 make_lanes(node, sleeps, &reads) &&
                 PMPI_Irecv(NULL, 0, MPI_BYTE, node->rank, 0, node->comm, &node->never) == MPI_SUCCESS;
    says[READS] = reads;
    ct_yielding_agree(says, SAYS, node->comm);
    const bool pauses = !sleeps && ct_pause_is_short();
    for (int i = 0; says[ABLE] && i < node->size; i++)
        set_ways(&node->lanes[i], sleeps, says[READS], pauses);
    return says[ABLE];
}

struct ct_node *ct_node_open(MPI_Comm comm, MPI_Comm here, const struct ct_node_wishes *wishes)
{
    if (here == MPI_COMM_NULL)
        return NULL;
    if (CT_SIMULATED) {
        PMPI_Comm_free(&here);
        return NULL;
    }
    struct ct_node none = {.group = MPI_GROUP_NULL,
                           .comm = MPI_COMM_NULL,
                           .memory = {.window = MPI_WIN_NULL},
                           .never = MPI_REQUEST_NULL,
                           .wishes = *wishes},
                   *node = malloc(sizeof *node);
    struct ct_node *made = node ? node : &none; /* without memory this rank still takes part */
    *made = none;
    pthread_mutex_init(&made->lock, NULL);
    if (know_ranks(here, made) && connect(made, node && wishes->lanes && find_places(comm, made)))
        return node;
    close_all(made);
    free(node);
    return NULL;
}

void ct_node_close(struct ct_node *node)
{
    if (node)
        close_all(node);
}

void ct_node_pause(const struct ct_node *node)
{
    if (node->lanes[0].pauses)
        ct_pause();
}

bool ct_node_sleeps(const struct ct_node *node)
{
    return node->asleep && !node->wishes.many_threads;
}

void ct_node_sleep(struct ct_node *node, bool *is_announced)
{
    if (*is_announced)
        ct_doze(node->asleep);
    else
        ct_doze_announce(node->asleep);
    *is_announced = !*is_announced;
}

/* A test of a receive moves all that a wait would; PMPI_Iprobe() does not move one-sided operations. */
void ct_node_let_mpi_work(struct ct_node *node)
{
    int done;
    ct_node_lock(node);
    PMPI_Test(&node->never, &done, MPI_STATUS_IGNORE);
    ct_node_unlock(node);
}

__attribute__((always_inline)) inline bool ct_node_is_quick(const struct ct_node *node)
{
    return node->lanes && !node->wishes.many_threads;
}

void ct_node_lock(struct ct_node *node)
{
    if (node->wishes.many_threads)
        pthread_mutex_lock(&node->lock);
}

void ct_node_unlock(struct ct_node *node)
{
    if (node->wishes.many_threads)
        pthread_mutex_unlock(&node->lock);
}

struct ct_lane *ct_node_lane(struct ct_node *node, int rank)
{
    int place = node->lanes ? node->places[rank] : MPI_UNDEFINED;
    return place == MPI_UNDEFINED || place == node->rank ? NULL : &node->lanes[place];
}

bool ct_node_counts_arrivals(const struct ct_node *node)
{
    return node->lanes && node->size <= CT_SHOWN_RANKS;
}

static struct ct_shown_calls *shown_of(const struct ct_node *node, int rank)
{
    return &part_of(node, rank)->shown;
}

void ct_node_arrive(struct ct_node *node, int rank)
{
    ct_shown_arrive(shown_of(node, node->rank), node->places[rank]);
}

bool ct_node_has_arrived(const struct ct_node *node, int rank)
{
    const int place = node->places[rank];
    return ct_shown_has_arrived(shown_of(node, node->rank), node->rank, shown_of(node, place), place);
}

void ct_node_set_counts(struct ct_node *node, struct ct_call_counts *counts)
{
    if (!node)
        return;
    node->counts = counts;
    for (int i = 0; i < node->size; i++)
        node->lanes[i].counts = counts;
}

void ct_node_show_count(struct ct_node *node, struct ct_call_count *count)
{
    if (node && node->lanes && node->shown < CT_SHOWN_SETS)
        ct_shown_add(shown_of(node, node->rank), node->shown++, count);
}

bool ct_node_has_left(const struct ct_node *node, int rank, const struct ct_lane_call *call)
{
    return ct_shown_has_left(shown_of(node, node->places[rank]), call);
}

static void tell_left(struct ct_node *node, struct ct_call_count *count)
{
    bool are_told = true;
    for (int i = 0; i < count->size; i++) {
        struct ct_lane *lane = ct_node_lane(node, count->ranks[i]);
        are_told = (!lane || ct_lane_announce(lane, ct_count_label(count), true)) && are_told;
    }
    if (are_told)
        count->told = count->number;
}

void ct_node_tell_left(struct ct_node *node, const struct ct_lane_call *call)
{
    for (int i = 0; node->counts && i < CT_CALL_BUCKETS; i++)
        for (struct ct_call_count *count = node->counts->buckets[i]; count; count = count->next)
            if (count->ranks && count->told != count->number &&
                ((ct_count_label(count) ^ call->label) & ~call->numbers) != 0)
                tell_left(node, count);
}

void ct_node_tidy(struct ct_node *node, const struct ct_lane_call *call)
{
    for (int i = 0; node->lanes && i < node->size; i++)
        if (i != node->rank)
            ct_lane_tidy(&node->lanes[i], call);
}

size_t ct_node_copy_from(const struct ct_node *node)
{
    return node->lanes ? node->lanes[0].copy_from : SIZE_MAX;
}

bool ct_node_fuses(const struct ct_node *node)
{
    return node->lanes && !node->wishes.plain;
}

uint64_t ct_node_begin_groups(struct ct_node *node)
{
    ct_node_lock(node);
    uint64_t first = node->board.groups + 1;
    node->board.groups += CT_NODE_GROUPS;
    ct_node_unlock(node);
    return first;
}

uint64_t ct_node_copied(const struct ct_node *node)
{
    uint64_t bytes = 0;
    for (int i = 0; node->lanes && i < node->size; i++)
        bytes += node->lanes[i].copied;
    return bytes;
}

int ct_node_ranks(struct ct_node *node, MPI_Comm comm, int size, int *ret_ranks, bool *ret_belong)
{
    MPI_Group group;
    int *numbers = ct_allocate((size_t)size, sizeof *numbers);
    int code = numbers ? PMPI_Comm_group(comm, &group) : MPI_ERR_NO_MEM;
    for (int i = 0; numbers && i < size; i++)
        numbers[i] = i;
    if (code == MPI_SUCCESS) {
        code = PMPI_Group_translate_ranks(group, size, numbers, node->group, ret_ranks);
        PMPI_Group_free(&group);
    }
    free(numbers);
    bool belong = code == MPI_SUCCESS;
    for (int i = 0; belong && i < size; i++)
        belong = ret_ranks[i] != MPI_UNDEFINED;
    if (code == MPI_SUCCESS)
        *ret_belong = belong;
    return code;
}
