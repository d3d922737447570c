/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/buffered_messages.h"
#include "library/communicators/meeting.h"
#include "library/communicators/packed_copy.h"

#include <stdlib.h>

struct message {
    struct message *next;
    MPI_Request request;
    void *packed;
    MPI_Count room;
};

/* State of the process, see tuner.c. Only one thread at a time comes here, see meeting.c. */
static struct {
    MPI_Count free; /* bytes of the attached buffer */
    struct message *first;
} buffered;

void ct_buffered_messages_attach(MPI_Count bytes)
{
    buffered.free = bytes;
}

/* What a message takes of the buffer, by the standard. */
static MPI_Count room_of(ct_wide_count length)
{
    return (MPI_Count)length + MPI_BSEND_OVERHEAD;
}

/* Forgets the message at this place, which has been sent. */
static void drop(struct message **place)
{
    struct message *message = *place;
    *place = message->next;
    buffered.free += message->room;
    free(message->packed);
    free(message);
}

static void drop_sent(void)
{
    for (struct message **place = &buffered.first; *place;) {
        int done = true;
        PMPI_Test(&(*place)->request, &done, MPI_STATUS_IGNORE);
        if (done)
            drop(place);
        else
            place = &(*place)->next;
    }
}

/* Begins to send a copy, which is kept with the message unless this fails. */
static int keep(void *packed, ct_wide_count length, int dest, int tag, MPI_Comm comm)
{
    struct message *message = malloc(sizeof *message);
    if (!message)
        return MPI_ERR_NO_MEM;
    *message = (struct message){buffered.first, MPI_REQUEST_NULL, packed, room_of(length)};
    int code = CT_WIDE(PMPI_Isend)(packed, length, MPI_PACKED, dest, tag, comm, &message->request);
    if (code != MPI_SUCCESS) {
        free(message);
        return code;
    }
    buffered.first = message;
    buffered.free -= message->room;
    return code;
}

bool ct_buffered_messages_send(const void *buffer, ct_wide_count count, MPI_Datatype type, int dest, int tag,
                               MPI_Comm comm, int *ret_code)
{
    ct_wide_count length;
    void *packed;
    if (!ct_meetings_are_held() || (buffered.free == 0 && !buffered.first) || dest == MPI_PROC_NULL)
        return false;
    drop_sent();
    *ret_code = ct_pack_copy(buffer, count, type, comm, &packed, &length);
    if (*ret_code != MPI_SUCCESS)
        return true;
    bool has_room = room_of(length) <= buffered.free;
    if (has_room)
        *ret_code = keep(packed, length, dest, tag, comm);
    if (!has_room || *ret_code != MPI_SUCCESS)
        free(packed);
    return has_room;
}

void ct_buffered_messages_finish(void)
{
    while (buffered.first) {
        ct_finish_request(MPI_SUCCESS, &buffered.first->request);
        drop(&buffered.first);
    }
    buffered.free = 0;
}
