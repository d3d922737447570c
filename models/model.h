/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_MODEL_H
#define CT_MODELS_MODEL_H

#include "base/error.h"
#include "models/contention/network_routes.h"
#include "models/parameters.h"
#include "plan/node_channel.h"

#include <stdbool.h>
#include <stddef.h>

/* The costs of messages and of local work on one machine. All times in seconds, all sizes in bytes. Source:
 * Pjesivac-Grbovic 2007, section 4.2. */

/* "hockney", "loggp", "plogp". LogP is LogGP with a gap per byte of 0. */
extern const char *const ct_communication_model_names[CT_COMMUNICATION_MODELS];

/* "Hockney", "LogGP", "PLogP". */
extern const char *const ct_communication_model_titles[CT_COMMUNICATION_MODELS];

/* 95 % confidence. */
struct ct_interval {
    double low;
    double high;
};

/* How well a model fits the times that it was fitted to; all zeroes if it was not fitted. */
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
    struct ct_interval intervals[CT_LINK_PARAMETERS]; /* of ct_link_parameters[], if the model was fitted */
    struct ct_interval *gap_interval;                 /* of each point of PLogP's gap; owned; or NULL */
    double from;                                      /* 0; of a regime: the bytes of its shortest message */
    struct ct_link *regimes; /* further regimes, `from` ascends, or NULL: longer messages travel in another
                                way, with own parameters of Hockney and LogGP, if the link has them. PLogP
                                needs none: its curves are the link's for all sizes. Owned. */
    size_t regime_count;
};

/* The parameters of messages of so many bytes under Hockney and LogGP: the link's own, or a regime's. */
static inline const struct ct_link *ct_link_of_size(const struct ct_link *link, double bytes)
{
    size_t i = link->regime_count;
    while (i > 0 && bytes < link->regimes[i - 1].from)
        i--;
    return i > 0 ? &link->regimes[i - 1] : link;
}

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
/* What files of samples call a link: "network"; within a node "node" through MPI, else "shared". */
const char *ct_link_subject(enum ct_link_kind kind, enum ct_node_channel channel);

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
    struct ct_link links[CT_LINK_KINDS]; /* if CT_LINK_NODE is unknown, all ranks count as on different nodes;
                                            if CT_LINK_NETWORK is, only ranks that share a node have times */
    enum ct_node_channel node_channel;   /* of CT_LINK_NODE */
    struct ct_link other_node;           /* within a node through the other channel, which is not used */
    double gamma;                        /* of a reduction, per byte; 0 if unknown */
    double delta;                        /* of a local copy, per byte; 0 if unknown */
    char *topology;     /* how nodes are joined (models/contention/interconnect.h); NULL: by one switch */
    double hop_latency; /* with a topology: seconds of each link on a message's way */
    double hops;        /* with a topology: links between the ranks of which the network's parameters are */
    struct ct_network_routes *routes; /* in place of a topology; or NULL */
    struct ct_local_work *work;       /* the source of gamma and delta */
    size_t work_count;
};

/* Prices reductions by what was measured of this operation ("sum") on this type ("double"). False, and
 * nothing changes, if the model does not have it. */
bool ct_model_use_work(struct ct_model *model, const char *operation, const char *type);

/* Has the link parameters of any model? */
bool ct_link_is_known(const struct ct_link *link);

/* The link within a node of the channel; all zeroes if the model has none. */
const struct ct_link *ct_model_node_link(const struct ct_model *model, enum ct_node_channel channel);

/* Messages within a node use the link of that channel from now on. CT_OK, also if the model has no link
 * within a node at all: then none is used; CT_E_INPUT with a line in `error` if it has only the other
 * channel's. `file` is the model's. */
int ct_model_use_channel(struct ct_model *model, enum ct_node_channel channel, const char *file,
                         struct ct_error *error);

/* The link that prices the messages of ranks that all share a node, or of ranks that do not. The network's
 * stands for an unknown node. NULL if the machine has no parameters of that kind for these messages. */
const struct ct_link *ct_model_link(const struct ct_model *model, enum ct_communication_model kind,
                                    bool one_node);

/* Has the machine parameters for messages between nodes, of whatever kind? */
bool ct_model_has_network(const struct ct_model *model);

/* The last kind of which the machine has parameters for these messages; CT_MODEL_HOCKNEY if it has none. */
enum ct_communication_model ct_model_last(const struct ct_model *model, bool one_node);

/* Is no point below its predecessor? */
bool ct_curve_rises(const struct ct_curve *curve);

/* A copy of the points. CT_OK; CT_E_INPUT if there are no points, or bytes do not ascend from 0 or more, or a
 * time is negative or not finite, with a line in `error` that names the point; CT_E_MEMORY. Caller frees with
 * ct_curve_free(). */
int ct_curve_make(const struct ct_curve_point *points, size_t count, struct ct_error *error,
                  struct ct_curve *ret_curve);

/* Leaves all zeroes. */
void ct_curve_free(struct ct_curve *curve);

/* Lets a rank's next message begin as soon as its CPU has finished the previous one: g = o in LogGP. In PLogP
 * the part of g(1) beyond the larger overhead moves from g(m) to L, as long as g(m) stays above the
 * overheads, so that half a round trip takes as long as before. Use this for messages to different ranks if g
 * was measured by a stream of messages to one rank that receives them one after the other. */
void ct_link_gap_of_overhead(struct ct_link *link);

/* Frees the curves, their intervals and the regimes. */
void ct_link_free(struct ct_link *link);

/* Leaves all zeroes. */
void ct_model_free(struct ct_model *model);

#endif
