/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_MODELS_SUPPLEMENT_STUDY_H
#define CT_TESTS_MODELS_SUPPLEMENT_STUDY_H

#include "decision/map.h"
#include "models/model.h"
#include "models/predict/supplement.h"

/* A shipped study of which only some communicator and message sizes are kept: the rest is filled in and
 * compared with what was measured. Its times are simulated, so that all figures are exact. */

struct study {
    struct ct_run run;
    struct ct_run thin; /* shares all but samples and cells */
    struct ct_model model;
    struct ct_prediction prediction;
    struct ct_supplement supplement;
    struct ct_map truth;
    struct ct_map filled;
    size_t every_rank, every_byte; /* every so many sizes are kept, */
    size_t first_rank, first_byte; /* from these on */
};

/* The run of one collective, and a model; nothing is thinned yet. Asserts that all went well. */
void study_open(const char *run, const char *model, struct study *ret_study);
void study_close(struct study *study);

bool study_keeps(const struct study *study, size_t comm_size, size_t msg_bytes);

/* Thins as the sizes that are kept say, and fills in; to be emptied before the next time. */
void study_fill(struct study *study);
void study_empty(struct study *study);

/* A way to fill in: log of the time of a method in a held-out cell; NAN where no kept cell has the method. */
typedef double study_guess(const struct study *study, const struct ct_cell *cell, size_t m);

study_guess study_supplemented;
study_guess study_predicted;    /* the model, not corrected */
study_guess study_nearest;      /* the nearest kept cell's time */
study_guess study_interpolated; /* of times, without a model */

struct verdict {
    double error;   /* median of |log(filled in / measured)| */
    double penalty; /* mean, of the best by these times */
};

/* Of all cells held out and all methods but native; what is not guessed is not chosen. */
struct verdict study_judge(const struct study *study, study_guess *guessed);

#endif
