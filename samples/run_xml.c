/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run_xml.h"
#include "base/memory.h"
#include "base/xml.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct ct_xml_kind run_xml = {.root = "run", .schema = "samples/run.rng", .most_depth = 8};

#define FIELD(member) offsetof(struct ct_run_description, member)
static const struct ct_xml_field run_fields[] = {
    {"tool", CT_XML_TEXT, FIELD(tool_version)},
    {"created", CT_XML_TEXT, FIELD(created)},
    {0},
};
static const struct ct_xml_field backend_fields[] = {
    {"kind", CT_XML_TEXT, FIELD(backend)},
    {"launcher", CT_XML_TEXT, FIELD(launcher)},
    {0},
};
static const struct ct_xml_field timing_fields[] = {
    {"time", CT_XML_TEXT, FIELD(time)},
    {"sync", CT_XML_TEXT, FIELD(sync)},
    {"launches", CT_XML_WHOLE, FIELD(launches)},
    {"by", CT_XML_TEXT, FIELD(by), true},
    {"mode", CT_XML_TEXT, FIELD(mode), true},
    {"node-channel", CT_XML_TEXT, FIELD(node_channel), true},
    {"yield-from", CT_XML_TEXT, FIELD(yield_from), true},
    {"validation", CT_XML_TEXT, FIELD(validation), true},
    {"warmup", CT_XML_WHOLE, FIELD(warmup)},
    {"least-repetitions", CT_XML_WHOLE, FIELD(least_repetitions)},
    {"most-repetitions", CT_XML_WHOLE, FIELD(most_repetitions)},
    {"precision", CT_XML_NUMBER, FIELD(precision)},
    {"most-seconds", CT_XML_NUMBER, FIELD(most_seconds)},
    {"seed", CT_XML_WHOLE, FIELD(seed)},
    {0},
};
#undef FIELD

static void write_sizes(const char *element, const size_t *sizes, size_t count, struct ct_text *text)
{
    char size[CT_SIZE_TEXT];
    ct_text_append(text, "    <%s>", element);
    for (size_t i = 0; i < count; i++)
        ct_text_append(text, "%s%s", i ? "," : "", ct_size_format(sizes[i], size));
    ct_text_append(text, "</%s>\n", element);
}

void ct_properties_write(const struct ct_property *properties, size_t count, struct ct_text *text)
{
    for (size_t i = 0; i < count; i++) {
        ct_text_append(text, "    <property");
        ct_xml_attribute_write(text, "name", properties[i].name);
        ct_xml_attribute_write(text, "value", properties[i].value);
        ct_text_append(text, "/>\n");
    }
}

void ct_run_description_write(const struct ct_run_description *description, struct ct_text *text)
{
    ct_text_append(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<run version=\"2\"");
    ct_xml_fields_write(run_fields, description, text);
    ct_text_append(text, ">\n  <backend");
    ct_xml_fields_write(backend_fields, description, text);
    ct_text_append(text, "/>\n  <timing");
    ct_xml_fields_write(timing_fields, description, text);
    ct_text_append(text, "/>\n");
    ct_sweep_state_write(&description->sweep, text);
    ct_text_append(text, "  <grid>\n");
    for (size_t i = 0; i < description->collective_count; i++)
        ct_text_append(text, "    <collective name=\"%s\"/>\n",
                       ct_collectives[description->collectives[i]].name);
    write_sizes("comm-sizes", description->comm_sizes, description->comm_size_count, text);
    write_sizes("msg-sizes", description->msg_sizes, description->msg_size_count, text);
    for (size_t i = 0; i < description->pattern_count; i++) {
        ct_text_append(text, "    <pattern");
        ct_xml_attribute_write(text, "name", description->patterns[i]);
        ct_text_append(text, "/>\n");
    }
    ct_text_append(text, "  </grid>\n  <methods>\n");
    for (size_t i = 0; i < description->method_count; i++) {
        char spelling[CT_METHOD_TEXT];
        ct_text_append(text, "    <method name=\"%s\"/>\n",
                       ct_method_format(&description->methods[i], true, spelling));
    }
    ct_text_append(text, "  </methods>\n  <properties>\n");
    ct_properties_write(description->properties, description->property_count, text);
    ct_text_append(text, "  </properties>\n</run>\n");
}

/* What the readers below share. */
struct reading {
    const char *name;
    struct ct_error *error;
    struct ct_run_description *description;
};

static int out_of_memory(const struct reading *reading)
{
    return ct_fail(reading->error, CT_E_MEMORY, "%s: out of memory", reading->name);
}

static bool has_collective(const struct ct_run_description *description, enum ct_collective collective)
{
    for (size_t i = 0; i < description->collective_count; i++)
        if (description->collectives[i] == collective)
            return true;
    return false;
}

static int read_collective(const struct reading *reading, const xmlNode *node)
{
    struct ct_run_description *description = reading->description;
    char *name = ct_xml_attribute(node, "name");
    if (!name)
        return out_of_memory(reading);
    int status = CT_OK;
    enum ct_collective collective = ct_collective_find(name);
    if (collective == CT_COLLECTIVES)
        status = ct_xml_fail(reading->name, node, reading->error, "unknown collective '%s'", name);
    else if (has_collective(description, collective))
        status = ct_xml_fail(reading->name, node, reading->error, "the collective %s is given twice", name);
    else
        description->collectives[description->collective_count++] = collective;
    free(name);
    return status;
}

static int read_pattern(const struct reading *reading, const xmlNode *node)
{
    struct ct_run_description *description = reading->description;
    char *name = ct_xml_attribute(node, "name");
    if (!name)
        return out_of_memory(reading);
    int status = CT_OK;
    if (ct_run_pattern(description, ct_pattern_id(name)))
        status = ct_xml_fail(reading->name, node, reading->error, "the pattern '%.80s' is given twice", name);
    else if (ct_run_add_pattern(description, name) != CT_OK)
        status = out_of_memory(reading);
    free(name);
    return status;
}

static int read_grid(const struct reading *reading, const xmlNode *grid)
{
    struct ct_run_description *description = reading->description;
    description->collectives = ct_allocate(CT_COLLECTIVES, sizeof *description->collectives);
    if (!description->collectives)
        return out_of_memory(reading);
    int status = CT_OK;
    for (const xmlNode *node = ct_xml_first(grid); status == CT_OK && node; node = ct_xml_next(node))
        if (ct_xml_is(node, "collective"))
            status = read_collective(reading, node);
        else if (ct_xml_is(node, "pattern"))
            status = read_pattern(reading, node);
    const xmlNode *comm_sizes = ct_xml_child(grid, "comm-sizes"),
                  *msg_sizes = ct_xml_child(grid, "msg-sizes");
    if (status == CT_OK)
        status = ct_xml_sizes(reading->name, comm_sizes, 1, INT_MAX, reading->error, &description->comm_sizes,
                              &description->comm_size_count);
    if (status == CT_OK)
        status = ct_xml_sizes(reading->name, msg_sizes, 0, INT64_MAX, reading->error, &description->msg_sizes,
                              &description->msg_size_count);
    if (status != CT_OK)
        return status;
    if (description->comm_size_count == 0)
        return ct_xml_fail(reading->name, comm_sizes, reading->error,
                           "expected at least one communicator size");
    for (size_t i = 0; i < description->collective_count; i++)
        if (ct_collectives[description->collectives[i]].has_size && description->msg_size_count == 0)
            return ct_xml_fail(reading->name, msg_sizes, reading->error, "expected message sizes for %s",
                               ct_collectives[description->collectives[i]].name);
        else if (ct_collectives[description->collectives[i]].is_sparse && description->pattern_count == 0)
            return ct_xml_fail(reading->name, grid, reading->error, "expected patterns for %s",
                               ct_collectives[description->collectives[i]].name);
    return CT_OK;
}

/* One method as its element spells it; only the one spelling that is written is taken. */
static int read_method(const struct reading *reading, const xmlNode *node, struct ct_method *ret_method)
{
    char *name = ct_xml_attribute(node, "name"), spelling[CT_METHOD_TEXT];
    if (!name)
        return out_of_memory(reading);
    const struct ct_run_description *description = reading->description;
    struct ct_method method;
    struct ct_error why = {""};
    int status = ct_method_parse_any(name, CT_COLLECTIVES, &why, &method);
    if (status != CT_OK)
        ct_xml_fail(reading->name, node, reading->error, "%s", why.text);
    else if (strcmp(ct_method_format(&method, true, spelling), name) != 0)
        status = ct_xml_fail(reading->name, node, reading->error, "the method '%s' is spelled '%s' here",
                             name, spelling);
    else if (!has_collective(description, method.algorithm->collective))
        status = ct_xml_fail(reading->name, node, reading->error,
                             "the method '%s' belongs to no collective of the grid", name);
    else if (ct_method_index(&method, description->methods, description->method_count) <
             description->method_count)
        status = ct_xml_fail(reading->name, node, reading->error, "the method '%s' is given twice", name);
    free(name);
    if (status == CT_OK)
        *ret_method = method;
    return status;
}

static int read_methods(const struct reading *reading, const xmlNode *list)
{
    struct ct_run_description *description = reading->description;
    size_t capacity = 0;
    for (const xmlNode *node = ct_xml_first(list); node; node = ct_xml_next(node)) {
        struct ct_method method;
        int status = read_method(reading, node, &method);
        if (status != CT_OK)
            return status;
        if (ct_grow(&description->methods, &capacity, description->method_count + 1, sizeof method) != CT_OK)
            return out_of_memory(reading);
        description->methods[description->method_count++] = method;
    }
    return CT_OK;
}

static int read_properties(const struct reading *reading, const xmlNode *list)
{
    int status = CT_OK;
    for (const xmlNode *node = ct_xml_first(list); status == CT_OK && node; node = ct_xml_next(node)) {
        char *name = ct_xml_attribute(node, "name"), *value = ct_xml_attribute(node, "value");
        if (!name || !value)
            status = out_of_memory(reading);
        else if (ct_run_property(reading->description, name))
            status =
                ct_xml_fail(reading->name, node, reading->error, "the property '%s' is given twice", name);
        else
            status = ct_run_add_property(reading->description, name, value);
        free(name);
        free(value);
    }
    return status;
}

static size_t count_words(const char *list)
{
    size_t count = list && *list ? 1 : 0;
    for (const char *at = list; at && (at = strchr(at, ',')); at++)
        count++;
    return count;
}

static int check_timing(const struct reading *reading, const xmlNode *timing)
{
    const struct ct_run_description *description = reading->description;
    if (description->launches < 1 || description->launches > UINT32_MAX)
        return ct_xml_fail(reading->name, timing, reading->error, "launches: expected at least 1");
    const size_t mappings = count_words(description->by), modes = count_words(description->mode);
    const size_t yields = count_words(description->yield_from);
    const size_t validations = count_words(description->validation);
    if (mappings > 0 && mappings != description->launches)
        return ct_xml_fail(reading->name, timing, reading->error,
                           "by has %zu mappings: expected one for each of the %zu launches", mappings,
                           description->launches);
    if (modes > 1 && modes != description->launches)
        return ct_xml_fail(reading->name, timing, reading->error,
                           "mode has %zu words: expected one, or one for each of the %zu launches", modes,
                           description->launches);
    if (yields > 0 && yields != description->launches)
        return ct_xml_fail(reading->name, timing, reading->error,
                           "yield-from has %zu numbers: expected one for each of the %zu launches", yields,
                           description->launches);
    if (validations > 0 && validations != description->launches)
        return ct_xml_fail(reading->name, timing, reading->error,
                           "validation has %zu numbers: expected one for each of the %zu launches",
                           validations, description->launches);
    if (description->least_repetitions > description->most_repetitions)
        return ct_xml_fail(reading->name, timing, reading->error,
                           "least-repetitions=%zu is more than most-repetitions=%zu",
                           description->least_repetitions, description->most_repetitions);
    return CT_OK;
}

int ct_run_description_read(const char *text, size_t length, const char *name, struct ct_error *error,
                            struct ct_run_description *ret_description)
{
    xmlDoc *document;
    int status = ct_xml_parse(text, length, name, &run_xml, error, &document);
    if (status != CT_OK)
        return status;
    struct ct_run_description description = {0};
    const struct reading reading = {.name = name, .error = error, .description = &description};
    const xmlNode *root = xmlDocGetRootElement(document);
    const xmlNode *timing = ct_xml_child(root, "timing");
    status = ct_xml_fields_read(name, root, run_fields, error, &description);
    if (status == CT_OK)
        status = ct_xml_fields_read(name, ct_xml_child(root, "backend"), backend_fields, error, &description);
    if (status == CT_OK)
        status = ct_xml_fields_read(name, timing, timing_fields, error, &description);
    if (status == CT_OK)
        status = check_timing(&reading, timing);
    if (status == CT_OK && ct_xml_child(root, "sweep"))
        status = ct_sweep_state_read(ct_xml_child(root, "sweep"), name, error, &description.sweep);
    if (status == CT_OK)
        status = read_grid(&reading, ct_xml_child(root, "grid"));
    if (status == CT_OK)
        status = read_methods(&reading, ct_xml_child(root, "methods"));
    if (status == CT_OK)
        status = read_properties(&reading, ct_xml_child(root, "properties"));
    xmlFreeDoc(document);
    if (status == CT_OK)
        *ret_description = description;
    else
        ct_run_description_free(&description);
    return status;
}
