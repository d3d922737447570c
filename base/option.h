/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_OPTION_H
#define CT_BASE_OPTION_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Options as data. A command or a learner describes its options in one const table; reading a value, checking
 * it, help texts, defaults and the spelling in provenance derive from the table. Values lie in a structure of
 * settings, each at its option's offset. */

enum ct_option_kind {
    CT_OPTION_FLAG,    /* bool; no argument */
    CT_OPTION_TEXT,    /* const char *: the argument itself, not copied */
    CT_OPTION_TEXTS,   /* struct ct_texts: may be given several times; ct_options_free() frees the list */
    CT_OPTION_WHOLE,   /* size_t: digits alone */
    CT_OPTION_SIZE,    /* size_t: bytes, with K, M or G */
    CT_OPTION_NUMBER,  /* double */
    CT_OPTION_PERCENT, /* double: a fraction; written in percent */
    CT_OPTION_TIME,    /* double: seconds; written as 90, 90s, 10m or 1.5h */
    CT_OPTION_CHOICE,  /* int: index of one of the names that `choice` gives */
    CT_OPTION_CHOICES, /* unsigned: a bit, 1 << index, for each of the names in a list with commas */
    CT_OPTION_OTHER,   /* what `read` makes of it */
    CT_OPTION_HEADING  /* no option: `text` is a heading over those that follow */
};

/* The arguments of an option that was given several times, in this order. They are not copied. */
struct ct_texts {
    const char **words;
    size_t count;
    size_t capacity;
};

/* A heading in a table of options. */
#define CT_HEADING(words)                                                                                    \
    {                                                                                                        \
        .name = "", .kind = CT_OPTION_HEADING, .text = (words)                                               \
    }

/* Where a text names what a command writes, command lines check that it can be written, and cut off slashes
 * at the end of a folder's name. */
enum ct_output { CT_OUTPUT_NONE, CT_OUTPUT_FILE, CT_OUTPUT_FOLDER };

struct ct_option {
    const char *name;     /* long name, without dashes */
    char letter;          /* short name; 0: none */
    const char *argument; /* what the argument is called in help: "N", "PERCENT"; NULL in a flag */
    enum ct_option_kind kind;
    size_t offset; /* of the value in the settings */

    /* Whole numbers, sizes, numbers, percent: the range that is allowed. */
    double least;
    double most; /* 0: no bound */
    bool above;  /* more than `least`, not equal to it */

    const char *usual; /* the default as a user would write it; NULL: zero, NULL, false, the first choice */
    const char *usual_text; /* the default in words, for the help, where the value depends on other things */
    bool required;          /* a command fails without it */
    enum ct_output output;
    const char *former; /* an older name, which the help does not have; NULL: none */

    /* Choices: the name at an index; NULL behind the last, which has a number below 32 where several may be
     * chosen. Of a text: names that it may consist of, for the help. */
    const char *(*choice)(size_t index);

    /* Others: reads `word` into the settings. CT_OK, or CT_E_INPUT with a line in `error` that begins with
     * the option's name. */
    int (*read)(const struct ct_option *option, const char *word, void *settings, struct ct_error *error);

    const char *text; /* help: what it does; range and default are added */
};

/* Tables of options end with an entry whose name is NULL. */

/* The option of that name; NULL where there is none. */
const struct ct_option *ct_option_find(const struct ct_option *options, const char *name);

/* Gives every setting its default. The tables are ours: a default that cannot be read is a bug. */
void ct_options_default(const struct ct_option *options, void *settings);

/* Gives one setting its default, which is not a list of texts. */
void ct_option_default(const struct ct_option *option, void *settings);

/* Frees the lists of options that may be given several times. */
void ct_options_free(const struct ct_option *options, void *settings);

/* Reads an argument (NULL for a flag) into the settings. CT_OK; CT_E_INPUT with a line in `error`: "--name
 * 'word': expected a whole number from 1 to 10". */
int ct_option_read(const struct ct_option *option, const char *word, void *settings, struct ct_error *error);

/* Appends the help: the text, the choices unless they are many, and the default in parentheses. */
void ct_option_help(const struct ct_option *option, struct ct_text *text);

/* Appends " name=value" for every option whose value differs from the default, flags as " name": as
 * provenance states them. CT_OPTION_TEXTS and CT_OPTION_OTHER are left out. */
void ct_options_spell(const struct ct_option *options, const void *settings, struct ct_text *text);

#endif
