/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/conditions.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Conditions of a sweep that no property says, too. */
static const char *const of_sweep[] = {"hostfile",   "ppn",      "placements",        "wait",
                                       "yield-from", "program",  "simulator-options", "compute",
                                       "tests",      "datatype", "operation",         "root"};

struct list {
    struct ct_condition *items;
    size_t count;
    size_t capacity;
    size_t side; /* the run whose values are added: 0 or 1 */
    int status;
};

void ct_conditions_free(struct ct_condition *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(conditions[i].name);
        free(conditions[i].values[0]);
        free(conditions[i].values[1]);
    }
    free(conditions);
}

static struct ct_condition *find(const struct list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static void add(struct list *list, const char *name, const char *value)
{
    if (list->status != CT_OK || !value || !*value)
        return;
    struct ct_condition *condition = find(list, name);
    if (!condition) {
        list->status = ct_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items);
        if (list->status != CT_OK)
            return;
        condition = &list->items[list->count++];
        *condition = (struct ct_condition){.name = strdup(name)};
    }
    free(condition->values[list->side]);
    condition->values[list->side] = strdup(value);
    if (!condition->name || !condition->values[list->side])
        list->status = CT_E_MEMORY;
}

static void add_of_sweep(void *context, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof of_sweep / sizeof of_sweep[0]; i++)
        if (strcmp(name, of_sweep[i]) == 0 && strcmp(value, "0") != 0)
            add(context, name, value);
}

static void add_all(const struct ct_run_description *description, struct list *list)
{
    char launches[32];
    snprintf(launches, sizeof launches, "%zu", description->launches);
    add(list, "tool", description->tool_version);
    add(list, "backend", description->backend);
    add(list, "launcher", description->launcher);
    add(list, "time", description->time);
    add(list, "sync", description->sync);
    add(list, "launches", launches);
    add(list, "by", description->by);
    add(list, "node-channel", ct_node_channel_names[ct_run_node_channel(description)]);
    ct_sweep_state_list(&description->sweep, add_of_sweep, list);
    for (size_t i = 0; i < description->property_count; i++)
        add(list, description->properties[i].name, description->properties[i].value);
}

static bool differs(const struct ct_condition *condition)
{
    return !condition->values[0] || !condition->values[1] ||
           strcmp(condition->values[0], condition->values[1]) != 0;
}

int ct_conditions_compare(const struct ct_run_description *first, const struct ct_run_description *second,
                          struct ct_condition **ret_conditions, size_t *ret_count)
{
    struct list list = {.status = CT_OK};
    size_t kept = 0;
    add_all(first, &list);
    list.side = 1;
    add_all(second, &list);
    if (list.status != CT_OK) {
        ct_conditions_free(list.items, list.count);
        return list.status;
    }
    for (size_t i = 0; i < list.count; i++) {
        struct ct_condition condition = list.items[i];
        list.items[i] = list.items[kept];
        list.items[kept] = condition;
        kept += differs(&condition);
    }
    for (size_t i = kept; i < list.count; i++) {
        free(list.items[i].name);
        free(list.items[i].values[0]);
        free(list.items[i].values[1]);
    }
    *ret_conditions = list.items;
    *ret_count = kept;
    return CT_OK;
}
