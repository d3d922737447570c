/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/element.h"

const char ct_uneven_text[] = "reductions sum doubles, so they need message sizes that are multiples of 8";

bool ct_has_elements(enum ct_collective collective, size_t msg_bytes)
{
    return !ct_collectives[collective].reduces || (msg_bytes > 0 && msg_bytes % CT_ELEMENT_BYTES == 0);
}
