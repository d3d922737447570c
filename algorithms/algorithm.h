/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALGORITHM_H
#define CT_ALGORITHMS_ALGORITHM_H

#include "algorithms/registry.h"
#include "algorithms/shared_parameters.h"

/* The algorithms of the registry and the values of their parameters. */

/* The algorithm of that name; NULL where there is none. */
const struct ct_algorithm *ct_algorithm_find(enum ct_collective collective, const char *name);

/* May the parameter name this algorithm? It must have a plan and need no special size, nodes or set-up, and
 * the other collectives must have one of its name for which the same holds. */
bool ct_parameter_allows(const struct ct_parameter *parameter, const struct ct_algorithm *algorithm);

size_t ct_parameter_standard(const struct ct_parameter *parameter);

/* Reads a value as methods spell it. False where it is none. */
bool ct_parameter_parse(const struct ct_parameter *parameter, const char *word, size_t *ret_value);

/* Writes the value as methods spell it; returns `text`. */
char *ct_parameter_format(const struct ct_parameter *parameter, size_t value, char text[CT_VALUE_TEXT]);

/* Describes the allowed values: "a number from 0 to 8K", "one of linear, chain". */
void ct_parameter_describe(const struct ct_parameter *parameter, char *text, size_t room);

/* The values that a sweep tries; the caller frees them. CT_OK, CT_E_MEMORY. */
int ct_parameter_sweep(const struct ct_parameter *parameter, size_t **ret_values, size_t *ret_count);

/* The descriptor of the algorithm of `collective` that a parameter's value names. */
const struct ct_descriptor *ct_descriptor_named(size_t value, enum ct_collective collective);

#endif
