/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_engine.h"
#include "learners/c45/c45_information.h"

struct ct_c45_counts ct_c45_count_base(const struct ct_c45_engine *engine, size_t values, float weight)
{
    struct ct_c45_counts counts = {.known = weight - engine->totals[0],
                                   .unknown_share = engine->totals[0] / weight};
    double sum = 0;
    for (size_t c = 0; c < engine->classes; c++) {
        float of_class = 0;
        for (size_t v = 1; v <= values; v++)
            of_class += engine->frequencies[v * engine->classes + c];
        sum += (double)of_class * ct_c45_log(of_class);
    }
    double known = (double)counts.known;
    counts.base = (float)((known * ct_c45_log(counts.known) - sum) / known);
    return counts;
}

struct ct_c45_counts ct_c45_count_values(struct ct_c45_engine *engine, size_t attribute, size_t from,
                                         size_t to)
{
    const uint16_t *column = engine->cases->columns[attribute].values;
    const size_t classes = engine->classes, values = engine->names->attributes[attribute].trained;
    for (size_t i = 0; i < (values + 1) * classes; i++)
        engine->frequencies[i] = 0;
    for (size_t i = from; i < to; i++) {
        uint32_t index = engine->order[i];
        engine->frequencies[column[index] * classes + engine->cases->classes[index]] += engine->weights[i];
    }
    for (size_t v = 0; v <= values; v++) {
        engine->totals[v] = 0;
        for (size_t c = 0; c < classes; c++)
            engine->totals[v] += engine->frequencies[v * classes + c];
    }
    return ct_c45_count_base(engine, values, ct_c45_weight(engine, from, to));
}

void ct_c45_judge_values(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to)
{
    struct ct_c45_merit *merit = &engine->merits[attribute];
    const size_t values = engine->names->attributes[attribute].trained;
    struct ct_c45_counts counts = ct_c45_count_values(engine, attribute, from, to);
    float weight = ct_c45_weight(engine, from, to);
    *merit = (struct ct_c45_merit){.gain = CT_C45_NO_GAIN};
    merit->insufficient = weight <= engine->totals[0];
    if (merit->insufficient)
        return;
    const struct ct_c45_split split = {.totals = engine->totals + 1,
                                       .frequencies = engine->frequencies + engine->classes,
                                       .parts = values,
                                       .classes = engine->classes,
                                       .known = counts.known,
                                       .unknown_share = counts.unknown_share,
                                       .base = counts.base,
                                       .least = (float)engine->options->least};
    merit->gain = ct_c45_split_gain(&split);
    merit->information = ct_c45_entropy(engine->totals, values + 1) / weight;
}
