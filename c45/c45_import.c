/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_import.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort.h"
#include "c45/c45_files.h"
#include "c45/c45_program.h"
#include "learners/c45_decide.h"
#include "learners/leaf_methods.h"
#include "samples/run_folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The input and the results of an import. */
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
    struct ct_c45_values *values; /* by attribute */
    struct ct_feature_set set;
    size_t numbers[CT_FEATURES_MAX]; /* by attribute: its feature in the set */
    struct ct_method *methods;       /* by class */
    enum ct_collective collective;
    struct ct_decision_tree tree;
};

static int out_of_memory(const struct source *source)
{
    return ct_fail(source->error, CT_E_MEMORY, "out of memory");
}

/* --- values, exactly: C4.5 has them in single precision --- */

/* A value of the .data file. */
static int add_number(struct source *source, const struct ct_c45_reader *reader, size_t attribute)
{
    const struct ct_c45_attribute *description = &source->names.attributes[attribute];
    struct ct_c45_values *values = &source->values[attribute];
    if (description->kind != CT_C45_CONTINUOUS || strcmp(reader->name.data, "?") == 0)
        return CT_OK;
    if (ct_whole_parse(reader->name.data, SIZE_MAX, &values->values[values->count++]) != CT_OK)
        return ct_fail(source->error, CT_E_INPUT, "%s:%zu: '%.200s': expected a whole number for %s",
                       source->data_path, reader->name_line, reader->name.data, description->name);
    return CT_OK;
}

static int collect_numbers(struct source *source, const char *data, size_t length)
{
    const size_t attributes = source->names.attribute_count;
    struct ct_c45_reader reader;
    bool found = true;
    int status = CT_OK;
    ct_c45_reader_begin(&reader, data, length);
    for (size_t place = 0; status == CT_OK; place = (place + 1) % (attributes + 1)) {
        status = ct_c45_reader_next(&reader, &found);
        if (!found)
            break;
        if (status == CT_OK && place < attributes)
            status = add_number(source, &reader, place);
    }
    ct_text_free(&reader.name);
    return status;
}

/* The values of discrete attributes, which are sizes; sorts those of continuous ones. */
static int settle_values(struct source *source)
{
    for (size_t a = 0; a < source->names.attribute_count; a++) {
        const struct ct_c45_attribute *attribute = &source->names.attributes[a];
        struct ct_c45_values *values = &source->values[a];
        values->count = ct_sort_unique(values->values, values->count);
        for (size_t v = 0; v < attribute->values.count; v++) {
            const char *word = attribute->values.words[v];
            if (ct_size_parse(word, &values->values[values->count++]) != CT_OK)
                return ct_fail(source->error, CT_E_INPUT, "%s: '%.200s': expected a size as value of %s",
                               source->has_data ? source->data_path : source->names_path, word,
                               attribute->name);
        }
    }
    return CT_OK;
}

/* Makes room for the values of so many cases, and for those of discrete attributes. */
static int make_room(struct source *source, size_t cases)
{
    for (size_t a = 0; a < source->names.attribute_count; a++) {
        struct ct_c45_values *values = &source->values[a];
        values->values =
            ct_allocate(cases + source->names.attributes[a].values.count, sizeof *values->values);
        if (!values->values)
            return out_of_memory(source);
    }
    return CT_OK;
}

/* --- files --- */

/* The text between `before` and one of the characters `end` in the report; NULL if it is not there. Caller
 * frees. */
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
        return ct_fail(source->error, CT_E_INPUT, "%s: the report has no file stem; expected --stem STEM",
                       import->report);
    source->names_path = ct_format("%s.names", source->stem);
    source->data_path = ct_format("%s.data", source->stem);
    if (!source->names_path || !source->data_path)
        return out_of_memory(source);
    source->has_data = access(source->data_path, F_OK) == 0;
    return CT_OK;
}

/* Checks the cases, and takes their values. */
static int read_data(struct source *source)
{
    struct ct_c45_cases cases;
    char *text;
    size_t length;
    int status = ct_lines_read(source->data_path, source->error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_c45_cases_parse(text, length, source->data_path, true, &source->names, source->error, &cases);
    if (status == CT_OK) {
        status = make_room(source, cases.count);
        ct_c45_cases_free(&cases);
    }
    if (status == CT_OK)
        status = collect_numbers(source, text, length);
    free(text);
    return status;
}

static int read_files(struct source *source)
{
    int status = ct_file_read(source->import->report, source->error, &source->report, &source->report_length);
    if (status == CT_OK)
        status = find_stem(source);
    if (status == CT_OK)
        status = ct_c45_names_read(source->names_path, source->error, &source->names);
    if (status != CT_OK)
        return status;
    source->values = ct_allocate(source->names.attribute_count, sizeof *source->values);
    if (!source->values)
        return out_of_memory(source);
    status = source->has_data ? read_data(source) : make_room(source, 0);
    return status == CT_OK ? settle_values(source) : status;
}

/* --- the meaning of names --- */

/* Attributes are features: those that the import defines, or known ones. */
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

/* Classes are methods. */
static int find_methods(struct source *source)
{
    const struct ct_c45_words *classes = &source->names.classes;
    source->collective = source->import->collective;
    source->methods = ct_allocate(classes->count, sizeof *source->methods);
    if (!source->methods)
        return out_of_memory(source);
    for (size_t c = 0; c < classes->count; c++) {
        int status =
            ct_method_parse_any(classes->words[c], source->collective, source->error, &source->methods[c]);
        if (status != CT_OK)
            return ct_fail_in(source->error, status, source->names_path);
        source->collective = source->methods[c].algorithm->collective;
    }
    return CT_OK;
}

static int make_tree(struct source *source, size_t *ret_doubtful)
{
    const struct ct_c45_meaning meaning = {.collective = source->collective,
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
        status = ct_c45_decide(root, &meaning, source->error, ret_doubtful, &source->tree);
        if (status != CT_OK)
            ct_fail_in(source->error, status, report);
    }
    ct_c45_pool_free(&pool);
    return status;
}

/* --- the table --- */

static const char learner[] = "c45-report";

/* Names the files of C4.5 as the run of the table. */
static int add_files(struct source *source, struct ct_table *table)
{
    struct ct_table_run *run = table->runs = ct_allocate(1, sizeof *run);
    char samples[CT_CHECKSUM_TEXT], description[CT_CHECKSUM_TEXT];
    const char *slash = strrchr(source->stem, '/');
    if (!run)
        return out_of_memory(source);
    int status = ct_file_checksum(source->has_data ? source->data_path : source->import->report,
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
                                 .backend = ct_format("imported"),
                                 .launcher = ct_format("none"),
                                 .samples_checksum = ct_format("%s", samples),
                                 .description_checksum = ct_format("%s", description)};
    return run->name && run->tool_version && run->created && run->backend && run->launcher &&
                   run->samples_checksum && run->description_checksum
               ? CT_OK
               : out_of_memory(source);
}

/* Without a run there are no measurements: the fallback is native, which always applies. */
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
    if (ct_learn_fill_fallback(&source->tree, &map, NULL) != CT_OK)
        status = out_of_memory(source);
    if (status == CT_OK)
        status = ct_score_tree(&source->tree, &map, source->error, &score);
    if (status == CT_OK)
        status = ct_table_add_tree(table, &source->tree, index, learner, "", &score, source->error);
    ct_map_free(&map);
    return status;
}

static int fill_table(struct source *source, struct ct_table *table)
{
    struct ct_run run;
    if (ct_table_begin(table) != CT_OK)
        return out_of_memory(source);
    if (!source->import->run)
        return add_unscored(source, table);
    int status = ct_run_read(source->import->run, false, source->error, &run);
    if (status != CT_OK)
        return status;
    status = add_scored(source, &run, table);
    ct_run_free(&run);
    return status;
}

static void free_source(struct source *source)
{
    ct_tree_free(&source->tree);
    for (size_t a = 0; source->values && a < source->names.attribute_count; a++)
        free(source->values[a].values);
    free(source->values);
    ct_c45_names_free(&source->names);
    ct_feature_set_free(&source->set);
    free(source->methods);
    free(source->report);
    free(source->stem);
    free(source->names_path);
    free(source->data_path);
}

int ct_c45_import(const struct ct_c45_import *import, struct ct_error *error,
                  struct ct_c45_import_summary *ret_summary, struct ct_table *ret_table)
{
    struct source source = {.import = import, .error = error};
    struct ct_table table = {0};
    size_t doubtful;
    int status = read_files(&source);
    if (status == CT_OK)
        status = find_features(&source);
    if (status == CT_OK)
        status = find_methods(&source);
    if (status == CT_OK)
        status = make_tree(&source, &doubtful);
    if (status == CT_OK)
        status = fill_table(&source, &table);
    if (status == CT_OK) {
        *ret_table = table;
        *ret_summary = (struct ct_c45_import_summary){.has_data = source.has_data, .doubtful = doubtful};
    } else {
        ct_table_free(&table);
    }
    free_source(&source);
    return status;
}
