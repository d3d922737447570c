/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_PROFILE_FORMAT_H
#define CT_ALGORITHMS_PROFILE_FORMAT_H

#include <stddef.h>

/* The file of an application's profile: CSV with the columns below. library/decide/profile.c writes it,
 * samples/profile_file.c reads it. A line stands for all calls of one rank that are alike in the columns up
 * to the method. */

enum ct_profile_column {
    CT_PROFILE_RANK, /* in MPI_COMM_WORLD */
    CT_PROFILE_COLLECTIVE,
    CT_PROFILE_MODE, /* of plan/call_mode.h */
    CT_PROFILE_COMM_SIZE,
    CT_PROFILE_MSG_BYTES, /* the least of the class, see ct_profile_class() */
    CT_PROFILE_METHOD,
    CT_PROFILE_CALLS,
    CT_PROFILE_BYTES,   /* message sizes of all calls, added up */
    CT_PROFILE_SECONDS, /* in all calls; of one that does not block from its start to the end that the
                           application sees */
    CT_PROFILE_WAITING, /* seconds beyond those that all calls would have taken if each had been as short as
                           the shortest: an estimate of how long the rank waited for others that came
                           later. Disturbances, first calls and the larger messages of the class count, too;
                           what it waited in all calls does not */
    CT_PROFILE_COLUMNS
};

/* Names, by enum. */
extern const char *const ct_profile_columns[CT_PROFILE_COLUMNS];

/* The class of a message size: the power of two at or below it, or 0. */
size_t ct_profile_class(size_t bytes);

#endif
