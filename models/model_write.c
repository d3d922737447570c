/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/number.h"
#include "base/xml.h"
#include "models/model_file.h"

#include <string.h>

static void write_number(const char *attribute, double number, struct ct_text *text)
{
    char shortest[CT_NUMBER_TEXT];
    ct_text_append(text, " %s=\"%s\"", attribute, ct_number_format(number, shortest));
}

static void write_word(const char *attribute, const char *word, struct ct_text *text)
{
    ct_text_append(text, " %s=\"", attribute);
    ct_xml_escape(text, word);
    ct_text_append(text, "\"");
}

static void write_interval(const struct ct_interval *interval, struct ct_text *text)
{
    write_number("low", interval->low, text);
    write_number("high", interval->high, text);
}

static void write_parameters(const struct ct_link *link, enum ct_communication_model model,
                             struct ct_text *text)
{
    for (int i = 0; i < CT_LINK_PARAMETERS; i++)
        if (ct_link_parameters[i].model == model)
            write_number(ct_link_parameters[i].name, ct_link_parameter_of(link, &ct_link_parameters[i]),
                         text);
}

static void write_curve(const char *element, const struct ct_curve *curve,
                        const struct ct_interval *intervals, struct ct_text *text)
{
    ct_text_append(text, "      <%s>\n", element);
    for (size_t i = 0; i < curve->count; i++) {
        ct_text_append(text, "        <point");
        write_number("bytes", curve->points[i].bytes, text);
        write_number("seconds", curve->points[i].seconds, text);
        if (intervals)
            write_interval(&intervals[i], text);
        ct_text_append(text, "/>\n");
    }
    ct_text_append(text, "      </%s>\n", element);
}

static void write_fit(const struct ct_link *link, enum ct_communication_model model, struct ct_text *text)
{
    const struct ct_goodness *goodness = &link->goodness[model];
    ct_text_append(text, "      <fit sizes=\"%zu\" samples=\"%zu\"", goodness->sizes, goodness->samples);
    write_number("mean-error", goodness->mean_error, text);
    write_number("worst-error", goodness->worst_error, text);
    write_number("worst-bytes", goodness->worst_bytes, text);
    ct_text_append(text, ">\n");
    for (int i = 0; i < CT_LINK_PARAMETERS; i++) {
        if (ct_link_parameters[i].model != model)
            continue;
        ct_text_append(text, "        <interval");
        write_word("parameter", ct_link_parameters[i].name, text);
        write_interval(&link->intervals[i], text);
        ct_text_append(text, "/>\n");
    }
    ct_text_append(text, "      </fit>\n");
}

static void write_model(const struct ct_link *link, enum ct_communication_model model, struct ct_text *text)
{
    const char *name = ct_communication_model_names[model];
    bool fitted = link->goodness[model].sizes > 0;
    ct_text_append(text, "    <%s", name);
    write_parameters(link, model, text);
    ct_text_append(text, model == CT_MODEL_PLOGP || fitted ? ">\n" : "/>\n");
    if (model == CT_MODEL_PLOGP) {
        write_curve("send-overhead", &link->plogp.send_overhead, NULL, text);
        write_curve("receive-overhead", &link->plogp.receive_overhead, NULL, text);
        write_curve("gap", &link->plogp.gap, link->gap_interval, text);
    }
    if (fitted)
        write_fit(link, model, text);
    if (model == CT_MODEL_PLOGP || fitted)
        ct_text_append(text, "    </%s>\n", name);
}

static void write_link(const struct ct_link *link, const char *kind, struct ct_text *text)
{
    bool any = false;
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        any |= link->known[model];
    if (!any)
        return;
    ct_text_append(text, "  <link kind=\"%s\">\n", kind);
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        if (link->known[model])
            write_model(link, (enum ct_communication_model)model, text);
    ct_text_append(text, "  </link>\n");
}

static void write_work(const struct ct_model *model, struct ct_text *text)
{
    ct_text_append(text, "  <work");
    write_number("gamma", model->gamma, text);
    write_number("delta", model->delta, text);
    ct_text_append(text, model->work_count ? ">\n" : "/>\n");
    for (size_t i = 0; i < model->work_count; i++) {
        const struct ct_local_work *work = &model->work[i];
        ct_text_append(text, "    <operation");
        write_word("name", work->operation, text);
        write_word("type", work->type, text);
        write_number("seconds-per-byte", work->seconds_per_byte, text);
        write_interval(&work->interval, text);
        ct_text_append(text, "/>\n");
    }
    if (model->work_count)
        ct_text_append(text, "  </work>\n");
}

void ct_model_format(const struct ct_model *model, struct ct_text *text)
{
    ct_text_append(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n<model version=\"1\"");
    write_word("name", model->name, text);
    ct_text_append(text, ">\n  <source>");
    ct_xml_escape(text, model->source);
    ct_text_append(text, "</source>\n");
    for (int kind = 0; kind < CT_LINK_KINDS; kind++)
        write_link(&model->links[kind], ct_link_kind_names[kind], text);
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
