/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_DELIVER_BY_NBX_H
#define CT_LIBRARY_EXCHANGE_DELIVER_BY_NBX_H

#include "library/exchange/delivery.h"

/* The way `nbx` of unknown_sources.h. Collective. */
void ct_deliver_by_nbx(struct ct_delivery *delivery);

#endif
