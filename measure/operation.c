/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/operation.h"

#include <stdint.h>
#include <string.h>

/* The square shows which ranks took part, the rest the position. */
static double square(int rank, size_t position)
{
    double base = (double)rank + 1;
    return base * base + (double)position;
}

static double sum_of_squares(size_t ranks, size_t position)
{
    double n = (double)ranks;
    return n * (n + 1) * (2 * n + 1) / 6 + n * (double)position;
}

static double add(double left, double right)
{
    return left + right;
}

/* Every rank changes the sign of a third of the positions. */
static double sign(int rank, size_t position)
{
    return ((size_t)rank + position) % 3 == 0 ? -1 : 1;
}

/* Ranks change the sign whose number plus the position is a multiple of 3. */
static double product_of_signs(size_t ranks, size_t position)
{
    size_t first = (3 - position % 3) % 3, changes = ranks > first ? (ranks - first + 2) / 3 : 0;
    return changes % 2 == 0 ? 1 : -1;
}

static double multiply(double left, double right)
{
    return left * right;
}

/* Every rank but a few is the greatest at some position. */
static double scatter(int rank, size_t position)
{
    return (double)(((size_t)rank * 31 + position * 17) % 1009);
}

static double greater(double left, double right)
{
    return left > right ? left : right;
}

/* Maps x -> factor * x + shift, modulo a prime, one after the other: associative, but not commutative. A
 * value is factor * STEP + shift. */
enum { PRIME = 251, STEP = 256 };

static double map(int rank, size_t position)
{
    size_t factor = 1 + ((size_t)rank * 37 + position) % (PRIME - 1);
    size_t shift = ((size_t)rank * 11 + position * 3) % PRIME;
    return (double)(factor * STEP + shift);
}

static double follow(double left, double right)
{
    uint32_t first = (uint32_t)left, second = (uint32_t)right, factor = second / STEP;
    return (double)((first / STEP * factor) % PRIME * STEP + (first % STEP * factor + second % STEP) % PRIME);
}

const struct ct_operation_description ct_operations[CT_OPERATIONS] = {
    [CT_OPERATION_SUM] = {"sum", true, false, square, add, sum_of_squares},
    [CT_OPERATION_PROD] = {"prod", true, false, sign, multiply, product_of_signs},
    [CT_OPERATION_MAX] = {"max", true, false, scatter, greater, NULL},
    [CT_OPERATION_USER] = {"user", true, true, square, add, sum_of_squares},
    [CT_OPERATION_ORDERED] = {"ordered", false, true, map, follow, NULL},
};

double ct_operation_result(enum ct_operation operation, size_t ranks, size_t position)
{
    const struct ct_operation_description *about = &ct_operations[operation];
    position %= CT_OPERATION_PERIOD;
    if (about->of_first)
        return about->of_first(ranks, position);
    double result = about->value(0, position);
    for (size_t rank = 1; rank < ranks; rank++)
        result = about->combine(result, about->value((int)rank, position));
    return result;
}

enum ct_operation ct_operation_find(const char *name)
{
    int operation = 0;
    while (operation < CT_OPERATIONS && strcmp(ct_operations[operation].name, name) != 0)
        operation++;
    return (enum ct_operation)operation;
}

const char *ct_operation_choice(size_t index)
{
    return index < CT_OPERATIONS ? ct_operations[index].name : NULL;
}
