/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_METHOD_H
#define CT_ALGORITHMS_METHOD_H

#include "algorithms/algorithm.h"
#include "base/text.h"

/* An algorithm with its parameters: what is measured, learned and called. Written
 * `bcast/split_binary:seg=8K`, or without `bcast/` where the collective is clear. Parameters that have their
 * standard value are left out, the others follow the algorithm's order: two methods are the same exactly
 * where their spellings are. */
struct ct_method {
    const struct ct_algorithm *algorithm;
    union {
        size_t values[CT_PARAMETERS_MAX];
        char foreign[CT_PARAMETERS_MAX * sizeof(size_t)]; /* of a foreign method: its name */
    };
};

enum { CT_METHOD_TEXT = 160 };

/* Fails because a word of the user's names no collective, and says which one was probably meant. `where`
 * comes first: "--collectives: " or "". Returns CT_E_INPUT. */
int ct_collective_fail(const char *where, const char *word, struct ct_error *error);

/* The algorithm of one of the collectives that was probably meant by a name that none has; NULL: none. */
const char *ct_algorithm_nearest(const char *name, const enum ct_collective *collectives, size_t count);

/* Reads a spelling; `collective` is what a bare algorithm belongs to, CT_COLLECTIVES where none is clear.
 * Where both are given they must agree. CT_OK, or CT_E_INPUT with a line in `error` naming what is unknown
 * and what there is. */
int ct_method_parse(const char *spelling, enum ct_collective collective, struct ct_error *error,
                    struct ct_method *ret_method);

/* The same, and also foreign methods, which others measured and colltune does not have: `foreign/NAME` or
 * `bcast/foreign/NAME`, NAME being up to 31 letters, digits and `_-.+`. For runs and for tables that are
 * scored. */
int ct_method_parse_any(const char *spelling, enum ct_collective collective, struct ct_error *error,
                        struct ct_method *ret_method);

/* Writes the spelling with (`bcast/...`) or without the collective; returns `text`. */
char *ct_method_format(const struct ct_method *method, bool with_collective, char text[CT_METHOD_TEXT]);

bool ct_method_equal(const struct ct_method *a, const struct ct_method *b);

/* Index of the method among these; `count` where it is not one of them. */
size_t ct_method_index(const struct ct_method *method, const struct ct_method *methods, size_t count);

/* The segment size among the parameters of a method; NULL if it has none. */
size_t *ct_method_segment(struct ct_method *method);

/* Reads a list as users write it: methods, algorithms (all their sweep values: `binomial`; just one method:
 * `binomial:`), or `all`, for one collective. Caller frees *ret_methods. In the registry's order where `all`.
 */
int ct_methods_parse(const char *list, enum ct_collective collective, struct ct_error *error,
                     struct ct_method **ret_methods, size_t *ret_count);

/* Appends all methods that a sweep of this algorithm tries: the product of its parameters' sweep lists. */
int ct_methods_of(const struct ct_algorithm *algorithm, struct ct_method **methods, size_t *count,
                  size_t *capacity);

/* The constraints of its algorithm and of those that it names. */
unsigned ct_method_constraints(const struct ct_method *method);

/* Does it apply to this call? *ret_failed (may be NULL) is the first constraint that does not hold. */
bool ct_method_applies(const struct ct_method *method, const struct ct_call *call,
                       const struct ct_constraint_description **ret_failed);

/* Writes the plan of one rank for a call; sets call->descriptor and call->values, which point into the
 * method. Returns the plan's status, see ct_plan_finish(). */
int ct_method_build(const struct ct_method *method, struct ct_plan *plan, struct ct_call *call);

#endif
