/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_PREDICTION_H
#define CT_MODELS_PREDICT_PREDICTION_H

#include "base/progress.h"
#include "models/formulas/segment.h"
#include "models/model.h"
#include "samples/run.h"

#include <stdint.h>

/* How times are predicted: by which models, in which way, with how many ranks on a node. */

enum ct_prediction_way {
    CT_PREDICTION_BY_PLANS, /* evaluated (models/evaluate/evaluate.h); by the formula if that takes too much
                             */
    CT_PREDICTION_BY_FORMULAS, /* models/formulas/formula.h; methods without a formula are left out */
    CT_PREDICTION_WAYS
};

/* "plans", "formulas". */
extern const char *const ct_prediction_way_names[CT_PREDICTION_WAYS];

/* All ranks share a node, however many there are. */
#define CT_ONE_NODE SIZE_MAX

struct ct_prediction {
    const struct ct_model *model;
    double weights[CT_COMMUNICATION_MODELS]; /* of the models asked; several vote in each cell
                                                (models/predict/vote.h): its samples are the times of the one
                                                that is followed */
    enum ct_prediction_way way;
    enum ct_segment_way segments; /* how each cell's segment sizes are chosen */
    size_t ppn;                   /* ranks on a node; 1 leaves the nodes out of it; CT_ONE_NODE */
    size_t most_messages;         /* of an evaluation; methods that need more use the formula, */
    double most_seconds;          /* and so do methods that take more processor time */
    bool shares_links;            /* see models/evaluate/evaluate.h */
    const char *datatype;         /* of reductions, as samples state it; NULL: double */
    const char *operation;        /* likewise; NULL: sum. The model's gamma is that of both */
    size_t element;               /* bytes of that datatype; 0: CT_PREDICTED_ELEMENT */
    bool is_ordered;              /* the operation does not commute */
    const struct ct_watch *watch; /* or NULL */
};

/* Can calls of the collective be predicted: does the message size determine what is sent? */
bool ct_prediction_covers(enum ct_collective collective);

/* CT_OK if the model has parameters of every communication model that is asked for, for communicators of up
 * to so many ranks; otherwise CT_E_INPUT with a line in `error`. `file` is the model's. */
int ct_prediction_check(const struct ct_prediction *prediction, size_t most_ranks, const char *file,
                        struct ct_error *error);

/* Prices reductions by the operation and the datatype of the run's, which the words are set to. False, and
 * the model stays as it is, if it does not have them. */
bool ct_prediction_use_operation(const struct ct_run *run, struct ct_model *model, const char **ret_operation,
                                 const char **ret_type);

/* Describes a run of predictions: backend, times, model. `file` is the model's. CT_OK; CT_E_SYSTEM,
 * CT_E_MEMORY. */
int ct_prediction_describe(const struct ct_prediction *prediction, const char *file, struct ct_error *error,
                           struct ct_run_description *description);

/* How the ranks of measured cells lie on nodes; begins with all zeroes. */
struct ct_cells_placing {
    size_t fullest;       /* ranks on a node */
    bool has_other_nodes; /* some ranks lie on different nodes */
};

void ct_cells_placing_add(struct ct_cells_placing *placing, const struct ct_cell_key *key);

/* The ranks on a node to predict with: CT_ONE_NODE if the ranks of every cell share a node, otherwise those
 * of the fullest. */
size_t ct_cells_ppn(const struct ct_cells_placing *placing);

#endif
