/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/fit_model.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char copy_operation[] = "copy", usual_operation[] = "sum", usual_type[] = "double";

struct fitting {
    const struct ct_point_samples *samples;
    const struct ct_fit_options *options;
    struct ct_error *error;
    struct ct_text *notes;
    struct ct_text flat; /* notes of series without spread */
    bool any_spread;
    struct ct_model model;
};

/* --- notes for the user --- */

/* Counts the sizes whose upper quartile is more than twice the lower one; *ret_first is the first of them. */
static size_t count_wide(const struct ct_times *times, double *ret_first)
{
    const double wide = 2;
    size_t count = 0;
    for (size_t i = 0; i < times->count; i++) {
        const double *seconds = times->seconds + times->at[i].first;
        size_t n = times->at[i].count;
        if (ct_quantile(seconds, n, 0.75) <= wide * ct_quantile(seconds, n, 0.25))
            continue;
        if (count++ == 0)
            *ret_first = times->at[i].bytes;
    }
    return count;
}

static bool has_spread(const struct ct_times *times)
{
    for (size_t i = 0; i < times->count; i++) {
        const double *seconds = times->seconds + times->at[i].first;
        if (seconds[times->at[i].count - 1] > seconds[0])
            return true;
    }
    return false;
}

static void note_spread(struct fitting *fitting, const struct ct_times *times, enum ct_point_kind kind,
                        const char *subject)
{
    double first = 0;
    size_t wide = count_wide(times, &first);
    if (wide > 0)
        ct_text_append(
            fitting->notes,
            "%s, %s: at %zu of %zu sizes, from %.0f bytes on, the middle half of the times spreads by more "
            "than 2 times\n",
            ct_point_kind_names[kind], subject, wide, times->count, first);
    bool spread = has_spread(times);
    fitting->any_spread |= spread;
    if (times->count > 0 && !spread)
        ct_text_append(&fitting->flat, "%s, %s: %s, so intervals have no width\n", ct_point_kind_names[kind],
                       subject,
                       ct_times_most(times) == 1 ? "one time at each size" : "all times of a size are alike");
}

/* Simulated times have no spread at all: one note suffices. */
static void note_flat(struct fitting *fitting)
{
    if (!fitting->any_spread)
        ct_text_append(fitting->notes, "no size has times that differ, so intervals have no width\n");
    else if (fitting->flat.length > 0)
        ct_text_append(fitting->notes, "%s", fitting->flat.data);
    fitting->notes->failed |= fitting->flat.failed;
    ct_text_free(&fitting->flat);
}

/* A longer message cannot take half the time of a shorter one: the machine was busy for a while. */
static void note_fall(struct fitting *fitting, const struct ct_times *times, const char *subject)
{
    const double steep = 2;
    double longest = 0, bytes = 0; /* of the shorter messages, since the last note */
    for (size_t i = 0; i < times->count; i++) {
        double median = ct_quantile(times->seconds + times->at[i].first, times->at[i].count, 0.5);
        bool falls = longest > steep * median;
        if (falls)
            ct_text_append(
                fitting->notes,
                "round_trip, %s: %.0f bytes take %.3g times as long as %.0f bytes: was something else "
                "running?\n",
                subject, bytes, longest / median, times->at[i].bytes);
        if (falls || median > longest) {
            longest = median;
            bytes = times->at[i].bytes;
        }
    }
}

/* Fits never give a byte a negative time. */
static void note_no_growth(struct fitting *fitting, const struct ct_link *link, const char *subject)
{
    if (ct_link_of_size(link, INFINITY)->hockney.beta <= 0)
        ct_text_append(fitting->notes,
                       "round_trip, %s: long messages take no longer than short ones, so the models "
                       "give their bytes no time\n",
                       subject);
}

/* --- links --- */

static int gather(struct fitting *fitting, size_t subject, struct ct_link_times *times)
{
    int status = CT_OK;
    for (int kind = 0; status == CT_OK && kind < CT_POINT_MESSAGES; kind++) {
        double scale = kind == CT_POINT_ROUND_TRIP ? 0.5 : 1;
        status = ct_times_gather(fitting->samples, (enum ct_point_kind)kind, subject, scale, fitting->error,
                                 &times->kinds[kind]);
        if (status == CT_OK)
            note_spread(fitting, &times->kinds[kind], (enum ct_point_kind)kind,
                        fitting->samples->subjects[subject]);
    }
    if (status == CT_OK)
        note_fall(fitting, &times->kinds[CT_POINT_ROUND_TRIP], fitting->samples->subjects[subject]);
    return status;
}

/* Finds the link of a subject; CT_LINK_KINDS if there is none. */
static enum ct_link_kind find_link(const char *subject, enum ct_node_channel *ret_channel)
{
    for (int kind = 0; kind < CT_LINK_KINDS; kind++)
        for (int channel = 0; channel < CT_NODE_CHANNELS; channel++)
            if (strcmp(ct_link_subject(kind, channel), subject) == 0) {
                *ret_channel = (enum ct_node_channel)channel;
                return (enum ct_link_kind)kind;
            }
    return CT_LINK_KINDS;
}

static int fit_subject(struct fitting *fitting, size_t subject)
{
    const char *name = fitting->samples->subjects[subject];
    enum ct_node_channel channel = CT_NODE_CHANNEL_MPI;
    const enum ct_link_kind link = find_link(name, &channel);
    if (link == CT_LINK_KINDS)
        return ct_fail(fitting->error, CT_E_INPUT, "%s: messages over '%s': expected network, node or shared",
                       fitting->samples->name, name);
    struct ct_model *model = &fitting->model;
    const bool is_other = link == CT_LINK_NODE && ct_link_is_known(&model->links[link]);
    struct ct_link *fitted = is_other ? &model->other_node : &model->links[link];
    if (link == CT_LINK_NODE && !is_other)
        model->node_channel = channel;
    struct ct_link_times times = {0};
    struct ct_error why = {""};
    if (link == CT_LINK_NODE && channel == CT_NODE_CHANNEL_SHARED) {
        times.regime_starts = ct_regime_starts;
        times.regime_start_count = CT_REGIME_STARTS;
    }
    int status = gather(fitting, subject, &times);
    if (status == CT_OK) {
        status = ct_fit_link(&times, fitting->options, &why, fitted);
        if (status != CT_OK)
            ct_fail(fitting->error, status, "%s: %s: %s", fitting->samples->name, name, why.text);
        else
            note_no_growth(fitting, fitted, name);
    }
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
        ct_times_free(&times.kinds[kind]);
    return status;
}

/* --- local work --- */

/* Sets seconds per byte at the largest size. */
static int fit_work(struct fitting *fitting, size_t subject)
{
    const char *name = fitting->samples->subjects[subject];
    struct ct_local_work *work = &fitting->model.work[fitting->model.work_count++];
    struct ct_times times;
    int status = ct_times_gather(fitting->samples, CT_POINT_WORK, subject, 1, fitting->error, &times);
    if (status != CT_OK)
        return status;
    const struct ct_times_at *last = &times.at[times.count - 1];
    const double *seconds = times.seconds + last->first;
    size_t low, high;
    ct_median_interval(last->count, &low, &high);
    work->operation = strndup(name, strcspn(name, "/"));
    work->type = strdup(strchr(name, '/') + 1);
    if (!work->operation || !work->type)
        status = ct_fail(fitting->error, CT_E_MEMORY, "out of memory");
    else if (!work->operation[0] || !work->type[0] || strchr(work->type, '/'))
        status = ct_fail(fitting->error, CT_E_INPUT, "%s: work '%s': expected OPERATION/TYPE",
                         fitting->samples->name, name);
    else if (last->bytes == 0)
        status = ct_fail(fitting->error, CT_E_INPUT, "%s: work '%s' on 0 bytes: expected some",
                         fitting->samples->name, name);
    if (status == CT_OK) {
        work->seconds_per_byte = ct_quantile(seconds, last->count, 0.5) / last->bytes;
        work->interval = (struct ct_interval){seconds[low] / last->bytes, seconds[high] / last->bytes};
    }
    note_spread(fitting, &times, CT_POINT_WORK, name);
    ct_times_free(&times);
    return status;
}

static bool is_usual(const struct ct_local_work *work)
{
    return strcmp(work->operation, usual_operation) == 0 && strcmp(work->type, usual_type) == 0;
}

/* Sets gamma and delta. */
static int choose_work(struct fitting *fitting)
{
    struct ct_model *model = &fitting->model;
    size_t count = 0;
    double *reductions = ct_allocate(model->work_count, sizeof *reductions);
    if (!reductions)
        return ct_fail(fitting->error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; i < model->work_count; i++) {
        const struct ct_local_work *work = &model->work[i];
        if (strcmp(work->operation, copy_operation) == 0)
            model->delta = work->seconds_per_byte;
        else
            reductions[count++] = work->seconds_per_byte;
        if (is_usual(work))
            model->gamma = work->seconds_per_byte;
    }
    if (model->gamma == 0 && count > 0)
        model->gamma = ct_median(reductions, count);
    free(reductions);
    return CT_OK;
}

/* Has the subject samples of work, or else of messages? */
static bool has_kind(const struct ct_point_samples *samples, size_t subject, bool work)
{
    for (size_t i = 0; i < samples->sample_count; i++)
        if (samples->samples[i].subject == subject && (samples->samples[i].kind == CT_POINT_WORK) == work)
            return true;
    return false;
}

/* As the library: shared memory where it was measured. */
static enum ct_node_channel usual_channel(const struct ct_model *model)
{
    const struct ct_link *shared = ct_model_node_link(model, CT_NODE_CHANNEL_SHARED);
    return ct_link_is_known(shared) ? CT_NODE_CHANNEL_SHARED : CT_NODE_CHANNEL_MPI;
}

int ct_fit_model(const struct ct_point_samples *samples, const struct ct_fit_options *options,
                 struct ct_error *error, struct ct_text *notes, struct ct_model *ret_model)
{
    struct fitting fitting = {.samples = samples, .options = options, .error = error, .notes = notes};
    bool any_link = false;
    int status = CT_OK;
    fitting.model.work = ct_allocate(samples->subject_count, sizeof *fitting.model.work);
    if (!fitting.model.work)
        status = ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; status == CT_OK && i < samples->subject_count; i++) {
        bool link = has_kind(samples, i, false);
        if (link)
            status = fit_subject(&fitting, i);
        else if (has_kind(samples, i, true))
            status = fit_work(&fitting, i);
        any_link |= link;
    }
    if (status == CT_OK && !any_link)
        status =
            ct_fail(error, CT_E_INPUT, "%s: no times of messages: expected round_trip at two sizes at least",
                    samples->name);
    if (status == CT_OK)
        status = choose_work(&fitting);
    note_flat(&fitting);
    if (fitting.model.work_count == 0)
        ct_text_append(notes, "no local work: reductions and copies take no time in this model\n");
    if (status == CT_OK && notes->failed)
        status = ct_fail(error, CT_E_MEMORY, "out of memory");
    if (status == CT_OK)
        status = ct_model_use_channel(&fitting.model, usual_channel(&fitting.model), samples->name, error);
    if (status == CT_OK)
        *ret_model = fitting.model;
    else
        ct_model_free(&fitting.model);
    return status;
}
