/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEARN_SETTINGS_H
#define CT_LEARNERS_LEARN_SETTINGS_H

#include "learners/learner.h"

/* An option as the user gives it. */
struct ct_learn_word {
    const char *name;  /* long name, without dashes */
    const char *value; /* NULL for a flag */
};

/* The settings of a learner with these options, which must live as long. CT_OK; CT_E_INPUT with a line in
 * `error` if the learner has no such option or the value is wrong; CT_E_MEMORY; as prepare(). Free with
 * ct_learn_settings_free(). */
int ct_learn_settings_new(const struct ct_learner *learner, const struct ct_learn_word *words, size_t count,
                          const struct ct_watch *watch, struct ct_error *error,
                          struct ct_learn_settings **ret_settings);
void ct_learn_settings_free(struct ct_learn_settings *settings); /* NULL is allowed */

/* Appends the options that differ from their defaults, as a table states them: "max-depth=3 exclude=native".
 */
void ct_learn_settings_spell(const struct ct_learn_settings *settings, struct ct_text *text);

#endif
