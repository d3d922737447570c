/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/leave_out.h"
#include "base/text.h"

static bool is_among(size_t size, const size_t *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sizes[i] == size)
            return true;
    return false;
}

static int check(const struct ct_run *run, const size_t *comm_sizes, size_t count, struct ct_error *error)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t c = 0; !found && c < run->cell_count; c++)
            found = run->cells[c].key.comm_size == comm_sizes[i];
        if (!found)
            return ct_fail(error, CT_E_INPUT, "%s: has no communicator of %zu ranks to leave out",
                           run->folder, comm_sizes[i]);
    }
    for (size_t c = 0; c < run->cell_count; c++)
        left += !is_among(run->cells[c].key.comm_size, comm_sizes, count);
    return left > 0 ? CT_OK
                    : ct_fail(error, CT_E_INPUT, "%s: without these communicator sizes nothing is left",
                              run->folder);
}

static int note(struct ct_run *run, const size_t *comm_sizes, size_t count)
{
    struct ct_text list = {0};
    for (size_t i = 0; i < count; i++)
        ct_text_append(&list, "%s%zu", i > 0 ? "," : "", comm_sizes[i]);
    int status =
        list.failed ? CT_E_MEMORY : ct_run_add_property(&run->description, CT_LEFT_OUT_PROPERTY, list.data);
    ct_text_free(&list);
    return status;
}

int ct_run_leave_out(struct ct_run *run, const size_t *comm_sizes, size_t count, struct ct_error *error)
{
    size_t samples = 0, cells = 0, sizes = 0;
    int status = check(run, comm_sizes, count, error);
    if (status == CT_OK)
        status = note(run, comm_sizes, count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < run->sample_count; i++)
        if (!is_among(run->samples[i].key.comm_size, comm_sizes, count))
            run->samples[samples++] = run->samples[i];
    for (size_t i = 0; i < run->cell_count; i++)
        if (!is_among(run->cells[i].key.comm_size, comm_sizes, count))
            run->cells[cells++] = run->cells[i];
    for (size_t i = 0; i < run->description.comm_size_count; i++)
        if (!is_among(run->description.comm_sizes[i], comm_sizes, count))
            run->description.comm_sizes[sizes++] = run->description.comm_sizes[i];
    run->sample_count = samples;
    run->cell_count = cells;
    run->description.comm_size_count = sizes;
    return CT_OK;
}

void ct_run_leave_out_validation(struct ct_run *run)
{
    size_t samples = 0, cells = 0;
    for (size_t i = 0; i < run->sample_count; i++)
        if (!ct_run_is_validation(&run->description, run->samples[i].launch))
            run->samples[samples++] = run->samples[i];
    for (size_t i = 0; i < run->cell_count; i++)
        if (!ct_run_is_validation(&run->description, run->cells[i].launch))
            run->cells[cells++] = run->cells[i];
    run->sample_count = samples;
    run->cell_count = cells;
}
