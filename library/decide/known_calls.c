/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/known_calls.h"

struct ct_known_call *ct_known_call_entry(struct ct_known_call *known, enum ct_collective collective,
                                          const struct ct_operands *operands)
{
    const uint32_t tag = ct_known_call_tag(collective, operands);
    struct ct_known_call *places = ct_known_call_places(known, tag);
    for (int i = 0; i < CT_KNOWN_CALLS_PLACES; i++)
        if (places[i].tag == tag)
            return &places[i];
    int i = 0;
    while (i < CT_KNOWN_CALLS_PLACES && places[i].tag != 0)
        i++;
    if (i == CT_KNOWN_CALLS_PLACES) {
        i = (int)places->turn;
        places->turn = (places->turn + 1) % CT_KNOWN_CALLS_PLACES;
    }
    places[i].tag = tag;
    return &places[i];
}

void ct_known_calls_free(struct ct_known_call *known)
{
    for (int i = 0; i < CT_KNOWN_CALLS; i++)
        ct_known_call_free(&known[i]);
}
