/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_COMMAND_H
#define CT_CLI_COMMAND_H

#include "base/option.h"

/* A command of `colltune`: one file command_NAME.c and one entry in main.c. Only this folder prints to the
 * user and exits. Results go to standard output or to files, messages to standard error. */

enum ct_exit { CT_EXIT_OK = 0, CT_EXIT_NO = 1, CT_EXIT_USAGE = 2 };

/* An option as it was given; `word` is NULL for a flag. */
struct ct_given {
    const struct ct_option *option;
    const char *word;
};

/* What stands on the command line. */
struct ct_arguments {
    const char *const *words; /* the positional arguments, ended by NULL */
    size_t count;
    const struct ct_given *given; /* the options */
    size_t given_count;
};

/* Was an option of that name given? */
bool ct_is_given(const struct ct_arguments *arguments, const char *name);

/* A table of options, and the settings that it fills. An option that stands in several tables of a command
 * is one option of the command line, which sets all of them; its text is that of the first. */
struct ct_binding {
    const struct ct_option *options;
    void *settings;              /* NULL: the command reads what was given itself */
    const char *heading;         /* in the help, over those that come from here; NULL: none */
    const char *owner;           /* stands in the help of each option, as "(owner)"; NULL: nothing */
    const char *const *withheld; /* names of options that the command line does not have; ended by NULL */
};

enum { CT_BINDINGS_MAX = 24 };

struct ct_bindings {
    struct ct_binding items[CT_BINDINGS_MAX];
    size_t count;
};

/* The option of that name in a table; NULL where there is none, or it is withheld. */
const struct ct_option *ct_binding_find(const struct ct_binding *binding, const char *name);

/* Adds a table after its settings got their defaults. */
void ct_bind(struct ct_bindings *bindings, struct ct_binding binding);

struct ct_command {
    const char *name;
    const char *text;  /* one line for `colltune --help` */
    const char *usage; /* positional arguments and required options, as "RUN -o TABLE.xml" */
    size_t least;      /* number of positional arguments */
    size_t most;       /* if it is below `least`: as many as `least` */
    const char *about; /* in the help, before the options */
    const char *notes; /* and after them; ends with examples */
    const struct ct_option *options;
    size_t settings_size;

    /* The following functions may be NULL, except `run`. All return CT_OK or an error code with a line. */

    /* Prepares settings that are all zeroes, and adds further tables of options. */
    int (*begin)(void *settings, struct ct_bindings *bindings);
    void (*end)(void *settings);
    /* Appends to the help, before the notes. */
    void (*list)(struct ct_text *text);
    /* Called for each positional argument, in order with the options. */
    int (*argument)(const char *word, void *settings);
    /* Reports options that do not go together as wrong usage; may complete the settings. */
    int (*check)(void *settings, const struct ct_arguments *arguments, struct ct_error *error);
    int (*run)(const void *settings, const struct ct_arguments *arguments, struct ct_error *error);
};

extern const struct ct_command ct_command_list, ct_command_explain, ct_command_verify, ct_command_measure,
    ct_command_map, ct_command_learn, ct_command_score, ct_command_generate, ct_command_build,
    ct_command_validate, ct_command_report, ct_command_tune, ct_command_try, ct_command_profile,
    ct_command_import, ct_command_fit, ct_command_predict, ct_command_supplement, ct_command_doctor,
    ct_command_c45, ct_command_export_c45, ct_command_import_c45, ct_command_import_rules, ct_command_compare,
    ct_command_show;

/* Appends an item of a list to a help text: its name in `width` columns, and words about it, which go on in
 * further lines where one is too short for them. */
void ct_help_item(const char *name, int width, const char *words, struct ct_text *help);

/* Makes a command's settings: begins it and sets defaults. CT_OK, CT_E_MEMORY. The caller ends with
 * ct_settings_free(). */
int ct_settings_new(const struct ct_command *command, struct ct_bindings *bindings, void **ret_settings);
void ct_settings_free(const struct ct_command *command, void *settings);

/* The line that says what went wrong. */
const char *ct_failure(int status, const struct ct_error *error);

/* Prints "colltune NAME: " and the text as a line to standard error. */
void ct_tell(const struct ct_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* CT_OK, or CT_E_INPUT with a line in `error` where the path exists. Commands ask before long work; the
 * functions that make files ask again. */
int ct_is_new(const char *path, struct ct_error *error);

/* Reads the list of sizes of an option, each from `least` to `most`. CT_OK; CT_E_INPUT, CT_E_LIMIT with a
 * line in `error` that names the option; CT_E_MEMORY. The caller frees *ret_sizes. */
int ct_sizes_read(const char *option, const char *list, size_t least, size_t most, struct ct_error *error,
                  size_t **ret_sizes, size_t *ret_count);

/* The line about a table that was learned from an earlier state of a run: table file, run. */
#define CT_OUTDATED_TEXT "%s was learned from an earlier state of %s: learn again"

/* How lists are written, for help texts. */
#define CT_LISTS_TEXT                                                                                        \
    "A LIST is words or sizes separated by commas. Sizes may be ranges: 2-32, 2-32/2 (step), 1-1M*2 "        \
    "(factor)."

#endif
