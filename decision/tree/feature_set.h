/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_FEATURE_SET_H
#define CT_DECISION_TREE_FEATURE_SET_H

#include "decision/tree/expression.h"

/* The features that a tree tests, by number: those of a call (enum ct_feature), which every set has, and from
 * CT_FEATURES on composites, which are computed from them. Source: the composite attributes of
 * Pjesivac-Grbovic 2007, section 6.3.3. */

enum { CT_FEATURE_NAME = 32, CT_COMPOSITES_MAX = 32, CT_FEATURES_MAX = CT_FEATURES + CT_COMPOSITES_MAX };

struct ct_composite {
    char name[CT_FEATURE_NAME];
    struct ct_expression expression;
    size_t most; /* that it can be */
    bool in_bytes;
    bool known; /* one of ct_known_composites: files need not define it */
};

/* Starts as all zeroes. */
struct ct_feature_set {
    struct ct_composite *composites;
    size_t count;
};

struct ct_known_composite {
    const char *name;
    const char *formula;
    const char *text; /* one line */
    size_t most;
    bool in_bytes;
};

/* The composites that need no definition; the last entry has no name. */
extern const struct ct_known_composite ct_known_composites[];

/* The number of the feature of that name; a known composite is added. CT_OK; CT_E_INPUT with a line in
 * `error` that lists the known names; CT_E_MEMORY, CT_E_LIMIT. */
int ct_feature_find(struct ct_feature_set *set, const char *name, struct ct_error *error, size_t *ret_number);

/* Adds a composite from "NAME=FORMULA"; the formula may use all known names and those defined before. CT_OK;
 * CT_E_INPUT with a line in `error`; CT_E_MEMORY, CT_E_LIMIT. */
int ct_feature_define(struct ct_feature_set *set, const char *definition, struct ct_error *error,
                      size_t *ret_number);

/* The number in `set` of a feature of another set; a new one is added. CT_OK; CT_E_INPUT if that name means
 * something else in `set`; CT_E_MEMORY, CT_E_LIMIT. */
int ct_feature_take(struct ct_feature_set *set, const struct ct_feature_set *from, size_t number,
                    struct ct_error *error, size_t *ret_number);

const char *ct_feature_name(const struct ct_feature_set *set, size_t number);
bool ct_feature_in_bytes(const struct ct_feature_set *set, size_t number);
/* The greatest value it can have. */
size_t ct_feature_most(const struct ct_feature_set *set, size_t number);
/* Is it `basic`, or computed from it? */
bool ct_feature_uses(const struct ct_feature_set *set, size_t number, enum ct_feature basic);
/* Appends "NAME=FORMULA", the formula over enum ct_feature alone. */
void ct_feature_write(const struct ct_composite *composite, struct ct_text *text);

static inline size_t ct_feature_value(const struct ct_feature_set *set, size_t number,
                                      const struct ct_features *features)
{
    if (number < CT_FEATURES)
        return features->value[number];
    return ct_expression_value(&set->composites[number - CT_FEATURES].expression, features);
}

void ct_feature_set_free(struct ct_feature_set *set);

#endif
