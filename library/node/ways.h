/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_WAYS_H
#define CT_LIBRARY_NODE_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which way long messages of a lane arrive soonest depends on where the two CPUs are, on the cache and on
 * what else the ranks do. Close CPUs exchange cache lines quickly. A line of a chunk that the receiver has
 * read is in its cache; to write it again, the sender fetches it, which takes several times as long from a
 * far CPU. Some CPUs fetch many lines at a time only if they are told to, and others take longer then than
 * their stores alone. Stores that go past the sender's cache need not fetch a line, but then the receiver
 * reads from memory.
 * One copy out of the sender's memory needs no chunks, but the kernel, and the sender waits. Nothing tells
 * where the CPUs are, so the receiver times some messages of each way, and tells the sender which one to
 * take. */
enum ct_way {
    CT_WAY_FETCHED,  /* in chunks, whose lines are fetched before they are written */
    CT_WAY_STORED,   /* in chunks, whose lines the stores fetch */
    CT_WAY_STREAMED, /* in chunks, which are written past the cache */
    CT_WAY_COPY,     /* copied by the receiver */
    CT_WAYS
};

/* What the sender of a message does at the same time. Ranks that exchange messages both use memory; what they
 * receive they may reduce as it arrives. */
enum ct_meanwhile { CT_MEANWHILE_NOTHING, CT_MEANWHILE_RECEIVES, CT_MEANWHILE_REDUCES, CT_MEANWHILES };

/* Messages from CT_WAYS_FROM bytes on have classes, by what their senders do meanwhile, and by length in
 * powers of four up to the last one, which has no end. Shorter ones than CT_WAYS_COPIES_FROM are not copied:
 * the kernel takes longer. */
enum {
    CT_WAYS_FROM = 4 << 10,
    CT_WAYS_COPIES_FROM = 16 << 10,
    CT_WAYS_LENGTHS = 5,
    CT_WAYS_CLASSES = CT_MEANWHILES * CT_WAYS_LENGTHS
};

struct ct_ways {
    struct ct_ways_class {
        double rate[CT_WAYS];   /* seconds a byte: about the median lately */
        unsigned seen[CT_WAYS]; /* messages since the way is tried */
        int beyond[CT_WAYS]; /* messages in a row that took far longer than the rate says; negative: far less
                              */
        bool is_settled;     /* all ways were tried */
        enum ct_way best;    /* by what they took */
        enum ct_way retried; /* the way that was tried again last */
        unsigned confirmed;  /* messages since another way was tried, or the choice changed */
        unsigned patience;   /* after so many another way is tried again */
    } classes[CT_WAYS_CLASSES];
    bool can_copy;   /* the kernel allows it */
    uint64_t wanted; /* what the sender shall do with messages of each class, see below */
};

/* The class of a message of so many bytes, at least CT_WAYS_FROM. */
unsigned ct_ways_class(size_t bytes, enum ct_meanwhile meanwhile);

/* The way that `wanted` says for a class. */
enum ct_way ct_ways_wanted(uint64_t wanted, unsigned of_class);
/* Shall each message of the class be timed? Else some suffice. */
bool ct_ways_watched(uint64_t wanted, unsigned of_class);

/* Of a message, in seconds by the clocks of its ranks, which may differ. */
struct ct_way_times {
    double begun; /* its sender began to send it */
    double sent;  /* its sender had sent all of it; `begun`: it did nothing, or another message's did */
    double found; /* its receiver found its first piece, */
    double ended; /* and had received all of it */
};

/* How long a message took: from when its sender began it until its receiver had all of it. The time that it
 * lay there, since its receiver came later, does not count: then it is the parts of both. Where ranks
 * exchange messages, each sends all that there is room for before it receives, so neither part is the whole
 * time. */
double ct_ways_seconds(const struct ct_way_times *times);

/* Takes how long a message of a class took. */
void ct_ways_note(struct ct_ways *ways, unsigned of_class, enum ct_way way, size_t bytes, double seconds);

#endif
