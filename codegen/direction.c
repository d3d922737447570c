/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/direction.h"

static enum ct_direction reverse(enum ct_direction direction)
{
    return direction == CT_DIRECTION_RISES   ? CT_DIRECTION_FALLS
           : direction == CT_DIRECTION_FALLS ? CT_DIRECTION_RISES
                                             : direction;
}

/* The direction of an expression that rises with both operands. */
static enum ct_direction join(enum ct_direction left, enum ct_direction right)
{
    if (left == CT_DIRECTION_STAYS)
        return right;
    return right == CT_DIRECTION_STAYS || left == right ? left : CT_DIRECTION_MAY_TURN;
}

/* No value is below 0, and values that are too large become the greatest: sums and products keep their
 * direction. */
static enum ct_direction direction_of(const struct ct_term *term, const enum ct_direction *directions,
                                      enum ct_feature as_grows)
{
    enum ct_direction left = directions[term->left], right = directions[term->right];
    switch ((enum ct_operator)term->operation) {
    case CT_OPERATOR_NUMBER:
        return CT_DIRECTION_STAYS;
    case CT_OPERATOR_FEATURE:
        return term->number == (size_t)as_grows ? CT_DIRECTION_RISES : CT_DIRECTION_STAYS;
    case CT_OPERATOR_PLUS:
    case CT_OPERATOR_TIMES:
    case CT_OPERATOR_LEAST:
    case CT_OPERATOR_GREATEST:
        return join(left, right);
    case CT_OPERATOR_MINUS:
        return join(left, reverse(right));
    case CT_OPERATOR_QUOTIENT: /* a variable divisor may be 0 */
        return right == CT_DIRECTION_STAYS ? left : CT_DIRECTION_MAY_TURN;
    case CT_OPERATOR_REMAINDER:
        return left == CT_DIRECTION_STAYS && right == CT_DIRECTION_STAYS ? CT_DIRECTION_STAYS
                                                                         : CT_DIRECTION_MAY_TURN;
    case CT_OPERATOR_LOG2:
        return left;
    case CT_OPERATOR_IS_POWER_OF_TWO:
        return left == CT_DIRECTION_STAYS ? CT_DIRECTION_STAYS : CT_DIRECTION_MAY_TURN;
    case CT_OPERATORS:
        break;
    }
    return CT_DIRECTION_MAY_TURN;
}

enum ct_direction ct_feature_direction(const struct ct_feature_set *set, size_t number,
                                       enum ct_feature as_grows)
{
    if (number < CT_FEATURES)
        return number == (size_t)as_grows ? CT_DIRECTION_RISES : CT_DIRECTION_STAYS;
    const struct ct_expression *expression = &set->composites[number - CT_FEATURES].expression;
    enum ct_direction directions[CT_TERMS_MAX] = {CT_DIRECTION_STAYS};
    for (size_t i = 0; i < expression->count; i++)
        directions[i] = direction_of(&expression->terms[i], directions, as_grows);
    return directions[expression->count - 1];
}
