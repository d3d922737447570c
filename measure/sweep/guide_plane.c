/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "base/memory.h"
#include "measure/sweep/guide.h"

#include <stdlib.h>

int ct_guide_plane_make(size_t rows, size_t columns, size_t methods, struct ct_guide_plane *ret_plane)
{
    size_t points, slots;
    if (!ct_multiply(rows, columns, &points) || !ct_multiply(points, methods, &slots))
        return CT_E_LIMIT;
    struct ct_guide_plane plane = {
        .rows = rows,
        .columns = columns,
        .methods = methods,
        .applies = ct_allocate(slots, sizeof *plane.applies),
        .measured = ct_allocate(points, sizeof *plane.measured),
        .seconds = ct_allocate(slots, sizeof *plane.seconds),
        .prior = ct_allocate(slots, sizeof *plane.prior),
        .kept = ct_allocate(methods, sizeof *plane.kept),
    };
    if (!plane.applies || !plane.measured || !plane.seconds || !plane.prior || !plane.kept) {
        ct_guide_plane_free(&plane);
        return CT_E_MEMORY;
    }
    *ret_plane = plane;
    return CT_OK;
}

void ct_guide_plane_free(struct ct_guide_plane *plane)
{
    free(plane->applies);
    free(plane->measured);
    free(plane->seconds);
    free(plane->prior);
    free(plane->kept);
    *plane = (struct ct_guide_plane){0};
}

void ct_guide_round_free(struct ct_guide_round *round)
{
    free(round->points);
    free(round->slots);
    *round = (struct ct_guide_round){0};
}
