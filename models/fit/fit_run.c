/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/fit_run.h"
#include "base/file.h"
#include "base/memory.h"
#include "models/fit/times.h"
#include "models/model.h"
#include "samples/run_folder.h"

#include <stdlib.h>
#include <string.h>

struct taking {
    struct ct_run run;
    struct ct_text *notes;
    struct ct_error *error;
    struct ct_point_samples samples; /* the first subjects are the kinds of links */
    size_t capacity;
    size_t subject_capacity;
};

static int out_of_memory(const struct taking *taking)
{
    return ct_fail(taking->error, CT_E_MEMORY, "%s: out of memory", taking->run.folder);
}

static int add(struct taking *taking, const struct ct_point_sample *sample)
{
    struct ct_point_samples *samples = &taking->samples;
    if (ct_grow(&samples->samples, &taking->capacity, samples->sample_count + 1, sizeof *samples->samples) !=
        CT_OK)
        return out_of_memory(taking);
    samples->samples[samples->sample_count++] = *sample;
    return CT_OK;
}

/* Is it a valid sample of this method on a communicator with this link only? */
static bool is_of(const struct taking *taking, const struct ct_sample *sample, enum ct_collective collective,
                  const char *spelling, enum ct_link_kind kind)
{
    char text[CT_METHOD_TEXT];
    const struct ct_method *method = &taking->run.methods[sample->method];
    bool one_link = kind == CT_LINK_NODE ? sample->key.nodes == 1 : sample->key.ppn == 1;
    return sample->status == CT_SAMPLE_OK && sample->key.comm_size >= 2 && one_link &&
           method->algorithm->collective == collective &&
           strcmp(ct_method_format(method, false, text), spelling) == 0;
}

static int take_pipeline(struct taking *taking, enum ct_link_kind kind)
{
    for (size_t i = 0; i < taking->run.sample_count; i++) {
        const struct ct_sample *sample = &taking->run.samples[i];
        if (!is_of(taking, sample, CT_COLLECTIVE_BCAST, "pipeline", kind))
            continue;
        const struct ct_point_sample taken = {.kind = CT_POINT_ROUND_TRIP,
                                              .subject = kind,
                                              .partner = sample->key.comm_size,
                                              .rep = sample->rep,
                                              .bytes = sample->key.msg_bytes,
                                              .seconds = 2 * sample->seconds / (sample->key.comm_size - 1)};
        int status = add(taking, &taken);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* The gap of empty messages, from the medians of barriers by communicator size: the line through them needs
 * two sizes. */
static int take_barrier(struct taking *taking, enum ct_link_kind kind)
{
    struct ct_point_samples barriers = {.name = taking->run.folder};
    struct ct_times times;
    struct ct_fit_point points[CT_SIZES_MAX];
    barriers.samples = ct_allocate(taking->run.sample_count, sizeof *barriers.samples);
    if (!barriers.samples)
        return out_of_memory(taking);
    for (size_t i = 0; i < taking->run.sample_count; i++) {
        const struct ct_sample *sample = &taking->run.samples[i];
        if (is_of(taking, sample, CT_COLLECTIVE_BARRIER, "linear", kind))
            barriers.samples[barriers.sample_count++] = (struct ct_point_sample){
                .kind = CT_POINT_GAP, .bytes = sample->key.comm_size, .seconds = sample->seconds};
    }
    int status = ct_times_gather(&barriers, CT_POINT_GAP, 0, 1, taking->error, &times);
    free(barriers.samples);
    if (status != CT_OK)
        return status;
    size_t sizes = times.count;
    ct_times_medians(&times, points);
    ct_times_free(&times);
    if (sizes < 2)
        return CT_OK;
    struct ct_line line = ct_line_fit(points, sizes);
    if (line.slope <= 0)
        return ct_fail(taking->error, CT_E_INPUT,
                       "%s: barrier/linear does not take longer on more ranks: expected a gap for each",
                       taking->run.folder);
    const struct ct_point_sample gap = {.kind = CT_POINT_GAP, .subject = kind, .seconds = line.slope};
    return add(taking, &gap);
}

/* Finds or adds a subject; *ret_subject is its index. */
static int find_subject(struct taking *taking, const char *name, uint32_t *ret_subject)
{
    struct ct_point_samples *samples = &taking->samples;
    size_t s = 0, count = samples->subject_count;
    while (s < count && strcmp(samples->subjects[s], name) != 0)
        s++;
    *ret_subject = (uint32_t)s;
    if (s < count)
        return CT_OK;
    if (ct_grow(&samples->subjects, &taking->subject_capacity, count + 1, sizeof *samples->subjects) != CT_OK)
        return out_of_memory(taking);
    samples->subjects[count] = strdup(name);
    if (!samples->subjects[count])
        return out_of_memory(taking);
    samples->subject_count++;
    return CT_OK;
}

/* Adds the overheads of the links that the run has, and local work, which no run contains. */
static int take_single(struct taking *taking, const char *path, const bool has[CT_LINK_KINDS])
{
    struct ct_point_samples measured;
    int status = ct_point_samples_read(path, taking->error, &measured);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; status == CT_OK && i < measured.sample_count; i++) {
        struct ct_point_sample sample = measured.samples[i];
        bool overhead = sample.kind == CT_POINT_SEND || sample.kind == CT_POINT_RECEIVE;
        if (!overhead && sample.kind != CT_POINT_WORK)
            continue;
        status = find_subject(taking, measured.subjects[sample.subject], &sample.subject);
        if (status == CT_OK && (!overhead || (sample.subject < CT_LINK_KINDS && has[sample.subject])))
            status = add(taking, &sample);
    }
    ct_point_samples_free(&measured);
    return status;
}

static const char *subject_of(const struct taking *taking, enum ct_link_kind kind)
{
    return ct_link_subject(kind, ct_run_node_channel(&taking->run.description));
}

static int prepare(struct taking *taking, const char *single)
{
    struct ct_point_samples *samples = &taking->samples;
    samples->name = strdup(taking->run.folder);
    samples->about =
        ct_format("bcast/pipeline and barrier/linear of the run %s of %s, overheads and local work %s%s",
                  taking->run.folder, taking->run.description.launcher, single ? "of " : "not measured",
                  single ? single : "");
    if (!samples->name || !samples->about)
        return out_of_memory(taking);
    for (int kind = 0; kind < CT_LINK_KINDS; kind++) {
        uint32_t subject;
        int status = find_subject(taking, subject_of(taking, (enum ct_link_kind)kind), &subject);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static bool has_kind(const struct taking *taking, enum ct_point_kind kind, enum ct_link_kind link)
{
    for (size_t i = 0; i < taking->samples.sample_count; i++)
        if (taking->samples.samples[i].kind == kind && taking->samples.samples[i].subject == (uint32_t)link)
            return true;
    return false;
}

/* Notes the models that cannot be fitted, and why. */
static void note_missing(const struct taking *taking, const char *single, enum ct_link_kind kind)
{
    const char *link = subject_of(taking, kind);
    if (!has_kind(taking, CT_POINT_GAP, kind))
        ct_text_append(taking->notes,
                       "%s: neither PLogP nor LogGP: their gap comes from barrier/linear, which the run has "
                       "for fewer than two communicator sizes on this link\n",
                       link);
    else if (!single)
        ct_text_append(taking->notes,
                       "%s: no LogGP: its overheads come from a file of samples, and none was given\n", link);
    else if (!has_kind(taking, CT_POINT_SEND, kind) || !has_kind(taking, CT_POINT_RECEIVE, kind))
        ct_text_append(taking->notes, "%s: no LogGP: %s has no overheads (send, receive) on this link\n",
                       link, single);
}

static int take_all(struct taking *taking, const char *single)
{
    bool has[CT_LINK_KINDS] = {false};
    int status = prepare(taking, single);
    for (int kind = 0; status == CT_OK && kind < CT_LINK_KINDS; kind++) {
        status = take_pipeline(taking, (enum ct_link_kind)kind);
        has[kind] = has_kind(taking, CT_POINT_ROUND_TRIP, (enum ct_link_kind)kind);
        if (status == CT_OK && has[kind])
            status = take_barrier(taking, (enum ct_link_kind)kind);
    }
    if (status != CT_OK)
        return status;
    if (!has[CT_LINK_NETWORK] && !has[CT_LINK_NODE])
        return ct_fail(
            taking->error, CT_E_INPUT,
            "%s: expected samples of bcast/pipeline with one rank per node, or all ranks on one node",
            taking->run.folder);
    status = single ? take_single(taking, single, has) : CT_OK;
    if (status != CT_OK)
        return status;
    for (int kind = 0; kind < CT_LINK_KINDS; kind++)
        if (has[kind])
            note_missing(taking, single, (enum ct_link_kind)kind);
    return CT_OK;
}

int ct_samples_of_run(const char *folder, const char *single, struct ct_error *error, struct ct_text *notes,
                      struct ct_point_samples *ret_samples)
{
    struct taking taking = {.notes = notes, .error = error};
    int status = ct_run_read(folder, false, error, &taking.run);
    if (status != CT_OK)
        return status;
    status = take_all(&taking, single);
    ct_run_free(&taking.run);
    if (status == CT_OK)
        *ret_samples = taking.samples;
    else
        ct_point_samples_free(&taking.samples);
    return status;
}
