/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_SKAMPI_H
#define CT_SAMPLES_SKAMPI_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The rows of an output of SKaMPI 5, which times collectives and single messages:
 *
 *     # begin result "MPI_Bcast-procs-short"
 *     procs= 2     1024       6.6       0.1       16       3.1       6.6
 *     # end result "MPI_Bcast-procs-short"
 *
 * A row has the variables of the script's loops; the bytes of a message or block; the microseconds of one
 * call, their standard error, how many repetitions there were; and the time of each rank. From 17 ranks on
 * there are 16 quantiles of the ranks' times. The time of a call is that of the slowest rank in each
 * repetition, averaged over the middle half of the repetitions. With the option -s, lines that begin with #>
 * quote the script before its results; the function that was timed is taken from there, else from the
 * result's name.
 *
 * Sources: measurement.c, parser.y, measurements/coll.c and pt2pt.c of SKaMPI 5, and its collection by Open
 * MPI's testing tool. */

enum { CT_SKAMPI_NAME = 64 };

struct ct_skampi {
    char result[CT_SKAMPI_NAME];   /* the result that the line is in; "" outside of results */
    char function[CT_SKAMPI_NAME]; /* which it is of */
    char quoted[CT_SKAMPI_NAME];   /* the function of the quoted script; "" where nothing is quoted */
    char ranks[CT_SKAMPI_NAME];    /* the variable that counts ranks in the quoted script; may be "" */
    size_t quotes;                 /* how many measurements are quoted since the last result */
    size_t rank_times;             /* the most times of ranks that a row has; 0: the usual number */
    size_t row_times;              /* times of ranks in the result's row before; 0: there is none */
    unsigned like_times;           /* which variables were that number in all its rows: bit i, the i-th */
};

struct ct_skampi_row {
    const char *function; /* as SKaMPI calls it: "Bcast", "Pingpong_Send_Recv"; NULL: the line is no row */
    size_t comm_size;     /* 0 where the row does not say it */
    bool has_bytes;       /* barriers may have none */
    size_t bytes;
    double seconds;
    size_t repetitions;
};

/* Is this an output of SKaMPI? */
bool ct_skampi_knows(const char *text);

/* Takes the next line, which is changed; a state of zeros is that before the first. The row's function is
 * valid until the next line. CT_OK; CT_E_INPUT with what was expected, without the place. */
int ct_skampi_take_line(struct ct_skampi *state, char *line, struct ct_error *error,
                        struct ct_skampi_row *ret_row);

/* Is the text complete behind the last line? CT_OK or CT_E_INPUT. */
int ct_skampi_finish(const struct ct_skampi *state, struct ct_error *error);

#endif
