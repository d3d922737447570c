/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/learning.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/terminal.h"
#include "decision/tree/tree_depth.h"
#include "learners/all_learners.h"
#include "learners/learn_settings.h"
#include "samples/run_folder.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *learner_choice(size_t index)
{
    return ct_learners[index] ? ct_learners[index]->name : NULL;
}

static const struct ct_option options[] = {
    {"learner", 'l', "NAME", CT_OPTION_CHOICE, offsetof(struct ct_learning, learner),
     .choice = learner_choice, .text = "use this learner"},
    {0},
};

int ct_learning_begin(struct ct_learning *learning, const struct ct_command *command, const char *heading,
                      struct ct_bindings *bindings)
{
    learning->bar.command = command;
    ct_options_default(options, learning);
    ct_bind(bindings, (struct ct_binding){.options = options, .settings = learning, .heading = heading});
    for (size_t i = 0; ct_learners[i]; i++)
        ct_bind(bindings, (struct ct_binding){.options = ct_learners[i]->options,
                                              .owner = ct_learners[i]->name,
                                              .heading = heading});
    return CT_OK;
}

void ct_learning_end(struct ct_learning *learning)
{
    ct_learn_settings_free(learning->settings);
}

void ct_learning_wipe(const struct ct_learning *learning)
{
    ct_bar_end(learning->watch.context);
}

static bool is_of_learner(const char *name)
{
    for (size_t i = 0; ct_learners[i]; i++)
        if (ct_option_find(ct_learners[i]->options, name))
            return true;
    return false;
}

/* The first learner that has all these options. SIZE_MAX: none has. */
static size_t find_learner(const struct ct_learn_word *words, size_t count)
{
    for (size_t l = 0; ct_learners[l]; l++) {
        size_t has = 0;
        for (size_t i = 0; i < count; i++)
            has += ct_option_find(ct_learners[l]->options, words[i].name) != NULL;
        if (has == count)
            return l;
    }
    return SIZE_MAX;
}

/* Unless the user chose a learner, the default is replaced by one that has the options that were given. */
static const struct ct_learner *learner_for(const struct ct_learning *learning,
                                            const struct ct_arguments *arguments,
                                            const struct ct_learn_word *words, size_t count)
{
    size_t found = ct_is_given(arguments, "learner") ? SIZE_MAX : find_learner(words, count);
    return ct_learners[found != SIZE_MAX ? found : (size_t)learning->learner];
}

/* Says that the learner is not the usual one, by the first option that the usual one lacks. */
static void tell_learner(const struct ct_learning *learning, const struct ct_learner *learner,
                         const struct ct_learn_word *words, size_t count)
{
    const struct ct_learner *usual = ct_learners[learning->learner];
    for (size_t i = 0; learner != usual && i < count; i++)
        if (!ct_option_find(usual->options, words[i].name)) {
            fprintf(stderr, "--%s: the learner %s is used, because %s does not have this option\n",
                    words[i].name, learner->name, usual->name);
            break;
        }
}

int ct_learning_check(struct ct_learning *learning, const struct ct_arguments *arguments,
                      struct ct_error *error)
{
    struct ct_learn_word *words = ct_allocate(arguments->given_count + 1, sizeof *words);
    size_t count = 0;
    if (!words)
        return CT_E_MEMORY;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (is_of_learner(arguments->given[i].option->name))
            words[count++] =
                (struct ct_learn_word){arguments->given[i].option->name, arguments->given[i].word};
    learning->watch = ct_bar_watch(&learning->bar, learning->bar.command);
    const struct ct_learner *learner = learner_for(learning, arguments, words, count);
    int status = ct_learn_settings_new(learner, words, count, &learning->watch, error, &learning->settings);
    if (status == CT_OK)
        tell_learner(learning, learner, words, count);
    free(words);
    return status;
}

void ct_learning_list(struct ct_text *text)
{
    ct_text_append(text, "Learners:\n");
    for (size_t i = 0; ct_learners[i]; i++)
        ct_help_item(ct_learners[i]->name, 12, ct_learners[i]->text, text);
    ct_text_append(text, "\nFeatures, which docs/features.md explains: ");
    for (size_t i = 0; ct_feature_choice(i); i++)
        ct_text_append(text, "%s%s", i > 0 ? ", " : "", ct_feature_choice(i));
    ct_text_append(text, "\n\n");
}

const char *ct_feature_choice(size_t index)
{
    return index < CT_FEATURES ? ct_feature_descriptors[index]->name
                               : ct_known_composites[index - CT_FEATURES].name;
}

int ct_features_define(const struct ct_texts *definitions, struct ct_error *error,
                       struct ct_learn_features *features)
{
    for (size_t i = 0; i < definitions->count; i++) {
        int status = ct_learn_features_define(features, definitions->words[i], error);
        if (status != CT_OK)
            return ct_fail_in(error, status, "--feature");
    }
    return CT_OK;
}

int ct_features_read(const char *list, const struct ct_texts *definitions, struct ct_error *error,
                     struct ct_learn_features *features)
{
    struct ct_error why = {""};
    int status = ct_features_define(definitions, error, features);
    if (status != CT_OK)
        return status;
    if (list)
        status = ct_learn_features_list(features, list, &why);
    else if (definitions->count > 0)
        status = ct_learn_features_complete(features, &why);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "--features: %s", why.text);
}

int ct_outdated_tell(const struct ct_command *command, const struct ct_table *table, const char *path)
{
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < table->run_count; i++) {
        char *folder = ct_format("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, table->runs[i].name);
        struct ct_run run = {0};
        bool outdated = false;
        if (!folder)
            return CT_E_MEMORY;
        if (ct_run_read(folder, true, NULL, &run) == CT_OK &&
            ct_table_is_outdated(table, &run, NULL, &outdated) == CT_OK && outdated)
            ct_tell(command, CT_OUTDATED_TEXT, path, folder);
        ct_run_free(&run);
        free(folder);
    }
    return CT_OK;
}

void ct_tree_tell(const struct ct_table *table, size_t index)
{
    const struct ct_decision_tree *tree = &table->decisions.trees[index];
    const struct ct_penalty *penalty = &table->trees[index].penalty;
    size_t leaves = ct_tree_leaf_count(tree);
    const char *modes = table->trees[index].modes;
    fprintf(stderr, "%s%s%s: %zu %s, depth %zu", ct_collectives[tree->collective].name, modes ? ", " : "",
            modes ? modes : "", leaves, leaves == 1 ? "leaf" : "leaves", ct_tree_depth(tree));
    if (penalty->cells > 0)
        fprintf(stderr, ", mean slowdown %.2f %% over %zu %s", 100 * penalty->mean, penalty->cells,
                penalty->cells == 1 ? "cell" : "cells");
    fprintf(stderr, "\n");
}
