/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_PARAMETER_H
#define CT_ALGORITHMS_PARAMETER_H

#include "plan/collective.h"

#include <stdbool.h>
#include <stddef.h>

enum { CT_PARAMETERS_MAX = 4, CT_INNER_MAX = 2, CT_VALUE_TEXT = 48 };

/* A parameter is a number, one of a few words, or the name of another algorithm that does a part of the work.
 * The value of a word is its index, that of a name the index of that algorithm in the registry. */
struct ct_parameter {
    const char *name;
    const char *text;
    const char *sweep; /* list of values that a sweep tries */

    /* numbers */
    size_t least;
    size_t most;
    size_t standard; /* the value where a method does not name it; then it is not spelled either */
    bool in_bytes;   /* a size: written with K, M, G */
    const char *const
        *words; /* each value is spelled by one of these, from `least`, 0, to `most`; NULL: as a number */

    /* names: of the algorithms that all of these collectives have */
    const char *standard_name; /* NULL in a number */
    int inner_count;
    enum ct_collective inner[CT_INNER_MAX]; /* the value is the index of the first one's algorithm */
};

#endif
