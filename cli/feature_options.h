/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_FEATURE_OPTIONS_H
#define CT_CLI_FEATURE_OPTIONS_H

#include "learners/learn_features.h"

#include <argp.h>

/* --features and --feature: what trees test, for every command that looks at it. */

enum { CT_KEY_FEATURES = 0x400, CT_KEY_FEATURE };

/* The two options in a command's table. */
#define CT_FEATURES_OPTION                                                                                   \
    {                                                                                                        \
        "features", CT_KEY_FEATURES, "LIST", 0, "what to test (default " CT_LEARN_FEATURES ")", 0            \
    }
#define CT_FEATURE_OPTION                                                                                    \
    {                                                                                                        \
        "feature", CT_KEY_FEATURE, "NAME=FORMULA", 0,                                                        \
            "test this, too, computed of the others: \"blocks=msg_bytes/8K\"; + - * / %, parentheses, min, " \
            "max, "                                                                                          \
            "log2 and is_power_of_two, in whole numbers",                                                    \
            0                                                                                                \
    }

/* Adds what one of the two says; ARGP_ERR_UNKNOWN for other keys, wrong usage where it does not hold. */
error_t ct_feature_parse(int key, const char *argument, struct ct_learn_features *features,
                         const struct argp_state *state);

/* A help filter: the names of the features, behind what their option says. */
char *ct_feature_help(int key, const char *text, void *input);

/* Child parsers, whose input is a struct ct_learn_features, empty at first: both options; --feature alone. */
extern const struct argp ct_feature_argp, ct_feature_define_argp;

#endif
