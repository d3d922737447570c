/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/model.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_communication_model_names[CT_COMMUNICATION_MODELS] = {
    [CT_MODEL_HOCKNEY] = "hockney", [CT_MODEL_LOGGP] = "loggp", [CT_MODEL_PLOGP] = "plogp"};

const char *const ct_communication_model_titles[CT_COMMUNICATION_MODELS] = {
    [CT_MODEL_HOCKNEY] = "Hockney", [CT_MODEL_LOGGP] = "LogGP", [CT_MODEL_PLOGP] = "PLogP"};

const char *const ct_link_kind_names[CT_LINK_KINDS] = {
    [CT_LINK_NETWORK] = "network", [CT_LINK_NODE] = "node"};

const char *ct_link_subject(enum ct_link_kind kind, enum ct_node_channel channel)
{
    return kind == CT_LINK_NODE && channel == CT_NODE_CHANNEL_SHARED ? ct_node_channel_names[channel]
                                                                     : ct_link_kind_names[kind];
}

const struct ct_link_parameter ct_link_parameters[CT_LINK_PARAMETERS] = {
    {CT_MODEL_HOCKNEY, "alpha", offsetof(struct ct_link, hockney.alpha)},
    {CT_MODEL_HOCKNEY, "beta", offsetof(struct ct_link, hockney.beta)},
    {CT_MODEL_LOGGP, "latency", offsetof(struct ct_link, loggp.latency)},
    {CT_MODEL_LOGGP, "overhead", offsetof(struct ct_link, loggp.overhead)},
    {CT_MODEL_LOGGP, "gap", offsetof(struct ct_link, loggp.gap)},
    {CT_MODEL_LOGGP, "gap-per-byte", offsetof(struct ct_link, loggp.gap_per_byte)},
    {CT_MODEL_PLOGP, "latency", offsetof(struct ct_link, plogp.latency)},
};

double ct_link_parameter_of(const struct ct_link *link, const struct ct_link_parameter *parameter)
{
    double number;
    memcpy(&number, (const char *)link + parameter->offset, sizeof number);
    return number;
}

bool ct_link_is_known(const struct ct_link *link)
{
    bool any = false;
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        any |= link->known[model];
    return any;
}

const struct ct_link *ct_model_node_link(const struct ct_model *model, enum ct_node_channel channel)
{
    return channel == model->node_channel ? &model->links[CT_LINK_NODE] : &model->other_node;
}

int ct_model_use_channel(struct ct_model *model, enum ct_node_channel channel, const char *file,
                         struct ct_error *error)
{
    const struct ct_link used = model->links[CT_LINK_NODE];
    if (channel == model->node_channel)
        return CT_OK;
    if (ct_link_is_known(&used) && !ct_link_is_known(&model->other_node))
        return ct_fail(
            error, CT_E_INPUT,
            "%s: no parameters for messages within a node through %s, only through %s; measure them "
            "with colltune fit",
            file, ct_node_channel_titles[channel], ct_node_channel_titles[model->node_channel]);
    model->links[CT_LINK_NODE] = model->other_node;
    model->other_node = used;
    model->node_channel = channel;
    return CT_OK;
}

const struct ct_link *ct_model_link(const struct ct_model *model, enum ct_communication_model kind,
                                    bool one_node)
{
    const struct ct_link *network = &model->links[CT_LINK_NETWORK], *node = &model->links[CT_LINK_NODE];
    if (one_node && node->known[kind])
        return node;
    return network->known[kind] ? network : NULL;
}

bool ct_model_has_network(const struct ct_model *model)
{
    return ct_model_link(model, ct_model_last(model, false), false) != NULL;
}

enum ct_communication_model ct_model_last(const struct ct_model *model, bool one_node)
{
    const struct ct_link *node = &model->links[CT_LINK_NODE], *network = &model->links[CT_LINK_NETWORK];
    for (int kind = CT_COMMUNICATION_MODELS - 1; one_node && kind >= 0; kind--)
        if (node->known[kind])
            return (enum ct_communication_model)kind;
    for (int kind = CT_COMMUNICATION_MODELS - 1; kind > 0; kind--)
        if (network->known[kind])
            return (enum ct_communication_model)kind;
    return CT_MODEL_HOCKNEY;
}

bool ct_curve_rises(const struct ct_curve *curve)
{
    for (size_t i = 1; i < curve->count; i++)
        if (curve->points[i].seconds < curve->points[i - 1].seconds)
            return false;
    return true;
}

int ct_curve_make(const struct ct_curve_point *points, size_t count, struct ct_error *error,
                  struct ct_curve *ret_curve)
{
    if (count == 0)
        return ct_fail(error, CT_E_INPUT, "no points: expected at least one");
    for (size_t i = 0; i < count; i++) {
        double least = i == 0 ? 0 : nextafter(points[i - 1].bytes, INFINITY);
        if (!isfinite(points[i].bytes) || points[i].bytes < least)
            return ct_fail(error, CT_E_INPUT,
                           "point %zu: %g bytes: expected sizes in ascending order, from 0 or more", i + 1,
                           points[i].bytes);
        if (!isfinite(points[i].seconds) || points[i].seconds < 0)
            return ct_fail(error, CT_E_INPUT, "point %zu: %g seconds: expected 0 or more", i + 1,
                           points[i].seconds);
    }
    struct ct_curve_point *copy = ct_allocate(count, sizeof *copy);
    if (!copy)
        return CT_E_MEMORY;
    memcpy(copy, points, count * sizeof *copy);
    *ret_curve = (struct ct_curve){.points = copy, .count = count};
    return CT_OK;
}

void ct_curve_free(struct ct_curve *curve)
{
    free(curve->points);
    *curve = (struct ct_curve){0};
}

static double overhead_at(const struct ct_plogp *plogp, double bytes)
{
    return fmax(ct_curve_at(&plogp->send_overhead, bytes), ct_curve_at(&plogp->receive_overhead, bytes));
}

void ct_link_gap_of_overhead(struct ct_link *link)
{
    for (size_t i = 0; i < link->regime_count; i++)
        link->regimes[i].loggp.gap = link->regimes[i].loggp.overhead;
    struct ct_plogp *plogp = &link->plogp;
    double beyond = fmax(ct_curve_at(&plogp->gap, 1) - overhead_at(plogp, 1), 0);
    link->loggp.gap = link->loggp.overhead;
    plogp->latency += beyond;
    for (size_t i = 0; i < plogp->gap.count; i++) {
        struct ct_curve_point *point = &plogp->gap.points[i];
        point->seconds = fmax(point->seconds - beyond, overhead_at(plogp, point->bytes));
    }
}

void ct_link_free(struct ct_link *link)
{
    ct_curve_free(&link->plogp.send_overhead);
    ct_curve_free(&link->plogp.receive_overhead);
    ct_curve_free(&link->plogp.gap);
    free(link->gap_interval);
    free(link->regimes);
}

void ct_model_free(struct ct_model *model)
{
    free(model->name);
    free(model->source);
    free(model->topology);
    ct_network_routes_free(model->routes);
    for (int kind = 0; kind < CT_LINK_KINDS; kind++)
        ct_link_free(&model->links[kind]);
    ct_link_free(&model->other_node);
    for (size_t i = 0; i < model->work_count; i++) {
        free(model->work[i].operation);
        free(model->work[i].type);
    }
    free(model->work);
    *model = (struct ct_model){0};
}

bool ct_model_use_work(struct ct_model *model, const char *operation, const char *type)
{
    for (size_t i = 0; i < model->work_count; i++) {
        const struct ct_local_work *work = &model->work[i];
        if (strcmp(work->operation, operation) != 0 || strcmp(work->type, type) != 0)
            continue;
        model->gamma = work->seconds_per_byte;
        return true;
    }
    return false;
}
