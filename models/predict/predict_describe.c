/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/predict.h"

#include "base/checksum.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

static int copy(char **string, const char *text)
{
    *string = text ? strdup(text) : NULL;
    return *string ? CT_OK : CT_E_MEMORY;
}

/* "evaluation/loggp", "formulas/loggp", or "vote/hockney=1,loggp=2,plogp=1". */
static void write_kind(const struct ct_prediction *prediction, struct ct_text *text)
{
    size_t asked = 0;
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        asked += prediction->weights[kind] > 0;
    ct_text_append(text, asked > 1                                      ? "vote/"
                         : prediction->way == CT_PREDICTION_BY_FORMULAS ? "formulas/"
                                                                        : "evaluation/");
    for (int kind = 0, written = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        char number[CT_NUMBER_TEXT];
        if (prediction->weights[kind] <= 0)
            continue;
        ct_text_append(text, "%s%s", written++ ? "," : "", ct_communication_model_names[kind]);
        if (asked > 1)
            ct_text_append(text, "=%s", ct_number_format(prediction->weights[kind], number));
    }
}

static int add_number(struct ct_run_description *description, const char *name, double number)
{
    char text[CT_NUMBER_TEXT];
    return ct_run_add_property(description, name, ct_number_format(number, text));
}

static int check_known(const struct ct_prediction *prediction, const char *file, struct ct_error *error)
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (prediction->weights[kind] > 0 && !prediction->model->links[CT_LINK_NETWORK].known[kind])
            return ct_fail(error, CT_E_INPUT, "%s: has no %s parameters of the network", file,
                           ct_communication_model_names[kind]);
    return CT_OK;
}

int ct_prediction_describe(const struct ct_prediction *prediction, const char *file, struct ct_error *error,
                           struct ct_run_description *description)
{
    const struct ct_model *model = prediction->model;
    char checksum[CT_CHECKSUM_TEXT];
    struct ct_text kind = {0};
    int status = check_known(prediction, file, error);
    if (status == CT_OK)
        status = ct_file_checksum(file, error, checksum);
    if (status != CT_OK)
        return status;
    write_kind(prediction, &kind);
    description->launches = 1;
    description->least_repetitions = description->most_repetitions = 1;
    status = copy(&description->backend, "predicted");
    if (status == CT_OK)
        status = copy(&description->launcher, model->name);
    if (status == CT_OK)
        status = copy(&description->time, "global");
    if (status == CT_OK)
        status = copy(&description->sync, kind.failed ? NULL : kind.data);
    if (status == CT_OK)
        status = ct_run_add_property(description, "model.file", file);
    if (status == CT_OK)
        status = ct_run_add_property(description, "model.sha256", checksum);
    if (status == CT_OK)
        status = ct_run_add_property(description, "prediction.by", ct_prediction_way_names[prediction->way]);
    if (status == CT_OK)
        status = ct_run_add_property(description, "prediction.segments",
                                     prediction->segments == CT_SEGMENT_FROM_LIST
                                         ? "fixed"
                                         : ct_segment_way_names[prediction->segments]);
    if (status == CT_OK)
        status = add_number(description, "prediction.ppn", (double)prediction->ppn);
    if (status == CT_OK)
        status = add_number(description, "prediction.messages", (double)prediction->most_messages);
    if (status == CT_OK)
        status = add_number(description, "prediction.seconds", prediction->most_seconds);
    if (status == CT_OK && prediction->shares_links)
        status = ct_run_add_property(description, "prediction.links", "shared");
    ct_text_free(&kind);
    return status;
}
