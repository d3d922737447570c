/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_STEP_TEXT_H
#define CT_PLAN_STEP_TEXT_H

#include "plan/plan.h"

/* Steps of a plan as text. */

enum { CT_BUFFER_TEXT = 16, CT_STEP_TEXT = 240, CT_STEP_PLACES_TEXT = 192 };

/* How slices are written. */
struct ct_step_notation {
    size_t unit_bytes; /* lengths and offsets are multiplied by it */
    unsigned blocks;   /* the buffers that are made of blocks: 1 << CT_BUFFER_SEND, 1 << CT_BUFFER_RECV */
};

/* "SEND", "RECV", "TEMP0", ...; returns `text`. */
char *ct_buffer_format(unsigned buffer, char text[CT_BUFFER_TEXT]);

/* A step in one line, lengths and offsets in units: "receive 8 into RECV[0..8) from rank 3"; returns `text`.
 */
char *ct_step_format(const struct ct_step *step, char text[CT_STEP_TEXT]);

/* The source and destination of a step, without its length: "into RECV[0..8) from rank 3". */
void ct_step_places(const struct ct_step *step, const struct ct_step_notation *notation,
                    char text[CT_STEP_PLACES_TEXT]);

/* "send", "receive", "receive and reduce", "copy", "reduce" or "wait". */
const char *ct_step_verb(const struct ct_step *step);

/* Is it a message without data? */
bool ct_step_is_token(const struct ct_step *step);

#endif
