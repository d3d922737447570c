/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_import.h"
#include "base/file.h"
#include "base/memory.h"
#include "c45/c45_values.h"
#include "learners/c45/c45.h"
#include "learners/learner.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that an import reads and makes on the way. */
struct source {
    const struct ct_c45_import *import;
    struct ct_error *error;
    char *report;
    size_t report_length;
    char *stem;
    char *names_path;
    char *data_path;
    bool has_data;
    struct ct_c45_names names;
    struct ct_c45_values *values;
    struct ct_feature_set set;
    size_t numbers[CT_FEATURES_MAX]; /* by attribute */
    struct ct_method *methods;       /* by class */
    enum ct_collective collective;
    struct ct_decision_tree tree;
};

static int out_of_memory(const struct source *source)
{
    return ct_fail(source->error, CT_E_MEMORY, "out of memory");
}

/* --- files --- */

/* What stands between `before` and the character `end` in the report; NULL where it does not. Caller frees.
 */
static char *quote(const struct source *source, const char *before, const char *end)
{
    const char *place = strstr(source->report, before);
    if (!place)
        return NULL;
    place += strlen(before);
    size_t length = strcspn(place, end);
    return place[length] ? strndup(place, length) : NULL;
}

static int find_stem(struct source *source)
{
    const struct ct_c45_import *import = source->import;
    source->stem = import->stem ? ct_format("%s", import->stem) : quote(source, "\tFile stem <", ">\n");
    if (!source->stem)
        return ct_fail(source->error, CT_E_INPUT, "%s: names no file stem: expected --stem STEM",
                       import->report);
    source->names_path = ct_format("%s.names", source->stem);
    source->data_path = ct_format("%s.data", source->stem);
    if (!source->names_path || !source->data_path)
        return out_of_memory(source);
    source->has_data = access(source->data_path, F_OK) == 0;
    return CT_OK;
}

static int read_names(struct source *source)
{
    char *text;
    size_t length;
    int status = ct_file_read(source->names_path, source->error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_c45_names_parse(text, length, source->names_path, source->error, &source->names);
    free(text);
    return status;
}

/* The cases are read for what they add to the names, and to know that they are sound. */
static int read_data(struct source *source)
{
    struct ct_c45_cases cases;
    char *text = NULL;
    size_t length = 0;
    int status = CT_OK;
    if (source->has_data) {
        status = ct_file_read(source->data_path, source->error, &text, &length);
        if (status != CT_OK)
            return status;
        status =
            ct_c45_cases_parse(text, length, source->data_path, true, &source->names, source->error, &cases);
        if (status == CT_OK)
            ct_c45_cases_free(&cases);
    }
    if (status == CT_OK)
        status = ct_c45_values_read(&source->names, text, length,
                                    source->has_data ? source->data_path : source->names_path, source->error,
                                    &source->values);
    free(text);
    return status;
}

/* --- what names mean --- */

/* The definitions of the import, and what its attributes are. */
static int find_features(struct source *source)
{
    const struct ct_learn_features *defined = source->import->features;
    size_t number;
    int status = CT_OK;
    if (source->names.attribute_count > CT_FEATURES_MAX)
        return ct_fail(source->error, CT_E_INPUT, "%s: more than %d attributes", source->names_path,
                       CT_FEATURES_MAX);
    for (size_t i = 0; defined && status == CT_OK && i < defined->count; i++)
        status = ct_feature_take(&source->set, &defined->set, defined->numbers[i], source->error, &number);
    for (size_t a = 0; status == CT_OK && a < source->names.attribute_count; a++) {
        const struct ct_c45_attribute *attribute = &source->names.attributes[a];
        if (attribute->kind != CT_C45_IGNORED)
            status = ct_feature_find(&source->set, attribute->name, source->error, &source->numbers[a]);
        if (status != CT_OK)
            ct_fail_in(source->error, status, source->names_path);
    }
    return status;
}

static int find_methods(struct source *source)
{
    const struct ct_c45_words *classes = &source->names.classes;
    source->collective = source->import->collective;
    source->methods = ct_allocate(classes->count, sizeof *source->methods);
    if (!source->methods)
        return out_of_memory(source);
    for (size_t c = 0; c < classes->count; c++) {
        int status =
            ct_method_parse(classes->words[c], source->collective, source->error, &source->methods[c]);
        if (status != CT_OK)
            return ct_fail_in(source->error, status, source->names_path);
        source->collective = source->methods[c].algorithm->collective;
    }
    return CT_OK;
}

static int make_tree(struct source *source, struct ct_c45_import_summary *ret_summary)
{
    struct ct_c45_meaning meaning = {.collective = source->collective,
                                     .set = &source->set,
                                     .numbers = source->numbers,
                                     .methods = source->methods,
                                     .values = source->values,
                                     .printed = true};
    const char *report = source->import->report;
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    int status = ct_c45_report_read(source->report, source->report_length, report, &source->names, &pool,
                                    source->error, &root);
    if (status == CT_OK) {
        ret_summary->has_data = source->has_data;
        status = ct_c45_decide(root, &meaning, source->error, &ret_summary->doubtful, &source->tree);
        if (status != CT_OK)
            ct_fail_in(source->error, status, report);
    }
    ct_c45_pool_free(&pool);
    return status;
}

/* --- the table --- */

/* The files of C4.5 in the place of a run. */
static int add_files(struct source *source, struct ct_table *table)
{
    struct ct_table_run *run = table->runs = ct_allocate(1, sizeof *run);
    char samples[CT_CHECKSUM_TEXT], description[CT_CHECKSUM_TEXT];
    int status = run ? CT_OK : out_of_memory(source);
    const char *slash = strrchr(source->stem, '/');
    if (status == CT_OK)
        status = ct_file_checksum(source->has_data ? source->data_path : source->import->report,
                                  source->error, samples);
    if (status == CT_OK)
        status = ct_file_checksum(source->names_path, source->error, description);
    if (status != CT_OK)
        return status;
    table->run_count = 1;
    char *created = quote(source, "decision tree generator\t", "\n");
    *run = (struct ct_table_run){.name = ct_format("%s", slash ? slash + 1 : source->stem),
                                 .tool_version = ct_format("C4.5 Release 8"),
                                 .created = created ? created : ct_format("unknown"),
                                 .backend = ct_format("c45-report"),
                                 .launcher = ct_format("none"),
                                 .samples_checksum = ct_format("%s", samples),
                                 .description_checksum = ct_format("%s", description)};
    return run->name && run->tool_version && run->created && run->backend && run->launcher &&
                   run->samples_checksum && run->description_checksum
               ? CT_OK
               : out_of_memory(source);
}

static const char learner[] = "c45-report";

/* Where nothing was measured, it is native that always applies. */
static int add_unscored(struct source *source, struct ct_table *table)
{
    const struct ct_map nothing = {.collective = source->collective};
    int status = add_files(source, table);
    if (status != CT_OK)
        return status;
    if (ct_learn_fill_fallback(&source->tree, &nothing, NULL) != CT_OK)
        return out_of_memory(source);
    return ct_table_add_tree(table, &source->tree, 0, learner, "", &(struct ct_score){0}, source->error);
}

static int add_scored(struct source *source, const struct ct_run *run, struct ct_table *table)
{
    struct ct_map map;
    struct ct_score score;
    size_t index;
    int status = ct_table_add_run(table, run, source->error, &index);
    if (status == CT_OK)
        status = ct_map_make(run, source->collective, source->error, &map);
    if (status != CT_OK)
        return status;
    status = ct_learn_fill_fallback(&source->tree, &map, NULL);
    if (status != CT_OK)
        out_of_memory(source);
    else
        status = ct_score_tree(&source->tree, &map, source->error, &score);
    if (status == CT_OK)
        status = ct_table_add_tree(table, &source->tree, index, learner, "", &score, source->error);
    ct_map_free(&map);
    return status;
}

static int fill_table(struct source *source, struct ct_table *table)
{
    struct ct_run run;
    if (!source->import->run)
        return add_unscored(source, table);
    int status = ct_run_read(source->import->run, false, source->error, &run);
    if (status != CT_OK)
        return status;
    status = add_scored(source, &run, table);
    ct_run_free(&run);
    return status;
}

static int read_source(struct source *source, struct ct_c45_import_summary *ret_summary)
{
    int status = ct_file_read(source->import->report, source->error, &source->report, &source->report_length);
    if (status == CT_OK)
        status = find_stem(source);
    if (status == CT_OK)
        status = read_names(source);
    if (status == CT_OK)
        status = read_data(source);
    if (status == CT_OK)
        status = find_features(source);
    if (status == CT_OK)
        status = find_methods(source);
    return status == CT_OK ? make_tree(source, ret_summary) : status;
}

int ct_c45_import(const struct ct_c45_import *import, struct ct_error *error,
                  struct ct_c45_import_summary *ret_summary, struct ct_table *ret_table)
{
    struct source source = {.import = import, .error = error};
    struct ct_c45_import_summary summary = {0};
    struct ct_table table = {0};
    int status = read_source(&source, &summary);
    if (status == CT_OK && ct_table_begin(&table) != CT_OK)
        status = out_of_memory(&source);
    if (status == CT_OK)
        status = fill_table(&source, &table);
    if (status == CT_OK) {
        *ret_table = table;
        *ret_summary = summary;
    } else {
        ct_table_free(&table);
    }
    ct_tree_free(&source.tree);
    ct_c45_values_free(source.values, source.names.attribute_count);
    ct_c45_names_free(&source.names);
    ct_feature_set_free(&source.set);
    free(source.methods);
    free(source.report);
    free(source.stem);
    free(source.names_path);
    free(source.data_path);
    return status;
}
