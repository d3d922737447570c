/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_MAP_H
#define CT_DECISION_MAP_H

#include "algorithms/method.h"
#include "decision/tree/feature.h"
#include "samples/run.h"
#include "samples/statistics/equivalence.h"

/* Per cell of one collective: the statistics of every method, the best one, and how the others compare with
 * it.
 */

struct ct_statistics {
    size_t count;              /* good samples; 0 where the method was not measured here or failed */
    double median;             /* seconds: of the launches' medians, see samples/statistics/comparable.h */
    double low;                /* its 95 % confidence interval, as ct_estimate says; */
    double high;               /* the extremes where there are too few samples for one */
    bool predicted;            /* at least one sample comes from a model, not from a measurement */
    bool constant;             /* several samples, all equal */
    bool failed;               /* it crashed, hung or gave wrong results here */
    size_t launches;           /* that measured it */
    size_t first_launch;       /* index of the first of them in the cell's launches, where they rise */
    size_t first_time;         /* index of the first of its `count` times in the cell's */
    struct ct_overlap overlap; /* medians of its samples; all 0 where calls are blocking */
    double set_up;             /* seconds: median; 0 where the method needs no set-up */
};

struct ct_cell {
    struct ct_cell_key key;
    struct ct_statistics *methods; /* by method of the map */
    size_t best;                   /* method of least median; SIZE_MAX if nothing was measured */
    bool native_alone;             /* applications have shown that nothing else is to be chosen here */
    enum ct_standing *standings;   /* by method: how it stands to the best */
    struct ct_launch_median
        *launches; /* of all methods, one after the other; NULL in maps that come from elsewhere */
    size_t launch_count;
    double *times; /* seconds: of all methods, launch after launch, rising in each; NULL as `launches` */
};

struct ct_map {
    enum ct_collective collective;
    struct ct_method *methods; /* in the registry's order, then by parameter values */
    size_t method_count;
    struct ct_cell *cells; /* sorted by key */
    size_t cell_count;
    char **patterns;                   /* of the run, NULL behind the last; NULL: none are known */
    double margin;                     /* of equivalence: 0.05 is 5 % of the best one's time */
    bool exact;                        /* the times are computed, not measured, so they do not vary */
    bool predicted;                    /* all times come from a model */
    enum ct_node_channel node_channel; /* of the run: how messages travelled within a node */
};

/* The map of one collective from a run's samples, at the standard equivalence margin or at another one, which
 * is finite and not negative. CT_OK; CT_E_INPUT where the run has no samples of this collective; CT_E_MEMORY.
 * Caller frees with ct_map_free(). */
int ct_map_make(const struct ct_run *run, enum ct_collective collective, struct ct_error *error,
                struct ct_map *ret_map);
int ct_map_make_within(const struct ct_run *run, enum ct_collective collective, double margin,
                       struct ct_error *error, struct ct_map *ret_map);
void ct_map_free(struct ct_map *map);

/* The maps of the collectives that a run measures, in the run's order; of one alone if `collective` is not
 * CT_COLLECTIVES. There may be none. CT_OK, CT_E_MEMORY. Caller frees with ct_maps_free(). */
int ct_maps_make(const struct ct_run *run, int collective, double margin, struct ct_error *error,
                 struct ct_map **ret_maps, size_t *ret_count);
void ct_maps_free(struct ct_map *maps, size_t count);

/* Index of a method in the map; SIZE_MAX where it is not there. */
size_t ct_map_find_method(const struct ct_map *map, const struct ct_method *method);

/* The values of a feature (communicator size, message size) that occur, rising. CT_OK, CT_E_MEMORY. Caller
 * frees. */
int ct_map_values(const struct ct_map *map, enum ct_feature feature, size_t **ret_values, size_t *ret_count);
int ct_map_comm_sizes(const struct ct_map *map, size_t **ret_sizes, size_t *ret_count);
int ct_map_msg_sizes(const struct ct_map *map, size_t **ret_sizes, size_t *ret_count);

/* The cell of these sizes (the first of several that differ in nodes or ppn); NULL where there is none. */
const struct ct_cell *ct_map_find_cell(const struct ct_map *map, size_t comm_size, size_t msg_bytes);

/* The cell with this key; NULL where there is none. */
const struct ct_cell *ct_map_find_key(const struct ct_map *map, const struct ct_cell_key *key);

/* The text of a cell's pattern; "" where it has none. */
const char *ct_map_pattern(const struct ct_map *map, const struct ct_cell_key *key);

/* After how many calls a method has paid for its set-up, compared with the method that is the best of those
 * that need none: 0 where it needs none itself, INFINITY where it never pays, or nothing is there to compare
 * with. */
double ct_cell_pays_after(const struct ct_map *map, const struct ct_cell *cell, size_t method);

/* Do ranks yield while they wait where a node has so many of them, as the map's cells tell? */
bool ct_map_yields(const struct ct_map *map, size_t ppn);

/* t(method) / t(best) - 1 in this cell; NAN where either was not measured. */
double ct_cell_penalty(const struct ct_cell *cell, size_t method);

/* The largest of the method's launch medians over the least: 1 where there is one launch; NAN where the
 * method was not measured. */
double ct_cell_spread(const struct ct_cell *cell, size_t method);

/* Of the methods that `allowed` (by method of the map; NULL: all) names, the one with the least
 * geometric-mean time over the cells, `cells` being indices into the map (NULL: cells 0 to count - 1). If not
 * all methods were measured in all these cells, those measured in most of them come first. Ties go to the
 * smaller index. SIZE_MAX if none was measured at all. */
size_t ct_map_best_method(const struct ct_map *map, const size_t *cells, size_t count, const bool *allowed);

/* --- job launches: to choose on some and to score on others --- */

/* The job launches that occur in any cell, rising. CT_OK or CT_E_MEMORY. Caller frees. */
int ct_map_launches(const struct ct_map *map, uint32_t **ret_launches, size_t *ret_count);

/* The same methods and cells in the same order, as measured by this job launch alone, or, if `others`, by all
 * job launches but this one. Statistics hold counts and medians, standings only the best method; nothing is
 * tested. CT_OK or CT_E_MEMORY. Caller frees with ct_map_free(). */
int ct_map_part(const struct ct_map *map, uint32_t launch, bool others, struct ct_map *ret_part);

#endif
