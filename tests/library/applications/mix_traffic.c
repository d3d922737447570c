/* SPDX-License-Identifier: BSD-3-Clause */
#include "mix.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 70000, KINDS = 6 };

/* Length, tag and contents of the message `which` (0..3) that a rank sends in a round: all can be told from
 * tag and source, so that a receiver can check whatever comes. */
static int length_of(int round, int which)
{
    static const int lengths[KINDS] = {0, 1, 24, 1000, 9000, LONGEST};
    return lengths[(round + which * 5) % KINDS];
}

static int tag_of(int round, int which)
{
    return (round % 1000) * 4 + which;
}

static void fill(unsigned char *bytes, int length, int source, int tag)
{
    for (int i = 0; i < length; i++)
        bytes[i] = (unsigned char)mix_value((uint64_t)source * 65536 + (uint64_t)tag, (uint64_t)i);
}

/* The checksum of one message, once it is known to be one of this round. */
static uint64_t check(const struct mix_traffic *traffic, const unsigned char *bytes, const MPI_Status *status)
{
    int length, which = status->MPI_TAG % 4;
    MPI_Get_count(status, MPI_BYTE, &length);
    if (status->MPI_TAG / 4 != traffic->round % 1000 || length != length_of(traffic->round, which))
        mix_fail("a message arrived that nobody sent", "traffic");
    unsigned char *wanted = mix_allocate(LONGEST);
    fill(wanted, length, status->MPI_SOURCE, status->MPI_TAG);
    if (memcmp(wanted, bytes, (size_t)length) != 0)
        mix_fail("a message arrived with other contents than were sent", "traffic");
    free(wanted);
    return mix_value(mix_hash((uint64_t)status->MPI_SOURCE, bytes, (size_t)length),
                     (uint64_t)status->MPI_TAG);
}

/* Whom message `which` goes to: by shifts, so that each rank gets one of each; over an intercommunicator only
 * ranks that have a partner take part. */
static int destination(MPI_Comm comm, int round, int which)
{
    int inter, rank, size, remote;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (inter) {
        MPI_Comm_remote_size(comm, &remote);
        return rank < remote ? rank : MPI_PROC_NULL;
    }
    return (rank + (which % 2 ? 1 : round)) % size;
}

static void send_half(struct mix_traffic *traffic, int half)
{
    int rank;
    MPI_Comm_rank(traffic->comm, &rank);
    for (int which = 2 * half; which < 2 * half + 2; which++) {
        int tag = tag_of(traffic->round, which);
        int length = length_of(traffic->round, which);
        traffic->sent[which] = mix_allocate(LONGEST);
        fill(traffic->sent[which], length, rank, tag);
        MPI_Isend(traffic->sent[which], length, MPI_BYTE, destination(traffic->comm, traffic->round, which),
                  tag, traffic->comm, &traffic->sends[which]);
    }
}

/* Two messages are caught by receives posted before the collective, two by probing after it; which ones is
 * left to MPI. */
void mix_begin(struct mix_traffic *traffic, MPI_Comm comm, int round)
{
    traffic->comm = comm;
    traffic->round = round;
    traffic->expected = destination(comm, round, 0) == MPI_PROC_NULL ? 0 : 2;
    traffic->received = mix_allocate(2 * (size_t)LONGEST);
    for (int i = 0; i < traffic->expected; i++)
        MPI_Irecv(traffic->received + (size_t)i * LONGEST, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
                  comm, &traffic->receives[i]);
    send_half(traffic, 0);
}

uint64_t mix_end(struct mix_traffic *traffic)
{
    uint64_t sum = 0;
    MPI_Status status;
    send_half(traffic, 1);
    for (int i = 0; i < traffic->expected; i++) {
        mix_wait(&traffic->receives[i], &status);
        sum += check(traffic, traffic->received + (size_t)i * LONGEST, &status);
    }
    for (int i = 0; i < traffic->expected; i++) {
        int found = 0;
        while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, traffic->comm, &found, &status) == MPI_SUCCESS &&
               !found)
            sched_yield();
        MPI_Request request;
        MPI_Irecv(traffic->received, LONGEST, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, traffic->comm,
                  &request);
        mix_wait(&request, &status);
        sum += check(traffic, traffic->received, &status);
    }
    for (int i = 0; i < 4; i++) {
        mix_wait(&traffic->sends[i], MPI_STATUS_IGNORE);
        free(traffic->sent[i]);
    }
    free(traffic->received);
    return sum;
}
