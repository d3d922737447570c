/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_CALL_MODES_H
#define CT_CLI_CALL_MODES_H

#include "cli/command.h"
#include "measure/job.h"
#include "measure/sweep/sweep_conditions.h"

/* How calls are made: the options of commands that make them. */

/* Names of modes, for options. */
const char *ct_mode_choice(size_t index);

/* A list of modes, as a set with the bit 1 << MODE for each. */
#define CT_MODES_OPTION(settings, member, words, standard)                                                   \
    {                                                                                                        \
        "mode", 0, "LIST", CT_OPTION_CHOICES, offsetof(settings, member),                                    \
            .choice = ct_mode_choice, .usual_text = (standard), .text = (words)                              \
    }

/* What is computed beside calls that are not blocking, of settings with a double and a size_t. */
#define CT_COMPUTE_OPTION(settings, member)                                                                  \
    {                                                                                                        \
        "compute", 0, "TIME", CT_OPTION_TIME, offsetof(settings, member),                                    \
            .usual_text = "as long as the native call takes",                                                \
            .text = "with --mode nonblocking or persistent: compute for TIME beside each call"               \
    }
#define CT_TESTS_OPTION(settings, member)                                                                    \
    {                                                                                                        \
        "tests", 0, "N", CT_OPTION_WHOLE, offsetof(settings, member),                                        \
            .most = CT_JOB_TESTS_MOST, .usual = CT_SWEEP_TESTS_TEXT,                                         \
            .text = "with --mode nonblocking or persistent: call MPI_Test N times during the computation"    \
    }

/* Refuses --compute and --tests where all calls are blocking. CT_OK; CT_E_INPUT with a line. */
int ct_modes_check(unsigned modes, const struct ct_arguments *arguments, struct ct_error *error);

#endif
