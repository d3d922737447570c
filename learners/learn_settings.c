/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/learn_settings.h"
#include "base/memory.h"
#include "learners/all_learners.h"

#include <assert.h>
#include <stdlib.h>

/* Says which learners have the option. */
static int refuse(const struct ct_learner *learner, const char *name, struct ct_error *error)
{
    struct ct_text others = {0};
    for (const struct ct_learner *const *other = ct_learners; *other; other++)
        if (ct_option_find((*other)->options, name))
            ct_text_append(&others, "%s%s", others.length > 0 ? ", " : "", (*other)->name);
    int status =
        others.length == 0
            ? ct_fail(error, CT_E_INPUT, "--%s: not an option of any learner", name)
            : ct_fail(error, CT_E_INPUT, "--%s: not an option of the learner %s; expected the learner %s",
                      name, learner->name, others.data);
    ct_text_free(&others);
    return status;
}

static int read_words(struct ct_learn_settings *settings, const struct ct_learn_word *words, size_t count,
                      struct ct_error *error)
{
    const struct ct_learner *learner = settings->learner;
    for (size_t i = 0; i < count; i++) {
        const struct ct_option *option = ct_option_find(learner->options, words[i].name);
        if (!option)
            return refuse(learner, words[i].name, error);
        int status = ct_option_read(option, words[i].value, settings, error);
        if (status != CT_OK)
            return status;
    }
    int status = ct_learn_features_complete(&settings->features, error);
    return status == CT_OK && learner->prepare ? learner->prepare(settings, error) : status;
}

int ct_learn_settings_new(const struct ct_learner *learner, const struct ct_learn_word *words, size_t count,
                          const struct ct_watch *watch, struct ct_error *error,
                          struct ct_learn_settings **ret_settings)
{
    assert(learner->settings_size >= sizeof(struct ct_learn_settings));
    struct ct_learn_settings *settings = ct_allocate(1, learner->settings_size);
    if (!settings)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    settings->learner = learner;
    settings->watch = watch;
    ct_options_default(learner->options, settings);
    int status = read_words(settings, words, count, error);
    if (status == CT_OK)
        *ret_settings = settings;
    else
        ct_learn_settings_free(settings);
    assert(status != CT_OK || !settings->joint || learner->learn_joint);
    return status;
}

void ct_learn_settings_free(struct ct_learn_settings *settings)
{
    if (!settings)
        return;
    if (settings->learner->release)
        settings->learner->release(settings);
    ct_learn_features_free(&settings->features);
    free(settings);
}

void ct_learn_settings_spell(const struct ct_learn_settings *settings, struct ct_text *text)
{
    struct ct_text words = {0}; /* each after a space */
    ct_options_spell(settings->learner->options, settings, &words);
    ct_learn_features_spell(&settings->features, &words);
    if (settings->target)
        ct_text_append(&words, " for=%s", settings->target);
    ct_text_append(text, "%s", words.length > 0 ? words.data + 1 : "");
    text->failed |= words.failed;
    ct_text_free(&words);
}
