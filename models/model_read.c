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

/* A number in an attribute. */
struct number {
    const char *attribute; /* NULL at the end of a list */
    double *value;
};

static int read_numbers(const struct reader *reader, const xmlNode *node, const struct number *numbers)
{
    for (; numbers->attribute; numbers++) {
        int status = ct_xml_number(reader->name, node, numbers->attribute, reader->error, numbers->value);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static int read_interval(const struct reader *reader, const xmlNode *node, struct ct_interval *interval)
{
    const struct number ends[] = {{"low", &interval->low}, {"high", &interval->high}, {0}};
    int status = read_numbers(reader, node, ends);
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

/* Reads the points, and their intervals if they have any; only the gap may (`intervals` is not NULL). */
static int read_points(const struct reader *reader, const xmlNode *node, struct ct_curve_point *points,
                       struct ct_interval *intervals, bool *ret_has_intervals)
{
    const bool has_intervals = has_attribute(ct_xml_first(node), "low");
    for (const xmlNode *each = ct_xml_first(node); each; each = ct_xml_next(each), points++) {
        const struct number numbers[] = {{"bytes", &points->bytes}, {"seconds", &points->seconds}, {0}};
        int status = read_numbers(reader, each, numbers);
        if (status != CT_OK)
            return status;
        if (has_attribute(each, "low") != has_intervals)
            return ct_xml_fail(reader->name, each, reader->error,
                               "expected low and high at all points of the curve, or at none");
        if (!has_intervals)
            continue;
        if (!intervals)
            return ct_xml_fail(reader->name, each, reader->error,
                               "low and high: expected only at points of the gap");
        status = read_interval(reader, each, intervals++);
        if (status != CT_OK)
            return status;
    }
    *ret_has_intervals = has_intervals;
    return CT_OK;
}

/* Reads the curve, and into *intervals those of its points if they have any; NULL if none are allowed. */
static int read_curve(const struct reader *reader, const xmlNode *plogp, const char *element,
                      struct ct_curve *curve, struct ct_interval **intervals)
{
    const xmlNode *node = ct_xml_child(plogp, element);
    size_t count = count_children(node);
    struct ct_curve_point *points = ct_allocate(count, sizeof *points);
    struct ct_interval *within = intervals ? ct_allocate(count, sizeof *within) : NULL;
    struct ct_error why = {""};
    bool has_intervals = false;
    int status = CT_OK;
    if (!points || (intervals && !within)) {
        status = out_of_memory(reader);
        goto done;
    }
    status = read_points(reader, node, points, within, &has_intervals);
    if (status != CT_OK)
        goto done;
    status = ct_curve_make(points, count, &why, curve);
    if (status == CT_E_INPUT)
        ct_xml_fail(reader->name, node, reader->error, "<%s>: %s", element, why.text);
    if (status == CT_OK && has_intervals) {
        *intervals = within;
        within = NULL;
    }
done:
    free(points);
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
    const struct number errors[] = {{"mean-error", &goodness->mean_error},
                                    {"worst-error", &goodness->worst_error},
                                    {"worst-bytes", &goodness->worst_bytes},
                                    {0}};
    bool given[CT_LINK_PARAMETERS] = {false};
    int status = ct_xml_size(reader->name, node, "sizes", reader->error, &goodness->sizes);
    if (status != CT_OK)
        return status;
    if (goodness->sizes == 0)
        return ct_xml_fail(reader->name, node, reader->error, "sizes=\"0\": expected at least 1");
    status = ct_xml_size(reader->name, node, "samples", reader->error, &goodness->samples);
    if (status != CT_OK)
        return status;
    status = read_numbers(reader, node, errors);
    for (const xmlNode *each = ct_xml_first(node); status == CT_OK && each; each = ct_xml_next(each))
        status = read_fit_interval(reader, each, model, given, link);
    if (status != CT_OK)
        return status;
    for (int i = 0; i < CT_LINK_PARAMETERS; i++)
        if (ct_link_parameters[i].model == model && !given[i])
            return ct_xml_fail(reader->name, node, reader->error, "no interval of '%s': expected one",
                               ct_link_parameters[i].name);
    return CT_OK;
}

static int read_parameters(const struct reader *reader, const xmlNode *node,
                           enum ct_communication_model model, struct ct_link *link)
{
    for (int i = 0; i < CT_LINK_PARAMETERS; i++) {
        double number;
        if (ct_link_parameters[i].model != model)
            continue;
        int status = ct_xml_number(reader->name, node, ct_link_parameters[i].name, reader->error, &number);
        if (status != CT_OK)
            return status;
        memcpy((char *)link + ct_link_parameters[i].offset, &number, sizeof number);
    }
    return CT_OK;
}

static int read_curves(const struct reader *reader, const xmlNode *node, struct ct_link *link)
{
    int status = read_curve(reader, node, "send-overhead", &link->plogp.send_overhead, NULL);
    if (status != CT_OK)
        return status;
    status = read_curve(reader, node, "receive-overhead", &link->plogp.receive_overhead, NULL);
    if (status != CT_OK)
        return status;
    return read_curve(reader, node, "gap", &link->plogp.gap, &link->gap_interval);
}

static int read_model(const struct reader *reader, const xmlNode *node, enum ct_communication_model model,
                      struct ct_link *link)
{
    const xmlNode *fit = ct_xml_child(node, "fit");
    int status = read_parameters(reader, node, model, link);
    if (status == CT_OK && model == CT_MODEL_PLOGP)
        status = read_curves(reader, node, link);
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
    for (int i = 0; i < CT_COMMUNICATION_MODELS; i++) {
        const xmlNode *child = ct_xml_child(node, ct_communication_model_names[i]);
        int status = child ? read_model(reader, child, (enum ct_communication_model)i, link) : CT_OK;
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
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
    const struct number cost[] = {{"seconds-per-byte", &work->seconds_per_byte}, {0}};
    int status = read_numbers(reader, node, cost);
    return status == CT_OK ? read_interval(reader, node, &work->interval) : status;
}

static int read_work(const struct reader *reader, const xmlNode *node, struct ct_model *model)
{
    const struct number costs[] = {{"gamma", &model->gamma}, {"delta", &model->delta}, {0}};
    int status = read_numbers(reader, node, costs);
    if (status != CT_OK)
        return status;
    model->work = ct_allocate(count_children(node), sizeof *model->work);
    if (!model->work)
        return out_of_memory(reader);
    for (const xmlNode *each = ct_xml_first(node); status == CT_OK && each; each = ct_xml_next(each))
        status = read_operation(reader, each, model);
    return status;
}

static int read_document(const struct reader *reader, const xmlDoc *document, struct ct_model *model)
{
    const xmlNode *top = xmlDocGetRootElement(document);
    model->name = ct_xml_attribute(top, "name");
    model->source = ct_xml_content(ct_xml_child(top, "source"));
    if (!model->name || !model->source)
        return out_of_memory(reader);
    for (const xmlNode *node = ct_xml_first(top); node; node = ct_xml_next(node)) {
        int status = ct_xml_is(node, "link") ? read_link(reader, node, model) : CT_OK;
        if (status != CT_OK)
            return status;
    }
    return read_work(reader, ct_xml_child(top, "work"), model);
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
