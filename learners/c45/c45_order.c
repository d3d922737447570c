/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_engine.h"

float ct_c45_weight(const struct ct_c45_engine *engine, size_t from, size_t to)
{
    if (engine->all_known)
        return (float)(to - from);
    float sum = 0;
    for (size_t i = from; i < to; i++)
        sum += engine->weights[i];
    return sum;
}

void ct_c45_distribute(const struct ct_c45_engine *engine, size_t from, size_t to, float *ret_frequencies)
{
    for (size_t c = 0; c < engine->classes; c++)
        ret_frequencies[c] = 0;
    for (size_t i = from; i < to; i++)
        ret_frequencies[engine->cases->classes[engine->order[i]]] += engine->weights[i];
}

uint16_t ct_c45_first_best(const float *frequencies, size_t classes)
{
    size_t best = 0;
    for (size_t c = 1; c < classes; c++)
        if (frequencies[c] > frequencies[best])
            best = c;
    return (uint16_t)best;
}

void ct_c45_swap(struct ct_c45_engine *engine, size_t a, size_t b)
{
    uint32_t index = engine->order[a];
    float weight = engine->weights[a];
    engine->order[a] = engine->order[b];
    engine->weights[a] = engine->weights[b];
    engine->order[b] = index;
    engine->weights[b] = weight;
}

size_t ct_c45_part_unknown(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                           size_t to)
{
    for (size_t i = from; i < to; i++)
        if (ct_c45_is_unknown(node, engine->cases, engine->order[i]))
            ct_c45_swap(engine, from++, i);
    return from;
}

size_t ct_c45_part_branch(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t branch,
                          size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (ct_c45_branch(node, engine->cases, engine->order[i]) == branch)
            ct_c45_swap(engine, from++, i);
    return from;
}

void ct_c45_scale(struct ct_c45_engine *engine, size_t from, size_t to, float factor)
{
    for (size_t i = from; i < to; i++)
        engine->weights[i] *= factor;
}

void ct_c45_unscale(struct ct_c45_engine *engine, size_t from, size_t to, float factor)
{
    for (size_t i = from; i < to; i++)
        engine->weights[i] /= factor;
}
