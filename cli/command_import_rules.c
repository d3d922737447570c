/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/learning.h"
#include "codegen/mpich_import.h"
#include "codegen/ompi_import.h"
#include "decision/score.h"
#include "decision/table.h"
#include "samples/run_folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *output;
    const char *run;
};

static const struct ct_option options[] = {
    {"output", 'o', "TABLE.xml", CT_OPTION_TEXT, offsetof(struct settings, output), .required = true,
     .output = CT_OUTPUT_FILE, .text = "write the decision table to this file, which must not exist"},
    {"run", 0, "RUN", CT_OPTION_TEXT, offsetof(struct settings, run),
     .text = "score the rules on this run; the table has only the collectives of the run"},
    {0},
};

/* Text of rules begins with a number, a comment or its version. */
static bool may_be_rules(const char *text)
{
    static const char version[] = "rule-file-version";
    text += strspn(text, " \t\r\n");
    return (*text && strchr("0123456789-#", *text)) || strncmp(text, version, strlen(version)) == 0;
}

static int read_ompi(const char *path, struct ct_error *error, struct ct_ompi_file *ret_file)
{
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    const bool is_json = text[strspn(text, " \t\r\n")] == '{';
    if (strlen(text) != length)
        status = ct_fail(error, CT_E_INPUT, "%s: expected a text file", path);
    else if (!is_json && !may_be_rules(text))
        status = ct_fail(error, CT_E_INPUT,
                         "%s: no file of rules: expected Open MPI's dynamic rules, or MPICH's selections or "
                         "library",
                         path);
    else
        status = (is_json ? ct_ompi_read_json : ct_ompi_read_text)(text, path, error, ret_file);
    free(text);
    return status;
}

/* Is it a file of MPICH's selections, or a library that may hold them? */
static bool is_mpichs(const char *bytes, size_t length)
{
    static const char blanks[] = " \t\r\n", first_key[] = "\"collective=";
    static const char *const libraries[] = {"\177ELF", "!<arch>\n"};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (length >= strlen(libraries[i]) && memcmp(bytes, libraries[i], strlen(libraries[i])) == 0)
            return true;
    const char *at = bytes + strspn(bytes, blanks);
    at += *at == '{';
    at += strspn(at, blanks);
    return strncmp(at, first_key, strlen(first_key)) == 0;
}

static int import_ompi(const char *path, struct ct_error *error, struct ct_imported_trees *ret_trees)
{
    struct ct_ompi_file file = {0};
    int status = read_ompi(path, error, &file);
    if (status == CT_OK)
        status = ct_ompi_import(&file, path, error, ret_trees);
    ct_ompi_file_free(&file);
    return status;
}

static int import_mpich(const char *path, struct ct_error *error, struct ct_imported_trees *ret_trees)
{
    struct json_object *selections = NULL;
    int status = ct_mpich_base(path, error, &selections);
    if (status == CT_OK)
        status = ct_mpich_import(selections, path, error, ret_trees);
    json_object_put(selections);
    return status;
}

static const struct origin {
    const char *name;    /* of the library */
    const char *learner; /* in the table */
    int (*import)(const char *path, struct ct_error *error, struct ct_imported_trees *ret_trees);
} origins[] = {{"Open MPI", "ompi-rules", import_ompi}, {"MPICH", "mpich-selection", import_mpich}};

/* Whose rules the file holds. */
static int find_origin(const char *path, struct ct_error *error, const struct origin **ret_origin)
{
    char *bytes;
    size_t length;
    int status = ct_file_read(path, error, &bytes, &length);
    if (status != CT_OK)
        return status;
    *ret_origin = &origins[is_mpichs(bytes, length)];
    free(bytes);
    return CT_OK;
}

/* Names the file as the run of the table. */
static int add_file(const char *path, const struct origin *origin, struct ct_error *error,
                    struct ct_table *table)
{
    const char *slash = strrchr(path, '/');
    char checksum[CT_CHECKSUM_TEXT];
    int status = ct_file_checksum(path, error, checksum);
    if (status != CT_OK)
        return status;
    struct ct_table_run *run = table->runs = calloc(1, sizeof *run);
    if (!run)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    table->run_count = 1;
    *run = (struct ct_table_run){.name = strdup(slash ? slash + 1 : path),
                                 .tool_version = strdup(origin->name),
                                 .created = strdup("unknown"),
                                 .backend = strdup("imported"),
                                 .launcher = strdup("none"),
                                 .samples_checksum = strdup(checksum),
                                 .description_checksum = strdup(checksum)};
    return run->name && run->tool_version && run->created && run->backend && run->launcher &&
                   run->samples_checksum && run->description_checksum
               ? CT_OK
               : ct_fail(error, CT_E_MEMORY, "out of memory");
}

static int add_scored(const struct ct_run *run, const struct origin *origin, struct ct_decision_tree *tree,
                      size_t index, struct ct_error *error, struct ct_table *table)
{
    struct ct_map map;
    struct ct_score score;
    int status = ct_map_make(run, tree->collective, error, &map);
    if (status != CT_OK)
        return status;
    status = ct_score_tree(tree, &map, error, &score);
    if (status == CT_OK)
        status = ct_table_add_tree(table, tree, index, origin->learner, "", &score, error);
    ct_map_free(&map);
    return status;
}

static int fill_table(const struct settings *settings, const char *path, const struct origin *origin,
                      struct ct_imported_trees *trees, struct ct_error *error, struct ct_table *table)
{
    struct ct_run run = {0};
    size_t index = 0;
    int status =
        settings->run ? ct_run_read(settings->run, false, error, &run) : add_file(path, origin, error, table);
    if (status == CT_OK && settings->run)
        status = ct_table_add_run(table, &run, error, &index);
    for (size_t i = 0; status == CT_OK && i < trees->count; i++) {
        struct ct_decision_tree *tree = &trees->trees[i];
        if (!settings->run)
            status = ct_table_add_tree(table, tree, 0, origin->learner, "", &(struct ct_score){0}, error);
        else if (ct_run_measures(&run, tree->collective))
            status = add_scored(&run, origin, tree, index, error, table);
    }
    ct_run_free(&run);
    if (status == CT_OK && table->decisions.tree_count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: has rules of none of the run's collectives", path);
    return status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *path = arguments->words[0];
    struct ct_imported_trees trees = {.count = 0};
    struct ct_table table = {0};
    const struct origin *origin;
    int status;
    if ((status = ct_is_new(settings->output, error)) != CT_OK ||
        (status = find_origin(path, error, &origin)) != CT_OK ||
        (status = origin->import(path, error, &trees)) != CT_OK)
        goto done;
    const size_t unknown = trees.unknown;
    status = ct_table_begin(&table) == CT_OK ? fill_table(settings, path, origin, &trees, error, &table)
                                             : ct_fail(error, CT_E_MEMORY, "out of memory");
    if (status == CT_OK)
        status = ct_table_create(&table, settings->output, error);
    for (size_t i = 0; status == CT_OK && i < table.decisions.tree_count; i++)
        ct_tree_tell(&table, i);
    if (status == CT_OK && unknown > 0)
        ct_tell(&ct_command_import_rules,
                "%zu rule%s of algorithms that none of our methods corresponds to: "
                "native there",
                unknown, ct_s(unknown));
done:
    ct_table_free(&table);
    ct_imported_trees_free(&trees);
    return status;
}

const struct ct_command ct_command_import_rules = {
    .name = "import-rules",
    .text = "make a decision table from Open MPI's or MPICH's rules",
    .usage = "FILE -o TABLE.xml",
    .least = 1,
    .about = "Makes a decision table from the rules by which another MPI library chooses: a file of Open "
             "MPI's dynamic rules, as text of either version or as JSON, or a file of MPICH's selections "
             "(MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE), or those built into a libmpich.so. `colltune "
             "show` prints the table, `score` and `report` evaluate it on runs, and `build` compiles it.",
    .notes = "The table has, for each rule, the method of ours that corresponds to the rule's algorithm; "
             "docs/tuning-files.md has the list. Where rules leave the choice to Open MPI, or name an "
             "algorithm that we do not have, the table says native. Of MPICH's selections the table has "
             "those for blocking calls on intracommunicators with predefined operations that commute.\n\n"
             "Examples:\n"
             "  colltune import-rules rules.txt -o theirs.xml\n"
             "  colltune show theirs.xml\n"
             "  colltune score theirs.xml runs/ethernet100-bcast\n"
             "  colltune import-rules /usr/lib/x86_64-linux-gnu/libmpich.so -o mpich.xml\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
