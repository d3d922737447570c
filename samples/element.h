/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_ELEMENT_H
#define CT_SAMPLES_ELEMENT_H

#include "plan/collective.h"

#include <stdbool.h>

/* What grids are made of: reductions are measured and predicted on doubles, all others on bytes. */

enum { CT_ELEMENT_BYTES = 8 };

/* Has the collective calls of this message size: of whole elements, where it reduces? */
bool ct_has_elements(enum ct_collective collective, size_t msg_bytes);

/* Why cells are left out where it has not, for people. */
extern const char ct_uneven_text[];

#endif
