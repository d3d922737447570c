/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_values.h"
#include "base/memory.h"
#include "base/number.h"
#include "learners/c45/c45_words.h"

#include <stdlib.h>
#include <string.h>

struct source {
    const struct ct_c45_names *names;
    const char *file;
    struct ct_error *error;
    struct ct_c45_values *values;
    size_t *capacities;
};

static int add_value(struct source *source, size_t attribute, size_t number)
{
    struct ct_c45_values *values = &source->values[attribute];
    if (ct_grow(&values->values, &source->capacities[attribute], values->count + 1, sizeof number) != CT_OK)
        return ct_fail(source->error, CT_E_MEMORY, "out of memory");
    values->values[values->count++] = number;
    return CT_OK;
}

static int read_discrete(struct source *source, size_t attribute)
{
    const struct ct_c45_attribute *description = &source->names->attributes[attribute];
    for (size_t v = 0; v < description->values.count; v++) {
        size_t number;
        if (ct_size_parse(description->values.words[v], &number) != CT_OK)
            return ct_fail(source->error, CT_E_INPUT, "%s: '%.200s': expected a size for a value of %s",
                           source->file, description->values.words[v], description->name);
        int status = add_value(source, attribute, number);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static int read_value(struct source *source, struct ct_c45_reader *reader, size_t attribute)
{
    size_t number;
    if (source->names->attributes[attribute].kind != CT_C45_CONTINUOUS || strcmp(reader->name.data, "?") == 0)
        return CT_OK;
    if (ct_whole_parse(reader->name.data, SIZE_MAX, &number) != CT_OK)
        return ct_fail(source->error, CT_E_INPUT, "%s:%zu: '%.200s': expected a whole number for %s",
                       source->file, reader->name_line, reader->name.data,
                       source->names->attributes[attribute].name);
    return add_value(source, attribute, number);
}

static int read_data(struct source *source, const char *data, size_t length)
{
    const size_t attributes = source->names->attribute_count;
    struct ct_c45_reader reader;
    bool found = true;
    int status = CT_OK;
    ct_c45_reader_begin(&reader, data, length);
    for (size_t place = 0; status == CT_OK; place = (place + 1) % (attributes + 1)) {
        status = ct_c45_reader_next(&reader, &found);
        if (!found)
            break;
        if (status == CT_OK && place < attributes)
            status = read_value(source, &reader, place);
    }
    ct_text_free(&reader.name);
    return status;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

/* Rising, each once. */
static void sort_values(struct ct_c45_values *values)
{
    size_t kept = 0;
    if (values->count == 0)
        return;
    qsort(values->values, values->count, sizeof *values->values, compare_sizes);
    for (size_t i = 0; i < values->count; i++)
        if (kept == 0 || values->values[i] != values->values[kept - 1])
            values->values[kept++] = values->values[i];
    values->count = kept;
}

static int read_all(struct source *source, const char *data, size_t length)
{
    int status = data ? read_data(source, data, length) : CT_OK;
    for (size_t a = 0; status == CT_OK && a < source->names->attribute_count; a++) {
        sort_values(&source->values[a]);
        if (source->names->attributes[a].kind == CT_C45_DISCRETE)
            status = read_discrete(source, a);
    }
    return status;
}

int ct_c45_values_read(const struct ct_c45_names *names, const char *data, size_t length, const char *file,
                       struct ct_error *error, struct ct_c45_values **ret_values)
{
    struct source source = {.names = names, .file = file, .error = error};
    source.values = ct_allocate(names->attribute_count, sizeof *source.values);
    source.capacities = ct_allocate(names->attribute_count, sizeof *source.capacities);
    int status = source.values && source.capacities ? read_all(&source, data, length)
                                                    : ct_fail(error, CT_E_MEMORY, "out of memory");
    free(source.capacities);
    if (status == CT_OK)
        *ret_values = source.values;
    else
        ct_c45_values_free(source.values, names->attribute_count);
    return status;
}

void ct_c45_values_free(struct ct_c45_values *values, size_t count)
{
    for (size_t a = 0; values && a < count; a++)
        free(values[a].values);
    free(values);
}
