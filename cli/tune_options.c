/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_options.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Keys from here on are places in the table; below are letters. */
enum { KEY_FIRST = 0x1000, GROUPS_MAX = 16 };

struct table {
    struct argp_option *options;
    size_t count;
    size_t capacity;
};

static bool is_end(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc;
}

static const struct argp_option *find_name(const struct argp_option *options, const char *name)
{
    for (; options && !is_end(options); options++)
        if (options->name && strcmp(options->name, name) == 0)
            return options;
    return NULL;
}

static bool is_kept(const struct ct_tune_step *step, const char *name)
{
    size_t length = strlen(name);
    const char *at = step->keeps;
    while (at && (at = strstr(at, name))) {
        if (at > step->keeps && at[-1] == ' ' && at[length] == ' ')
            return true;
        at += length;
    }
    return false;
}

bool ct_tune_step_takes(const struct ct_tune_step *step, const char *name)
{
    return find_name(step->command->options, name) && !is_kept(step, name);
}

const struct argp_option *ct_tune_option_find(const struct argp_option *options, int key)
{
    for (; !is_end(options); options++)
        if (options->name && options->key == key)
            return options;
    return NULL;
}

/* The table is ended at any time. */
static int add(struct table *table, const struct argp_option *option)
{
    int status = ct_grow(&table->options, &table->capacity, table->count + 2, sizeof *table->options);
    if (status != CT_OK)
        return status;
    table->options[table->count++] = *option;
    table->options[table->count] = (struct argp_option){0};
    return CT_OK;
}

/* Groups of a step's options come behind those of the steps before. */
static int add_step(struct table *table, const struct ct_tune_step *step, int first_group)
{
    bool headed = !step->heading;
    int status = CT_OK;
    for (const struct argp_option *option = step->command->options;
         status == CT_OK && option && !is_end(option); option++) {
        struct argp_option copy = *option;
        copy.group += first_group;
        if (option->name) {
            if (is_kept(step, option->name) || find_name(table->options, option->name))
                continue;
            if (option->key >= 0x80 || ct_tune_option_find(table->options, option->key))
                copy.key = KEY_FIRST + (int)table->count;
        }
        if (!headed)
            status = add(table, &(struct argp_option){.doc = step->heading, .group = copy.group});
        headed = true;
        if (status == CT_OK)
            status = add(table, &copy);
    }
    return status;
}

int ct_tune_options_make(const struct argp_option *first, const struct ct_tune_step *steps, size_t step_count,
                         struct argp_option **ret_options)
{
    struct table table = {0};
    int status = CT_OK;
    for (; status == CT_OK && !is_end(first); first++)
        status = add(&table, first);
    for (size_t i = 0; status == CT_OK && i < step_count; i++)
        status = add_step(&table, &steps[i], (int)(i + 1) * GROUPS_MAX);
    if (status != CT_OK) {
        free(table.options);
        return status;
    }
    *ret_options = table.options;
    return CT_OK;
}
