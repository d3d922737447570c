/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_CLOCK_H
#define CT_MEASURE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

/* A common clock for all ranks: each rank estimates the offset and the drift of its own clock against a
 * reference rank's by exchanging messages.
 *
 * The scheme is HCA3 of Hunold and Carpen-Amarie, Hierarchical clock synchronization in MPI, IEEE Cluster
 * 2018. Down a binomial tree, in log2 P rounds, each rank learns a linear model against its parent's global
 * time, so that no models need combining. An offset is taken from the quickest of several round trips
 * (Cristian 1989; SKaMPI); the model is a linear regression over several offsets.
 *
 * Every result has an error bound. The reference reads its clock between question and answer, so half the
 * round trip bounds the error of an offset, even if the two ways differ. The bounds of the regression and of
 * the references follow from it. They hold for clocks that run evenly; a clock that violates its bound has
 * jumped. */

/* Global time is rank 0's clock. `local` times are seconds of the rank's own. */
struct ct_clock_model {
    double origin; /* local time */
    double offset; /* global minus local there */
    double drift;  /* by how much the offset grows in a second */
    double slack;  /* the global time at the origin is wrong by at most so many seconds, */
    double wander; /* and by at most so many more for each second away from it */
};

double ct_clock_global(const struct ct_clock_model *model, double local);
/* How wrong ct_clock_global() can be there. */
double ct_clock_bound(const struct ct_clock_model *model, double local);

/* A question to the reference and its answer. */
struct ct_clock_exchange {
    double asked; /* local times */
    double answered;
    double stamp;  /* global time, read by the reference in between */
    double slack;  /* how wrong that can be, now */
    double wander; /* and with each second more */
};

/* What a rank learns through. */
struct ct_clock_port {
    void *context;
    double (*now)(void *context); /* this rank's clock */
    void (*exchange)(void *context, struct ct_clock_exchange *ret_exchange);
    void (*pause)(void *context, double seconds);
};

enum { CT_CLOCK_POINTS_MAX = 64 };

struct ct_clock_rule {
    size_t points;    /* offsets on the line: 4 to CT_CLOCK_POINTS_MAX */
    size_t exchanges; /* of which the quickest makes a point; at least 1 */
    double span;      /* seconds from the first point to the last */
};

/* What jobs use. */
extern const struct ct_clock_rule ct_clock_usual;

/* Learns the model. CT_OK; CT_E_ANSWER where no line agrees with what was seen: one of the clocks jumped
 * meanwhile, and *ret_model is as it was. */
int ct_clock_learn(const struct ct_clock_port *port, const struct ct_clock_rule *rule,
                   struct ct_clock_model *ret_model);

/* What a check found. */
struct ct_clock_skew {
    double seconds; /* by how much the model's global time was ahead of the reference's */
    double bound;   /* how wrong that number can be */
    bool jumped;    /* more than the model and the exchange can be wrong by: the clocks did not run evenly */
};

/* Looks how well the model has held since it was made, from the quickest of `exchanges`. It is mended where
 * that tells more than it knew: the offset always, the drift where the time since the last look was long
 * enough. After a jump the offset is right again and the drift may not be. */
void ct_clock_check(const struct ct_clock_port *port, size_t exchanges, struct ct_clock_model *model,
                    struct ct_clock_skew *ret_skew);

#endif
