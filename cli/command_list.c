/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/method.h"
#include "cli/command.h"
#include "cli/option_choices.h"

#include <stdio.h>
#include <string.h>

struct settings {
    int format;
};

static const struct ct_option options[] = {
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, offsetof(struct settings, format), .choice = ct_format_choice,
     .text = "write in this format"},
    {0},
};

enum { NAMES_TEXT = 120 };

/* Names of its constraints with `separator` between them. */
static void constraint_names(const struct ct_descriptor *descriptor, const char *separator,
                             char text[NAMES_TEXT])
{
    size_t length = 0;
    text[0] = '\0';
    for (const struct ct_constraint_description *each = ct_constraints; each->name; each++)
        if ((descriptor->constraints & each->constraint) && length < NAMES_TEXT)
            length += (size_t)snprintf(text + length, NAMES_TEXT - length, "%s%s", length ? separator : "",
                                       each->name);
}

static int parameter_names(const struct ct_descriptor *descriptor, const char *separator,
                           char text[NAMES_TEXT])
{
    int length = 0;
    text[0] = '\0';
    for (int i = 0; i < ct_parameter_count(descriptor) && length < NAMES_TEXT; i++)
        length += snprintf(text + length, (size_t)(NAMES_TEXT - length), "%s%s", i ? separator : "",
                           descriptor->parameters[i]->name);
    return length;
}

static void print_text(enum ct_collective collective)
{
    char parameters[NAMES_TEXT], constraints[NAMES_TEXT];
    int name_width = 0, parameter_width = 0;
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        if (ct_algorithms[i].collective != collective)
            continue;
        int name = (int)strlen(ct_algorithms[i].name);
        int list = parameter_names(ct_algorithms[i].descriptor, ",", parameters);
        name_width = name > name_width ? name : name_width;
        parameter_width = list > parameter_width ? list : parameter_width;
    }
    printf("%s: %s\n", ct_collectives[collective].name, ct_collectives[collective].text);
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        const struct ct_algorithm *algorithm = &ct_algorithms[i];
        if (algorithm->collective != collective)
            continue;
        parameter_names(algorithm->descriptor, ",", parameters);
        constraint_names(algorithm->descriptor, ", ", constraints);
        printf("  %-*s  %-*s  %s%s%s%s\n", name_width, algorithm->name, parameter_width, parameters,
               algorithm->descriptor->text, *constraints ? " [" : "", constraints, *constraints ? "]" : "");
    }
}

static void print_csv(enum ct_collective collective)
{
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        const struct ct_algorithm *algorithm = &ct_algorithms[i];
        if (algorithm->collective != collective)
            continue;
        char parameters[NAMES_TEXT], constraints[NAMES_TEXT];
        parameter_names(algorithm->descriptor, ";", parameters);
        constraint_names(algorithm->descriptor, ";", constraints);
        printf("%s,%s,%s,%s,\"%s\",\"%s\",\"%s\"\n", ct_collectives[collective].name, algorithm->name,
               parameters, constraints, algorithm->descriptor->text, algorithm->descriptor->cost,
               algorithm->descriptor->source);
    }
}

static bool has_parameter(const struct ct_descriptor *descriptor, const struct ct_parameter *parameter)
{
    for (int p = 0; p < ct_parameter_count(descriptor); p++)
        if (descriptor->parameters[p] == parameter)
            return true;
    return false;
}

/* Does the collective have another parameter of that name? */
static bool is_ambiguous(enum ct_collective collective, const struct ct_parameter *parameter)
{
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        const struct ct_descriptor *descriptor = ct_algorithms[i].descriptor;
        for (int p = 0; ct_algorithms[i].collective == collective && p < ct_parameter_count(descriptor); p++)
            if (descriptor->parameters[p] != parameter &&
                strcmp(descriptor->parameters[p]->name, parameter->name) == 0)
                return true;
    }
    return false;
}

/* Which algorithms have the parameter, if the collective has several of its name: "; used by chain, kary". */
static void print_owners(enum ct_collective collective, const struct ct_parameter *parameter)
{
    const char *separator = "; used by ";
    if (!is_ambiguous(collective, parameter))
        return;
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (ct_algorithms[i].collective == collective &&
            has_parameter(ct_algorithms[i].descriptor, parameter)) {
            printf("%s%s", separator, ct_algorithms[i].name);
            separator = ", ";
        }
}

/* Parameters with ranges, each once. */
static void print_parameters(enum ct_collective collective)
{
    const struct ct_parameter *seen[32];
    size_t count = 0;
    int width = 0;
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        const struct ct_descriptor *descriptor = ct_algorithms[i].descriptor;
        if (collective != CT_COLLECTIVES && ct_algorithms[i].collective != collective)
            continue;
        for (int p = 0; p < ct_parameter_count(descriptor); p++) {
            const struct ct_parameter *parameter = descriptor->parameters[p];
            size_t s = 0;
            while (s < count && seen[s] != parameter)
                s++;
            if (s < count || count == sizeof seen / sizeof seen[0])
                continue;
            seen[count++] = parameter;
            if ((int)strlen(parameter->name) > width)
                width = (int)strlen(parameter->name);
        }
    }
    for (size_t i = 0; i < count; i++) {
        char standard[CT_VALUE_TEXT];
        printf("%s  %-*s  %s; default %s; a sweep tries %s", i == 0 ? "parameters:\n" : "", width,
               seen[i]->name, seen[i]->text,
               ct_parameter_format(seen[i], ct_parameter_standard(seen[i]), standard), seen[i]->sweep);
        print_owners(collective, seen[i]);
        puts("");
    }
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *word = arguments->words[0];
    enum ct_collective only = word ? ct_collective_find(word) : CT_COLLECTIVES;
    if (word && only == CT_COLLECTIVES)
        return ct_collective_fail("", word, error);
    if (settings->format)
        puts("collective,algorithm,parameters,constraints,text,cost,source");
    for (int i = 0; i < CT_COLLECTIVES; i++) {
        if (only != CT_COLLECTIVES && only != (enum ct_collective)i)
            continue;
        (settings->format ? print_csv : print_text)((enum ct_collective)i);
    }
    if (!settings->format)
        print_parameters(only);
    return CT_OK;
}

const struct ct_command ct_command_list = {
    .name = "list",
    .text = "list algorithms, their parameters and constraints",
    .usage = "[COLLECTIVE]",
    .most = 1,
    .about = "Lists the collectives, their algorithms, and the parameters and constraints of each algorithm.",
    .notes = "Example:\n  colltune list bcast\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
