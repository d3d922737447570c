/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_COLOURS_H
#define CT_REPORT_COLOURS_H

#include "algorithms/method.h"

#include <stdbool.h>
#include <stdint.h>

/* Colours are 0xRRGGBB. */

enum { CT_NATIVE_COLOUR = 0x8c8c8c };

/* The colour of every method, the same in all pictures of a collective: a hue an algorithm, by its place in
 * the registry and distinct to the colour-blind; a shade a set of parameters, from light to dark; native
 * grey. */
void ct_colours_of_methods(const struct ct_method *methods, size_t count, uint32_t *ret_colours);

/* Does black stand out better on it than white? */
bool ct_colour_is_light(uint32_t colour);

/* A class of values with its colour, as maps of numbers show them. */
struct ct_band {
    double most; /* the values up to this one, and above the band before; the last is INFINITY */
    const char *text;
    uint32_t colour;
};

/* How much longer than the best: 0 is none. Ordered from pale to dark. */
extern const struct ct_band ct_penalty_bands[];
/* Time before over time after: from slower (warm) over equal (grey) to faster (blue). */
extern const struct ct_band ct_ratio_bands[];

/* The band that holds the value. */
size_t ct_band_find(const struct ct_band *bands, double value);

#endif
