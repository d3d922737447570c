/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "base/memory.h"
#include "base/nearest.h"

#include <argp.h>
#include <assert.h>
#include <errno.h>
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

void ct_print_word(FILE *out, const char *word)
{
    if (*word && !strpbrk(word, " \t\n'\"`{}[]()*?!$\\;&|<>#~")) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
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

/* What was found wrong before the command did anything. */
__attribute__((noreturn)) static void refuse(const struct ct_command *command, int status,
                                             const struct ct_error *error)
{
    if (status == CT_E_INPUT)
        ct_tell(command, "%s (see colltune %s --help)", error->text, command->name);
    else
        ct_tell(command, "%s", ct_failure(status, error));
    exit(status == CT_E_INPUT ? CT_EXIT_USAGE : CT_EXIT_NO);
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

/* --- choices --- */

const char *ct_format_choice(size_t index)
{
    static const char *const names[] = {"text", "csv", NULL};
    return names[index];
}

const char *ct_collective_choice(size_t index)
{
    return index < CT_COLLECTIVES ? ct_collectives[index].name : index == CT_COLLECTIVES ? "all" : NULL;
}

const char *ct_model_choice(size_t index)
{
    return index < CT_COMMUNICATION_MODELS    ? ct_communication_model_names[index]
           : index == CT_COMMUNICATION_MODELS ? "auto"
                                              : NULL;
}

enum ct_communication_model ct_cost_model(int choice, const struct ct_model *model, bool one_node)
{
    return choice < CT_COMMUNICATION_MODELS ? (enum ct_communication_model)choice
                                            : ct_model_last(model, one_node);
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

/* --- argp --- */

enum { KEY_FIRST = 0x100 };

struct parsing {
    const struct ct_command *command;
    void *settings;
    struct ct_bindings bindings;
    struct argp_option *options; /* ended by zeroes; they own their texts */
    size_t option_count;
    size_t option_capacity;
    const char **words; /* ended by NULL */
    size_t word_count;
    struct ct_given *given;
    size_t given_count;
    size_t given_capacity;
};

/* Another name of the option above it, which has no key of its own. */
static bool is_former(const struct argp_option *row)
{
    return (row->flags & OPTION_ALIAS) != 0;
}

static struct argp_option *find_key(const struct parsing *parsing, int key)
{
    for (size_t i = 0; i < parsing->option_count; i++)
        if (parsing->options[i].name && parsing->options[i].key == key && !is_former(&parsing->options[i]))
            return &parsing->options[i];
    return NULL;
}

/* Appends the owners of the option, unless all owners have it: " (interpolate, penalty)". */
static void append_owners(const struct ct_bindings *bindings, const char *name, struct ct_text *text)
{
    size_t owners = 0, having = 0;
    for (size_t i = 0; i < bindings->count; i++) {
        owners += bindings->items[i].owner != NULL;
        having += bindings->items[i].owner && ct_binding_find(&bindings->items[i], name);
    }
    if (having == owners)
        return;
    for (size_t i = 0, told = 0; i < bindings->count; i++)
        if (bindings->items[i].owner && ct_binding_find(&bindings->items[i], name))
            ct_text_append(text, "%s%s", told++ > 0 ? ", " : " (", bindings->items[i].owner);
    ct_text_append(text, having > 0 ? ")" : "");
}

static int add_row(struct parsing *parsing, struct argp_option row, struct ct_text *doc)
{
    int status = doc->failed ? CT_E_MEMORY
                             : ct_grow(&parsing->options, &parsing->option_capacity,
                                       parsing->option_count + 2, sizeof row);
    if (status != CT_OK) {
        ct_text_free(doc);
        return status;
    }
    row.doc = doc->data;
    parsing->options[parsing->option_count++] = row;
    parsing->options[parsing->option_count] = (struct argp_option){0};
    return CT_OK;
}

static int add_option(struct parsing *parsing, const struct ct_option *option, int group)
{
    struct ct_text doc = {0};
    bool has_letter = option->letter && !find_key(parsing, option->letter);
    ct_option_help(option, &doc);
    append_owners(&parsing->bindings, option->name, &doc);
    int status = add_row(
        parsing,
        (struct argp_option){.name = option->name,
                             .key = has_letter ? option->letter : KEY_FIRST + (int)parsing->option_count,
                             .arg = option->argument,
                             .group = group},
        &doc);
    struct ct_text none = {0};
    return status == CT_OK && option->former
               ? add_row(parsing,
                         (struct argp_option){.name = option->former,
                                              .arg = option->argument,
                                              .flags = OPTION_ALIAS | OPTION_HIDDEN},
                         &none)
               : status;
}

/* The group of options below this heading; 0 if there is none yet. */
static int group_below(const struct parsing *parsing, const char *heading)
{
    const size_t length = strlen(heading);
    for (size_t i = 0; i < parsing->option_count; i++) {
        const struct argp_option *row = &parsing->options[i];
        if (!row->name && strncmp(row->doc, heading, length) == 0 && strcmp(row->doc + length, ":") == 0)
            return row->group;
    }
    return 0;
}

/* Adds the options that no table before has; a heading only if such an option follows, and only once. */
static int add_table(struct parsing *parsing, size_t index, int *group_count)
{
    const struct ct_binding *binding = &parsing->bindings.items[index];
    const char *heading = binding->heading;
    int status = CT_OK;
    for (const struct ct_option *option = binding->options; status == CT_OK && option->name; option++) {
        bool is_known = !is_offered(binding, option);
        for (size_t i = 0; i < index; i++)
            is_known |= ct_binding_find(&parsing->bindings.items[i], option->name) != NULL;
        if (option->kind == CT_OPTION_HEADING) {
            heading = option->text;
        } else if (!is_known) {
            int group = heading ? group_below(parsing, heading) : 0;
            if (heading && group == 0) {
                struct ct_text doc = {0};
                ct_text_append(&doc, "%s:", heading);
                group = ++*group_count;
                status = add_row(parsing, (struct argp_option){.group = group}, &doc);
            }
            if (status == CT_OK)
                status = add_option(parsing, option, group);
        }
    }
    return status;
}

/* The first option of that name in any table. */
static const struct ct_option *find_first(const struct parsing *parsing, const char *name)
{
    const struct ct_option *option = NULL;
    for (size_t i = 0; !option && i < parsing->bindings.count; i++)
        option = ct_binding_find(&parsing->bindings.items[i], name);
    return option;
}

/* Sets the option in all tables that have it. */
static int take_option(struct parsing *parsing, const char *name, const char *word, struct ct_error *error)
{
    int status =
        ct_grow(&parsing->given, &parsing->given_capacity, parsing->given_count + 1, sizeof *parsing->given);
    if (status != CT_OK)
        return status;
    parsing->given[parsing->given_count++] = (struct ct_given){find_first(parsing, name), word};
    for (size_t i = 0; status == CT_OK && i < parsing->bindings.count; i++) {
        const struct ct_binding *binding = &parsing->bindings.items[i];
        const struct ct_option *option = ct_binding_find(binding, name);
        if (option && binding->settings)
            status = ct_option_read(option, word, binding->settings, error);
    }
    return status;
}

static int take_word(struct parsing *parsing, const char *word, struct ct_error *error)
{
    const struct ct_command *command = parsing->command;
    if (parsing->word_count >= command->most && parsing->word_count >= command->least)
        return ct_fail(error, CT_E_INPUT, "'%s' is one argument too many", word);
    parsing->words[parsing->word_count++] = word;
    return command->argument ? command->argument(word, parsing->settings) : CT_OK;
}

static struct ct_arguments arguments_of(const struct parsing *parsing)
{
    return (struct ct_arguments){.words = parsing->words,
                                 .count = parsing->word_count,
                                 .given = parsing->given,
                                 .given_count = parsing->given_count};
}

/* Is all there that the command needs, and does it go together? */
static int check(const struct parsing *parsing, struct ct_error *error)
{
    const struct ct_command *command = parsing->command;
    const struct ct_arguments arguments = arguments_of(parsing);
    const int usage = (int)strcspn(command->usage, "\n"); /* its first line */
    for (size_t i = 0; i < parsing->option_count; i++) {
        const char *name = parsing->options[i].name;
        const struct ct_option *option = name ? find_first(parsing, name) : NULL;
        if (option && option->required && !ct_is_given(&arguments, name))
            return ct_fail(error, CT_E_INPUT, "--%s is missing; expected %.*s", name, usage, command->usage);
    }
    if (parsing->word_count < command->least)
        return ct_fail(error, CT_E_INPUT, "an argument is missing; expected %.*s", usage, command->usage);
    return command->check ? command->check(parsing->settings, &arguments, error) : CT_OK;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    struct ct_error error = {""};
    const struct argp_option *option = find_key(parsing, key);
    if (!option && key != ARGP_KEY_ARG && key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    int status = option                ? take_option(parsing, option->name, argument, &error)
                 : key == ARGP_KEY_ARG ? take_word(parsing, argument, &error)
                                       : check(parsing, &error);
    if (status != CT_OK)
        refuse(parsing->command, status, &error);
    return 0;
}

/* The option of a word "--NAME" or "--NAME=VALUE", whose name may be abbreviated; NULL if there is none. */
static const struct argp_option *find_long(const struct parsing *parsing, const char *name, size_t length)
{
    static const struct argp_option of_argp[] = {{.name = "help"}, {.name = "usage"}};
    for (size_t i = 0; i < parsing->option_count; i++)
        if (parsing->options[i].name && strncmp(parsing->options[i].name, name, length) == 0)
            return &parsing->options[i];
    for (size_t i = 0; i < sizeof of_argp / sizeof of_argp[0]; i++)
        if (strncmp(of_argp[i].name, name, length) == 0)
            return &of_argp[i];
    return NULL;
}

static int refuse_name(const struct parsing *parsing, const char *name, size_t length, struct ct_error *error)
{
    const char **names = ct_allocate(parsing->option_count + 1, sizeof *names);
    char *word = strndup(name, length);
    int status = CT_E_MEMORY;
    size_t count = 0;
    if (!names || !word)
        goto done;
    for (size_t i = 0; i < parsing->option_count; i++)
        if (parsing->options[i].name && !is_former(&parsing->options[i]))
            names[count++] = parsing->options[i].name;
    const char *nearest = ct_nearest(word, names, count);
    status = ct_fail(error, CT_E_INPUT, "unknown option --%.80s%s%s%s", word,
                     nearest ? "; did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "");
done:
    free(names);
    free(word);
    return status;
}

/* Refuses in one line, which argp does not: unknown options, with the name that was probably meant, values
 * that are missing, and those of options that take none. A word that is the value of the option before it is
 * no option. */
static int check_names(const struct parsing *parsing, int argc, char **argv, struct ct_error *error)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const struct argp_option *option = NULL;
        if (strncmp(argv[i], "--", 2) == 0) {
            const char *name = argv[i] + 2;
            size_t length = strcspn(name, "=");
            option = find_long(parsing, name, length);
            if (!option)
                return refuse_name(parsing, name, length, error);
            if (name[length] == '=' && !option->arg)
                return ct_fail(error, CT_E_INPUT, "--%s takes no value", option->name);
            if (name[length] == '=')
                continue;
        } else if (argv[i][0] == '-' && argv[i][1] && argv[i][1] != '?') {
            option = find_key(parsing, argv[i][1]);
            if (!option)
                return ct_fail(error, CT_E_INPUT, "unknown option %.80s", argv[i]);
            if (argv[i][2]) /* its value, or other letters */
                continue;
        }
        if (option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL) && ++i == argc)
            return ct_fail(error, CT_E_INPUT, "--%s: a value is missing; expected %s", option->name,
                           option->arg);
    }
    return CT_OK;
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

/* Fails unless everything has been written. The reason of a write that failed earlier is lost; another tells
 * it. */
static int finish_output(struct ct_error *error)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CT_OK;
    if (errno == 0) {
        putchar('\n');
        fflush(stdout);
    }
    return ct_fail(error, CT_E_SYSTEM, "standard output cannot be written%s%s", errno ? ": " : "",
                   errno ? strerror(errno) : "");
}

int ct_command_main(const struct ct_command *command, int argc, char **argv)
{
    struct parsing parsing = {.command = command, .words = calloc((size_t)argc + 1, sizeof *parsing.words)};
    struct ct_error error = {""};
    struct ct_text help = {0}; /* text before the options, a \v as argp wants it, and text after them */
    int group_count = 0;
    int status = parsing.words ? ct_settings_new(command, &parsing.bindings, &parsing.settings) : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < parsing.bindings.count; i++)
        status = add_table(&parsing, i, &group_count);
    ct_text_append(&help, "%s\v", command->about);
    if (command->list)
        command->list(&help);
    ct_text_append(&help, "%s", command->notes);
    if (status == CT_OK && help.failed)
        status = CT_E_MEMORY;
    if (status == CT_OK) {
        const struct argp argp = {.options = parsing.options,
                                  .parser = parse,
                                  .args_doc = *command->usage ? command->usage : NULL,
                                  .doc = help.data};
        status = check_names(&parsing, argc, argv, &error);
        if (status != CT_OK)
            refuse(command, status, &error);
        argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &parsing);
        const struct ct_arguments arguments = arguments_of(&parsing);
        status = command->run(parsing.settings, &arguments, &error);
    }
    if (status == CT_OK)
        status = finish_output(&error);
    if (status != CT_OK)
        ct_tell(command, "%s", ct_failure(status, &error));
    ct_text_free(&help);
    if (parsing.settings)
        ct_settings_free(command, parsing.settings);
    for (size_t i = 0; i < parsing.option_count; i++)
        free((char *)parsing.options[i].doc);
    free(parsing.options);
    free(parsing.words);
    free(parsing.given);
    return status == CT_OK ? CT_EXIT_OK : status == CT_E_INPUT ? CT_EXIT_USAGE : CT_EXIT_NO;
}
