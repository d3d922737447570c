/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/routes.h"

#include <stdlib.h>

void ct_routes_reset(struct ct_routes *routes)
{
    const struct ct_routes kept = *routes;
    *routes = (struct ct_routes){
        .lengths = kept.lengths,
        .held_capacity = kept.held_capacity,
        .messages = kept.messages,
        .message_capacity = kept.message_capacity,
        .carried = kept.carried,
        .carried_capacity = kept.carried_capacity,
        .deliveries = kept.deliveries,
        .delivery_capacity = kept.delivery_capacity,
        .sources = kept.sources,
        .source_capacity = kept.source_capacity,
        .source_lengths = kept.source_lengths,
        .source_length_capacity = kept.source_length_capacity,
    };
}

void ct_routes_free(struct ct_routes *routes)
{
    free(routes->lengths);
    free(routes->messages);
    free(routes->carried);
    free(routes->deliveries);
    free(routes->sources);
    free(routes->source_lengths);
    *routes = (struct ct_routes){0};
}
