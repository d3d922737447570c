/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_MODEL_H
#define CT_MODELS_MODEL_H

#include "models/curve.h"

#include <stddef.h>

/* What a machine's messages and local work cost, in the three parallel communication models of the
 * literature. All times in seconds, all sizes in bytes. Source: Pjesivac-Grbovic 2007, section 4.2. */

enum ct_communication_model { CT_MODEL_HOCKNEY, CT_MODEL_LOGGP, CT_MODEL_PLOGP, CT_COMMUNICATION_MODELS };

/* "hockney", "loggp", "plogp". LogP is LogGP with a gap per byte of 0. */
extern const char *const ct_communication_model_names[CT_COMMUNICATION_MODELS];

/* 95 % confidence. */
struct ct_interval {
    double low;
    double high;
};

/* Received after alpha + m beta, and the sender is busy as long. Equation 4.1. */
struct ct_hockney {
    double alpha;
    double beta; /* per byte */
};

/* Received after L + 2 o + (m - 1) G; the next message may start g + (m - 1) G after this one. Equation 4.3.
 */
struct ct_loggp {
    double latency;      /* L */
    double overhead;     /* o, at either end */
    double gap;          /* g */
    double gap_per_byte; /* G */
};

/* Received after L + g(m); the next message may start after g(m). g(m) >= o_s(m), o_r(m). Equation 4.4. */
struct ct_plogp {
    double latency;                   /* L */
    struct ct_curve send_overhead;    /* o_s */
    struct ct_curve receive_overhead; /* o_r */
    struct ct_curve gap;              /* g */
    struct ct_interval *gap_interval; /* 95 % confidence interval of each point of `gap`; owned; or NULL */
};

/* How well a model tells the times that it was fitted to; all zeroes where it was not fitted. */
struct ct_goodness {
    size_t sizes;       /* message sizes */
    size_t samples;     /* of all sizes */
    double mean_error;  /* mean over the sizes of |model / median - 1| */
    double worst_error; /* the largest of these */
    double worst_bytes; /* the size where that is */
};

enum { CT_LINK_PARAMETERS = 7 };

/* Between two ranks. */
struct ct_link {
    bool known[CT_COMMUNICATION_MODELS];
    struct ct_hockney hockney;
    struct ct_loggp loggp;
    struct ct_plogp plogp;
    struct ct_goodness goodness[CT_COMMUNICATION_MODELS];
    struct ct_interval
        intervals[CT_LINK_PARAMETERS]; /* of ct_link_parameters[]; where the model was fitted */
};

/* The parameters of a link that are one number. */
struct ct_link_parameter {
    enum ct_communication_model model;
    const char *name; /* in files: "alpha", "gap-per-byte" */
    size_t offset;    /* of the double in struct ct_link */
};

/* By model, and within one in the order of its struct. */
extern const struct ct_link_parameter ct_link_parameters[CT_LINK_PARAMETERS];

double ct_link_parameter_of(const struct ct_link *link, const struct ct_link_parameter *parameter);

/* Ranks on different nodes, or on one. */
enum ct_link_kind { CT_LINK_NETWORK, CT_LINK_NODE, CT_LINK_KINDS };

/* "network", "node". */
extern const char *const ct_link_kind_names[CT_LINK_KINDS];

/* Work on local memory, measured: "sum" of "double", "copy" of "byte". */
struct ct_local_work {
    char *operation;
    char *type;
    double seconds_per_byte;
    struct ct_interval interval;
};

/* One machine. All strings and curves are owned. */
struct ct_model {
    char *name;
    char *source;                        /* where the figures come from */
    struct ct_link links[CT_LINK_KINDS]; /* where nothing is known of CT_LINK_NODE, all ranks are as on
                                            different nodes */
    double gamma;                        /* of a reduction, per byte; 0 where nothing is known */
    double delta;                        /* of a local copy, per byte; 0 where nothing is known */
    struct ct_local_work *work;          /* that gamma and delta were taken from */
    size_t work_count;
};

/* Table 4.1: L = L + g(1) - o_s(1) - o_r(1), at least 0; o = (o_s(1) + o_r(1)) / 2; g = g(1); G = g(m) / m
 * for large m.
 */
struct ct_loggp ct_loggp_of_plogp(const struct ct_plogp *plogp);

/* Lets a rank's next message begin as soon as its CPU is through with the one before: g = o in LogGP; in
 * PLogP what g(1) has beyond the larger overhead goes from g(m) to L, as far as g(m) stays above the
 * overheads, so that half a round trip takes as long as before. For messages to different ranks, where g was
 * measured by a stream of messages to one that receives them one after the other. */
void ct_link_gap_of_overhead(struct ct_link *link);

/* Leaves all zeroes. */
void ct_model_free(struct ct_model *model);

#endif
