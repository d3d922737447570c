/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_DELIVER_BY_GRID_H
#define CT_LIBRARY_EXCHANGE_DELIVER_BY_GRID_H

#include "library/exchange/delivery.h"

/* The way `grid` of unknown_sources.h. Collective. */
void ct_deliver_by_grid(struct ct_delivery *delivery);

/* What it keeps. False without memory; free it in any case. */
bool ct_delivery_grid_make(struct ct_deliverer *deliverer);
void ct_delivery_grid_free(struct ct_delivery_grid *grid);

#endif
