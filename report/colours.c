/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/colours.h"

#include <math.h>

/* Neighbours stay apart under the common forms of colour-blindness, also with their shades. */
static const uint32_t hues[] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x882255,
                                0x56b4e9, 0xd55e00, 0xc9b820, 0x332288, 0x8a8a2b};

enum { HUES = sizeof hues / sizeof hues[0] };

static const double lightest = 0.55, darkest = -0.35;

static uint32_t mix(uint32_t colour, uint32_t other, double share)
{
    uint32_t mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double from = (colour >> shift) & 0xff, to = (other >> shift) & 0xff;
        mixed |= (uint32_t)(from + share * (to - from) + 0.5) << shift;
    }
    return mixed;
}

/* Where a collective has more algorithms than there are hues, they come again, greyer each time. */
static uint32_t hue_of(const struct ct_algorithm *algorithm)
{
    static const double greyer = 0.4;
    size_t number = 0;
    for (size_t i = 0; i < ct_algorithm_count && &ct_algorithms[i] != algorithm; i++)
        number += ct_algorithms[i].collective == algorithm->collective && ct_has_plan(&ct_algorithms[i]);
    uint32_t hue = hues[number % HUES];
    for (; number >= HUES; number -= HUES)
        hue = mix(hue, 0x808080, greyer);
    return hue;
}

void ct_colours_of_methods(const struct ct_method *methods, size_t count, uint32_t *ret_colours)
{
    for (size_t i = 0; i < count; i++) {
        const struct ct_algorithm *algorithm = methods[i].algorithm;
        if (ct_is_native(algorithm)) {
            ret_colours[i] = CT_NATIVE_COLOUR;
            continue;
        }
        size_t before = 0, all = 0;
        for (size_t j = 0; j < count; j++) {
            if (methods[j].algorithm != algorithm)
                continue;
            before += j < i;
            all++;
        }
        double shade = all < 2 ? 0 : lightest + (darkest - lightest) * (double)before / (double)(all - 1);
        ret_colours[i] = mix(hue_of(algorithm), shade < 0 ? 0x000000 : 0xffffff, fabs(shade));
    }
}

bool ct_colour_is_light(uint32_t colour)
{
    double red = (colour >> 16) & 0xff, green = (colour >> 8) & 0xff, blue = colour & 0xff;
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140;
}

const struct ct_band ct_penalty_bands[] = {
    {0.01, "up to 1 %", 0xf3efe0},  {0.05, "1 to 5 %", 0xf6dfa4},      {0.10, "5 to 10 %", 0xf5c16c},
    {0.25, "10 to 25 %", 0xec9a52}, {0.50, "25 to 50 %", 0xd9704f},    {1.00, "50 to 100 %", 0xb54a5c},
    {9.00, "2 to 10 ×", 0x7b2d62},  {INFINITY, "over 10 ×", 0x472a7a},
};

const struct ct_band ct_ratio_bands[] = {
    {0.80, "below 0.8 ×", 0xa6440b},    {0.95, "0.8 to 0.95 ×", 0xeda36a}, {1.05, "about equal", 0xe4e4e0},
    {1.25, "1.05 to 1.25 ×", 0xbfdcec}, {2.00, "1.25 to 2 ×", 0x7fb8d9},   {10.0, "2 to 10 ×", 0x2f7fb5},
    {INFINITY, "over 10 ×", 0x0b3c66},
};

size_t ct_band_find(const struct ct_band *bands, double value)
{
    size_t band = 0;
    while (value > bands[band].most)
        band++;
    return band;
}
