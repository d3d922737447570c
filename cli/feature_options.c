/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/feature_options.h"
#include "base/text.h"
#include "cli/command.h"

static const struct argp_option both[] = {CT_FEATURES_OPTION, CT_FEATURE_OPTION, {0}};
static const struct argp_option define[] = {CT_FEATURE_OPTION, {0}};

error_t ct_feature_parse(int key, const char *argument, struct ct_learn_features *features,
                         const struct argp_state *state)
{
    struct ct_error error = {""};
    if (key != CT_KEY_FEATURES && key != CT_KEY_FEATURE)
        return ARGP_ERR_UNKNOWN;
    bool is_list = key == CT_KEY_FEATURES;
    int status = is_list ? ct_learn_features_list(features, argument, &error)
                         : ct_learn_features_define(features, argument, &error);
    if (status != CT_OK)
        ct_usage(state, "%s: %s", is_list ? "--features" : "--feature", error.text);
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    return ct_feature_parse(key, argument, state->input, state);
}

char *ct_feature_help(int key, const char *text, void *input)
{
    (void)input;
    if (key != CT_KEY_FEATURES)
        return (char *)text;
    struct ct_text help = {0};
    ct_text_append(&help, "%s: ", text);
    for (int i = 0; i < CT_FEATURES; i++)
        ct_text_append(&help, "%s, ", ct_feature_descriptors[i]->name);
    for (const struct ct_known_composite *known = ct_known_composites; known->name; known++)
        ct_text_append(&help, "%s%s", known->name, known[1].name ? ", " : "");
    return help.failed ? (char *)text : help.data;
}

const struct argp ct_feature_argp = {both, parse, NULL, NULL, NULL, ct_feature_help, NULL};
const struct argp ct_feature_define_argp = {define, parse, NULL, NULL, NULL, NULL, NULL};
