/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/ports.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* `share` is the time that a message in transfer from the first moment on would have had of the port by
 * `now`. A message is done when the share has grown by the gap since it was posted. Until then begins[] holds
 * that share; both ascend. */
int ct_batch_begin(struct ct_batch *batch, double first, double step, double gap, size_t count)
{
    size_t posted = 0, done = 0;
    double now = first, share = 0;
    int status = ct_grow(&batch->begins, &batch->capacity, count, sizeof *batch->begins);
    if (status != CT_OK)
        return status;
    while (done < count) {
        double in_transfer = (double)(posted - done);
        double next = posted < count ? first + (double)posted * step : INFINITY;
        double end = in_transfer > 0 ? now + (batch->begins[done] - share) * in_transfer : INFINITY;
        if (next <= end) {
            share += in_transfer > 0 ? (next - now) / in_transfer : 0;
            now = next;
            batch->begins[posted++] = share + gap;
        } else {
            share = batch->begins[done];
            now = end;
            batch->begins[done++] = end - gap;
        }
    }
    batch->at = 0;
    batch->count = count;
    return CT_OK;
}

/* --- idle times --- */

int ct_idle_add(struct ct_idle *idle, double begin, double end)
{
    assert(begin <= end && (idle->count == 0 || idle->intervals[idle->count - 1].end <= begin));
    int status = ct_grow(&idle->intervals, &idle->capacity, idle->count + 1, sizeof *idle->intervals);
    if (status == CT_OK)
        idle->intervals[idle->count++] = (struct ct_idle_span){begin, end};
    return status;
}

/* The first interval that ends after `from`. */
static size_t first_behind(const struct ct_idle *idle, double from)
{
    size_t low = 0, high = idle->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (idle->intervals[middle].end > from)
            high = middle;
        else
            low = middle + 1;
    }
    return low >= idle->spent_first && low < idle->spent_end ? idle->spent_end : low;
}

static void note_spent(struct ct_idle *idle, size_t i)
{
    if (i == idle->spent_end) {
        idle->spent_end++;
    } else if (i + 1 == idle->spent_first) {
        idle->spent_first--;
    } else {
        idle->spent_first = i;
        idle->spent_end = i + 1;
    }
}

static int insert(struct ct_idle *idle, size_t i, struct ct_idle_span interval)
{
    int status = ct_grow(&idle->intervals, &idle->capacity, idle->count + 1, sizeof *idle->intervals);
    if (status != CT_OK)
        return status;
    struct ct_idle_span *place = &idle->intervals[i];
    memmove(place + 1, place, (idle->count - i) * sizeof *place);
    *place = interval;
    idle->count++;
    if (i <= idle->spent_first) {
        idle->spent_first++;
        idle->spent_end++;
    } else if (i < idle->spent_end) {
        idle->spent_end = i;
    }
    return CT_OK;
}

/* Takes [begin, end) out of interval `i`, in which it lies. */
static int cut(struct ct_idle *idle, size_t i, double begin, double end)
{
    struct ct_idle_span whole = idle->intervals[i];
    if (begin > whole.begin) {
        idle->intervals[i].end = begin;
        return end < whole.end ? insert(idle, i + 1, (struct ct_idle_span){end, whole.end}) : CT_OK;
    }
    idle->intervals[i].begin = end;
    if (end >= whole.end)
        note_spent(idle, i);
    return CT_OK;
}

int ct_idle_spend(struct ct_idle *idle, double from, double seconds, double *ret_rest, double *ret_end)
{
    double end = from;
    for (size_t i = first_behind(idle, from); seconds > 0 && i < idle->count; i++) {
        struct ct_idle_span interval = idle->intervals[i];
        double begin = fmax(interval.begin, from), room = interval.end - begin;
        if (room <= 0) /* used up */
            continue;
        bool fits = seconds <= room;
        end = fits ? begin + seconds : interval.end;
        seconds = fits ? 0 : seconds - room;
        size_t before = idle->count;
        int status = cut(idle, i, begin, end);
        if (status != CT_OK)
            return status;
        i += idle->count - before;
    }
    *ret_rest = seconds;
    *ret_end = end;
    return CT_OK;
}
