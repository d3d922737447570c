/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_APPLICATIONS_MIX_H
#define TESTS_APPLICATIONS_MIX_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* What the applications share: communicators of all kinds, traffic of their own under MPI_ANY_SOURCE and
 * MPI_ANY_TAG around a collective, and results that are the same in every run. They know nothing of any tuned
 * library: they only make calls that MPI allows, and notice messages that are not theirs. */

struct mix_job {
    int rank;
    int size;
    int repetitions; /* from the command line */
    MPI_Comm aside;  /* a duplicate of world for reports and for mix_quiet(), apart from what is tested */
};

/* MPI_Init, and the repetitions that the first argument asks for. */
void mix_start(int *argc, char ***argv, struct mix_job *ret_job);
/* Fails where a message is left over; MPI_Finalize. */
void mix_finish(struct mix_job *job);

/* Ends the job with a line that says what is wrong. */
void mix_fail(const char *what, const char *where) __attribute__((noreturn));

/* malloc, or the end of the job. */
void *mix_allocate(size_t bytes);

/* FNV-1a of the bytes, from `hash` on. */
uint64_t mix_hash(uint64_t hash, const void *bytes, size_t length);

/* A value that depends on both, for contents that nobody produces by accident. */
uint64_t mix_value(uint64_t a, uint64_t b);

/* Waits without keeping the core from other ranks. */
void mix_wait(MPI_Request *request, MPI_Status *status);

/* One communicator to work on. */
struct mix_circle {
    char name[24];
    MPI_Comm comm; /* MPI_COMM_NULL where this rank is no member */
    int inter;     /* an intercommunicator */
};

enum { MIX_CIRCLES_MAX = 80 };

/* World, a duplicate, self, halves, reversed ranks, the first 1 ... N ranks, and an intercommunicator between
 * even and odd ranks. Collective over world; returns how many. */
int mix_circles_make(const struct mix_job *job, struct mix_circle circles[MIX_CIRCLES_MAX]);
/* Frees them, with a receive pending that is finished afterwards. */
void mix_circles_free(struct mix_circle *circles, int count);

/* Traffic around one collective. mix_begin() posts receives from any source with any tag and sends to others;
 * mix_end() sends more, takes those by probe and receive, and waits. It returns a checksum over all that
 * came, whatever the order, and fails where anything came that this traffic did not send. */
struct mix_traffic {
    MPI_Comm comm;
    int round;
    int expected; /* messages to come per half: 2, or 0 for a rank without a partner */
    MPI_Request receives[2];
    MPI_Request sends[4];
    unsigned char *sent[4];
    unsigned char *received;
};

void mix_begin(struct mix_traffic *traffic, MPI_Comm comm, int round);
uint64_t mix_end(struct mix_traffic *traffic);

/* No rank leaves before all of the job have come, by messages alone: parts one round's traffic from the next.
 */
void mix_quiet(const struct mix_job *job);

/* Prints one line on rank 0: kind, name, and each rank's value. `kind` is "exact" where every MPI library
 * must give the same, "float" where only the runs of one need to. Collective over the job, by messages alone.
 */
void mix_report(const struct mix_job *job, const char *kind, const char *name, uint64_t value);

/* Prints on rank 0 the line "exact NAME yes" where `holds` on all ranks, else "exact NAME no". */
void mix_report_holds(const struct mix_job *job, const char *name, int holds);

#endif
