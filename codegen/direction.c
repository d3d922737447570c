/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/direction.h"

static enum ct_direction reverse(enum ct_direction direction)
{
    return direction == CT_RISES ? CT_FALLS : direction == CT_FALLS ? CT_RISES : direction;
}

/* Of what rises with either of two. */
static enum ct_direction join(enum ct_direction left, enum ct_direction right)
{
    if (left == CT_STAYS)
        return right;
    return right == CT_STAYS || left == right ? left : CT_MAY_TURN;
}

/* No value is below 0, and what is too large is the greatest, so that sums and products keep their
 * direction. */
static enum ct_direction direction_of(const struct ct_term *term, const enum ct_direction *directions,
                                      enum ct_feature as_grows)
{
    enum ct_direction left = directions[term->left], right = directions[term->right];
    switch ((enum ct_operator)term->operation) {
    case CT_NUMBER:
        return CT_STAYS;
    case CT_FEATURE:
        return term->number == (size_t)as_grows ? CT_RISES : CT_STAYS;
    case CT_PLUS:
    case CT_TIMES:
    case CT_LEAST:
    case CT_GREATEST:
        return join(left, right);
    case CT_MINUS:
        return join(left, reverse(right));
    case CT_QUOTIENT: /* a divisor that changes may be 0 */
        return right == CT_STAYS ? left : CT_MAY_TURN;
    case CT_REMAINDER:
        return left == CT_STAYS && right == CT_STAYS ? CT_STAYS : CT_MAY_TURN;
    case CT_LOG2:
        return left;
    case CT_IS_POWER_OF_TWO:
        return left == CT_STAYS ? CT_STAYS : CT_MAY_TURN;
    case CT_OPERATORS:
        break;
    }
    return CT_MAY_TURN;
}

enum ct_direction ct_feature_direction(const struct ct_feature_set *set, size_t number,
                                       enum ct_feature as_grows)
{
    if (number < CT_FEATURES)
        return number == (size_t)as_grows ? CT_RISES : CT_STAYS;
    const struct ct_expression *expression = &set->composites[number - CT_FEATURES].expression;
    enum ct_direction directions[CT_TERMS_MAX] = {CT_STAYS};
    for (size_t i = 0; i < expression->count; i++)
        directions[i] = direction_of(&expression->terms[i], directions, as_grows);
    return directions[expression->count - 1];
}
