/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_H
#define CT_MODELS_PREDICT_H

#include "decision/run.h"
#include "models/model.h"

#include <signal.h>

/* A run out of a model: every cell of a grid has one sample of each method, the time that evaluation of its
 * plans predicts. */

struct ct_prediction {
    const struct ct_model *model;
    double
        weights[CT_COMMUNICATION_MODELS]; /* of the models asked; several vote in each cell (models/vote.h):
                                             its samples are the times of the one that is followed */
    size_t ppn;                           /* ranks on a node; 1 leaves the nodes out of it */
    size_t most_messages;                 /* of an evaluation; what needs more has no sample, */
    double most_seconds;                  /* nor has what takes more processor time */
    bool shares_links;                    /* see models/evaluate.h */
    const volatile sig_atomic_t *stop;    /* set where the user wants it to end; or NULL */
    void (*progress)(void *context, double done, const char *note); /* or NULL */
    void *context;
};

struct ct_prediction_summary {
    size_t cells;
    size_t samples;
    size_t beyond;       /* samples that are missing because they needed too many messages, or too long */
    size_t beyond_cells; /* cells that are missing because all their samples are */
};

/* Can calls of the collective be predicted: is it known what is sent? */
bool ct_prediction_covers(enum ct_collective collective);

/* Fills in what a run of predictions has of its own: backend, times, model. `file` is where the model came
 * from. CT_OK; CT_E_INPUT where the model lacks a model that is asked; CT_E_SYSTEM, CT_E_MEMORY. */
int ct_prediction_describe(const struct ct_prediction *prediction, const char *file, struct ct_error *error,
                           struct ct_run_description *description);

/* Makes the run in a new folder: the description's collectives, sizes and methods, except those that do not
 * apply; reductions sum doubles, so that sizes that are no multiple of 8 are left out there. On failure the
 * folder is gone again. CT_OK; CT_E_INPUT where the folder exists or no cell is left; CT_E_STOPPED,
 * CT_E_SYSTEM, CT_E_MEMORY. `summary` may be NULL. */
int ct_predict(const char *folder, const struct ct_run_description *description,
               const struct ct_prediction *prediction, struct ct_error *error,
               struct ct_prediction_summary *ret_summary);

#endif
