/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/method_trial.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/flight_call.h"
#include "measure/benchmark/program.h"

#include <stdlib.h>
#include <string.h>

void ct_bench_trial_keep(struct ct_bench_trial *trial, double seconds)
{
    size_t room = trial->capacity;
    if (ct_grow(&trial->times, &trial->capacity, trial->count + 1, sizeof *trial->times) != CT_OK ||
        ct_grow(&trial->sorted, &room, trial->count + 1, sizeof *trial->sorted) != CT_OK)
        ct_bench_abort("out of memory");
    trial->times[trial->count++] = seconds;
}

void ct_bench_trial_keep_overlap(struct ct_bench_trial *trial, struct ct_overlap overlap, double added,
                                 double alone)
{
    size_t room = trial->capacity, more = trial->capacity;
    if (ct_grow(&trial->overlaps, &room, trial->count + 1, sizeof *trial->overlaps) != CT_OK ||
        ct_grow(&trial->alone, &more, trial->count + 1, sizeof *trial->alone) != CT_OK)
        ct_bench_abort("out of memory");
    trial->overlaps[trial->count] = overlap;
    trial->alone[trial->count] = alone;
    ct_bench_trial_keep(trial, ct_bench_positive(added));
}

void ct_bench_trial_sort(struct ct_bench_trial *trial)
{
    if (trial->count > 0)
        memcpy(trial->sorted, trial->times, trial->count * sizeof *trial->times);
    ct_sort(trial->sorted, trial->count);
}

void ct_bench_trial_report(const struct ct_bench_trial *trial, struct ct_text *text)
{
    const double alone = trial->alone ? ct_median(trial->alone, trial->count) : 0;
    if (trial->set_up > 0 && trial->count > 0)
        ct_text_append(text, "set_up %zu %.*g\n", trial->index, CT_TIME_DIGITS, trial->set_up);
    for (size_t rep = 0; rep < trial->count; rep++) {
        ct_text_append(text, "ok %zu %zu %.*g", trial->index, rep, CT_TIME_DIGITS, trial->times[rep]);
        if (trial->overlaps) {
            const struct ct_overlap *overlap = &trial->overlaps[rep];
            ct_text_append(text, " %.*g %.*g %.*g %.6g", CT_TIME_DIGITS, overlap->completion, CT_TIME_DIGITS,
                           overlap->in_mpi, CT_TIME_DIGITS, overlap->computation,
                           ct_bench_hidden(overlap, alone));
        }
        ct_text_append(text, "\n");
    }
}

void ct_bench_trial_free(struct ct_bench_trial *trial)
{
    free(trial->times);
    free(trial->sorted);
    free(trial->overlaps);
    free(trial->alone);
}
