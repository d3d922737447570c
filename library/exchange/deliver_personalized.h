/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_DELIVER_PERSONALIZED_H
#define CT_LIBRARY_EXCHANGE_DELIVER_PERSONALIZED_H

#include "library/exchange/delivery.h"

/* The way `personalized` of unknown_sources.h. Collective. */
void ct_deliver_personalized(struct ct_delivery *delivery);

#endif
