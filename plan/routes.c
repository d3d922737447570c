/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/routes.h"

#include <stdlib.h>

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
