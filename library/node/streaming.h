/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_STREAMING_H
#define CT_LIBRARY_NODE_STREAMING_H

#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Stores that do not go through the cache of the CPU. What another CPU has read last lies in its cache; to
 * store to such a line through the own cache, a CPU fetches it, which takes long between far CPUs. */

/* Copies like memcpy, with such stores where the CPU has them. `to` is at the beginning of a cache line.
 * Other ranks that are told afterwards find the bytes. */
static inline void ct_stream(void *to, const void *from, size_t bytes)
{
    size_t done = 0;
#ifdef __SSE2__
    for (; done + sizeof(__m128i) <= bytes; done += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(void *)((char *)to + done),
                         _mm_loadu_si128((const __m128i *)(const void *)((const char *)from + done)));
    _mm_sfence();
#endif
    memcpy((char *)to + done, (const char *)from + done, bytes - done);
}

#endif
