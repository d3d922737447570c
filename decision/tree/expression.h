/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_EXPRESSION_H
#define CT_DECISION_TREE_EXPRESSION_H

#include "base/text.h"
#include "decision/tree/feature.h"

/* A formula over the features of a call: whole numbers with K, M and G, + - * / %, parentheses, min(a, b),
 * max(a, b), log2(a) and is_power_of_two(a), which is 0 or 1. Numbers are of type size_t and saturate at its
 * greatest value and at 0. Division rounds down; the quotient and the remainder by 0 are 0; log2 rounds down,
 * and log2(0) is 0. The tuned library evaluates formulas, so this needs libc only. */

enum ct_operator {
    CT_OPERATOR_NUMBER,  /* no operand: the number itself */
    CT_OPERATOR_FEATURE, /* no operand: the feature of the call */
    CT_OPERATOR_PLUS,
    CT_OPERATOR_MINUS,
    CT_OPERATOR_TIMES,
    CT_OPERATOR_QUOTIENT,
    CT_OPERATOR_REMAINDER,
    CT_OPERATOR_LEAST,
    CT_OPERATOR_GREATEST,
    CT_OPERATOR_LOG2, /* this and the next one: of one operand, `left` */
    CT_OPERATOR_IS_POWER_OF_TWO,
    CT_OPERATORS
};

enum { CT_TERMS_MAX = 64 };

struct ct_term {
    uint8_t operation; /* enum ct_operator */
    uint8_t left;      /* terms before this one */
    uint8_t right;
    size_t number; /* CT_OPERATOR_NUMBER: its value; CT_OPERATOR_FEATURE: enum ct_feature */
};

/* Operands come before the terms that use them, so the last term is the whole formula. */
struct ct_expression {
    struct ct_term terms[CT_TERMS_MAX];
    size_t count;
};

/* What a name in a formula stands for; false where it is unknown. */
struct ct_names {
    bool (*find)(const void *context, const char *name, struct ct_expression *ret_expression);
    const void *context;
};

/* Reads a formula. Names are replaced by what they stand for, so the expression uses enum ct_feature only.
 * CT_OK; CT_E_INPUT with a line in `error`; CT_E_LIMIT, also with a line, beyond CT_TERMS_MAX terms. */
int ct_expression_parse(const char *formula, const struct ct_names *names, struct ct_error *error,
                        struct ct_expression *ret_expression);

size_t ct_expression_value(const struct ct_expression *expression, const struct ct_features *features);

/* Does the feature occur in it? */
bool ct_expression_uses(const struct ct_expression *expression, enum ct_feature feature);

bool ct_expression_equal(const struct ct_expression *left, const struct ct_expression *right);

/* Is this the name of a function in formulas? */
bool ct_expression_has_function(const char *name);

/* Appends it as ct_expression_parse() reads it, without blanks. */
void ct_expression_write(const struct ct_expression *expression, struct ct_text *text);

#endif
