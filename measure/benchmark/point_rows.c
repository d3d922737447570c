/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/point_rows.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/program.h"

size_t ct_point_repetitions_left(const struct ct_point_rows *rows, double once, size_t done, double spent)
{
    if (CT_SIMULATED) /* nothing varies */
        return done == 0;
    enum { LEAST = 4 };
    const double rest = 0.1; /* of the time, that is not worth another turn */
    double left = rows->seconds - spent;
    size_t least = done < LEAST ? LEAST - done : 0, most = rows->most > done ? rows->most - done : 0;
    double wanted = left > rest * rows->seconds ? left / (once > 0 ? once : left) : 0;
    size_t count = wanted < (double)most ? (size_t)wanted : most;
    return count > least ? count : least;
}

void ct_point_report(const struct ct_point_rows *rows, const char *kind, const char *subject, int partner,
                     size_t bytes, size_t rep, double seconds)
{
    fprintf(rows->out, "%s,%s,%d,%zu,%zu,%.*g\n", kind, subject, partner, bytes, rep, CT_TIME_DIGITS,
            ct_bench_positive(seconds));
}
