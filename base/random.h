/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_RANDOM_H
#define CT_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Random numbers for orders of work: the same everywhere for the same seed, and without a library, as the
 * benchmark program needs them, too. Statistics use GSL's generators.
 *
 * SplitMix64 (Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators, figure 17). `state` is
 * any number, the seed. */
static inline uint64_t ct_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Puts the elements, each of `size` bytes, into random order. */
void ct_shuffle(void *elements, size_t count, size_t size, uint64_t *state);

#endif
