/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/sparse/consistency.h"
#include "base/memory.h"
#include "base/text.h"
#include "library/execute/channel_state.h"
#include "library/sparse/sparse_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a rank says of its call, in words: what is compared is what is printed. */
enum { DESCRIPTION = 256 };

/* Carries out a collective among the ranks of the channel, `bytes` bytes per block. */
static int exchange_by(struct ct_channel *channel, const char *spelling, const void *send, void *recv,
                       size_t bytes)
{
    struct ct_method method;
    if (ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method) != CT_OK)
        return MPI_ERR_INTERN;
    const struct ct_side from = {.buffer = (void *)send, .count = bytes, .type = MPI_BYTE},
                         to = {.buffer = recv, .count = bytes, .type = MPI_BYTE};
    return ct_execute(channel, &method, &(struct ct_operands){.send = from, .recv = to});
}

/* --- words --- */

static void describe(enum ct_collective collective, const struct ct_known_call *known,
                     char ret_words[DESCRIPTION])
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    memset(ret_words, 0, DESCRIPTION);
    int length = snprintf(ret_words, DESCRIPTION, "%s", about->name);
    if (!known) {
        snprintf(ret_words + length, DESCRIPTION - (size_t)length, " with wrong arguments");
        return;
    }
    const struct ct_call *call = &known->call;
    if (about->has_root)
        length += snprintf(ret_words + length, DESCRIPTION - (size_t)length, ", root %d", call->root);
    if (about->has_data && !about->varies && !about->is_sparse)
        length += snprintf(ret_words + length, DESCRIPTION - (size_t)length, ", %zu byte%s",
                           call->count * call->unit_bytes, ct_s(call->count * call->unit_bytes));
    if (about->reduces)
        length += snprintf(ret_words + length, DESCRIPTION - (size_t)length, " in elements of %zu%s",
                           call->unit_bytes, call->commutative ? "" : ", in the order of ranks");
    snprintf(ret_words + length, DESCRIPTION - (size_t)length, ", by %s", known->choice->spelling);
}

static const char *words_of(const char *all, int rank)
{
    return all + (size_t)rank * DESCRIPTION;
}

static bool are_same(const char *all, int size)
{
    for (int rank = 1; rank < size; rank++)
        if (strcmp(words_of(all, rank), words_of(all, 0)) != 0)
            return false;
    return true;
}

/* "0-2, 5": the ranks that say the same as `first`, which is the first of them. */
static void append_ranks(struct ct_text *text, const char *all, int size, int first)
{
    const char *words = words_of(all, first);
    int next = first + 1;
    while (next < size && strcmp(words_of(all, next), words) != 0)
        next++;
    ct_text_append(text, next < size ? "ranks " : "rank ");
    for (int rank = first; rank < size; rank++) {
        int last = rank;
        if (strcmp(words_of(all, rank), words) != 0)
            continue;
        while (last + 1 < size && strcmp(words_of(all, last + 1), words) == 0)
            last++;
        ct_text_append(text, "%s%d", rank == first ? "" : ", ", rank);
        if (last > rank)
            ct_text_append(text, "-%d", last);
        rank = last;
    }
}

static bool is_first(const char *all, int rank)
{
    for (int before = 0; before < rank; before++)
        if (strcmp(words_of(all, before), words_of(all, rank)) == 0)
            return false;
    return true;
}

/* Prints what all say. Those who say nothing are left out. */
static void report(const char *all, MPI_Comm comm, int size, unsigned long long number)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    struct ct_text text = {0};
    PMPI_Comm_get_name(comm, name, &length);
    ct_text_append(&text, "colltune: the %d ranks of %s differ in call %llu", size,
                   length > 0 ? name : "a communicator", number);
    const char *before = ": ";
    for (int rank = 0; rank < size; rank++) {
        if (!*words_of(all, rank) || !is_first(all, rank))
            continue;
        ct_text_append(&text, "%s", before);
        before = "; ";
        append_ranks(&text, all, size, rank);
        ct_text_append(&text, ": %s", words_of(all, rank));
    }
    fprintf(stderr, "%s\n", text.failed ? "colltune: the ranks of a communicator differ" : text.data);
    ct_text_free(&text);
}

/* Gathers all ranks' words and compares them. */
static int compare_words(struct ct_channel *channel, MPI_Comm comm, unsigned long long number, int size,
                         int rank, const char words[DESCRIPTION])
{
    char *all = ct_allocate((size_t)size, DESCRIPTION);
    if (!all)
        return MPI_ERR_NO_MEM;
    int code = exchange_by(channel, "allgather/bruck", words, all, DESCRIPTION);
    if (code == MPI_SUCCESS && !are_same(all, size)) {
        code = MPI_ERR_OTHER;
        if (rank == 0)
            report(all, comm, size, number);
    }
    free(all);
    return code;
}

/* --- lengths of messages from each rank to each, or to its neighbors --- */

/* Are there different lengths to compare? In the other collectives the words have the only one. */
static bool has_lengths(const struct ct_collective_description *about)
{
    return about->has_data && (about->varies || about->is_sparse);
}

/* Lengths of messages, in units: of those that this rank sends, of those that it expects, and of those that
 * are sent to it; by rank, or by neighbor. */
struct lengths {
    size_t *sent, *expected, *received;
};

/* What this rank sends to `peer`, in units. */
static size_t sent_to(const struct ct_collective_description *about, const struct ct_call *call, int peer)
{
    enum ct_contents input = about->input[ct_is_elsewhere(about, call->rank, call->root)];
    if (input == CT_CONTENTS_PARTS)
        return call->send_counts[peer];
    return input == CT_CONTENTS_NOTHING || (about->has_root && peer != call->root) ? 0 : call->count;
}

/* What this rank expects from `peer`, in units. */
static size_t expected_from(const struct ct_collective_description *about, const struct ct_call *call,
                            int peer)
{
    enum ct_contents result = about->result[ct_is_elsewhere(about, call->rank, call->root)];
    if (!about->reduces && ct_contents_are_many(result))
        return call->recv_counts[peer];
    return result == CT_CONTENTS_NOTHING || (about->has_root && peer != call->root) ? 0 : call->count;
}

/* A rank's message to itself is not compared. */
#define NOT_EXPECTED SIZE_MAX

static void fill(const struct ct_collective_description *about, const struct ct_call *call,
                 const struct lengths *lengths)
{
    for (int peer = 0; peer < call->size; peer++) {
        lengths->sent[peer] = sent_to(about, call, peer);
        lengths->expected[peer] = peer == call->rank ? NOT_EXPECTED : expected_from(about, call, peer);
    }
}

static void fill_sparse(const struct ct_call *call, const struct lengths *lengths)
{
    for (size_t i = 0; i < call->neighbors->out_count; i++)
        lengths->sent[i] = call->send_counts ? call->send_counts[i] : call->count;
    for (size_t i = 0; i < call->neighbors->in_count; i++)
        lengths->expected[i] = call->recv_counts ? call->recv_counts[i] : call->count;
}

/* Sends a number to each neighbor. The lengths of `call`, which are of the channel's memory, stay. */
static int exchange_sparse(struct ct_channel *channel, const struct ct_call *call,
                           const struct lengths *lengths)
{
    const size_t bytes = sizeof *lengths->sent;
    const struct ct_method method = ct_sparse_direct_method(CT_COLLECTIVE_NEIGHBOR_ALLTOALL);
    const struct ct_side from = {.buffer = lengths->sent, .count = bytes, .type = MPI_BYTE},
                         to = {.buffer = lengths->received, .count = bytes, .type = MPI_BYTE};
    struct ct_call own = *call;
    own.count = bytes;
    own.send_counts = own.recv_counts = NULL;
    return ct_execute_call(channel, &method, &(struct ct_operands){.send = from, .recv = to}, &own);
}

/* Says which rank sends another length than this rank expects; no words if there is none. */
static int describe_lengths(struct ct_channel *channel, enum ct_collective collective,
                            const struct ct_call *call, char ret_words[DESCRIPTION])
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    size_t sends = ct_call_blocks(call, CT_BUFFER_SEND), receives = ct_call_blocks(call, CT_BUFFER_RECV);
    size_t *numbers = ct_allocate(sends + 2 * receives, sizeof *numbers);
    const struct lengths lengths = {numbers, numbers + sends, numbers + sends + receives};
    int code;
    memset(ret_words, 0, DESCRIPTION);
    if (!numbers)
        return MPI_ERR_NO_MEM;
    if (about->is_sparse) {
        fill_sparse(call, &lengths);
        code = exchange_sparse(channel, call, &lengths);
    } else {
        fill(about, call, &lengths);
        code = exchange_by(channel, "alltoall/bruck", lengths.sent, lengths.received, sizeof *numbers);
    }
    for (size_t i = 0; code == MPI_SUCCESS && i < receives; i++) {
        if (lengths.expected[i] == NOT_EXPECTED || lengths.received[i] == lengths.expected[i])
            continue;
        snprintf(ret_words, DESCRIPTION, "%s of %zu %s from rank %d, which sends %zu", about->name,
                 lengths.expected[i], about->reduces ? "elements" : "bytes",
                 about->is_sparse ? call->neighbors->in[i] : (int)i, lengths.received[i]);
        break;
    }
    free(numbers);
    return code;
}

int ct_consistency_check(struct ct_channel *channel, MPI_Comm comm, unsigned long long number,
                         enum ct_collective collective, const struct ct_known_call *known)
{
    char words[DESCRIPTION];
    int rank, size;
    int code = PMPI_Comm_rank(comm, &rank);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_size(comm, &size);
    describe(collective, known, words);
    if (code == MPI_SUCCESS)
        code = compare_words(channel, comm, number, size, rank, words);
    if (code != MPI_SUCCESS || !known || !has_lengths(&ct_collectives[collective]))
        return code;
    code = describe_lengths(channel, collective, &known->call, words);
    return code == MPI_SUCCESS ? compare_words(channel, comm, number, size, rank, words) : code;
}
