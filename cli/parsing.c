/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/parsing.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "cli/argument_kinds.h"

#include <stdlib.h>
#include <string.h>

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

enum { KEY_FIRST = 0x100 };

/* Another name of the option above it, which has no key of its own. */
static bool is_former(const struct argp_option *row)
{
    return (row->flags & OPTION_ALIAS) != 0;
}

static struct argp_option *find_key(const struct ct_parsing *parsing, int key)
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

static int add_row(struct ct_parsing *parsing, struct argp_option row, struct ct_text *doc)
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

static int add_option(struct ct_parsing *parsing, const struct ct_option *option, int group)
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
static int group_below(const struct ct_parsing *parsing, const char *heading)
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
static int add_table(struct ct_parsing *parsing, size_t index, int *group_count)
{
    const struct ct_binding *binding = &parsing->bindings.items[index];
    const char *heading = binding->heading;
    int status = CT_OK;
    for (const struct ct_option *option = binding->options; status == CT_OK && option->name; option++) {
        bool is_known = !ct_binding_find(binding, option->name);
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
static const struct ct_option *find_first(const struct ct_parsing *parsing, const char *name)
{
    const struct ct_option *option = NULL;
    for (size_t i = 0; !option && i < parsing->bindings.count; i++)
        option = ct_binding_find(&parsing->bindings.items[i], name);
    return option;
}

/* Sets the option in all tables that have it. */
static int take_option(struct ct_parsing *parsing, const char *name, const char *word, struct ct_error *error)
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

static int take_word(struct ct_parsing *parsing, const char *word, struct ct_error *error)
{
    const struct ct_command *command = parsing->command;
    if (parsing->word_count >= command->most && parsing->word_count >= command->least)
        return ct_fail(error, CT_E_INPUT, "'%s' is one argument too many", word);
    if (!*word && !strstr(command->usage, "-- ")) /* the words of an application may be empty */
        return ct_fail(error, CT_E_INPUT, "an argument is empty");
    parsing->words[parsing->word_count++] = word;
    return command->argument ? command->argument(word, parsing->settings) : CT_OK;
}

struct ct_arguments ct_parsing_arguments(const struct ct_parsing *parsing)
{
    return (struct ct_arguments){.words = parsing->words,
                                 .count = parsing->word_count,
                                 .given = parsing->given,
                                 .given_count = parsing->given_count};
}

/* Work that takes hours is not lost because its results cannot be written. */
static int check_outputs(const struct ct_arguments *arguments, struct ct_error *error)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < arguments->given_count; i++) {
        const struct ct_given *given = &arguments->given[i];
        if (given->option->output != CT_OUTPUT_NONE)
            status = ct_place_check(given->word, given->option->output == CT_OUTPUT_FOLDER, error);
    }
    return status;
}

/* Is all there that the command needs, and does it go together? */
static int check(const struct ct_parsing *parsing, struct ct_error *error)
{
    const struct ct_command *command = parsing->command;
    const struct ct_arguments arguments = ct_parsing_arguments(parsing);
    const int usage = (int)strcspn(command->usage, "\n"); /* its first line */
    for (size_t i = 0; i < parsing->option_count; i++) {
        const char *name = parsing->options[i].name;
        const struct ct_option *option = name ? find_first(parsing, name) : NULL;
        if (option && option->required && !ct_is_given(&arguments, name))
            return ct_fail(error, CT_E_INPUT, "--%s is missing; expected %.*s", name, usage, command->usage);
    }
    if (parsing->word_count < command->least)
        return ct_fail(error, CT_E_INPUT, "an argument is missing; expected %.*s", usage, command->usage);
    int status = ct_argument_kinds_check(command, &arguments, error);
    if (status == CT_OK && command->check)
        status = command->check(parsing->settings, &arguments, error);
    return status == CT_OK ? check_outputs(&arguments, error) : status;
}

/* What is printed of a folder has the names of files behind it. */
static void cut_slashes(char *folder)
{
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/'; length--)
        folder[length - 1] = '\0';
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct ct_parsing *parsing = state->input;
    struct ct_error error = {""};
    const struct argp_option *option = find_key(parsing, key);
    if (!option && key != ARGP_KEY_ARG && key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    if (option && argument && find_first(parsing, option->name)->output == CT_OUTPUT_FOLDER)
        cut_slashes(argument);
    int status = option                ? take_option(parsing, option->name, argument, &error)
                 : key == ARGP_KEY_ARG ? take_word(parsing, argument, &error)
                                       : check(parsing, &error);
    if (status != CT_OK)
        refuse(parsing->command, status, &error);
    return 0;
}

/* The option of a word "--NAME" or "--NAME=VALUE", whose name may be abbreviated; NULL if there is none. */
static const struct argp_option *find_long(const struct ct_parsing *parsing, const char *name, size_t length)
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

static int refuse_name(const struct ct_parsing *parsing, const char *name, size_t length,
                       struct ct_error *error)
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

static bool is_help(const struct argp_option *option)
{
    return option->name && strcmp(option->name, "help") == 0;
}

/* Refuses in one line, which argp does not: unknown options, with the name that was probably meant, values
 * that are missing, and those of options that take none. A word that is the value of the option before it is
 * no option. Sets *ret_wants_help, and looks no further, where --help stands among the words. */
static int check_names(const struct ct_parsing *parsing, int argc, char **argv, struct ct_error *error,
                       bool *ret_wants_help)
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
            if (is_help(option)) {
                *ret_wants_help = true;
                return CT_OK;
            }
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

int ct_parsing_begin(struct ct_parsing *parsing, const struct ct_command *command)
{
    int group_count = 0;
    parsing->command = command;
    int status = ct_settings_new(command, &parsing->bindings, &parsing->settings);
    for (size_t i = 0; status == CT_OK && i < parsing->bindings.count; i++)
        status = add_table(parsing, i, &group_count);
    return status;
}

void ct_parsing_read(struct ct_parsing *parsing, int argc, char **argv)
{
    const struct ct_command *command = parsing->command;
    struct ct_error error = {""};
    struct ct_text help = {0}; /* text before the options, a \v as argp wants it, and text after them */
    parsing->words = ct_allocate((size_t)argc + 1, sizeof *parsing->words);
    ct_text_append(&help, "%s\v", command->about);
    if (command->list)
        command->list(&help);
    ct_text_append(&help, "%s", command->notes);
    bool wants_help = false;
    int status =
        parsing->words && !help.failed ? check_names(parsing, argc, argv, &error, &wants_help) : CT_E_MEMORY;
    if (status != CT_OK)
        refuse(command, status, &error);
    const struct argp argp = {.options = parsing->options,
                              .parser = parse,
                              .args_doc = *command->usage ? command->usage : NULL,
                              .doc = help.data};
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0); /* without a paragraph on short options */
    /* words before it may be wrong, and are not looked at */
    char asked[] = "--help", *help_alone[] = {argv[0], asked, NULL};
    argp_parse(&argp, wants_help ? 2 : argc, wants_help ? help_alone : argv, ARGP_IN_ORDER, NULL, parsing);
    ct_text_free(&help);
}

void ct_parsing_free(struct ct_parsing *parsing)
{
    if (parsing->settings)
        ct_settings_free(parsing->command, parsing->settings);
    for (size_t i = 0; i < parsing->option_count; i++)
        free((char *)parsing->options[i].doc);
    free(parsing->options);
    free(parsing->words);
    free(parsing->given);
}
