/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/lane_leftovers.h"

/* When is the call that a piece belongs to? CT_CALL_LATEST: this rank may be in it. */
static enum ct_call_time time_of(const struct ct_lane *lane, const struct ct_lane_call *call, uint64_t label)
{
    if (((label ^ call->label) & ~call->numbers) == 0)
        return ct_compare_calls(label, call->label, call->numbers);
    if (!lane->counts || !ct_is_set_label(label))
        return CT_CALL_UNKNOWN;
    const enum ct_call_time time = ct_call_time_of(lane->counts, label);
    /* Where this call is a blocking one, it is the only one. */
    return time == CT_CALL_LATEST && call->numbers > 0 ? CT_CALL_PAST : time;
}

bool ct_is_left_over(const struct ct_lane *lane, const struct ct_lane_call *call, uint64_t label,
                     unsigned form)
{
    if (lane->remains > 0)
        return false;
    const enum ct_call_time time = time_of(lane, call, label);
    return time == CT_CALL_PAST || (time == CT_CALL_LATEST && form == CT_FORM_BEGUN);
}

void ct_drop_piece(struct ct_lane *lane, const struct ct_piece *piece)
{
    if (piece->form == CT_FORM_COPY)
        ct_end_copy(lane, &piece->copy);
    ct_leave_piece(lane, piece);
}

void ct_drop_early(struct ct_lane *lane, const struct ct_lane_call *call)
{
    for (struct ct_early_piece **place = &lane->early; *place;) {
        struct ct_piece piece;
        if (!ct_is_left_over(lane, call, (*place)->label, (*place)->form)) {
            place = &(*place)->next;
            continue;
        }
        ct_look_at_early(place, &piece);
        ct_drop_piece(lane, &piece);
    }
}

void ct_drop_announcements(struct ct_lane *lane, uint64_t label)
{
    const uint64_t numbers = (uint64_t)(CT_CALL_NUMBERS - 1) << 8;
    for (struct ct_early_piece **place = &lane->early; *place;) {
        struct ct_piece piece;
        if (!ct_is_announcement((*place)->form) || (((*place)->label ^ label) & ~numbers) != 0) {
            place = &(*place)->next;
            continue;
        }
        ct_look_at_early(place, &piece);
        ct_leave_piece(lane, &piece);
    }
}

bool ct_sender_has_left(const struct ct_lane *lane, const struct ct_lane_call *call)
{
    if (call->numbers == 0)
        return false;
    for (const struct ct_early_piece *early = lane->early; early; early = early->next) {
        const enum ct_call_time time = time_of(lane, call, early->label);
        const bool is_same = ((early->label ^ call->label) & ~call->numbers) == 0;
        if ((time == CT_CALL_TO_COME && (is_same || ct_is_announcement(early->form))) ||
            (time == CT_CALL_LATEST && is_same && early->form == CT_FORM_LEFT))
            return true;
    }
    return false;
}

void ct_lane_tidy(struct ct_lane *lane, const struct ct_lane_call *call)
{
    const struct ct_cell *cell;
    struct ct_piece piece;
    ct_drop_early(lane, call);
    while ((cell = ct_ring_first(&lane->in))) {
        ct_look_at_cell(lane, cell, &piece);
        if (!ct_is_left_over(lane, call, cell->label & ~(uint64_t)CT_FORM_MASK, piece.form))
            return;
        ct_drop_piece(lane, &piece);
    }
}

bool ct_lane_announce(struct ct_lane *lane, uint64_t label, bool has_left)
{
    struct ct_cell *cell = ct_ring_free_cell(&lane->out);
    if (!cell || !ct_ring_has_taken(&lane->out, lane->out.cells - CT_RING_CELLS / 2))
        return false;
    ct_lane_put(lane, cell, label | (has_left ? CT_FORM_LEFT : CT_FORM_BEGUN));
    return true;
}

void ct_lane_note_left(struct ct_lane *lane, const struct ct_lane_call *call)
{
    struct ct_early_piece *early = ct_sender_has_left(lane, call) ? NULL : malloc(sizeof *early);
    if (!early)
        return;
    *early = (struct ct_early_piece){.label = call->label, .form = CT_FORM_LEFT};
    *lane->early_end = early;
    lane->early_end = &early->next;
}
