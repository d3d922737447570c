/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_LEARN_OPTIONS_H
#define CT_CLI_LEARN_OPTIONS_H

#include "learners/learner.h"

#include <argp.h>

/* The options that say how to learn, for every command that does. */

struct ct_learn_arguments {
    const struct ct_learner *learner;
    struct ct_learn_word words[64]; /* the learner's options */
    size_t count;
    struct ct_learn_settings *settings; /* made of these */
    bool given;                         /* any of the options was */
};

/* As without any options. */
void ct_learn_arguments_begin(struct ct_learn_arguments *ret_arguments);

/* Makes the settings once the options are parsed. As ct_learn_settings_new(). */
int ct_learn_arguments_read(struct ct_learn_arguments *arguments, struct ct_error *error);
void ct_learn_arguments_free(struct ct_learn_arguments *arguments);

/* A child parser, whose input is a struct ct_learn_arguments begun, and its options. */
extern const struct argp ct_learn_argp;
extern const struct argp_option ct_learn_argp_options[];

#endif
