/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- messages --- */

const char *ct_failure(int status, const struct ct_error *error)
{
    return error->text[0]           ? error->text
           : status == CT_E_MEMORY  ? "out of memory"
           : status == CT_E_LIMIT   ? "a size does not fit"
           : status == CT_E_STOPPED ? "stopped"
                                    : "failed";
}

void ct_tell(const struct ct_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout); /* results come before what is said of them */
    fprintf(stderr, "colltune %s: ", command->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

int ct_is_new(const char *path, struct ct_error *error)
{
    return access(path, F_OK) != 0
               ? CT_OK
               : ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", path);
}

int ct_sizes_read(const char *option, const char *list, size_t least, size_t most, struct ct_error *error,
                  size_t **ret_sizes, size_t *ret_count)
{
    struct ct_error why = {""};
    size_t *sizes, count;
    int status = ct_list_parse(list, &why, &sizes, &count);
    if (status != CT_OK)
        return ct_fail(error, status, "--%s: %s", option, why.text);
    for (size_t i = 0; i < count; i++)
        if (sizes[i] < least || sizes[i] > most) {
            ct_fail(error, CT_E_INPUT, "--%s: %zu is out of range; expected %zu to %zu", option, sizes[i],
                    least, most);
            free(sizes);
            return CT_E_INPUT;
        }
    *ret_sizes = sizes;
    *ret_count = count;
    return CT_OK;
}

/* --- options --- */

bool ct_is_given(const struct ct_arguments *arguments, const char *name)
{
    for (size_t i = 0; i < arguments->given_count; i++)
        if (strcmp(arguments->given[i].option->name, name) == 0)
            return true;
    return false;
}

void ct_bind(struct ct_bindings *bindings, struct ct_binding binding)
{
    assert(bindings->count < CT_BINDINGS_MAX);
    if (binding.options)
        bindings->items[bindings->count++] = binding;
}

int ct_settings_new(const struct ct_command *command, struct ct_bindings *bindings, void **ret_settings)
{
    void *settings = calloc(1, command->settings_size + 1);
    if (!settings)
        return CT_E_MEMORY;
    if (command->options) {
        ct_options_default(command->options, settings);
        ct_bind(bindings, (struct ct_binding){.options = command->options, .settings = settings});
    }
    int status = command->begin ? command->begin(settings, bindings) : CT_OK;
    if (status != CT_OK) {
        ct_settings_free(command, settings);
        return status;
    }
    *ret_settings = settings;
    return CT_OK;
}

void ct_settings_free(const struct ct_command *command, void *settings)
{
    if (command->end)
        command->end(settings);
    if (command->options)
        ct_options_free(command->options, settings);
    free(settings);
}

static bool is_offered(const struct ct_binding *binding, const struct ct_option *option)
{
    for (const char *const *name = binding->withheld; name && *name; name++)
        if (strcmp(*name, option->name) == 0)
            return false;
    return true;
}

const struct ct_option *ct_binding_find(const struct ct_binding *binding, const char *name)
{
    const struct ct_option *option = ct_option_find(binding->options, name);
    return option && is_offered(binding, option) ? option : NULL;
}

void ct_help_item(const char *name, int width, const char *words, struct ct_text *help)
{
    enum { COLUMNS = 79 };
    const int indent = 2 + width + 1;
    int column = indent;
    ct_text_append(help, "  %-*s ", width, name);
    for (const char *separator = ""; *words; separator = " ") {
        const int length = (int)strcspn(words, " ");
        if (*separator && column + 1 + length > COLUMNS) {
            ct_text_append(help, "\n%*s", indent, "");
            column = indent;
            separator = "";
        }
        ct_text_append(help, "%s%.*s", separator, length, words);
        column += (int)strlen(separator) + length;
        words += length + (words[length] == ' ');
    }
    ct_text_append(help, "\n");
}
