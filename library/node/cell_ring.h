/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_CELL_RING_H
#define CT_LIBRARY_NODE_CELL_RING_H

#include "plan/node_channel.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A ring of cells in memory that two ranks of a node share. One rank, the writer, puts cells; the other, the
 * reader, takes them in the same order. A cell is one cache line, so a short message travels as one line.
 * Longer messages are cut into pieces, which lie in chunks of memory beside the ring; a cell describes each.
 *
 * Memory order. The n-th cell that is put gets the number n, counted from 1.
 * - The writer fills a cell and its chunk, then stores the number with release. The reader loads the number
 *   with acquire before it reads the rest, so it sees all that was written.
 * - The reader has read a cell when it adds it to `taken`, and a chunk when it adds it to `chunks_taken`.
 *   Both are stored with release. The writer loads them with acquire before it writes there again, so nothing
 *   is overwritten that is still read.
 * - A cell holds its old number until it is put again. That is CT_RING_CELLS less than the number that the
 *   reader waits for, so that the reader cannot take an old cell for a new one.
 * Numbers are compared for equality, and distances are computed modulo 2^64, so that they may wrap. */

enum { CT_RING_CELLS = 32, CT_RING_COPIES = 6, CT_LINE = 64 };

struct ct_cell {
    _Alignas(CT_LINE) _Atomic uint64_t number;
    uint64_t label; /* of the message, with the form of the cell in its lowest 8 bits */
    unsigned char data[CT_CELL_BYTES];
};

struct ct_ring {
    struct ct_cell cells[CT_RING_CELLS];
    /* The line that the reader writes. The writer reads it where it lacks a free cell or chunk, and where it
     * waits for a copy. */
    _Alignas(CT_LINE) _Atomic uint64_t taken;
    _Atomic uint64_t chunks_taken;
    _Atomic uint64_t copied[CT_RING_COPIES]; /* copies out of the writer's memory that are done, by slot */
    /* What the reader wants, as in ways.h. It changes rarely, so it has a line of its own. */
    _Alignas(CT_LINE) _Atomic uint64_t wanted_ways;
};
_Static_assert(sizeof(struct ct_cell) == CT_LINE, "a cell is a cache line");
_Static_assert((CT_RING_CELLS & (CT_RING_CELLS - 1)) == 0, "numbers wrap with the ring");

/* One rank's side of a ring. */
struct ct_ring_side {
    struct ct_ring *ring;
    unsigned char *chunks;
    size_t chunk_bytes;
    unsigned chunk_count;
    uint64_t cells;       /* that this side has put or taken */
    uint64_t used_chunks; /* likewise */
    uint64_t known_taken; /* of the writer: what it last saw of the reader's counts */
    uint64_t known_chunks_taken;
};

/* Fetches lines that this CPU writes next and the reader has in its cache: many at a time, where stores fetch
 * few. */
static inline void ct_fetch_lines(const unsigned char *first, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CT_LINE)
#ifdef __x86_64__ /* where compilers fetch to read, unless they are told of the CPU; old CPUs do nothing */
        __asm__ volatile("prefetchw %0" : : "m"(first[i]));
#else
        __builtin_prefetch(&first[i], 1);
#endif
}

/* Moves a line from the caches of this CPU to one that all CPUs share, where the reader finds it sooner. */
static inline void ct_pass_on_line(const void *line)
{
#ifdef __x86_64__ /* cldemote (%rax); CPUs that lack it do nothing */
    __asm__ volatile(".byte 0x0f, 0x1c, 0x00" : : "a"(line) : "memory");
#else
    (void)line;
#endif
}

/* Returns the cell to be filled next; NULL if the ring is full. */
static inline struct ct_cell *ct_ring_free_cell(struct ct_ring_side *writer)
{
    if (writer->cells - writer->known_taken == CT_RING_CELLS) {
        writer->known_taken = atomic_load_explicit(&writer->ring->taken, memory_order_acquire);
        if (writer->cells - writer->known_taken == CT_RING_CELLS)
            return NULL;
    }
    return &writer->ring->cells[writer->cells % CT_RING_CELLS];
}

/* Has the reader taken the cell of that number, which was put before? */
static inline bool ct_ring_has_taken(struct ct_ring_side *writer, uint64_t number)
{
    if (writer->known_taken - number > UINT64_MAX / 2)
        writer->known_taken = atomic_load_explicit(&writer->ring->taken, memory_order_acquire);
    return writer->known_taken - number <= UINT64_MAX / 2;
}

/* Puts the cell that ct_ring_free_cell() has returned. */
static inline void ct_ring_put(struct ct_ring_side *writer, struct ct_cell *cell, uint64_t label)
{
    cell->label = label;
    atomic_store_explicit(&cell->number, ++writer->cells, memory_order_release);
}

static inline unsigned char *ct_ring_chunk(const struct ct_ring_side *side, uint64_t number)
{
    return side->chunks + number % side->chunk_count * side->chunk_bytes;
}

/* Returns the chunk to be filled next; NULL if the reader needs all. A cell that is put later gives it to the
 * reader. */
static inline unsigned char *ct_ring_free_chunk(struct ct_ring_side *writer)
{
    if (writer->used_chunks - writer->known_chunks_taken == writer->chunk_count) {
        writer->known_chunks_taken = atomic_load_explicit(&writer->ring->chunks_taken, memory_order_acquire);
        if (writer->used_chunks - writer->known_chunks_taken == writer->chunk_count)
            return NULL;
    }
    return ct_ring_chunk(writer, writer->used_chunks);
}

/* Returns the cell to be taken next; NULL if there is none yet. */
static inline const struct ct_cell *ct_ring_first(const struct ct_ring_side *reader)
{
    const struct ct_cell *cell = &reader->ring->cells[reader->cells % CT_RING_CELLS];
    return atomic_load_explicit(&cell->number, memory_order_acquire) == reader->cells + 1 ? cell : NULL;
}

/* The first cell has been read. */
static inline void ct_ring_take(struct ct_ring_side *reader)
{
    atomic_store_explicit(&reader->ring->taken, ++reader->cells, memory_order_release);
}

/* The chunk that belongs to the first cell, if it has one. */
static inline const unsigned char *ct_ring_first_chunk(const struct ct_ring_side *reader)
{
    return ct_ring_chunk(reader, reader->used_chunks);
}

static inline void ct_ring_take_chunk(struct ct_ring_side *reader)
{
    atomic_store_explicit(&reader->ring->chunks_taken, ++reader->used_chunks, memory_order_release);
}

#endif
