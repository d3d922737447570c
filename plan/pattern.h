/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_PATTERN_H
#define CT_PLAN_PATTERN_H

#include "base/error.h"
#include "plan/edges.h"
#include "plan/neighbors.h"

#include <stdbool.h>

/* Who sends how much to whom in a sparse exchange: the neighbors of all ranks. */

struct ct_pattern {
    int size;                   /* ranks */
    struct ct_neighbors *ranks; /* by rank */
    int *ends;                  /* the lists of all ranks: destinations, then sources */
    size_t *lengths;            /* of the destinations, then of the sources; NULL: blocks have no lengths */
};

/* Destinations and sources are in the order of the edges. Lengths are those of the edges if has_lengths, else
 * there are none. CT_OK or CT_E_MEMORY; ct_pattern_free() frees. */
int ct_pattern_make(int size, const struct ct_edge *edges, size_t count, bool has_lengths,
                    struct ct_pattern *ret_pattern);
void ct_pattern_free(struct ct_pattern *pattern);

/* Edges as a text describes them: a kind and its parameters, `moore:d=2,r=1`. The same for the same text and
 * size. The kinds:
 *   moore:d=D,r=R             all ranks within R steps in each direction of a periodic grid of D dimensions,
 *                             whose lengths are as equal as the number of ranks allows; each once, and no
 *                             rank itself
 *   random:density=X          each ordered pair of different ranks with probability X
 *   hubs:count=N,degree=D     N ranks that send to all others, and D random destinations of each other rank
 *   powerlaw:degree=D,exponent=X
 *                             D random destinations of a rank on average; how many ranks have the degree k
 *                             falls like k^-X, and ranks of all degrees are spread among the others
 *   edges:A>B,C>D,...         from rank A to rank B, and so on
 *   matrix:FILE[,parts=WAY]   what ranks send before they multiply the sparse matrix of that Matrix Market
 *                             file with a vector: see plan/row_parts.h
 * Edges of a matrix have as length the number of elements that are sent, all others the length 1. CT_OK;
 * CT_E_INPUT, or for a file CT_E_SYSTEM, with a line in `error`; CT_E_MEMORY. The caller frees *ret_edges. */
int ct_pattern_edges(const char *text, int size, struct ct_error *error, struct ct_edge **ret_edges,
                     size_t *ret_count);

/* Splits a list of such texts, between blanks or commas; within `edges:` only blanks end a text. What stands
 * in quotes, single or double, or behind a backslash separates nothing, so that names of files may have
 * blanks and commas; the texts are without these marks, and have no line breaks. CT_OK; CT_E_INPUT with a
 * line in `error` that names --pattern; CT_E_MEMORY. The caller frees with ct_words_free(). */
int ct_patterns_split(const char *list, struct ct_error *error, char ***ret_texts, size_t *ret_count);

/* Does the text describe a pattern on each of so many ranks? Errors as of ct_pattern_edges(), with --pattern
 * in front. */
int ct_pattern_check(const char *text, const size_t *sizes, size_t count, struct ct_error *error);

#endif
