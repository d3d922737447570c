/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/prediction_grid.h"

#include "base/memory.h"
#include "config.h"
#include "measure/sweep/method_list.h"
#include "models/predict/candidates.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int choose_collectives(const char *names, struct ct_error *error,
                              struct ct_run_description *description)
{
    char **words = NULL;
    size_t word_count = 0;
    int status = names ? ct_words_split(names, error, &words, &word_count) : CT_OK;
    description->collectives = ct_allocate(CT_COLLECTIVES, sizeof *description->collectives);
    if (!description->collectives)
        status = CT_E_MEMORY;
    bool chosen[CT_COLLECTIVES] = {false};
    for (size_t i = 0; status == CT_OK && i < word_count; i++) {
        enum ct_collective collective = ct_collective_find(words[i]);
        if (collective == CT_COLLECTIVES)
            status = ct_fail(error, CT_E_INPUT, "unknown collective '%s' (see colltune list)", words[i]);
        else if (!ct_prediction_covers(collective))
            status =
                ct_fail(error, CT_E_INPUT,
                        "%s: no message size says what is sent, so that nothing can be predicted", words[i]);
        else
            chosen[collective] = true;
    }
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++)
        if (names ? chosen[i] : ct_prediction_covers((enum ct_collective)i))
            description->collectives[description->collective_count++] = (enum ct_collective)i;
    ct_words_free(words, word_count);
    return status;
}

static int check_sizes(const char *what, const size_t *sizes, size_t count, size_t least, size_t most,
                       struct ct_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (sizes[i] < least || sizes[i] > most)
            return ct_fail(error, CT_E_INPUT, "%s %zu: expected %zu to %zu", what, sizes[i], least, most);
    return CT_OK;
}

static int choose_sizes(const struct ct_prediction_grid *grid, struct ct_error *error,
                        struct ct_run_description *description)
{
    int status = ct_list_parse(grid->comm_sizes ? grid->comm_sizes : "2-1K*2", error,
                               &description->comm_sizes, &description->comm_size_count);
    if (status == CT_OK)
        status = ct_list_parse(grid->msg_sizes ? grid->msg_sizes : "8-512K*4,1M,4M", error,
                               &description->msg_sizes, &description->msg_size_count);
    if (status == CT_OK)
        status = check_sizes("communicator size", description->comm_sizes, description->comm_size_count, 2,
                             CT_PREDICTED_RANKS_MOST, error);
    return status == CT_OK ? check_sizes("message size", description->msg_sizes, description->msg_size_count,
                                         1, SIZE_MAX / CT_PREDICTED_RANKS_MOST, error)
                           : status;
}

/* All but the MPI library's own. */
static int choose_methods(const char *list, struct ct_error *error, struct ct_run_description *description)
{
    int status =
        ct_method_list_parse(list ? list : "all", description->collectives, description->collective_count,
                             error, &description->methods, &description->method_count);
    size_t kept = 0;
    for (size_t i = 0; status == CT_OK && i < description->method_count; i++)
        if (!ct_is_native(description->methods[i].algorithm))
            description->methods[kept++] = description->methods[i];
    description->method_count = kept;
    return status == CT_OK && kept == 0
               ? ct_fail(error, CT_E_INPUT, "native cannot be predicted: expected other methods")
               : status;
}

static bool is_listed(const struct ct_run_description *description, const struct ct_method *method)
{
    for (size_t m = 0; m < description->method_count; m++)
        if (ct_method_equal(&description->methods[m], method))
            return true;
    return false;
}

/* Each method that cuts its message, once with each of the sizes. */
static int choose_segments(const char *list, struct ct_error *error, struct ct_run_description *description)
{
    size_t *sizes = NULL, size_count = 0, count = description->method_count, room;
    struct ct_method *before = description->methods;
    struct ct_error why = {""};
    int status = ct_list_parse(list, &why, &sizes, &size_count);
    if (status != CT_OK)
        return ct_fail(error, status, "segments: expected sweep, formula, search or sizes: %s", why.text);
    struct ct_method *methods =
        ct_multiply(count, size_count + 1, &room) ? ct_allocate(room, sizeof *methods) : NULL;
    description->methods = methods ? methods : before;
    description->method_count = methods ? 0 : count;
    for (size_t m = 0; methods && m < count; m++) {
        struct ct_method method = before[m];
        for (size_t i = 0; i < (ct_method_segment(&method) ? size_count : 1); i++) {
            if (ct_method_segment(&method))
                *ct_method_segment(&method) = sizes[i];
            if (!is_listed(description, &method))
                methods[description->method_count++] = method;
        }
    }
    if (methods)
        free(before);
    free(sizes);
    return methods ? CT_OK : CT_E_MEMORY;
}

int ct_prediction_grid_read(const struct ct_prediction_grid *grid, struct ct_error *error,
                            struct ct_run_description *description)
{
    char created[32];
    time_t now = time(NULL);
    struct tm split;
    strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &split));
    description->created = strdup(created);
    description->tool_version = strdup(CT_VERSION);
    int status = description->created && description->tool_version ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        status = choose_collectives(grid->collectives, error, description);
    if (status == CT_OK)
        status = choose_sizes(grid, error, description);
    if (status == CT_OK)
        status = choose_methods(grid->methods, error, description);
    return status == CT_OK && grid->segments ? choose_segments(grid->segments, error, description) : status;
}
