/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/xml.h"
#include "models/curve.h"
#include "models/model_file.h"

#include <stdlib.h>
#include <string.h>

static const struct ct_xml_kind model_kind = {.schema = "models/model.rng", .most_depth = 8};

struct reader {
    const char *name; /* of the file */
    struct ct_error *error;
};

static int out_of_memory(const struct reader *reader)
{
    return ct_fail(reader->error, CT_E_MEMORY, "%s: out of memory", reader->name);
}

static int read_number(const struct reader *reader, const xmlNode *node, const char *attribute,
                       double *ret_number)
{
    return ct_xml_number(reader->name, node, attribute, reader->error, ret_number);
}

static int read_interval(const struct reader *reader, const xmlNode *node, struct ct_interval *interval)
{
    int status = read_number(reader, node, "low", &interval->low);
    if (status == CT_OK)
        status = read_number(reader, node, "high", &interval->high);
    if (status == CT_OK && interval->low > interval->high)
        return ct_xml_fail(reader->name, node, reader->error, "low is more than high: expected an interval");
    return status;
}

static bool has_attribute(const xmlNode *node, const char *attribute)
{
    return xmlHasProp((xmlNode *)node, (const xmlChar *)attribute) != NULL;
}

static size_t count_children(const xmlNode *node)
{
    size_t count = 0;
    for (const xmlNode *child = ct_xml_first(node); child; child = ct_xml_next(child))
        count++;
    return count;
}

/* The points; `intervals` (NULL where none may stand there) gets those of all points, or of none. */
static int read_points(const struct reader *reader, const xmlNode *node, struct ct_curve_point *points,
                       struct ct_interval *intervals, size_t *ret_with_interval)
{
    size_t with = 0, i = 0;
    for (const xmlNode *point = ct_xml_first(node); point; point = ct_xml_next(point), i++) {
        int status = read_number(reader, point, "bytes", &points[i].bytes);
        if (status == CT_OK)
            status = read_number(reader, point, "seconds", &points[i].seconds);
        bool has_interval = has_attribute(point, "low");
        if (status == CT_OK && has_interval != (with > 0) && i > 0)
            status = ct_xml_fail(reader->name, point, reader->error,
                                 "expected low and high at all points of the curve, or at none");
        if (status == CT_OK && has_interval && !intervals)
            status = ct_xml_fail(reader->name, point, reader->error,
                                 "low and high: expected them at points of the gap alone");
        if (status == CT_OK && has_interval)
            status = read_interval(reader, point, &intervals[i]);
        if (status != CT_OK)
            return status;
        with += has_interval;
    }
    *ret_with_interval = with;
    return CT_OK;
}

static int read_curve(const struct reader *reader, const xmlNode *plogp, const char *element,
                      struct ct_curve *curve, struct ct_interval **intervals)
{
    const xmlNode *node = ct_xml_child(plogp, element);
    size_t count = count_children(node), with = 0;
    struct ct_curve_point *points = ct_allocate(count, sizeof *points);
    struct ct_interval *within = intervals ? ct_allocate(count, sizeof *within) : NULL;
    struct ct_error why = {""};
    int status = points && (within || !intervals) ? CT_OK : out_of_memory(reader);
    if (status == CT_OK)
        status = read_points(reader, node, points, within, &with);
    if (status == CT_OK) {
        status = ct_curve_make(points, count, &why, curve);
        if (status == CT_E_INPUT)
            ct_xml_fail(reader->name, node, reader->error, "<%s>: %s", element, why.text);
    }
    free(points);
    if (status == CT_OK && with > 0)
        *intervals = within;
    else
        free(within);
    return status;
}

static int find_parameter(enum ct_communication_model model, const char *name)
{
    int i = 0;
    while (i < CT_LINK_PARAMETERS &&
           (ct_link_parameters[i].model != model || strcmp(ct_link_parameters[i].name, name) != 0))
        i++;
    return i;
}

static int read_fit_interval(const struct reader *reader, const xmlNode *node,
                             enum ct_communication_model model, bool *given, struct ct_link *link)
{
    char *name = ct_xml_attribute(node, "parameter");
    if (!name)
        return out_of_memory(reader);
    int i = find_parameter(model, name), status = CT_OK;
    if (i == CT_LINK_PARAMETERS)
        status = ct_xml_fail(reader->name, node, reader->error, "'%s' is no parameter of %s", name,
                             ct_communication_model_names[model]);
    else if (given[i])
        status = ct_xml_fail(reader->name, node, reader->error, "a second interval of '%s'", name);
    else
        status = read_interval(reader, node, &link->intervals[i]);
    if (status == CT_OK)
        given[i] = true;
    free(name);
    return status;
}

static int read_fit(const struct reader *reader, const xmlNode *node, enum ct_communication_model model,
                    struct ct_link *link)
{
    struct ct_goodness *goodness = &link->goodness[model];
    bool given[CT_LINK_PARAMETERS] = {false};
    int status = ct_xml_size(reader->name, node, "sizes", reader->error, &goodness->sizes);
    if (status == CT_OK && goodness->sizes == 0)
        status = ct_xml_fail(reader->name, node, reader->error, "sizes=\"0\": expected at least 1");
    if (status == CT_OK)
        status = ct_xml_size(reader->name, node, "samples", reader->error, &goodness->samples);
    if (status == CT_OK)
        status = read_number(reader, node, "mean-error", &goodness->mean_error);
    if (status == CT_OK)
        status = read_number(reader, node, "worst-error", &goodness->worst_error);
    if (status == CT_OK)
        status = read_number(reader, node, "worst-bytes", &goodness->worst_bytes);
    for (const xmlNode *each = ct_xml_first(node); status == CT_OK && each; each = ct_xml_next(each))
        status = read_fit_interval(reader, each, model, given, link);
    for (int i = 0; status == CT_OK && i < CT_LINK_PARAMETERS; i++)
        if (ct_link_parameters[i].model == model && !given[i])
            status = ct_xml_fail(reader->name, node, reader->error, "expected the interval of '%s', too",
                                 ct_link_parameters[i].name);
    return status;
}

static int read_parameters(const struct reader *reader, const xmlNode *node,
                           enum ct_communication_model model, struct ct_link *link)
{
    int status = CT_OK;
    for (int i = 0; status == CT_OK && i < CT_LINK_PARAMETERS; i++) {
        double number;
        if (ct_link_parameters[i].model != model)
            continue;
        status = read_number(reader, node, ct_link_parameters[i].name, &number);
        if (status == CT_OK)
            memcpy((char *)link + ct_link_parameters[i].offset, &number, sizeof number);
    }
    return status;
}

static int read_model(const struct reader *reader, const xmlNode *node, enum ct_communication_model model,
                      struct ct_link *link)
{
    struct ct_plogp *plogp = &link->plogp;
    int status = read_parameters(reader, node, model, link);
    if (status == CT_OK && model == CT_MODEL_PLOGP)
        status = read_curve(reader, node, "send-overhead", &plogp->send_overhead, NULL);
    if (status == CT_OK && model == CT_MODEL_PLOGP)
        status = read_curve(reader, node, "receive-overhead", &plogp->receive_overhead, NULL);
    if (status == CT_OK && model == CT_MODEL_PLOGP)
        status = read_curve(reader, node, "gap", &plogp->gap, &link->gap_interval);
    const xmlNode *fit = ct_xml_child(node, "fit");
    if (status == CT_OK && fit)
        status = read_fit(reader, fit, model, link);
    link->known[model] = status == CT_OK;
    return status;
}

static int read_link(const struct reader *reader, const xmlNode *node, struct ct_model *model)
{
    char *word = ct_xml_attribute(node, "kind");
    if (!word)
        return out_of_memory(reader);
    int kind = 0;
    while (kind < CT_LINK_KINDS - 1 && strcmp(ct_link_kind_names[kind], word) != 0)
        kind++;
    free(word);
    struct ct_link *link = &model->links[kind];
    for (int i = 0; i < CT_COMMUNICATION_MODELS; i++)
        if (link->known[i])
            return ct_xml_fail(reader->name, node, reader->error, "a second link of the kind %s",
                               ct_link_kind_names[kind]);
    if (!ct_xml_first(node))
        return ct_xml_fail(reader->name, node, reader->error, "a link with no parameters of any model");
    int status = CT_OK;
    for (int i = 0; status == CT_OK && i < CT_COMMUNICATION_MODELS; i++) {
        const xmlNode *child = ct_xml_child(node, ct_communication_model_names[i]);
        if (child)
            status = read_model(reader, child, (enum ct_communication_model)i, link);
    }
    return status;
}

static int read_operation(const struct reader *reader, const xmlNode *node, struct ct_model *model)
{
    struct ct_local_work *work = &model->work[model->work_count++];
    work->operation = ct_xml_attribute(node, "name");
    work->type = ct_xml_attribute(node, "type");
    if (!work->operation || !work->type)
        return out_of_memory(reader);
    for (const struct ct_local_work *other = model->work; other < work; other++)
        if (strcmp(other->operation, work->operation) == 0 && strcmp(other->type, work->type) == 0)
            return ct_xml_fail(reader->name, node, reader->error, "a second '%s' of '%s'", work->operation,
                               work->type);
    int status = read_number(reader, node, "seconds-per-byte", &work->seconds_per_byte);
    return status == CT_OK ? read_interval(reader, node, &work->interval) : status;
}

static int read_work(const struct reader *reader, const xmlNode *node, struct ct_model *model)
{
    int status = read_number(reader, node, "gamma", &model->gamma);
    if (status == CT_OK)
        status = read_number(reader, node, "delta", &model->delta);
    size_t count = count_children(node);
    if (status == CT_OK && count > 0 && !(model->work = ct_allocate(count, sizeof *model->work)))
        status = out_of_memory(reader);
    for (const xmlNode *each = ct_xml_first(node); status == CT_OK && each; each = ct_xml_next(each))
        status = read_operation(reader, each, model);
    return status;
}

static int read_document(const struct reader *reader, const xmlDoc *document, struct ct_model *model)
{
    const xmlNode *top = xmlDocGetRootElement(document);
    model->name = ct_xml_attribute(top, "name");
    model->source = ct_xml_content(ct_xml_child(top, "source"));
    int status = model->name && model->source ? CT_OK : out_of_memory(reader);
    for (const xmlNode *node = ct_xml_first(top); status == CT_OK && node; node = ct_xml_next(node))
        if (ct_xml_is(node, "link"))
            status = read_link(reader, node, model);
    return status == CT_OK ? read_work(reader, ct_xml_child(top, "work"), model) : status;
}

static int take_document(const char *name, xmlDoc *document, struct ct_error *error,
                         struct ct_model *ret_model)
{
    const struct reader reader = {name, error};
    struct ct_model model = {0};
    int status = read_document(&reader, document, &model);
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
