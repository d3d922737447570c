/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/learners/learner_fixture.h"
#include "learners/all_learners.h"
#include "learners/learn_settings.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static int make(const char *learner, const char *words, struct ct_error *error,
                struct ct_learn_settings **ret_settings)
{
    static char text[500];
    struct ct_learn_word parts[20];
    size_t count = 0;
    assert_true((size_t)snprintf(text, sizeof text, "%s", words) < sizeof text);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        if (equals)
            *equals++ = '\0';
        assert_true(count < sizeof parts / sizeof parts[0]);
        parts[count++] = (struct ct_learn_word){word, equals};
    }
    return ct_learn_settings_new(ct_learner_find(learner), parts, count, NULL, error, ret_settings);
}

struct ct_learn_settings *fixture_settings(const char *learner, const char *words)
{
    struct ct_learn_settings *settings;
    struct ct_error error = {""};
    int status = make(learner, words, &error, &settings);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    return settings;
}

int fixture_settings_fail(const char *learner, const char *words, struct ct_error *error)
{
    struct ct_learn_settings *settings = NULL;
    int status = make(learner, words, error, &settings);
    assert_null(settings);
    assert_int_not_equal(status, CT_OK);
    assert_string_not_equal(error->text, "");
    return status;
}

struct ct_decision_tree fixture_learn(const char *learner, const char *words, const struct ct_map *map,
                                      const bool *allowed)
{
    struct ct_learn_settings *settings = fixture_settings(learner, words);
    struct ct_decision_tree tree;
    struct ct_error error = {""};
    int status = settings->learner->learn(map, settings, allowed, &error, &tree);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    ct_learn_settings_free(settings);
    return tree;
}

int fixture_learn_fail(const char *learner, const char *words, const struct ct_map *map, const bool *allowed,
                       struct ct_error *error)
{
    struct ct_learn_settings *settings = fixture_settings(learner, words);
    struct ct_decision_tree tree = {.node_count = 77};
    int status = settings->learner->learn(map, settings, allowed, error, &tree);
    assert_int_not_equal(status, CT_OK);
    assert_int_equal(tree.node_count, 77);
    ct_learn_settings_free(settings);
    return status;
}
