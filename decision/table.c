/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/table.h"
#include "base/file.h"
#include "base/memory.h"
#include "config.h"

#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    return strdup(text ? text : "");
}

int ct_table_begin(struct ct_table *ret_table)
{
    char *version = copy(CT_VERSION);
    if (!version)
        return CT_E_MEMORY;
    *ret_table = (struct ct_table){.tool_version = version};
    return CT_OK;
}

static void free_run(struct ct_table_run *run)
{
    char *owned[] = {run->name,
                     run->tool_version,
                     run->created,
                     run->backend,
                     run->launcher,
                     run->samples_checksum,
                     run->description_checksum};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    ct_properties_free(run->properties, run->property_count);
}

unsigned ct_table_modes(const struct ct_table_tree *about)
{
    return about->modes ? ct_modes_parse(about->modes) : 1U << CT_MODE_BLOCKING;
}

void ct_table_tree_free(struct ct_table_tree *about)
{
    free(about->modes);
    free(about->learner);
    free(about->options);
}

void ct_table_free(struct ct_table *table)
{
    for (size_t i = 0; i < table->run_count; i++)
        free_run(&table->runs[i]);
    for (size_t i = 0; i < table->decisions.tree_count; i++)
        ct_table_tree_free(&table->trees[i]);
    free(table->runs);
    free(table->trees);
    free(table->tool_version);
    ct_decisions_free(&table->decisions);
    *table = (struct ct_table){0};
}

static int checksum_of(const char *folder, const char *name, struct ct_error *error, char **ret_checksum)
{
    char *path = ct_format("%s/%s", folder, name);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    char checksum[CT_CHECKSUM_TEXT];
    int status = ct_file_checksum(path, error, checksum);
    free(path);
    if (status != CT_OK)
        return status;
    *ret_checksum = copy(checksum);
    return *ret_checksum ? CT_OK : ct_fail(error, CT_E_MEMORY, "out of memory");
}

/* The last part of a folder's path: "runs/ethernet/" is "ethernet". */
static char *name_of(const char *folder)
{
    char *real = realpath(folder, NULL);
    const char *path = real ? real : folder;
    const char *slash = strrchr(path, '/');
    char *name = copy(slash && slash[1] ? slash + 1 : path);
    free(real);
    return name;
}

static int add_property(struct ct_table_run *run, const char *name, const char *value)
{
    struct ct_property *property = &run->properties[run->property_count++];
    property->name = copy(name);
    property->value = copy(value);
    return property->name && property->value ? CT_OK : CT_E_MEMORY;
}

static bool has_shared_nodes(const struct ct_run *run)
{
    for (size_t i = 0; i < run->cell_count; i++)
        if (run->cells[i].key.ppn > 1)
            return true;
    return false;
}

/* What the library compares when it starts stands among the properties. Runs with one rank on each node have
 * no messages within a node, which older ones with more sent through MPI. */
static int copy_description(const struct ct_run *read, struct ct_table_run *run)
{
    const struct ct_run_description *from = &read->description;
    const bool is_real = from->backend && strcmp(from->backend, "real") == 0;
    const bool has_channel = from->node_channel || (is_real && has_shared_nodes(read));
    int status = CT_OK;
    run->tool_version = copy(from->tool_version);
    run->created = copy(from->created);
    run->backend = copy(from->backend);
    run->launcher = copy(from->launcher);
    run->properties = ct_allocate(from->property_count + 1, sizeof *run->properties);
    if (!run->tool_version || !run->created || !run->backend || !run->launcher || !run->properties)
        return CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < from->property_count; i++)
        status = add_property(run, from->properties[i].name, from->properties[i].value);
    if (status == CT_OK && has_channel)
        status =
            add_property(run, CT_NODE_CHANNEL_PROPERTY, ct_node_channel_names[ct_run_node_channel(from)]);
    return status;
}

int ct_table_add_run(struct ct_table *table, const struct ct_run *run, struct ct_error *error,
                     size_t *ret_index)
{
    struct ct_table_run added = {.name = name_of(run->folder)};
    struct ct_table_run *grown = NULL;
    int status = added.name ? copy_description(run, &added) : CT_E_MEMORY;
    if (status == CT_OK) {
        grown = reallocarray(table->runs, table->run_count + 1, sizeof *grown);
        status = grown ? CT_OK : CT_E_MEMORY;
        table->runs = grown ? grown : table->runs;
    }
    if (status != CT_OK)
        ct_fail(error, status, "%s: out of memory", run->folder);
    for (size_t i = 0; status == CT_OK && i < table->run_count; i++)
        if (strcmp(table->runs[i].name, added.name) == 0)
            status =
                ct_fail(error, CT_E_INPUT, "two runs are called %s: expected different names", added.name);
    if (status == CT_OK)
        status = checksum_of(run->folder, "samples.csv", error, &added.samples_checksum);
    if (status == CT_OK)
        status = checksum_of(run->folder, "run.xml", error, &added.description_checksum);
    if (status != CT_OK) {
        free_run(&added);
        return status;
    }
    *ret_index = table->run_count;
    table->runs[table->run_count++] = added;
    return CT_OK;
}

int ct_table_learned_from(const struct ct_table *table, const struct ct_run *run, struct ct_error *error,
                          bool *ret_learned_from)
{
    char *checksum;
    int status = checksum_of(run->folder, "samples.csv", error, &checksum);
    if (status != CT_OK)
        return status;
    bool found = false;
    for (size_t i = 0; i < table->run_count; i++)
        found |= strcmp(table->runs[i].samples_checksum, checksum) == 0;
    free(checksum);
    *ret_learned_from = found;
    return CT_OK;
}

int ct_table_is_outdated(const struct ct_table *table, const struct ct_run *run, struct ct_error *error,
                         bool *ret_outdated)
{
    char *checksum = NULL, *name = name_of(run->folder);
    bool outdated = false;
    int status = name ? checksum_of(run->folder, "samples.csv", error, &checksum)
                      : ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; status == CT_OK && i < table->run_count; i++) {
        const struct ct_table_run *from = &table->runs[i];
        outdated |= strcmp(from->name, name) == 0 && strcmp(from->created, run->description.created) == 0 &&
                    strcmp(from->samples_checksum, checksum) != 0;
    }
    free(checksum);
    free(name);
    if (status == CT_OK)
        *ret_outdated = outdated;
    return status;
}

int ct_table_append(struct ct_table *table, struct ct_decision_tree *tree, struct ct_table_tree *about)
{
    size_t count = table->decisions.tree_count;
    struct ct_decision_tree *trees = reallocarray(table->decisions.trees, count + 1, sizeof *trees);
    if (trees)
        table->decisions.trees = trees;
    struct ct_table_tree *abouts = reallocarray(table->trees, count + 1, sizeof *abouts);
    if (abouts)
        table->trees = abouts;
    if (!trees || !abouts)
        return CT_E_MEMORY;
    table->decisions.trees[count] = *tree;
    table->trees[count] = *about;
    table->decisions.tree_count++;
    *tree = (struct ct_decision_tree){.collective = tree->collective};
    *about = (struct ct_table_tree){0};
    return CT_OK;
}

int ct_table_add_tree(struct ct_table *table, struct ct_decision_tree *tree, size_t run, const char *learner,
                      const char *options, const struct ct_score *score, struct ct_error *error)
{
    if (ct_decisions_find(&table->decisions, tree->collective))
        return ct_fail(error, CT_E_INPUT, "a second tree for %s: expected at most one",
                       ct_collectives[tree->collective].name);
    const bool has_modes = score->modes > 1U << CT_MODE_BLOCKING;
    char modes[CT_MODES_TEXT];
    struct ct_table_tree about = {
        .run = run,
        .modes = has_modes ? copy(ct_modes_format(score->modes, modes)) : NULL,
        .learner = copy(learner),
        .options = copy(options),
        .penalty = score->tree,
        .native = score->native,
    };
    int status = about.learner && about.options && (about.modes || !has_modes)
                     ? ct_table_append(table, tree, &about)
                     : CT_E_MEMORY;
    ct_table_tree_free(&about);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "out of memory");
}

int ct_table_check_own(const struct ct_table *table, const char *path, struct ct_error *error)
{
    char spelling[CT_METHOD_TEXT];
    for (size_t i = 0; i < table->decisions.tree_count; i++) {
        const struct ct_decision_tree *tree = &table->decisions.trees[i];
        for (size_t m = 0; m < tree->method_count; m++)
            if (ct_is_foreign(tree->methods[m].algorithm))
                return ct_fail(
                    error, CT_E_INPUT,
                    "%s: chooses %s, which colltune cannot carry out: expected a table learned with "
                    "--exclude %s",
                    path, ct_method_format(&tree->methods[m], true, spelling), "foreign");
    }
    return CT_OK;
}
