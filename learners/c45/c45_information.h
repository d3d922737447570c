/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_INFORMATION_H
#define CT_LEARNERS_C45_C45_INFORMATION_H

#include <math.h>
#include <stddef.h>

/* Information in bits, rounded to single precision at each step as C4.5 Release 8 does. */

/* Smaller gains count as none. */
#define CT_C45_EPSILON 0.001

/* Stands for "no gain". */
#define CT_C45_NO_GAIN ((float)-CT_C45_EPSILON)

/* Binary logarithm; 0 if the number is not positive. */
static inline double ct_c45_log(float number)
{
    const double ln2 = 0.69314718055994530942;
    return number <= 0 ? 0 : log((double)number) / ln2;
}

/* The sum of the weights times their entropy. */
float ct_c45_entropy(const float *weights, size_t count);

/* The parts of a split. */
struct ct_c45_split {
    const float *totals;      /* weight by part */
    const float *frequencies; /* weight by part, then class */
    size_t parts;
    size_t classes;
    float known;         /* weight of all parts */
    float unknown_share; /* of the node's weight */
    float base;          /* information of the classes before the split */
    float least;         /* two parts must weigh at least this */
};

/* The information that a split gains; "no gain" if fewer than two parts are large enough. */
float ct_c45_split_gain(const struct ct_c45_split *split);

/* The criterion by which attributes are chosen: gain divided by information if the gain is at least `floor`,
 * or the gain itself. */
float ct_c45_worth(float information, float gain, float floor, int gain_alone);

/* Errors that pruning adds to `errors` among cases of weight `weight`: the upper confidence limit of the
 * errors minus the errors. */
struct ct_c45_confidence {
    double log_level; /* natural logarithm */
    float coefficient;
};
struct ct_c45_confidence ct_c45_confidence_of(float level);
float ct_c45_added_errors(const struct ct_c45_confidence *confidence, float weight, float errors);

#endif
