/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/model_file.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/xml.h"
#include "models/contention/interconnect.h"
#include "models/interval_attributes.h"
#include "models/link_element.h"
#include "models/model_reader.h"
#include "models/routes_element.h"

#include <libxml/xmlreader.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct ct_xml_kind model_kind = {.root = "model", .schema = "models/model.rng", .most_depth = 8};

static const struct ct_xml_field work_numbers[] = {{"gamma", CT_XML_NUMBER, offsetof(struct ct_model, gamma)},
                                                   {"delta", CT_XML_NUMBER, offsetof(struct ct_model, delta)},
                                                   {0}};
static const struct ct_xml_field topology_numbers[] = {
    {"latency", CT_XML_NUMBER, offsetof(struct ct_model, hop_latency)},
    {"hops", CT_XML_NUMBER, offsetof(struct ct_model, hops)},
    {0}};
static const struct ct_xml_field operation_numbers[] = {
    {"seconds-per-byte", CT_XML_NUMBER, offsetof(struct ct_local_work, seconds_per_byte)}, {0}};

/* --- reading --- */

static int read_topology(const struct ct_model_reader *reader, const xmlNode *node, struct ct_model *model)
{
    struct ct_interconnect topology = {0};
    struct ct_error why = {""};
    if (reader->version < 3)
        return ct_xml_fail(reader->name, node, reader->error, "a topology: expected version=\"3\"");
    int status = ct_xml_fields_read(reader->name, node, topology_numbers, reader->error, model);
    if (status != CT_OK)
        return status;
    model->topology = ct_xml_attribute(node, "shape");
    if (!model->topology)
        return ct_model_out_of_memory(reader);
    status = ct_interconnect_parse(model->topology, &why, &topology);
    return status == CT_OK ? CT_OK : ct_xml_fail(reader->name, node, reader->error, "%s", why.text);
}

static int read_routes(const struct ct_model_reader *reader, const xmlNode *node, struct ct_model *model)
{
    if (reader->version < 4)
        return ct_xml_fail(reader->name, node, reader->error, "routes: expected version=\"4\"");
    return ct_routes_element_read(reader->name, node, reader->error, &model->routes);
}

static int read_operation(const struct ct_model_reader *reader, const xmlNode *node, struct ct_model *model)
{
    struct ct_local_work *work = &model->work[model->work_count++];
    work->operation = ct_xml_attribute(node, "name");
    work->type = ct_xml_attribute(node, "type");
    if (!work->operation || !work->type)
        return ct_model_out_of_memory(reader);
    for (const struct ct_local_work *other = model->work; other < work; other++)
        if (strcmp(other->operation, work->operation) == 0 && strcmp(other->type, work->type) == 0)
            return ct_xml_fail(reader->name, node, reader->error, "a second '%s' of '%s'", work->operation,
                               work->type);
    int status = ct_xml_fields_read(reader->name, node, operation_numbers, reader->error, work);
    return status == CT_OK ? ct_interval_read(reader->name, node, reader->error, &work->interval) : status;
}

static int read_work(const struct ct_model_reader *reader, const xmlNode *node, struct ct_model *model)
{
    int status = ct_xml_fields_read(reader->name, node, work_numbers, reader->error, model);
    if (status != CT_OK)
        return status;
    model->work = ct_allocate(xmlChildElementCount((xmlNode *)node), sizeof *model->work);
    if (!model->work)
        return ct_model_out_of_memory(reader);
    for (const xmlNode *each = ct_xml_first(node); status == CT_OK && each; each = ct_xml_next(each))
        status = read_operation(reader, each, model);
    return status;
}

static int read_document(const struct ct_model_reader *reader, const xmlDoc *document, struct ct_model *model)
{
    const xmlNode *top = xmlDocGetRootElement(document);
    model->name = ct_xml_attribute(top, "name");
    model->source = ct_xml_content(ct_xml_child(top, "source"));
    if (!model->name || !model->source)
        return ct_model_out_of_memory(reader);
    for (const xmlNode *node = ct_xml_first(top); node; node = ct_xml_next(node)) {
        int status = CT_OK;
        if (ct_xml_is(node, "link"))
            status = ct_link_element_read(reader, node, model);
        else if (ct_xml_is(node, "topology"))
            status = read_topology(reader, node, model);
        else if (ct_xml_is(node, "routes"))
            status = read_routes(reader, node, model);
        if (status != CT_OK)
            return status;
    }
    return read_work(reader, ct_xml_child(top, "work"), model);
}

static int take_document(const char *name, xmlDoc *document, struct ct_error *error,
                         struct ct_model *ret_model)
{
    struct ct_model_reader reader = {name, error, 1};
    struct ct_model model = {0};
    int status = ct_xml_size(name, xmlDocGetRootElement(document), "version", error, &reader.version);
    if (status == CT_OK)
        status = read_document(&reader, document, &model);
    xmlFreeDoc(document);
    if (status == CT_OK)
        *ret_model = model;
    else
        ct_model_free(&model);
    return status;
}

int ct_model_read(const char *path, struct ct_error *error, struct ct_model *ret_model)
{
    xmlDoc *document;
    int status = ct_xml_read(path, &model_kind, error, &document);
    return status == CT_OK ? take_document(path, document, error, ret_model) : status;
}

int ct_model_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                   struct ct_model *ret_model)
{
    xmlDoc *document;
    int status = ct_xml_parse(text, length, name, &model_kind, error, &document);
    return status == CT_OK ? take_document(name, document, error, ret_model) : status;
}

/* --- writing --- */

/* The oldest version that can hold the model. */
static int version_of(const struct ct_model *model)
{
    bool is_new = ct_link_is_known(&model->other_node);
    if (model->routes || model->topology)
        return model->routes ? 4 : 3;
    for (int kind = 0; kind < CT_LINK_KINDS; kind++)
        is_new |= model->links[kind].regime_count > 0;
    return is_new ? 2 : 1;
}

static void write_topology(const struct ct_model *model, struct ct_text *text)
{
    if (!model->topology)
        return;
    ct_text_append(text, "  <topology");
    ct_xml_attribute_write(text, "shape", model->topology);
    ct_xml_fields_write(topology_numbers, model, text);
    ct_text_append(text, "/>\n");
}

static void write_work(const struct ct_model *model, struct ct_text *text)
{
    ct_text_append(text, "  <work");
    ct_xml_fields_write(work_numbers, model, text);
    ct_text_append(text, model->work_count ? ">\n" : "/>\n");
    for (size_t i = 0; i < model->work_count; i++) {
        const struct ct_local_work *work = &model->work[i];
        ct_text_append(text, "    <operation");
        ct_xml_attribute_write(text, "name", work->operation);
        ct_xml_attribute_write(text, "type", work->type);
        ct_xml_fields_write(operation_numbers, work, text);
        ct_interval_write(&work->interval, text);
        ct_text_append(text, "/>\n");
    }
    if (model->work_count)
        ct_text_append(text, "  </work>\n");
}

void ct_model_format(const struct ct_model *model, struct ct_text *text)
{
    ct_text_append(text,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n<model version=\"%d\"",
                   version_of(model));
    ct_xml_attribute_write(text, "name", model->name);
    ct_text_append(text, ">\n  <source>");
    ct_xml_escape(text, model->source);
    ct_text_append(text, "</source>\n");
    ct_link_element_write(&model->links[CT_LINK_NETWORK], CT_LINK_NETWORK, CT_NODE_CHANNEL_MPI, text);
    for (int channel = 0; channel < CT_NODE_CHANNELS; channel++)
        ct_link_element_write(ct_model_node_link(model, (enum ct_node_channel)channel), CT_LINK_NODE,
                              (enum ct_node_channel)channel, text);
    write_topology(model, text);
    if (model->routes)
        ct_routes_element_write(model->routes, text);
    write_work(model, text);
    ct_text_append(text, "</model>\n");
}

int ct_model_write(const char *path, const struct ct_model *model, struct ct_error *error)
{
    struct ct_text text = {0};
    struct ct_model back;
    ct_model_format(model, &text);
    int status = text.failed ? ct_fail(error, CT_E_MEMORY, "%s: out of memory", path)
                             : ct_model_parse(text.data, text.length, path, error, &back);
    if (status == CT_OK) {
        ct_model_free(&back);
        status = ct_file_create(path, text.data, text.length, error);
    }
    ct_text_free(&text);
    return status;
}

bool ct_model_is_file(const char *path)
{
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    char *text = NULL;
    size_t length;
    bool is_model = false;
    if (ct_file_read(path, NULL, &text, &length) != CT_OK || length > INT_MAX) {
        free(text);
        return false;
    }
    xmlTextReader *reader = xmlReaderForMemory(text, (int)length, path, NULL, options);
    while (reader && xmlTextReaderRead(reader) == 1)
        if (xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT) {
            is_model = xmlStrEqual(xmlTextReaderConstName(reader), BAD_CAST "model");
            break;
        }
    xmlFreeTextReader(reader);
    free(text);
    return is_model;
}
