/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_LEARNING_H
#define CT_CLI_LEARNING_H

#include "cli/command.h"
#include "cli/terminal.h"
#include "decision/table.h"
#include "learners/learner.h"

/* What the commands that learn share. */

struct ct_learning {
    int learner;                        /* in ct_learners[] */
    struct ct_learn_settings *settings; /* of that learner, made by ct_learning_check() */
    struct ct_bar bar;
    struct ct_watch watch; /* of the settings; draws the bar */
};

/* Adds --learner, and the options of all learners, each once. */
int ct_learning_begin(struct ct_learning *learning, const struct ct_command *command, const char *heading,
                      struct ct_bindings *bindings);
void ct_learning_end(struct ct_learning *learning);
/* Wipes the bar. */
void ct_learning_wipe(const struct ct_learning *learning);

/* Makes the settings of the chosen learner of the options that were given. As ct_learn_settings_new(). */
int ct_learning_check(struct ct_learning *learning, const struct ct_arguments *arguments,
                      struct ct_error *error);

/* Appends the names of the learners, each with one line, and of the features, for the help. */
void ct_learning_list(struct ct_text *text);

/* Reads the arguments of --feature. Returns as ct_features_read(). */
int ct_features_define(const struct ct_texts *definitions, struct ct_error *error,
                       struct ct_learn_features *features);

/* Reads the arguments of --feature, then of --features (NULL: the usual list if there are others). CT_OK;
 * CT_E_INPUT with a line in `error`; CT_E_MEMORY. The caller frees with ct_learn_features_free(), also on
 * failure. */
int ct_features_read(const char *list, const struct ct_texts *definitions, struct ct_error *error,
                     struct ct_learn_features *features);

/* The names of all features. */
const char *ct_feature_choice(size_t index);

/* The options --features and --feature, of settings with `const char *features` and `struct ct_texts
 * feature`. */
#define CT_FEATURES_OPTION(settings)                                                                         \
    {                                                                                                        \
        "features", 0, "LIST", CT_OPTION_TEXT, offsetof(settings, features),                                 \
            .usual_text = "comm_size, msg_bytes, and those of patterns", .choice = ct_feature_choice,        \
            .text = "test these features of a call"                                                          \
    }
#define CT_FEATURE_OPTION(settings)                                                                          \
    {                                                                                                        \
        "feature", 0, "NAME=FORMULA", CT_OPTION_TEXTS, offsetof(settings, feature), .text = CT_FEATURE_TEXT  \
    }
#define CT_FEATURE_TEXT                                                                                      \
    "also test this feature, which is computed from the others in whole numbers, for example "               \
    "blocks=msg_bytes/8K; a formula may have + - * / %, parentheses, min, max, log2 and is_power_of_two; "   \
    "may be repeated"

/* Prints a line if the table was learned from an earlier state of a run that lies beside it: a folder with
 * the run's name in the folder of the file `path`. CT_OK, CT_E_MEMORY; a run that cannot be read is none. */
int ct_outdated_tell(const struct ct_command *command, const struct ct_table *table, const char *path);

/* Prints a line about a tree of the table to standard error: the modes of the calls that it was
 * learned from unless they are blocking alone, its size and its mean slowdown. */
void ct_tree_tell(const struct ct_table *table, size_t index);

#endif
