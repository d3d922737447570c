/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat on a plate: 2D domain decomposition, halo exchange, and reductions of the residual. The field is
 * computed alike in every decomposition; only the sum of residuals depends on how it is bracketed. */
#include "mix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 60, HEIGHT = 48, SIDES = 4 };

/* One rank's part of the plate, with a frame of one cell around it. */
struct patch {
    MPI_Comm comm;
    int neighbours[SIDES]; /* up, down, left, right */
    int rows, columns;     /* without the frame */
    int row, column;       /* of its first cell on the plate */
    double *now;
    double *next;
    MPI_Datatype side; /* a column of cells */
};

static size_t at(const struct patch *patch, int row, int column)
{
    return (size_t)(row + 1) * (size_t)(patch->columns + 2) + (size_t)(column + 1);
}

static void part(int whole, int parts, int index, int *ret_first, int *ret_length)
{
    *ret_first = whole * index / parts;
    *ret_length = whole * (index + 1) / parts - *ret_first;
}

static void patch_make(struct patch *patch, int size)
{
    int dims[2] = {0, 0}, periods[2] = {0, 0}, place[2], rank;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &patch->comm);
    MPI_Comm_rank(patch->comm, &rank);
    MPI_Cart_coords(patch->comm, rank, 2, place);
    MPI_Cart_shift(patch->comm, 0, 1, &patch->neighbours[0], &patch->neighbours[1]);
    MPI_Cart_shift(patch->comm, 1, 1, &patch->neighbours[2], &patch->neighbours[3]);
    part(HEIGHT, dims[0], place[0], &patch->row, &patch->rows);
    part(WIDTH, dims[1], place[1], &patch->column, &patch->columns);
    size_t bytes = (size_t)(patch->rows + 2) * (size_t)(patch->columns + 2) * sizeof(double);
    patch->now = mix_allocate(bytes);
    patch->next = mix_allocate(bytes);
    memset(patch->now, 0, bytes);
    memset(patch->next, 0, bytes);
    MPI_Type_vector(patch->rows, 1, patch->columns + 2, MPI_DOUBLE, &patch->side);
    MPI_Type_commit(&patch->side);
}

static void patch_free(struct patch *patch)
{
    free(patch->now);
    free(patch->next);
    MPI_Type_free(&patch->side);
    MPI_Comm_free(&patch->comm);
}

/* The frame is filled with what comes, from whatever side first; messages say their side by tag. */
static void exchange_halo(struct patch *patch, MPI_Request requests[2 * SIDES])
{
    const size_t inner[SIDES] = {at(patch, 0, 0), at(patch, patch->rows - 1, 0), at(patch, 0, 0),
                                 at(patch, 0, patch->columns - 1)};
    const size_t frame[SIDES] = {at(patch, -1, 0), at(patch, patch->rows, 0), at(patch, 0, -1),
                                 at(patch, 0, patch->columns)};
    for (int side = 0; side < SIDES; side++) {
        MPI_Datatype type = side < 2 ? MPI_DOUBLE : patch->side;
        int count = side < 2 ? patch->columns : 1;
        MPI_Irecv(&patch->now[frame[side]], count, type, patch->neighbours[side], side, patch->comm,
                  &requests[side]);
        MPI_Isend(&patch->now[inner[side]], count, type, patch->neighbours[side], side ^ 1, patch->comm,
                  &requests[SIDES + side]);
    }
}

/* One Jacobi step over cells; a heated spot stays as it is. Residuals: the sum of squares, and the largest.
 */
static void relax(struct patch *patch, double heat, double *ret_sum, double *ret_largest)
{
    double sum = 0, largest = 0;
    for (int row = 0; row < patch->rows; row++) {
        for (int column = 0; column < patch->columns; column++) {
            const double *cell = &patch->now[at(patch, row, column)];
            double value =
                0.25 * (cell[-1] + cell[1] + cell[-(patch->columns + 2)] + cell[patch->columns + 2]);
            if (patch->row + row == HEIGHT / 3 && patch->column + column == WIDTH / 4)
                value = heat;
            double change = value - *cell;
            patch->next[at(patch, row, column)] = value;
            sum += change * change;
            largest = fmax(largest, fabs(change));
        }
    }
    double *swap = patch->now;
    patch->now = patch->next;
    patch->next = swap;
    *ret_sum = sum;
    *ret_largest = largest;
}

/* A checksum of the field that does not depend on who holds which part. */
static uint64_t field_hash(const struct patch *patch)
{
    uint64_t sum = 0;
    for (int row = 0; row < patch->rows; row++)
        for (int column = 0; column < patch->columns; column++)
            sum += mix_value(mix_hash((uint64_t)((patch->row + row) * WIDTH + patch->column + column),
                                      &patch->now[at(patch, row, column)], sizeof(double)),
                             1);
    return sum;
}

/* The sum over all cells as it should be, against what the collective gave: both of positive terms. */
static int nearly(double sum, double other)
{
    return fabs(sum - other) <= WIDTH * HEIGHT * DBL_EPSILON * fabs(other);
}

int main(int argc, char **argv)
{
    struct mix_job job;
    struct patch patch;
    mix_start(&argc, &argv, &job);
    patch_make(&patch, job.size);

    struct {
        double heat;
        double enough;
    } settings = {0, 0};
    if (job.rank == 0)
        settings.heat = 100, settings.enough = 1e-3;
    MPI_Bcast(&settings, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);

    double largest = settings.enough + 1, sum = 0;
    int steps = 0, sums_agree = 1;
    uint64_t sums = 0;
    for (; steps < 20 * job.repetitions && largest > settings.enough; steps++) {
        MPI_Request requests[2 * SIDES];
        double own_sum, own_largest, root_sum = 0;
        exchange_halo(&patch, requests);
        for (int i = 0; i < 2 * SIDES; i++)
            mix_wait(&requests[i], MPI_STATUS_IGNORE);
        relax(&patch, settings.heat, &own_sum, &own_largest);
        MPI_Allreduce(&own_largest, &largest, 1, MPI_DOUBLE, MPI_MAX, patch.comm);
        MPI_Allreduce(&own_sum, &sum, 1, MPI_DOUBLE, MPI_SUM, patch.comm);
        MPI_Reduce(&own_sum, &root_sum, 1, MPI_DOUBLE, MPI_SUM, steps % job.size, patch.comm);
        int rank;
        MPI_Comm_rank(patch.comm, &rank);
        if (rank == steps % job.size)
            sums_agree = sums_agree && nearly(root_sum, sum);
        sums = mix_hash(sums, &sum, sizeof sum);
    }
    MPI_Barrier(patch.comm);

    uint64_t own = field_hash(&patch), all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    mix_report(&job, "exact", "steps", (uint64_t)steps);
    mix_report(&job, "exact", "field", all);
    mix_report(&job, "exact", "largest_change", mix_hash(0, &largest, sizeof largest));
    mix_report(&job, "float", "sums_of_changes", sums);
    mix_report_holds(&job, "sums_agree", sums_agree);
    patch_free(&patch);
    mix_finish(&job);
    return 0;
}
