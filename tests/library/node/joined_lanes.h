/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_LIBRARY_NODE_JOINED_LANES_H
#define TESTS_LIBRARY_NODE_JOINED_LANES_H

#include "library/node/transfers.h"

/* Both ends of a lane in one process: what one sends, the other receives. */
struct joined_lanes {
    struct ct_lane lanes[2];
    unsigned char *memory[2]; /* of the ring that each end reads */
};

enum { SMALL = 8064, LARGE = 512 << 10 }; /* bytes of a ring with its chunks */

/* Gives each ring `bytes` of memory. `first` cells, chunks and copies of each slot have been put and
 * taken before. */
void join_lanes(size_t bytes, uint64_t first, struct joined_lanes *ret_joined);
void part_lanes(struct joined_lanes *joined);

/* Does the kernel let a process copy out of another one's memory? */
bool can_copy(void);
/* Messages of at least so many bytes are copied out of the sender's memory. */
void copy_from(struct joined_lanes *joined, size_t bytes);

/* One rank's end of lanes to several others: the first end of each pair is this rank's, with its board. */
enum { READERS = 3 };
struct starred_lanes {
    struct joined_lanes pairs[READERS];
    struct ct_board board;
    unsigned char *memory; /* of the board */
};
void join_star(size_t bytes, uint64_t first, struct starred_lanes *ret_star);
void part_star(struct starred_lanes *star);

struct ct_transfer sending(struct ct_lane *lane, uint64_t label, const void *from, size_t bytes);
struct ct_transfer receiving(struct ct_lane *lane, uint64_t label, void *to, size_t bytes);

/* Receives and reduces; `operand` may be NULL. */
struct ct_transfer reducing(struct ct_lane *lane, uint64_t label, void *to, const void *operand, size_t bytes,
                            const struct ct_reduction *reduction);

/* The contents of a message, which tell its place and the message. */
unsigned char *new_contents(size_t bytes, uint64_t message);
bool are_contents(const unsigned char *contents, size_t bytes, uint64_t message);

/* Moves both until they are complete; one may be NULL. */
void finish_both(struct ct_transfer *out, struct ct_transfer *in);

/* Sends `sent` bytes to a receiver of `expected` bytes, and looks at what arrives. */
void pass_message(struct joined_lanes *joined, int from, size_t sent, size_t expected, uint64_t message);

#endif
