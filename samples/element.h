/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_ELEMENT_H
#define CT_SAMPLES_ELEMENT_H

#include "plan/collective.h"

#include <stdbool.h>

/* Elements of messages in grids: reductions are measured and predicted on doubles, all others on bytes. */

enum { CT_ELEMENT_BYTES = 8 };

/* Can the collective be called with this message size? Reductions need whole elements. */
bool ct_has_elements(enum ct_collective collective, size_t msg_bytes);

/* The reason for leaving out cells where it cannot, for people. */
extern const char ct_uneven_text[];

#endif
