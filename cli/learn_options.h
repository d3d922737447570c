/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_LEARN_OPTIONS_H
#define CT_CLI_LEARN_OPTIONS_H

#include "learners/learner.h"
#include "models/model.h"

#include <argp.h>

/* The options that say how to learn, for every command that does. */

struct ct_learn_arguments {
    const struct ct_learner *learner;
    struct ct_learn_options
        options; /* whose features are the ones below, and whose prior is made of the model */
    struct ct_learn_features features;
    bool lists_features;    /* --features was given */
    const char *model_file; /* to follow; NULL: none */
    struct ct_model model;
    enum ct_prediction_way way; /* of the model's times */
    bool shares_links;
    bool given; /* any of the options was */
};

/* As without any options. */
void ct_learn_arguments_begin(struct ct_learn_arguments *ret_arguments);

/* Reads the model, where one was named, once the options are parsed. CT_OK; as ct_model_read(). */
int ct_learn_arguments_read(struct ct_learn_arguments *arguments, struct ct_error *error);
void ct_learn_arguments_free(struct ct_learn_arguments *arguments);

/* A child parser, whose input is a struct ct_learn_arguments begun, and its options. */
extern const struct argp ct_learn_argp;
extern const struct argp_option ct_learn_argp_options[];

#endif
