/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/batch.h"

#include "base/memory.h"

#include <math.h>

/* `share` is what a message that was under way from the first moment on would have had of the way by `now`. A
 * message is through when its share has grown by the gap since it was posted: begins[] holds which share that
 * is until then, as both rise. */
int ct_batch_begin(struct ct_batch *batch, double first, double step, double gap, size_t count)
{
    size_t posted = 0, through = 0;
    double now = first, share = 0;
    int status = ct_grow(&batch->begins, &batch->capacity, count, sizeof *batch->begins);
    if (status != CT_OK)
        return status;
    while (through < count) {
        double under_way = (double)(posted - through);
        double next = posted < count ? first + (double)posted * step : INFINITY;
        double end = under_way > 0 ? now + (batch->begins[through] - share) * under_way : INFINITY;
        if (next <= end) {
            share += under_way > 0 ? (next - now) / under_way : 0;
            now = next;
            batch->begins[posted++] = share + gap;
        } else {
            share = batch->begins[through];
            now = end;
            batch->begins[through++] = end - gap;
        }
    }
    batch->at = 0;
    batch->count = count;
    return CT_OK;
}
