/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_information.h"

#include <float.h>

/* Wider intermediate results would decide other ties. */
_Static_assert(FLT_EVAL_METHOD == 0, "C4.5 needs arithmetic of the types' own width");

float ct_c45_entropy(const float *weights, size_t count)
{
    float sum = 0, total = 0;
    for (size_t i = 0; i < count; i++) {
        sum = (float)((double)sum + (double)weights[i] * ct_c45_log(weights[i]));
        total += weights[i];
    }
    return (float)((double)total * ct_c45_log(total) - (double)sum);
}

float ct_c45_split_gain(const struct ct_c45_split *split)
{
    size_t large = 0;
    for (size_t i = 0; i < split->parts; i++)
        large += split->totals[i] >= split->least;
    if (split->known == 0 || large < 2)
        return CT_C45_NO_GAIN;
    float left = 0;
    for (size_t i = 0; i < split->parts; i++)
        left += ct_c45_entropy(split->frequencies + i * split->classes, split->classes);
    return (1 - split->unknown_share) * (split->base - left / split->known);
}

float ct_c45_worth(float information, float gain, float floor, int gain_alone)
{
    if (gain_alone)
        return information > 0 && (double)gain > -CT_C45_EPSILON ? gain : CT_C45_NO_GAIN;
    return (double)gain >= (double)floor - CT_C45_EPSILON && (double)information > CT_C45_EPSILON
               ? gain / information
               : CT_C45_NO_GAIN;
}

/* --- pessimistic errors --- */

struct ct_c45_confidence ct_c45_confidence_of(float level)
{
    static const float levels[] = {0, 0.001f, 0.005f, 0.01f, 0.05f, 0.10f, 0.20f, 0.40f, 1.00f};
    static const float deviations[] = {4.0f, 3.09f, 2.58f, 2.33f, 1.65f, 1.28f, 0.84f, 0.25f, 0.00f};
    size_t i = 1;
    while (level > levels[i])
        i++;
    float deviation = deviations[i - 1] + (deviations[i] - deviations[i - 1]) * (level - levels[i - 1]) /
                                              (levels[i] - levels[i - 1]);
    return (struct ct_c45_confidence){log((double)level), deviation * deviation};
}

static float added_to_none(const struct ct_c45_confidence *confidence, float weight)
{
    return (float)((double)weight * (1 - exp(confidence->log_level / (double)weight)));
}

/* For one error or more: the normal approximation of the binomial limit. */
static float added_to_some(const struct ct_c45_confidence *confidence, float weight, float errors)
{
    if ((double)errors + 0.5 >= (double)weight)
        return (float)(0.67 * (double)(weight - errors));
    float coefficient = confidence->coefficient, half = coefficient / 2, quarter = coefficient / 4;
    float whole = weight + coefficient;
    double risen = (double)errors + 0.5;
    double root = sqrt((double)coefficient * (risen * (1 - risen / (double)weight) + (double)quarter));
    float share = (float)((risen + (double)half + root) / (double)whole);
    return weight * share - errors;
}

float ct_c45_added_errors(const struct ct_c45_confidence *confidence, float weight, float errors)
{
    if ((double)errors < 1e-6)
        return added_to_none(confidence, weight);
    if ((double)errors < 0.9999) {
        float none = added_to_none(confidence, weight);
        return none + errors * (added_to_some(confidence, weight, 1) - none);
    }
    return added_to_some(confidence, weight, errors);
}
