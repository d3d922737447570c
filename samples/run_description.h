/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_DESCRIPTION_H
#define CT_SAMPLES_RUN_DESCRIPTION_H

#include "algorithms/method.h"
#include "plan/cell_key.h"
#include "plan/node_channel.h"
#include "samples/sweep_state.h"

/* A property of the machine, the MPI library or the conditions: name and value, both free text for people. */
struct ct_property {
    char *name;
    char *value;
};

/* The value of the property of this name; NULL if there is none. */
const char *ct_property_find(const struct ct_property *properties, size_t count, const char *name);

/* Frees an array of them. */
void ct_properties_free(struct ct_property *properties, size_t count);

/* Everything in run.xml. All strings are owned. */
struct ct_run_description {
    char *tool_version;
    char *created;  /* ISO 8601 with seconds: "2024-05-17T09:30:00Z" */
    char *backend;  /* "real", "simulated", "predicted" or "imported" */
    char *launcher; /* command, platform, or model */
    char *time;     /* which time a sample is: "global", max(end) - min(start) on a common clock; "local", the
                       maximum over the ranks of end - start; only imported: "mean", the mean over the ranks,
                       and "unknown" */
    char *sync;     /* how repetitions start: "barrier/dissemination", "window", "clock"; imported: "unknown";
                       predicted: the method of prediction */
    size_t seed;
    struct ct_property *properties; /* machine, MPI, environment: "machine.cpu", "mpi.version", "env.NAME" */
    size_t property_count;
    enum ct_collective *collectives;
    size_t collective_count;
    size_t *comm_sizes;
    size_t comm_size_count;
    size_t *msg_sizes;
    size_t msg_size_count;
    char **patterns; /* of sparse collectives, as plan/pattern.h reads them */
    size_t pattern_count;
    struct ct_method *methods; /* of the sweep, for all collectives */
    size_t method_count;
    size_t launches; /* samples count job launches from 0 */
    char *by;        /* how the ranks of each launch were mapped: "core,node,unknown"; NULL or "": unknown */
    char *mode; /* how the calls of each launch were made: "blocking,nonblocking"; NULL or "": blocking */
    char *node_channel; /* how messages travelled between ranks of a node: "mpi", "shared"; NULL: "mpi" */
    char *yield_from;   /* of a merged run: that of each launch, "3,0"; NULL or "": as `sweep` */
    char *validation;   /* of a merged run: 1 for each launch that holds a validation's times, else 0: "0,1";
                           NULL or "": as `sweep` */
    size_t warmup;
    size_t least_repetitions;
    size_t most_repetitions;
    double precision;    /* relative error of the median at which a cell stops */
    double most_seconds; /* per cell and method */
    struct ct_sweep_state sweep;
};

/* Are a job launch's samples the times of a validation? A merged run says it of each launch. Else behind the
 * launches of the sweep itself, each round of measuring again has two: what the validation measured, and what
 * was measured again because of it. */
bool ct_run_is_validation(const struct ct_run_description *description, uint32_t launch);

/* Sets creation time and tool version. CT_OK, CT_E_MEMORY. Caller frees with ct_run_description_free(). */
int ct_run_stamp(struct ct_run_description *description);

/* Sets the texts of a description that has none: copies of the arguments, the time now and this version of
 * colltune. CT_OK or CT_E_MEMORY. */
int ct_run_describe(const char *backend, const char *launcher, const char *which_time, const char *sync,
                    struct ct_run_description *description);
/* Leaves all zeroes. */
void ct_run_description_free(struct ct_run_description *description);
/* In a launch, ranks yielded while they waited where a node had at least so many of them; 0: nowhere. */
size_t ct_run_yield_from(const struct ct_run_description *description, size_t launch);
/* Did they where a node had `ppn` of them? */
bool ct_run_yields(const struct ct_run_description *description, size_t launch, size_t ppn);
/* Sets from where on ranks yielded in each launch; leaves it out where all are 0. CT_OK or CT_E_MEMORY. */
int ct_run_set_yields(struct ct_run_description *description, const size_t *yields, size_t count);
/* Sets which launches hold a validation's times; leaves it out where none does. CT_OK or CT_E_MEMORY. */
int ct_run_set_validations(struct ct_run_description *description, const size_t *flags, size_t count);
/* How the ranks of a launch were mapped. */
enum ct_mapped_by ct_run_mapping(const struct ct_run_description *description, size_t launch);
/* Sets how the ranks of each launch were mapped; leaves it out where all are unknown. CT_OK or CT_E_MEMORY.
 */
int ct_run_set_mappings(struct ct_run_description *description, const size_t *mappings, size_t count);
/* How the calls of a launch were made. */
enum ct_call_mode ct_run_mode(const struct ct_run_description *description, size_t launch);
/* Has the run calls that are not blocking? Then its samples have columns for what they overlapped. */
bool ct_run_has_overlap(const struct ct_run_description *description);
/* Sets how the calls of each launch were made; leaves it out where all were blocking. CT_OK or CT_E_MEMORY.
 */
int ct_run_set_modes(struct ct_run_description *description, const size_t *modes, size_t count);
/* How messages travelled between ranks of a node. */
enum ct_node_channel ct_run_node_channel(const struct ct_run_description *description);
/* CT_OK or CT_E_MEMORY. */
int ct_run_set_node_channel(struct ct_run_description *description, enum ct_node_channel channel);
/* The text of the pattern with that number, which ct_pattern_id() gave; NULL where the run has none. */
const char *ct_run_pattern(const struct ct_run_description *description, size_t id);
/* Adds the pattern unless it is there. CT_OK or CT_E_MEMORY. */
int ct_run_add_pattern(struct ct_run_description *description, const char *text);
/* Adds the patterns of another description. CT_OK or CT_E_MEMORY. */
int ct_run_add_patterns(struct ct_run_description *to, const struct ct_run_description *from);
/* The value of a property; NULL if there is none. */
const char *ct_run_property(const struct ct_run_description *description, const char *name);
/* Appends copies of both strings. CT_OK or CT_E_MEMORY. */
int ct_run_add_property(struct ct_run_description *description, const char *name, const char *value);

#endif
