/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/model_errors.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "models/evaluate/evaluate.h"
#include "models/model_file.h"
#include "models/predict/supplement.h"

#include <stdlib.h>
#include <string.h>

void ct_model_errors_free(struct ct_model_errors *errors)
{
    for (size_t i = 0; i < errors->count; i++)
        ct_predicted_map_free(&errors->predicted[i]);
    free(errors->predicted);
    *errors = (struct ct_model_errors){0};
}

/* Predicts all maps with one kind of parameters; collectives of which it predicts nothing are left out. */
static int predict(struct ct_prediction prediction, enum ct_communication_model kind,
                   const struct ct_map *maps, size_t map_count, struct ct_error *error,
                   struct ct_model_errors *errors)
{
    struct ct_predicted_times *times = NULL;
    prediction.weights[kind] = 1;
    int status = ct_predicted_times_new(&prediction, &times);
    for (size_t i = 0; status == CT_OK && i < map_count; i++) {
        if (!ct_prediction_covers(maps[i].collective))
            continue;
        status = ct_predicted_map_make(&maps[i], times, kind, error, &errors->predicted[errors->count]);
        errors->count += status == CT_OK;
    }
    ct_predicted_times_free(times);
    return status;
}

int ct_model_errors_find(const char *file, bool shares_links, const struct ct_run *run,
                         const struct ct_map *maps, size_t map_count, struct ct_error *error,
                         struct ct_model_errors *ret_errors)
{
    const char *operation, *type;
    struct ct_model model;
    int status = ct_model_read(file, error, &model);
    if (status != CT_OK)
        return status;
    ct_prediction_use_operation(run, &model, &operation, &type);
    struct ct_model_errors errors = {
        .predicted = ct_allocate(map_count * CT_COMMUNICATION_MODELS + 1, sizeof *errors.predicted)};
    const struct ct_prediction prediction = {.model = &model,
                                             .segments = CT_SEGMENT_FROM_LIST,
                                             .ppn = ct_run_ppn(run),
                                             .most_messages = CT_MESSAGES_USUAL,
                                             .most_seconds = 30,
                                             .shares_links = shares_links};
    status = errors.predicted ? CT_OK : CT_E_MEMORY;
    for (int kind = 0; status == CT_OK && kind < CT_COMMUNICATION_MODELS; kind++)
        if (ct_model_link(&model, (enum ct_communication_model)kind, prediction.ppn == CT_ONE_NODE))
            status = predict(prediction, (enum ct_communication_model)kind, maps, map_count, error, &errors);
    if (status == CT_OK && errors.count == 0)
        status = ct_fail(error, CT_E_INPUT,
                         "%s: has no parameters for the messages of %s, or the run no collective that can be "
                         "predicted",
                         file, run->folder);
    ct_model_free(&model);
    if (status == CT_OK)
        *ret_errors = errors;
    else
        ct_model_errors_free(&errors);
    return status;
}

/* --- CSV --- */

static int write_errors(const struct ct_predicted_map *predicted, struct ct_text *text)
{
    struct ct_prediction_errors *errors;
    size_t count;
    int status = ct_prediction_errors_find(predicted, &errors, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        char method[CT_METHOD_TEXT] = "", numbers[3][CT_NUMBER_TEXT];
        if (errors[i].method != SIZE_MAX)
            ct_method_format(&predicted->map->methods[errors[i].method], false, method);
        const char *quote = strchr(method, ',') ? "\"" : "";
        ct_text_append(text, "%s,%s,%s%s%s,%zu,%s,%s,%s\n", ct_collectives[predicted->map->collective].name,
                       ct_communication_model_names[predicted->kind], quote, method, quote, errors[i].cells,
                       ct_number_format(errors[i].median, numbers[0]),
                       ct_number_format(errors[i].percentile95, numbers[1]),
                       ct_number_format(errors[i].most, numbers[2]));
    }
    free(errors);
    return CT_OK;
}

int ct_model_errors_write(const struct ct_model_errors *errors, const char *folder, struct ct_error *error)
{
    struct ct_text text = {0};
    char *path = ct_format("%s/model-errors.csv", folder);
    int status = path ? CT_OK : CT_E_MEMORY;
    ct_text_append(&text, "collective,model,method,cells,median,p95,max\n");
    for (size_t i = 0; status == CT_OK && i < errors->count; i++)
        status = write_errors(&errors->predicted[i], &text);
    if (status == CT_OK && text.failed)
        status = CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_file_create(path, text.data, text.length, error);
    ct_text_free(&text);
    free(path);
    return status;
}
