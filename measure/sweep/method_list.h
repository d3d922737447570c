/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_METHOD_LIST_H
#define CT_MEASURE_SWEEP_METHOD_LIST_H

#include "algorithms/method.h"

/* Methods of several collectives as users list them: words separated by commas, each an algorithm with all
 * values of its parameters, one method, or "all", optionally with COLLECTIVE/ in front. A word without a
 * collective means all collectives that have it; a word that begins with '-' removes methods. A list of
 * nothing but such words begins with all methods. */

/* The methods of a list, `native` first in each collective. CT_OK; CT_E_INPUT with a line in `error` for a
 * word that means nothing, or a collective without a method; CT_E_MEMORY. Caller frees *ret_methods. */
int ct_method_list_parse(const char *list, const enum ct_collective *collectives, size_t collective_count,
                         struct ct_error *error, struct ct_method **ret_methods, size_t *ret_count);

/* The collectives of a list of their names, each once, in this order. CT_OK; CT_E_INPUT with a line in
 * `error` for an unknown name; CT_E_MEMORY. */
int ct_collective_list_parse(const char *list, struct ct_error *error,
                             enum ct_collective ret_collectives[CT_COLLECTIVES], size_t *ret_count);

/* The collectives that the words of a list can mean; none for a list of unknown words. */
int ct_method_list_collectives(const char *list, struct ct_error *error,
                               enum ct_collective ret_collectives[CT_COLLECTIVES], size_t *ret_count);

#endif
