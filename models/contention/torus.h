/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_CONTENTION_TORUS_H
#define CT_MODELS_CONTENTION_TORUS_H

#include <stddef.h>

/* The one spelling of a torus, XxYxZ: the lengths of 1 to 8 dimensions, the first dimension first. */

enum { CT_TORUS_DIMENSIONS_MAX = 8, CT_TORUS_NODES_MAX = 1 << 20 };

struct ct_torus {
    size_t dimensions;
    size_t length[CT_TORUS_DIMENSIONS_MAX];
    size_t nodes;
};

/* Reads `XxYxZ`, or `X,Y,Z` as SimGrid's platforms have it; not both in one text. CT_OK, or CT_E_INPUT
 * where it is neither, or has too many nodes. */
int ct_torus_parse(const char *text, struct ct_torus *ret_torus);

#endif
