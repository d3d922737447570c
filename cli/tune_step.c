/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_step.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/shell_word.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ct_tune_step_begin(const struct ct_tune_step *step, struct ct_bindings *bindings,
                       struct ct_tune_call *call)
{
    size_t first = bindings->count;
    call->step = step;
    int status = ct_settings_new(step->command, bindings, &call->settings);
    if (status != CT_OK)
        return status;
    if (step->own_options)
        bindings->count = first + 1;
    call->bindings = &bindings->items[first];
    call->binding_count = bindings->count - first;
    for (size_t b = first; b < bindings->count; b++) {
        bindings->items[b].withheld = step->withheld;
        bindings->items[b].heading = step->heading;
    }
    return CT_OK;
}

void ct_tune_step_end(struct ct_tune_call *call)
{
    ct_tune_step_clear(call);
    if (call->settings)
        ct_settings_free(call->step->command, call->settings);
    for (size_t w = 0; w < CT_TUNE_WORDS_MAX; w++)
        free(call->words[w]);
    for (size_t v = 0; v < CT_TUNE_VALUES_MAX; v++)
        free(call->values[v]);
    free(call->given);
}

static bool takes(const struct ct_tune_call *call, const char *name)
{
    for (size_t i = 0; i < call->binding_count; i++)
        if (ct_binding_find(&call->bindings[i], name))
            return true;
    return false;
}

/* Sets an option of the command itself. */
static int set(const struct ct_tune_call *call, const char *name, const char *value, struct ct_error *error)
{
    return ct_option_read(ct_option_find(call->step->command->options, name), value, call->settings, error);
}

static size_t count_words(const struct ct_tune_call *call)
{
    size_t words = 0;
    while (call->words[words])
        words++;
    return words;
}

/* The options that were added stand behind those that were given, once there is room for both. */
static struct ct_arguments arguments_of(const struct ct_tune_call *call)
{
    for (size_t i = 0; i < call->added_count; i++)
        call->given[call->given_count + i] = (struct ct_given){
            ct_option_find(call->step->command->options, call->added[i].name), call->added[i].value};
    return (struct ct_arguments){(const char *const *)call->words, count_words(call), call->given,
                                 call->given_count + call->added_count};
}

int ct_tune_step_prepare(struct ct_tune_call *call, const char *folder, const struct ct_arguments *arguments,
                         struct ct_error *error)
{
    const struct ct_tune_step *step = call->step;
    for (size_t i = 0; step->words[i]; i++)
        if (!(call->words[i] = ct_format("%s/%s", folder, step->words[i])))
            return CT_E_MEMORY;
    for (size_t i = 0; i < CT_TUNE_VALUES_MAX && step->values[i].name; i++) {
        call->values[i] = ct_format("%s/%s", folder, step->values[i].value);
        int status = call->values[i] ? set(call, step->values[i].name, call->values[i], error) : CT_E_MEMORY;
        if (status != CT_OK)
            return status;
    }
    call->given = ct_allocate(arguments->given_count + CT_TUNE_ADDED_MAX, sizeof *call->given);
    if (!call->given)
        return CT_E_MEMORY;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (takes(call, arguments->given[i].option->name))
            call->given[call->given_count++] = arguments->given[i];
    const struct ct_arguments own = arguments_of(call);
    return step->command->check ? step->command->check(call->settings, &own, error) : CT_OK;
}

int ct_tune_step_add_word(struct ct_tune_call *call, const char *word)
{
    size_t place = count_words(call);
    assert(place < CT_TUNE_WORDS_MAX);
    call->words[place] = strdup(word);
    return call->words[place] ? CT_OK : CT_E_MEMORY;
}

int ct_tune_step_replace(struct ct_tune_call *call, const char *name, char *path, struct ct_error *error)
{
    size_t place = 0;
    if (!path)
        return CT_E_MEMORY;
    while (strcmp(call->step->values[place].name, name) != 0)
        place++;
    free(call->values[place]);
    call->values[place] = path;
    return set(call, name, path, error);
}

static int add(struct ct_tune_call *call, const char *name, char *value, struct ct_error *error)
{
    assert(call->added_count < CT_TUNE_ADDED_MAX);
    call->added[call->added_count].name = name;
    call->added[call->added_count++].value = value;
    return set(call, name, value, error);
}

int ct_tune_step_add(struct ct_tune_call *call, const char *name, char *value, struct ct_error *error)
{
    return value ? add(call, name, value, error) : CT_E_MEMORY;
}

int ct_tune_step_add_seconds(struct ct_tune_call *call, const char *name, double seconds,
                             struct ct_error *error)
{
    return ct_tune_step_add(call, name, ct_format(seconds < 10 ? "%.1fs" : "%.0fs", seconds), error);
}

int ct_tune_step_add_flag(struct ct_tune_call *call, const char *name, struct ct_error *error)
{
    return add(call, name, NULL, error);
}

void ct_tune_step_clear(struct ct_tune_call *call)
{
    for (; call->added_count > 0; call->added_count--) {
        struct ct_tune_added *added = &call->added[call->added_count - 1];
        if (call->settings) /* they may point to the value */
            ct_option_default(ct_option_find(call->step->command->options, added->name), call->settings);
        free(added->value);
    }
}

static bool is_added(const struct ct_tune_call *call, const char *name)
{
    for (size_t i = 0; i < call->added_count; i++)
        if (strcmp(call->added[i].name, name) == 0)
            return true;
    return false;
}

void ct_tune_show_word(const char *word)
{
    putc(' ', stderr);
    ct_print_word(stderr, word);
}

static void show_option(const char *name, const char *value)
{
    fprintf(stderr, " --%s", name);
    if (value)
        ct_tune_show_word(value);
}

void ct_tune_step_show(const struct ct_tune_call *call)
{
    size_t place = 0;
    fprintf(stderr, "$ colltune %s", call->step->command->name);
    for (; call->step->words[place]; place++)
        ct_tune_show_word(call->words[place]);
    for (size_t i = 0; i < CT_TUNE_VALUES_MAX && call->values[i]; i++)
        show_option(call->step->values[i].name, call->values[i]);
    for (size_t i = 0; i < call->given_count; i++)
        if (!is_added(call, call->given[i].option->name))
            show_option(call->given[i].option->name, call->given[i].word);
    for (size_t i = 0; i < call->added_count; i++)
        show_option(call->added[i].name, call->added[i].value);
    if (call->words[place])
        ct_tune_show_word("--");
    for (; call->words[place]; place++)
        ct_tune_show_word(call->words[place]);
    fputc('\n', stderr);
}

int ct_tune_step_run(const struct ct_tune_call *call, struct ct_error *error)
{
    const struct ct_arguments own = arguments_of(call);
    return call->step->command->run(call->settings, &own, error);
}
