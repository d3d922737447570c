/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURROGATE_BASE_H
#define CT_LEARNERS_SURROGATE_BASE_H

#include "decision/map.h"

#include <signal.h>

/* How times depend on sizes by the methods' plans: their messages, evaluated with parameters of LogGP that
 * suit the measured times best. A surrogate adds to it what the plans do not explain. */

struct ct_surrogate_base;

/* Estimates the parameters from the cells of a map. `calls` is how many different calls will be asked for: it
 * bounds how large plans may be, so that all take some seconds. *ret_base is NULL if no allowed method has
 * plans that can be evaluated in the map's cells. CT_OK, CT_E_STOPPED, CT_E_MEMORY. Free with
 * ct_surrogate_base_free(). */
int ct_surrogate_base_new(const struct ct_map *map, const bool *allowed, size_t calls,
                          const volatile sig_atomic_t *stop, struct ct_surrogate_base **ret_base);
void ct_surrogate_base_free(struct ct_surrogate_base *base); /* NULL is allowed */

/* log(seconds) of a method in a call, up to a constant of the method; NAN if its plans cannot be evaluated.
 * CT_OK, CT_E_STOPPED, CT_E_MEMORY. */
int ct_surrogate_base_at(struct ct_surrogate_base *base, const struct ct_method *method,
                         const struct ct_cell_key *key, double *ret_log);

#endif
