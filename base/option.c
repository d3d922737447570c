/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/option.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Properties of each kind. */
struct kind {
    const char *expected;
    bool has_range;
    bool (*read)(const struct ct_option *option, const char *word, void *value);
    void (*spell)(const struct ct_option *option, const void *value, struct ct_text *text);
};

static bool in_range(const struct ct_option *option, double number)
{
    return (option->above ? number > option->least : number >= option->least) &&
           (option->most == 0 || number <= option->most);
}

static bool read_flag(const struct ct_option *option, const char *word, void *value)
{
    (void)option;
    *(bool *)value = true;
    return !word;
}

static void spell_flag(const struct ct_option *option, const void *value, struct ct_text *text)
{
    (void)option;
    ct_text_append(text, "%s", *(const bool *)value ? "yes" : "");
}

static bool read_text(const struct ct_option *option, const char *word, void *value)
{
    (void)option;
    if (!*word)
        return false;
    *(const char **)value = word;
    return true;
}

static void spell_text(const struct ct_option *option, const void *value, struct ct_text *text)
{
    const char *word = *(const char *const *)value;
    (void)option;
    ct_text_append(text, "%s", word ? word : "");
}

static bool read_texts(const struct ct_option *option, const char *word, void *value)
{
    struct ct_texts *texts = value;
    (void)option;
    if (!*word || ct_grow(&texts->words, &texts->capacity, texts->count + 1, sizeof *texts->words) != CT_OK)
        return false;
    texts->words[texts->count++] = word;
    return true;
}

static bool read_whole(const struct ct_option *option, const char *word, void *value)
{
    size_t number;
    if (ct_whole_parse(word, SIZE_MAX - 1, &number) != CT_OK || !in_range(option, (double)number))
        return false;
    *(size_t *)value = number;
    return true;
}

static void spell_whole(const struct ct_option *option, const void *value, struct ct_text *text)
{
    (void)option;
    ct_text_append(text, "%zu", *(const size_t *)value);
}

static bool read_size(const struct ct_option *option, const char *word, void *value)
{
    size_t size;
    if (ct_size_parse(word, &size) != CT_OK || !in_range(option, (double)size))
        return false;
    *(size_t *)value = size;
    return true;
}

static void spell_size(const struct ct_option *option, const void *value, struct ct_text *text)
{
    char size[CT_SIZE_TEXT];
    (void)option;
    ct_text_append(text, "%s", ct_size_format(*(const size_t *)value, size));
}

static bool read_number(const struct ct_option *option, const char *word, void *value)
{
    double number;
    if (ct_number_parse(word, &number) != CT_OK || !in_range(option, number))
        return false;
    *(double *)value = option->kind == CT_OPTION_PERCENT ? number / 100 : number;
    return true;
}

static void spell_number(const struct ct_option *option, const void *value, struct ct_text *text)
{
    char number[CT_NUMBER_TEXT];
    if (option->kind == CT_OPTION_PERCENT) /* a fraction of 0.07 is 7, not 7.000000000000001 */
        ct_text_append(text, "%.12g", *(const double *)value * 100);
    else
        ct_text_append(text, "%s", ct_number_format(*(const double *)value, number));
}

static bool read_time(const struct ct_option *option, const char *word, void *value)
{
    double seconds;
    if (ct_seconds_parse(word, &seconds) != CT_OK || !in_range(option, seconds))
        return false;
    *(double *)value = seconds;
    return true;
}

/* Index of the choice that these bytes spell; -1: none. */
static int find_choice(const struct ct_option *option, const char *word, size_t length)
{
    const char *name;
    for (int i = 0; (name = option->choice((size_t)i)) != NULL; i++)
        if (strlen(name) == length && memcmp(name, word, length) == 0)
            return i;
    return -1;
}

static bool read_choice(const struct ct_option *option, const char *word, void *value)
{
    const int index = find_choice(option, word, strlen(word));
    if (index >= 0)
        *(int *)value = index;
    return index >= 0;
}

/* Each at most once. */
static bool read_choices(const struct ct_option *option, const char *word, void *value)
{
    unsigned chosen = 0;
    for (;; word++) {
        const size_t length = strcspn(word, ",");
        const int index = find_choice(option, word, length);
        if (index < 0 || chosen & 1U << index)
            return false;
        chosen |= 1U << index;
        word += length;
        if (!*word)
            break;
    }
    *(unsigned *)value = chosen;
    return true;
}

static void spell_choice(const struct ct_option *option, const void *value, struct ct_text *text)
{
    ct_text_append(text, "%s", option->choice((size_t) * (const int *)value));
}

static void spell_choices(const struct ct_option *option, const void *value, struct ct_text *text)
{
    const unsigned chosen = *(const unsigned *)value;
    const char *name, *comma = "";
    for (size_t i = 0; (name = option->choice(i)) != NULL; i++)
        if (chosen & 1U << i) {
            ct_text_append(text, "%s%s", comma, name);
            comma = ",";
        }
}

static const struct kind kinds[] = {
    [CT_OPTION_FLAG] = {"no argument", false, read_flag, spell_flag},
    [CT_OPTION_TEXT] = {"at least one character", false, read_text, spell_text},
    [CT_OPTION_TEXTS] = {"at least one character", false, read_texts, NULL},
    [CT_OPTION_WHOLE] = {"a whole number", true, read_whole, spell_whole},
    [CT_OPTION_SIZE] = {"a size such as 8K", true, read_size, spell_size},
    [CT_OPTION_NUMBER] = {"a number", true, read_number, spell_number},
    [CT_OPTION_PERCENT] = {"a number of percent", true, read_number, spell_number},
    [CT_OPTION_TIME] = {"a time such as 50us, 0.3s, 10m or 1.5h", false, read_time, spell_number},
    [CT_OPTION_CHOICE] = {NULL, false, read_choice, spell_choice},
    [CT_OPTION_CHOICES] = {NULL, false, read_choices, spell_choices},
};

/* `last` stands before the last one. */
static void append_choices(const struct ct_option *option, const char *last, struct ct_text *text)
{
    const char *name;
    for (size_t i = 0; (name = option->choice(i)) != NULL; i++)
        ct_text_append(text, "%s%s", i == 0 ? "" : option->choice(i + 1) ? ", " : last, name);
}

static bool has_many_choices(const struct ct_option *option)
{
    enum { MANY = 12 };
    for (size_t i = 0; i < MANY; i++)
        if (!option->choice(i))
            return false;
    return true;
}

/* Appends what the option takes: "a whole number from 1 to 10", "text or csv". */
static void append_expected(const struct ct_option *option, struct ct_text *text)
{
    assert(option->kind < sizeof kinds / sizeof kinds[0]);
    const struct kind *kind = &kinds[option->kind];
    char least[CT_NUMBER_TEXT], most[CT_NUMBER_TEXT];
    if (option->kind == CT_OPTION_CHOICE || option->kind == CT_OPTION_CHOICES) {
        append_choices(option, " or ", text);
        ct_text_append(text, option->kind == CT_OPTION_CHOICES ? ", or several of these with commas" : "");
        return;
    }
    ct_text_append(text, "%s", kind->expected);
    if (!kind->has_range)
        return;
    if (option->kind == CT_OPTION_SIZE) {
        ct_size_format((size_t)option->least, least);
        ct_size_format((size_t)option->most, most);
    } else {
        ct_number_format(option->least, least);
        ct_number_format(option->most, most);
    }
    if (option->above)
        ct_text_append(text, " above %s", least);
    else if (option->most != 0)
        ct_text_append(text, " from %s", least);
    else if (option->least != 0)
        ct_text_append(text, " of at least %s", least);
    if (option->most != 0)
        ct_text_append(text, option->above ? ", at most %s" : " to %s", most);
}

const struct ct_option *ct_option_find(const struct ct_option *options, const char *name)
{
    for (; options->name; options++)
        if (strcmp(options->name, name) == 0)
            return options;
    return NULL;
}

/* The choice that was probably meant; NULL if there is none. */
static const char *nearest_choice(const struct ct_option *option, const char *word)
{
    enum { MOST = 64 };
    const char *names[MOST];
    size_t count = 0;
    while (count < MOST && (names[count] = option->choice(count)) != NULL)
        count++;
    return ct_nearest(word, names, count);
}

int ct_option_read(const struct ct_option *option, const char *word, void *settings, struct ct_error *error)
{
    if (option->kind == CT_OPTION_OTHER)
        return option->read(option, word, settings, error);
    if (kinds[option->kind].read(option, word, (char *)settings + option->offset))
        return CT_OK;
    if (option->kind == CT_OPTION_TEXTS && *word)
        return CT_E_MEMORY;
    struct ct_text expected = {0};
    const char *nearest = option->kind == CT_OPTION_CHOICE && word ? nearest_choice(option, word) : NULL;
    if (nearest)
        ct_text_append(&expected, "did you mean '%s'? expected ", nearest);
    else
        ct_text_append(&expected, "expected ");
    append_expected(option, &expected);
    int status = expected.failed ? CT_E_MEMORY
                                 : ct_fail(error, CT_E_INPUT, "--%s '%.80s': %s", option->name,
                                           word ? word : "", expected.data);
    ct_text_free(&expected);
    return status;
}

void ct_option_default(const struct ct_option *option, void *settings)
{
    static const size_t sizes[] = {
        [CT_OPTION_FLAG] = sizeof(bool),       [CT_OPTION_TEXT] = sizeof(const char *),
        [CT_OPTION_WHOLE] = sizeof(size_t),    [CT_OPTION_SIZE] = sizeof(size_t),
        [CT_OPTION_NUMBER] = sizeof(double),   [CT_OPTION_PERCENT] = sizeof(double),
        [CT_OPTION_TIME] = sizeof(double),     [CT_OPTION_CHOICE] = sizeof(int),
        [CT_OPTION_CHOICES] = sizeof(unsigned)};
    assert(option->kind < sizeof sizes / sizeof sizes[0] && sizes[option->kind] > 0);
    memset((char *)settings + option->offset, 0, sizes[option->kind]);
    int status = option->usual ? ct_option_read(option, option->usual, settings, NULL) : CT_OK;
    assert(status == CT_OK);
    (void)status;
}

void ct_options_default(const struct ct_option *options, void *settings)
{
    for (; options->name; options++) {
        int status = options->usual ? ct_option_read(options, options->usual, settings, NULL) : CT_OK;
        assert(status == CT_OK);
        (void)status;
    }
}

void ct_options_free(const struct ct_option *options, void *settings)
{
    for (; options->name; options++)
        if (options->kind == CT_OPTION_TEXTS) {
            struct ct_texts *texts = (struct ct_texts *)((char *)settings + options->offset);
            free(texts->words);
            *texts = (struct ct_texts){0};
        }
}

void ct_option_help(const struct ct_option *option, struct ct_text *text)
{
    ct_text_append(text, "%s", option->text);
    if (option->choice && !(option->kind == CT_OPTION_CHOICE && has_many_choices(option))) {
        ct_text_append(text, strpbrk(option->text, ".:;") ? ". One of: " : ": ");
        append_choices(option, option->kind == CT_OPTION_CHOICE ? " or " : ", ", text);
    }
    if (option->usual_text || option->usual)
        ct_text_append(text, " (default: %s)", option->usual_text ? option->usual_text : option->usual);
    else if (option->kind == CT_OPTION_CHOICE && !option->required)
        ct_text_append(text, " (default: %s)", option->choice(0));
}

void ct_options_spell(const struct ct_option *options, const void *settings, struct ct_text *text)
{
    for (; options->name; options++) {
        if (options->kind == CT_OPTION_TEXTS || options->kind >= CT_OPTION_OTHER)
            continue;
        /* values are compared as they are spelled */
        union {
            bool flag;
            const char *word;
            size_t whole;
            double number;
            int choice;
            unsigned choices;
        } usual = {.word = NULL};
        if (options->usual)
            kinds[options->kind].read(options, options->usual, &usual);
        struct ct_text now = {0}, before = {0};
        kinds[options->kind].spell(options, (const char *)settings + options->offset, &now);
        kinds[options->kind].spell(options, &usual, &before);
        if (now.failed || before.failed)
            text->failed = true;
        else if (options->kind == CT_OPTION_FLAG && now.length > 0)
            ct_text_append(text, " %s", options->name);
        else if (options->kind != CT_OPTION_FLAG && now.length > 0 &&
                 (before.length == 0 || strcmp(now.data, before.data) != 0))
            ct_text_append(text, " %s=%s", options->name, now.data);
        ct_text_free(&now);
        ct_text_free(&before);
    }
}
