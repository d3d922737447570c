/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_INFORMATION_H
#define CT_LEARNERS_C45_C45_INFORMATION_H

#include <math.h>
#include <stddef.h>

/* Information in bits, rounded to single precision step by step as C4.5 Release 8 does. */

/* Binary logarithm; 0 of what is not positive. */
static inline double ct_c45_log(float number)
{
    const double ln2 = 0.69314718055994530942;
    return number <= 0 ? 0 : log((double)number) / ln2;
}

/* Total times entropy of the weights. */
float ct_c45_entropy(const float *weights, size_t count);

/* A split whose parts have these totals; by part, the weights of `classes` classes. */
struct ct_c45_split {
    const float *totals;
    const float *frequencies;
    size_t parts;
    size_t classes;
    float known;         /* weight of all parts */
    float unknown_share; /* of the node's weight */
    float base;          /* information of the classes before the split */
    float least;         /* two parts must weigh as much */
};

/* The information that it gains; "no gain" where fewer than two parts are large enough. */
float ct_c45_split_gain(const struct ct_c45_split *split);

/* The criterion that attributes are chosen by: the ratio of gain to information where the gain is `floor` at
 * least, or the gain itself. */
float ct_c45_worth(float information, float gain, float floor, int gain_alone);

/* Errors that pruning adds to `errors` of `weight` cases: how much more they may be with confidence. */
struct ct_c45_confidence {
    double log_level; /* natural logarithm */
    float coefficient;
};
struct ct_c45_confidence ct_c45_confidence_of(float level);
float ct_c45_added_errors(const struct ct_c45_confidence *confidence, float weight, float errors);

#endif
