/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_MODEL_H
#define CT_MODELS_MODEL_H

#include "models/curve.h"

/* What a machine's messages and local work cost, in the three parallel communication models of the
 * literature. All times in seconds, all sizes in bytes. Source: Pjesivac-Grbovic 2007, section 4.2. */

enum ct_communication_model { CT_HOCKNEY, CT_LOGGP, CT_PLOGP, CT_COMMUNICATION_MODELS };

/* "hockney", "loggp", "plogp". LogP is LogGP with a gap per byte of 0. */
extern const char *const ct_communication_model_names[CT_COMMUNICATION_MODELS];

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
};

/* Between two ranks. */
struct ct_link {
    bool known[CT_COMMUNICATION_MODELS];
    struct ct_hockney hockney;
    struct ct_loggp loggp;
    struct ct_plogp plogp;
};

/* Ranks on different nodes, or on one. */
enum ct_link_kind { CT_NETWORK, CT_NODE, CT_LINK_KINDS };

/* "network", "node". */
extern const char *const ct_link_kind_names[CT_LINK_KINDS];

/* One machine. All strings and curves are owned. */
struct ct_model {
    char *name;
    char *source; /* where the figures come from */
    struct ct_link
        links[CT_LINK_KINDS]; /* where nothing is known of CT_NODE, all ranks are as on different nodes */
    double gamma;             /* of a reduction, per byte; 0 where nothing is known */
    double delta;             /* of a local copy, per byte; 0 where nothing is known */
};

/* Table 4.1: L = L + g(1) - o_s(1) - o_r(1), at least 0; o = (o_s(1) + o_r(1)) / 2; g = g(1); G = g(m) / m
 * for large m.
 */
struct ct_loggp ct_loggp_of_plogp(const struct ct_plogp *plogp);

/* Leaves all zeroes. */
void ct_model_free(struct ct_model *model);

#endif
