/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/transfers.h"
#include "base/memory.h"

int ct_transfers_add(struct ct_transfers *transfers, const struct ct_transfer *transfer, bool *ret_sent)
{
    struct ct_transfer own = *transfer;
    struct ct_lane *lane = own.lane;
    /* First, since a message that is sent in part must be kept until it is sent whole. */
    if (ct_grow(&transfers->items, &transfers->capacity, transfers->count + 1, sizeof *transfers->items) !=
        CT_OK)
        return CT_E_MEMORY;
    bool is_sent = own.sends && lane->sends_pending == 0 && ct_lane_send(&own);
    *ret_sent = is_sent;
    if (is_sent)
        return CT_OK;
    lane->sends_pending += own.sends;
    transfers->items[transfers->count++] = own;
    return CT_OK;
}

/* Of the transfers of a lane in one direction only the first may be moved. */
static bool advance(struct ct_transfer *transfer)
{
    bool *is_stalled = &transfer->lane->is_stalled[transfer->sends];
    if (*is_stalled)
        return false;
    bool is_complete = transfer->sends ? ct_lane_send(transfer) : ct_lane_receive(transfer);
    *is_stalled = !is_complete;
    return is_complete;
}

static void leave_lane(const struct ct_transfer *transfer)
{
    transfer->lane->sends_pending -= transfer->sends;
    transfer->lane->remains -= transfer->is_abandoned && !transfer->sends;
}

int ct_transfers_advance(struct ct_transfers *transfers,
                         void (*complete)(void *context, const struct ct_transfer *transfer), void *context)
{
    size_t kept = 0;
    int status = CT_OK;
    for (size_t i = 0; i < transfers->count; i++)
        transfers->items[i].lane->is_stalled[transfers->items[i].sends] = false;
    for (size_t i = 0; i < transfers->count; i++) {
        struct ct_transfer *transfer = &transfers->items[i];
        if (!advance(transfer)) {
            if (transfer->flaw == CT_TRANSFER_NO_MEMORY)
                status = CT_E_MEMORY;
            transfers->items[kept++] = *transfer;
            continue;
        }
        leave_lane(transfer);
        if (!transfer->is_abandoned)
            complete(context, transfer);
    }
    transfers->count = kept;
    return status;
}

size_t ct_transfers_left(const struct ct_transfers *transfers, unsigned until)
{
    size_t left = 0;
    for (size_t i = 0; i < transfers->count; i++)
        left += transfers->items[i].until == until && !transfers->items[i].is_abandoned;
    return left;
}

const struct ct_transfer *ct_transfers_first(const struct ct_transfers *transfers)
{
    for (size_t i = 0; i < transfers->count; i++)
        if (!transfers->items[i].is_abandoned)
            return &transfers->items[i];
    return NULL;
}

bool ct_transfers_abandon(struct ct_transfers *transfers, bool sends,
                          void (*forget)(const struct ct_transfer *transfer))
{
    size_t kept = 0;
    bool is_free = true;
    for (size_t i = 0; i < transfers->count; i++) {
        struct ct_transfer *transfer = &transfers->items[i];
        bool is_left = transfer->sends == sends && !transfer->is_abandoned;
        if (is_left && transfer->slot != CT_NO_SLOT)
            is_free = false; /* all was sent, and the receiver may still read it */
        else if (is_left)
            forget(transfer);
        if (is_left && !transfer->is_begun) {
            transfer->lane->sends_pending -= sends;
            continue;
        }
        if (is_left) {
            transfer->is_abandoned = true;
            transfer->lane->remains += !sends;
            transfer->staging = NULL;
            transfer->reduction = NULL;
            transfer->group = 0;
            transfer->address = NULL;
            transfer->left = transfer->piece = 0;
        }
        transfers->items[kept++] = *transfer;
    }
    transfers->count = kept;
    return is_free;
}

void ct_transfers_leave_lanes(const struct ct_transfers *transfers)
{
    for (size_t i = 0; i < transfers->count; i++)
        leave_lane(&transfers->items[i]);
}
