/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/random.h"

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

void ct_shuffle(void *elements, size_t count, size_t size, uint64_t *state)
{
    unsigned char *bytes = elements;
    for (size_t i = count; i > 1; i--)
        swap(bytes + ct_random(state) % i * size, bytes + (i - 1) * size, size);
}
