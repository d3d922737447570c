/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/fit_picture.h"
#include "base/text.h"

#include <string.h>

/* As people read them: microseconds, and nanoseconds a byte. */
static const double micro = 1e6, nano = 1e9;

static const char *const link_titles[CT_LINK_KINDS] = {
    [CT_LINK_NETWORK] = "between nodes", [CT_LINK_NODE] = "on one node"};

static bool is_per_byte(const char *parameter)
{
    return strcmp(parameter, "beta") == 0 || strcmp(parameter, "gap-per-byte") == 0;
}

/* Nothing where it has no width. */
static void show_interval(const struct ct_interval *interval, double unit, FILE *out)
{
    if (interval->low < interval->high)
        fprintf(out, "  %.4g to %.4g", unit * interval->low, unit * interval->high);
    fputc('\n', out);
}

static void show_parameters(const struct ct_link *link, enum ct_communication_model model, FILE *out)
{
    for (int i = 0; i < CT_LINK_PARAMETERS; i++) {
        const struct ct_link_parameter *parameter = &ct_link_parameters[i];
        if (parameter->model != model)
            continue;
        double unit = is_per_byte(parameter->name) ? nano : micro;
        fprintf(out, "  %-8s %-14s %10.4g %-7s", ct_communication_model_names[model], parameter->name,
                unit * ct_link_parameter_of(link, parameter),
                is_per_byte(parameter->name) ? "ns/byte" : "us");
        show_interval(&link->intervals[i], unit, out);
    }
}

static void show_goodness(const struct ct_link *link, enum ct_communication_model model, FILE *out)
{
    const struct ct_goodness *goodness = &link->goodness[model];
    char bytes[CT_SIZE_TEXT];
    fprintf(out, "  %-8s off by %.1f %% in the mean over %zu sizes, by %.1f %% at %s bytes\n",
            ct_communication_model_names[model], 100 * goodness->mean_error, goodness->sizes,
            100 * goodness->worst_error, ct_size_format((size_t)goodness->worst_bytes, bytes));
}

static void show_curves(const struct ct_plogp *plogp, FILE *out)
{
    fprintf(out, "  %10s %12s %12s %12s\n", "bytes", "g us", "o_s us", "o_r us");
    for (size_t i = 0; i < plogp->gap.count; i++) {
        char size[CT_SIZE_TEXT];
        double bytes = plogp->gap.points[i].bytes;
        fprintf(out, "  %10s %12.4g %12.4g %12.4g\n", ct_size_format((size_t)bytes, size),
                micro * plogp->gap.points[i].seconds, micro * ct_curve_at(&plogp->send_overhead, bytes),
                micro * ct_curve_at(&plogp->receive_overhead, bytes));
    }
}

static void show_link(const struct ct_link *link, const char *title, FILE *out)
{
    if (!link->known[CT_MODEL_HOCKNEY])
        return;
    fprintf(out, "Messages %s (with 95 %% intervals):\n", title);
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        if (link->known[model])
            show_parameters(link, (enum ct_communication_model)model, out);
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        if (link->known[model])
            show_goodness(link, (enum ct_communication_model)model, out);
    if (link->known[CT_MODEL_PLOGP]) {
        fprintf(out, "Where the pieces of g(m) begin and end:\n");
        show_curves(&link->plogp, out);
    }
}

void ct_fit_show(const struct ct_model *model, FILE *out)
{
    for (int kind = 0; kind < CT_LINK_KINDS; kind++)
        show_link(&model->links[kind], link_titles[kind], out);
    if (model->work_count == 0)
        return;
    fprintf(out, "Local work: gamma %.4g, delta %.4g ns/byte\n", nano * model->gamma, nano * model->delta);
    for (size_t i = 0; i < model->work_count; i++) {
        const struct ct_local_work *work = &model->work[i];
        fprintf(out, "  %-8s %-14s %10.4g %-7s", work->operation, work->type, nano * work->seconds_per_byte,
                "ns/byte");
        show_interval(&work->interval, nano, out);
    }
}
