/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/step_text.h"

#include <stdio.h>

char *ct_buffer_format(unsigned buffer, char text[CT_BUFFER_TEXT])
{
    if (buffer < CT_BUFFER_TEMPORARY)
        snprintf(text, CT_BUFFER_TEXT, "%s", buffer == CT_BUFFER_SEND ? "SEND" : "RECV");
    else
        snprintf(text, CT_BUFFER_TEXT, "TEMP%u", buffer - CT_BUFFER_TEMPORARY);
    return text;
}

enum { SLICE_TEXT = 80 };

/* "RECV[0..8)"; in a buffer made of blocks "RECV#3[0..8)". */
static char *format_slice(const struct ct_step_notation *notation, unsigned buffer, size_t block,
                          size_t offset, size_t n, char text[SLICE_TEXT])
{
    char name[CT_BUFFER_TEXT], number[24] = "";
    offset *= notation->unit_bytes;
    n *= notation->unit_bytes;
    if (buffer < CT_BUFFER_TEMPORARY && notation->blocks & 1u << buffer)
        snprintf(number, sizeof number, "#%zu", block);
    snprintf(text, SLICE_TEXT, "%s%s[%zu..%zu)", ct_buffer_format(buffer, name), number, offset, offset + n);
    return text;
}

void ct_step_places(const struct ct_step *step, const struct ct_step_notation *notation,
                    char text[CT_STEP_PLACES_TEXT])
{
    char from[SLICE_TEXT], to[SLICE_TEXT];
    size_t n = step->n, block = ct_step_is_message(step) ? step->block : (size_t)step->peer;
    if (ct_step_is_fused(step))
        block = 0;
    format_slice(notation, step->buffer, block, step->offset, n, from);
    format_slice(notation, step->other, block, step->other_offset, n, to);
    if (ct_step_is_message(step) && n == 0)
        from[0] = '\0';
    switch (step->kind) {
    case CT_STEP_SEND:
        snprintf(text, CT_STEP_PLACES_TEXT, "%s%sto rank %d", from, n ? " " : "", step->peer);
        break;
    case CT_STEP_RECEIVE:
        snprintf(text, CT_STEP_PLACES_TEXT, "%s%s%sfrom rank %d", n ? "into " : "", from, n ? " " : "",
                 step->peer);
        break;
    case CT_STEP_RECEIVE_LOWER:
        snprintf(text, CT_STEP_PLACES_TEXT, "from rank %d into %s, as message op the latter", step->peer,
                 from);
        break;
    case CT_STEP_RECEIVE_UPPER:
        snprintf(text, CT_STEP_PLACES_TEXT, "from rank %d into %s, as %s op message", step->peer, from, to);
        break;
    case CT_STEP_COPY:
        snprintf(text, CT_STEP_PLACES_TEXT, "%s to %s", from, to);
        break;
    case CT_STEP_REDUCE:
        snprintf(text, CT_STEP_PLACES_TEXT, "%s op %s into the latter", from, to);
        break;
    case CT_STEP_WAIT:
        snprintf(text, CT_STEP_PLACES_TEXT, "for what slot %u holds", step->until);
        break;
    default:
        text[0] = '\0';
        break;
    }
}

const char *ct_step_verb(const struct ct_step *step)
{
    static const char *const verbs[] = {
        [CT_STEP_SEND] = "send",
        [CT_STEP_RECEIVE] = "receive",
        [CT_STEP_RECEIVE_LOWER] = "receive and reduce",
        [CT_STEP_RECEIVE_UPPER] = "receive and reduce",
        [CT_STEP_COPY] = "copy",
        [CT_STEP_REDUCE] = "reduce",
        [CT_STEP_WAIT] = "wait",
    };
    return step->kind < sizeof verbs / sizeof verbs[0] ? verbs[step->kind] : "unknown";
}

bool ct_step_is_token(const struct ct_step *step)
{
    return step->n == 0 && ct_step_is_message(step);
}

char *ct_step_format(const struct ct_step *step, char text[CT_STEP_TEXT])
{
    char places[CT_STEP_PLACES_TEXT], length[32] = "";
    bool in_block =
        !ct_step_is_fused(step) && (ct_step_is_message(step) ? step->block : (size_t)step->peer) > 0;
    const struct ct_step_notation notation = {.unit_bytes = 1, .blocks = in_block ? ~0u : 0};
    ct_step_places(step, &notation, places);
    if (ct_step_is_token(step))
        snprintf(length, sizeof length, " a token");
    else if (step->kind != CT_STEP_WAIT)
        snprintf(length, sizeof length, " %zu", step->n);
    int written = snprintf(text, CT_STEP_TEXT, "%s%s", ct_step_verb(step), length);
    snprintf(text + written, CT_STEP_TEXT - (size_t)written, " %s", places);
    return text;
}
