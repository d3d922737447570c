/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_LEARN_OPTIONS_H
#define CT_CLI_LEARN_OPTIONS_H

#include "learners/learner.h"

#include <argp.h>

/* The options that say how to learn, for every command that does. */

struct ct_learn_arguments {
    const struct ct_learner *learner;
    struct ct_learn_options options; /* whose features are the ones below */
    struct ct_learn_features features;
    bool lists_features; /* --features was given */
    bool given;          /* any of the options was */
};

/* As without any options. */
void ct_learn_arguments_begin(struct ct_learn_arguments *ret_arguments);
void ct_learn_arguments_free(struct ct_learn_arguments *arguments);

/* A child parser, whose input is a struct ct_learn_arguments begun. */
extern const struct argp ct_learn_argp;

#endif
