/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"
#include "base/memory.h"
#include "cli/command.h"
#include "models/evaluate/evaluate.h"
#include "models/model_file.h"
#include "models/predict/supplement.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_COMM_SIZES = 256, KEY_MSG_SIZES };

struct arguments {
    const char *run;
    const char *model;
    const char *folder;
    const char *comm_sizes; /* further ones, or NULL */
    const char *msg_sizes;
    enum ct_communication_model kind; /* CT_COMMUNICATION_MODELS: the last one that the file has */
};

static const struct argp_option options[] = {
    {"output", 'o', "RUN2", 0, "folder to make for the filled run", 0},
    {"comm-sizes", KEY_COMM_SIZES, "LIST", 0, "communicator sizes beside those of the run", 0},
    {"msg-sizes", KEY_MSG_SIZES, "LIST", 0, "message sizes beside those of the run", 0},
    {"model", 'm', "MODEL", 0, "hockney, loggp or plogp (the last of these that the file has)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->folder = argument;
        return 0;
    case KEY_COMM_SIZES:
        arguments->comm_sizes = argument;
        return 0;
    case KEY_MSG_SIZES:
        arguments->msg_sizes = argument;
        return 0;
    case 'm':
        arguments->kind = ct_known_model(state, argument, strlen(argument));
        return 0;
    case ARGP_KEY_ARG:
        argument = ct_argument_of(state, argument, 2);
        *(arguments->run ? &arguments->model : &arguments->run) = argument;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->model)
            ct_usage(state, "expected a run and a model: RUN MODEL.xml");
        if (!arguments->folder)
            ct_usage(state, "expected the folder of the filled run: -o RUN2");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "RUN MODEL.xml",
    "Fills in what a measured run lacks: cells of its communicator sizes by its message sizes that were not "
    "measured, and methods that were not measured in a cell.\v"
    "The model predicts their times; how far it is off is taken from the nearest cells that have the method. "
    "What is filled in has the status 'predicted' in the run, and map says how much of it there is. "
    "docs/evaluation.md tells how good it is. Native methods and those measured nowhere stay as they are.\n\n"
    "Examples:\n"
    "  colltune supplement sparse model.xml -o filled\n"
    "  colltune supplement sparse model.xml -o filled --comm-sizes 4-64*2 \\\n      --msg-sizes 8-1M*2\n",
    NULL,
    NULL,
    NULL};

/* Appends the sizes of the list that are not there yet. */
static int add_sizes(const char *list, size_t least, size_t most, struct ct_error *error, size_t **sizes,
                     size_t *count)
{
    size_t *more = NULL, more_count = 0, capacity = *count;
    int status = list ? ct_list_parse(list, error, &more, &more_count) : CT_OK;
    for (size_t i = 0; status == CT_OK && i < more_count; i++) {
        bool known = false;
        for (size_t k = 0; k < *count; k++)
            known |= (*sizes)[k] == more[i];
        if (more[i] < least || more[i] > most)
            status = ct_fail(error, CT_E_INPUT, "size %zu: expected %zu to %zu", more[i], least, most);
        else if (!known)
            status = ct_grow(sizes, &capacity, *count + 1, sizeof **sizes);
        if (status == CT_OK && !known)
            (*sizes)[(*count)++] = more[i];
    }
    free(more);
    return status;
}

enum { RANKS_MOST = 1 << 16 };

static int add_grid(const struct arguments *arguments, struct ct_error *error,
                    struct ct_run_description *description)
{
    int status = add_sizes(arguments->comm_sizes, 2, RANKS_MOST, error, &description->comm_sizes,
                           &description->comm_size_count);
    return status == CT_OK ? add_sizes(arguments->msg_sizes, 1, SIZE_MAX / RANKS_MOST, error,
                                       &description->msg_sizes, &description->msg_size_count)
                           : status;
}

/* Where what was filled in comes from. */
static int describe(const struct arguments *arguments, const struct ct_supplement *supplement,
                    struct ct_error *error, struct ct_run_description *description)
{
    char checksum[CT_CHECKSUM_TEXT], added[24];
    snprintf(added, sizeof added, "%zu", supplement->added);
    const struct {
        const char *name;
        const char *value;
    } properties[] = {{"supplement.run", arguments->run},
                      {"supplement.model", arguments->model},
                      {"supplement.model.sha256", checksum},
                      {"supplement.by", ct_communication_model_names[arguments->kind]},
                      {"supplement.samples", added}};
    int status = ct_file_checksum(arguments->model, error, checksum);
    for (size_t i = 0; status == CT_OK && i < sizeof properties / sizeof properties[0]; i++)
        status = ct_run_property(description, properties[i].name)
                     ? ct_fail(error, CT_E_INPUT, "%s: was supplemented already; expected what was measured",
                               arguments->run)
                     : ct_run_add_property(description, properties[i].name, properties[i].value);
    return status;
}

/* The last model that the file has of the network, where none is asked. */
static int choose_model(struct arguments *arguments, const struct ct_model *model, struct ct_error *error)
{
    const bool *known = model->links[CT_LINK_NETWORK].known;
    if (arguments->kind == CT_COMMUNICATION_MODELS)
        do
            arguments->kind--;
        while (arguments->kind > 0 && !known[arguments->kind]);
    return known[arguments->kind] ? CT_OK
                                  : ct_fail(error, CT_E_INPUT, "%s: has no %s parameters of the network",
                                            arguments->model, ct_communication_model_names[arguments->kind]);
}

static int supplement(struct arguments *arguments, const struct ct_model *model, struct ct_run *run,
                      struct ct_error *error, struct ct_supplement *ret_supplement)
{
    struct ct_progress bar;
    struct ct_prediction prediction = {.model = model,
                                       .segments = CT_SEGMENT_FROM_LIST,
                                       .ppn = 1,
                                       .most_messages = CT_MESSAGES_USUAL,
                                       .most_seconds = 30,
                                       .stop = ct_catch_stop(),
                                       .progress = ct_progress_take,
                                       .context = &bar};
    int status = choose_model(arguments, model, error);
    if (status == CT_OK)
        status = add_grid(arguments, error, &run->description);
    if (status != CT_OK)
        return status;
    prediction.weights[arguments->kind] = 1;
    ct_progress_begin(&bar, "supplementing");
    status = ct_supplement_make(run, &prediction, error, ret_supplement);
    ct_progress_end(&bar);
    return status == CT_OK ? describe(arguments, ret_supplement, error, &run->description) : status;
}

static int write_filled(const char *folder, const struct ct_run *run, const struct ct_supplement *supplement,
                        struct ct_error *error)
{
    struct ct_run filled = *run;
    filled.samples = supplement->samples;
    filled.sample_count = supplement->sample_count;
    filled.cells = supplement->cells;
    filled.cell_count = supplement->cell_count;
    return ct_run_write(folder, &filled, error);
}

static int run_supplement(int argc, char **argv)
{
    struct arguments arguments = {.kind = CT_COMMUNICATION_MODELS};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_supplement filled = {0};
    struct ct_model model = {0};
    struct ct_run run;
    struct ct_error error = {""};
    int status = ct_run_read(arguments.run, false, &error, &run);
    if (status != CT_OK)
        return ct_command_fail("supplement", status, &error);
    status = ct_model_read(arguments.model, &error, &model);
    if (status == CT_OK)
        status = supplement(&arguments, &model, &run, &error, &filled);
    if (status == CT_OK)
        status = write_filled(arguments.folder, &run, &filled, &error);
    if (status == CT_OK)
        fprintf(
            stderr,
            "colltune supplement: %s has %zu measured samples and %zu predicted ones; %zu cells are new\n",
            arguments.folder, run.sample_count, filled.added, filled.added_cells);
    if (status == CT_OK && filled.left_out > 0)
        fprintf(stderr,
                "colltune supplement: %zu methods are as they were: measured nowhere, or not predictable\n",
                filled.left_out);
    ct_supplement_free(&filled);
    ct_model_free(&model);
    ct_run_free(&run);
    return ct_command_end("supplement", status, &error);
}

const struct ct_command ct_command_supplement = {
    "supplement", "fill in what a run lacks from a model of the machine", run_supplement, options};
