/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/expression.h"
#include "base/memory.h"

static size_t plus(size_t a, size_t b)
{
    size_t sum;
    return ct_add(a, b, &sum) ? sum : SIZE_MAX;
}

static size_t minus(size_t a, size_t b)
{
    return a > b ? a - b : 0;
}

static size_t times(size_t a, size_t b)
{
    size_t product;
    return ct_multiply(a, b, &product) ? product : SIZE_MAX;
}

static size_t quotient(size_t a, size_t b)
{
    return b ? a / b : 0;
}

static size_t remainder_of(size_t a, size_t b)
{
    return b ? a % b : 0;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t greatest(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t log2_of(size_t a, size_t unused)
{
    (void)unused;
    size_t log = 0;
    while (a >>= 1)
        log++;
    return log;
}

static size_t is_power_of_two(size_t a, size_t unused)
{
    (void)unused;
    return a > 0 && (a & (a - 1)) == 0;
}

static size_t (*const operations[CT_OPERATORS])(size_t, size_t) = {
    [CT_OPERATOR_PLUS] = plus,
    [CT_OPERATOR_MINUS] = minus,
    [CT_OPERATOR_TIMES] = times,
    [CT_OPERATOR_QUOTIENT] = quotient,
    [CT_OPERATOR_REMAINDER] = remainder_of,
    [CT_OPERATOR_LEAST] = least,
    [CT_OPERATOR_GREATEST] = greatest,
    [CT_OPERATOR_LOG2] = log2_of,
    [CT_OPERATOR_IS_POWER_OF_TWO] = is_power_of_two,
};

size_t ct_expression_value(const struct ct_expression *expression, const struct ct_features *features)
{
    size_t values[CT_TERMS_MAX];
    for (size_t i = 0; i < expression->count; i++) {
        const struct ct_term *term = &expression->terms[i];
        if (term->operation == CT_OPERATOR_NUMBER)
            values[i] = term->number;
        else if (term->operation == CT_OPERATOR_FEATURE)
            values[i] = features->value[term->number];
        else
            values[i] = operations[term->operation](values[term->left], values[term->right]);
    }
    return values[expression->count - 1];
}

bool ct_expression_uses(const struct ct_expression *expression, enum ct_feature feature)
{
    for (size_t i = 0; i < expression->count; i++)
        if (expression->terms[i].operation == CT_OPERATOR_FEATURE &&
            expression->terms[i].number == (size_t)feature)
            return true;
    return false;
}

bool ct_expression_equal(const struct ct_expression *left, const struct ct_expression *right)
{
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        const struct ct_term *a = &left->terms[i], *b = &right->terms[i];
        if (a->operation != b->operation || a->left != b->left || a->right != b->right ||
            a->number != b->number)
            return false;
    }
    return left->count == right->count;
}
