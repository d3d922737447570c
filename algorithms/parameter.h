/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_PARAMETER_H
#define CT_ALGORITHMS_PARAMETER_H

#include "base/error.h"
#include "plan/collective.h"

/* A parameter of an algorithm: a number, or the name of another algorithm that does a part of the work. The
 * value of the latter is the index of that algorithm in the registry. */

enum { CT_PARAMETERS_MAX = 4, CT_INNER_MAX = 2, CT_VALUE_TEXT = 48 };

struct ct_parameter {
    const char *name;
    const char *text;
    const char *sweep; /* list of values a sweep tries */

    /* numbers */
    size_t least;
    size_t most;
    size_t standard; /* what it is where a method does not name it; then it is not spelled either */
    bool in_bytes;   /* a size: written with K, M, G */

    /* names: of the algorithms that all of these collectives have */
    const char *standard_name; /* NULL in a number */
    int inner_count;
    enum ct_collective inner[CT_INNER_MAX]; /* the value is the index of the first one's algorithm */
};

/* The segment size, common to all that cut messages: 0 does not cut. */
extern const struct ct_parameter ct_segment_parameter;
/* Number of chains. */
extern const struct ct_parameter ct_chains_parameter;
/* Fan-out of a tree, base of an exchange: the usual ones, and those for which 2 is another algorithm. */
extern const struct ct_parameter ct_radix_parameter;
extern const struct ct_parameter ct_wide_radix_parameter;
/* Outstanding messages, of those that bound them. */
extern const struct ct_parameter ct_requests_parameter;

struct ct_algorithm;

/* May this algorithm stand for the parameter? It has a plan, needs no special size or nodes, and the other
 * collectives have one of its name for which the same holds. */
bool ct_parameter_allows(const struct ct_parameter *parameter, const struct ct_algorithm *algorithm);

size_t ct_parameter_standard(const struct ct_parameter *parameter);

/* Reads a value as methods spell it. False where it is none. */
bool ct_parameter_parse(const struct ct_parameter *parameter, const char *word, size_t *ret_value);

/* Writes the value as methods spell it; returns `text`. */
char *ct_parameter_format(const struct ct_parameter *parameter, size_t value, char text[CT_VALUE_TEXT]);

/* What may be written: "a number from 0 to 8K", "linear, chain or binomial". */
void ct_parameter_describe(const struct ct_parameter *parameter, char *text, size_t room);

/* The values that a sweep tries; the caller frees them. CT_OK, CT_E_MEMORY. */
int ct_parameter_sweep(const struct ct_parameter *parameter, size_t **ret_values, size_t *ret_count);

#endif
