/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/link_element.h"
#include "base/memory.h"
#include "models/interval_attributes.h"

#include <stdlib.h>
#include <string.h>

static const struct ct_xml_field point_numbers[] = {
    {"bytes", CT_XML_NUMBER, offsetof(struct ct_curve_point, bytes)},
    {"seconds", CT_XML_NUMBER, offsetof(struct ct_curve_point, seconds)},
    {0}};
static const struct ct_xml_field fit_numbers[] = {
    {"mean-error", CT_XML_NUMBER, offsetof(struct ct_goodness, mean_error)},
    {"worst-error", CT_XML_NUMBER, offsetof(struct ct_goodness, worst_error)},
    {"worst-bytes", CT_XML_NUMBER, offsetof(struct ct_goodness, worst_bytes)},
    {0}};
static const struct ct_xml_field regime_numbers[] = {{"from", CT_XML_NUMBER, offsetof(struct ct_link, from)},
                                                     {0}};

/* The curves of PLogP; the last may have intervals. */
static const struct {
    const char *name;
    size_t offset;
} plogp_curves[] = {{"send-overhead", offsetof(struct ct_link, plogp.send_overhead)},
                    {"receive-overhead", offsetof(struct ct_link, plogp.receive_overhead)},
                    {"gap", offsetof(struct ct_link, plogp.gap)}};
enum { CURVES = sizeof plogp_curves / sizeof plogp_curves[0], GAP = CURVES - 1 };

/* --- reading --- */

/* Reads a curve, and into *intervals those of its points if they have any; NULL if none are allowed. */
static int read_curve(const struct ct_model_reader *reader, const xmlNode *node, struct ct_curve *curve,
                      struct ct_interval **intervals)
{
    size_t count = xmlChildElementCount((xmlNode *)node), i = 0;
    struct ct_curve_point *points = ct_allocate(count, sizeof *points);
    struct ct_interval *within = ct_allocate(count, sizeof *within);
    const bool has_intervals = ct_xml_has(ct_xml_first(node), "low");
    struct ct_error why = {""};
    int status = points && within ? CT_OK : ct_model_out_of_memory(reader);
    for (const xmlNode *each = ct_xml_first(node); status == CT_OK && each; each = ct_xml_next(each), i++) {
        status = ct_xml_fields_read(reader->name, each, point_numbers, reader->error, &points[i]);
        if (status == CT_OK && ct_xml_has(each, "low") != has_intervals)
            status = ct_xml_fail(reader->name, each, reader->error,
                                 "expected low and high at all points of the curve, or at none");
        if (status == CT_OK && has_intervals)
            status = intervals ? ct_interval_read(reader->name, each, reader->error, &within[i])
                               : ct_xml_fail(reader->name, each, reader->error,
                                             "low and high: expected only at points of the gap");
    }
    if (status != CT_OK)
        goto done;
    status = ct_curve_make(points, count, &why, curve);
    if (status == CT_E_INPUT)
        ct_xml_fail(reader->name, node, reader->error, "<%s>: %s", (const char *)node->name, why.text);
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

static int read_fit_interval(const struct ct_model_reader *reader, const xmlNode *node,
                             enum ct_communication_model model, bool *given, struct ct_link *link)
{
    char *name = ct_xml_attribute(node, "parameter");
    if (!name)
        return ct_model_out_of_memory(reader);
    int i = find_parameter(model, name), status = CT_OK;
    if (i == CT_LINK_PARAMETERS)
        status = ct_xml_fail(reader->name, node, reader->error, "'%s' is no parameter of %s", name,
                             ct_communication_model_names[model]);
    else if (given[i])
        status = ct_xml_fail(reader->name, node, reader->error, "a second interval of '%s'", name);
    else
        status = ct_interval_read(reader->name, node, reader->error, &link->intervals[i]);
    if (status == CT_OK)
        given[i] = true;
    free(name);
    return status;
}

static int read_fit(const struct ct_model_reader *reader, const xmlNode *node,
                    enum ct_communication_model model, struct ct_link *link)
{
    struct ct_goodness *goodness = &link->goodness[model];
    bool given[CT_LINK_PARAMETERS] = {false};
    int status = ct_xml_size(reader->name, node, "sizes", reader->error, &goodness->sizes);
    if (status != CT_OK)
        return status;
    if (goodness->sizes == 0)
        return ct_xml_fail(reader->name, node, reader->error, "sizes=\"0\": expected at least 1");
    status = ct_xml_size(reader->name, node, "samples", reader->error, &goodness->samples);
    if (status != CT_OK)
        return status;
    status = ct_xml_fields_read(reader->name, node, fit_numbers, reader->error, goodness);
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

static int read_model(const struct ct_model_reader *reader, const xmlNode *node,
                      enum ct_communication_model model, struct ct_link *link)
{
    const xmlNode *fit = ct_xml_child(node, "fit");
    int status = CT_OK;
    for (int i = 0; status == CT_OK && i < CT_LINK_PARAMETERS; i++) {
        const struct ct_xml_field field[] = {
            {ct_link_parameters[i].name, CT_XML_NUMBER, ct_link_parameters[i].offset}, {0}};
        if (ct_link_parameters[i].model == model)
            status = ct_xml_fields_read(reader->name, node, field, reader->error, link);
    }
    for (int i = 0; status == CT_OK && model == CT_MODEL_PLOGP && i < CURVES; i++)
        status = read_curve(reader, ct_xml_child(node, plogp_curves[i].name),
                            (struct ct_curve *)((char *)link + plogp_curves[i].offset),
                            i == GAP ? &link->gap_interval : NULL);
    if (status == CT_OK && fit)
        status = read_fit(reader, fit, model, link);
    link->known[model] = status == CT_OK;
    return status;
}

static int read_models(const struct ct_model_reader *reader, const xmlNode *node, struct ct_link *link)
{
    int status = CT_OK;
    for (int i = 0; status == CT_OK && i < CT_COMMUNICATION_MODELS; i++) {
        const xmlNode *child = ct_xml_child(node, ct_communication_model_names[i]);
        status = child ? read_model(reader, child, (enum ct_communication_model)i, link) : CT_OK;
    }
    return status;
}

/* A regime has what the link has, PLogP apart. */
static int read_regime(const struct ct_model_reader *reader, const xmlNode *node, struct ct_link *link)
{
    struct ct_link *regime = &link->regimes[link->regime_count];
    const double before = link->regime_count > 0 ? regime[-1].from : 0;
    int status = ct_xml_fields_read(reader->name, node, regime_numbers, reader->error, regime);
    if (status == CT_OK)
        status = read_models(reader, node, regime);
    if (status != CT_OK)
        return status;
    if (regime->from <= before)
        return ct_xml_fail(reader->name, node, reader->error,
                           "from: expected more than %g, since regimes are in ascending order", before);
    for (int i = 0; i < CT_MODEL_PLOGP; i++)
        if (regime->known[i] != link->known[i])
            return ct_xml_fail(reader->name, node, reader->error,
                               "%s: expected in the regime if the link has it",
                               ct_communication_model_names[i]);
    link->regime_count++;
    return CT_OK;
}

static int read_regimes(const struct ct_model_reader *reader, const xmlNode *node, struct ct_link *link)
{
    int status = CT_OK;
    link->regimes = ct_allocate(xmlChildElementCount((xmlNode *)node), sizeof *link->regimes);
    if (!link->regimes)
        return ct_model_out_of_memory(reader);
    for (const xmlNode *each = ct_xml_first(node); status == CT_OK && each; each = ct_xml_next(each)) {
        if (!ct_xml_is(each, "regime"))
            continue;
        status = reader->version > 1
                     ? read_regime(reader, each, link)
                     : ct_xml_fail(reader->name, each, reader->error, "regimes: expected version=\"2\"");
    }
    return status;
}

static int read_kind(const struct ct_model_reader *reader, const xmlNode *node, enum ct_link_kind *ret_kind)
{
    char *word = ct_xml_attribute(node, "kind");
    if (!word)
        return ct_model_out_of_memory(reader);
    int kind = 0;
    while (kind < CT_LINK_KINDS - 1 && strcmp(ct_link_kind_names[kind], word) != 0)
        kind++;
    free(word);
    *ret_kind = (enum ct_link_kind)kind;
    return CT_OK;
}

/* MPI without the attribute. */
static int read_channel(const struct ct_model_reader *reader, const xmlNode *node, enum ct_link_kind kind,
                        enum ct_node_channel *ret_channel)
{
    *ret_channel = CT_NODE_CHANNEL_MPI;
    if (!ct_xml_has(node, "channel"))
        return CT_OK;
    if (kind != CT_LINK_NODE)
        return ct_xml_fail(reader->name, node, reader->error,
                           "channel: expected only at the link of the kind node");
    char *word = ct_xml_attribute(node, "channel");
    if (!word)
        return ct_model_out_of_memory(reader);
    *ret_channel = ct_node_channel_find(word);
    free(word);
    return CT_OK;
}

/* Finds the place of a link. Of two links within a node that through shared memory is used, as in the
 * library. */
static int choose_link(const struct ct_model_reader *reader, const xmlNode *node, struct ct_model *model,
                       struct ct_link **ret_link)
{
    enum ct_link_kind kind = CT_LINK_NETWORK;
    enum ct_node_channel channel = CT_NODE_CHANNEL_MPI;
    int status = read_kind(reader, node, &kind);
    if (status == CT_OK)
        status = read_channel(reader, node, kind, &channel);
    if (status != CT_OK)
        return status;
    struct ct_link *link = &model->links[kind];
    const bool is_second = ct_link_is_known(link);
    if (is_second && kind == CT_LINK_NODE && channel != model->node_channel) {
        if (reader->version == 1)
            return ct_xml_fail(reader->name, node, reader->error,
                               "a second link of the kind node: expected version=\"2\"");
        link = &model->other_node;
        if (channel == CT_NODE_CHANNEL_SHARED) {
            model->other_node = model->links[CT_LINK_NODE];
            model->links[CT_LINK_NODE] = (struct ct_link){0};
            link = &model->links[CT_LINK_NODE];
            model->node_channel = channel;
        }
    } else if (kind == CT_LINK_NODE) {
        model->node_channel = channel;
    }
    if (ct_link_is_known(link))
        return kind == CT_LINK_NODE ? ct_xml_fail(reader->name, node, reader->error,
                                                  "a second link of the kind node with the channel %s",
                                                  ct_node_channel_names[channel])
                                    : ct_xml_fail(reader->name, node, reader->error,
                                                  "a second link of the kind %s", ct_link_kind_names[kind]);
    *ret_link = link;
    return CT_OK;
}

int ct_link_element_read(const struct ct_model_reader *reader, const xmlNode *node, struct ct_model *model)
{
    struct ct_link *link = NULL;
    int status = choose_link(reader, node, model, &link);
    if (status == CT_OK)
        status = read_models(reader, node, link);
    if (status == CT_OK && ct_xml_child(node, "regime"))
        status = read_regimes(reader, node, link);
    if (status == CT_OK && !ct_link_is_known(link))
        status = ct_xml_fail(reader->name, node, reader->error, "a link with no parameters of any model");
    return status;
}

/* --- writing --- */

static void write_curve(const char *element, const struct ct_curve *curve,
                        const struct ct_interval *intervals, struct ct_text *text)
{
    ct_text_append(text, "      <%s>\n", element);
    for (size_t i = 0; i < curve->count; i++) {
        ct_text_append(text, "        <point");
        ct_xml_fields_write(point_numbers, &curve->points[i], text);
        if (intervals)
            ct_interval_write(&intervals[i], text);
        ct_text_append(text, "/>\n");
    }
    ct_text_append(text, "      </%s>\n", element);
}

/* What is in a regime stands further to the right. */
static const char *indent_of(const struct ct_link *link)
{
    return link->from > 0 ? "  " : "";
}

static void write_fit(const struct ct_link *link, enum ct_communication_model model, struct ct_text *text)
{
    const struct ct_goodness *goodness = &link->goodness[model];
    const char *indent = indent_of(link);
    ct_text_append(text, "%s      <fit sizes=\"%zu\" samples=\"%zu\"", indent, goodness->sizes,
                   goodness->samples);
    ct_xml_fields_write(fit_numbers, goodness, text);
    ct_text_append(text, ">\n");
    for (int i = 0; i < CT_LINK_PARAMETERS; i++) {
        if (ct_link_parameters[i].model != model)
            continue;
        ct_text_append(text, "%s        <interval", indent);
        ct_xml_attribute_write(text, "parameter", ct_link_parameters[i].name);
        ct_interval_write(&link->intervals[i], text);
        ct_text_append(text, "/>\n");
    }
    ct_text_append(text, "%s      </fit>\n", indent);
}

static void write_model(const struct ct_link *link, enum ct_communication_model model, struct ct_text *text)
{
    const char *name = ct_communication_model_names[model];
    bool fitted = link->goodness[model].sizes > 0;
    ct_text_append(text, "%s    <%s", indent_of(link), name);
    for (int i = 0; i < CT_LINK_PARAMETERS; i++) {
        const struct ct_xml_field field[] = {
            {ct_link_parameters[i].name, CT_XML_NUMBER, ct_link_parameters[i].offset}, {0}};
        if (ct_link_parameters[i].model == model)
            ct_xml_fields_write(field, link, text);
    }
    ct_text_append(text, model == CT_MODEL_PLOGP || fitted ? ">\n" : "/>\n");
    for (int i = 0; model == CT_MODEL_PLOGP && i < CURVES; i++)
        write_curve(plogp_curves[i].name,
                    (const struct ct_curve *)((const char *)link + plogp_curves[i].offset),
                    i == GAP ? link->gap_interval : NULL, text);
    if (fitted)
        write_fit(link, model, text);
    if (model == CT_MODEL_PLOGP || fitted)
        ct_text_append(text, "%s    </%s>\n", indent_of(link), name);
}

static void write_models(const struct ct_link *link, struct ct_text *text)
{
    for (int i = 0; i < CT_COMMUNICATION_MODELS; i++)
        if (link->known[i])
            write_model(link, (enum ct_communication_model)i, text);
}

/* The channel within a node is left out where it is MPI, as it was in all models before there was another. */
void ct_link_element_write(const struct ct_link *link, enum ct_link_kind kind, enum ct_node_channel channel,
                           struct ct_text *text)
{
    if (!ct_link_is_known(link))
        return;
    ct_text_append(text, "  <link kind=\"%s\"", ct_link_kind_names[kind]);
    if (kind == CT_LINK_NODE && channel != CT_NODE_CHANNEL_MPI)
        ct_xml_attribute_write(text, "channel", ct_node_channel_names[channel]);
    ct_text_append(text, ">\n");
    write_models(link, text);
    for (size_t i = 0; i < link->regime_count; i++) {
        ct_text_append(text, "    <regime");
        ct_xml_fields_write(regime_numbers, &link->regimes[i], text);
        ct_text_append(text, ">\n");
        write_models(&link->regimes[i], text);
        ct_text_append(text, "    </regime>\n");
    }
    ct_text_append(text, "  </link>\n");
}
