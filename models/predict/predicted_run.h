/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_PREDICTED_RUN_H
#define CT_MODELS_PREDICT_PREDICTED_RUN_H

#include "samples/run.h"

/* A run that grows in memory, for what is not measured. */

/* Datatypes and operations of its samples: reductions sum doubles, others move bytes. */
enum { CT_PREDICTED_BYTE, CT_PREDICTED_DOUBLE, CT_PREDICTED_SUM, CT_PREDICTED_WORDS };

struct ct_predicted_run {
    struct ct_method *methods; /* those that have a sample */
    size_t method_count;
    size_t method_capacity;
    struct ct_sample *samples;
    size_t sample_count;
    size_t sample_capacity;
    struct ct_run_cell *cells;
    size_t cell_count;
    size_t cell_capacity;
};

/* Leaves all zeroes, as it is to begin with. */
void ct_predicted_run_free(struct ct_predicted_run *predicted);

/* The datatype or the operation of a collective's samples. */
uint16_t ct_predicted_datatype(enum ct_collective collective);
uint16_t ct_predicted_operation(enum ct_collective collective);

/* Adds a sample of a method; `sample.method` is not looked at. CT_OK, CT_E_MEMORY. */
int ct_predicted_run_add(struct ct_predicted_run *predicted, const struct ct_method *method,
                         struct ct_sample sample);

/* Says that a cell is there: once for each. CT_OK, CT_E_MEMORY. */
int ct_predicted_run_close(struct ct_predicted_run *predicted, const struct ct_run_cell *cell);

/* Writes it, as ct_run_write(). The description's methods become the run's. */
int ct_predicted_run_write(struct ct_predicted_run *predicted, const char *folder,
                           struct ct_run_description *description, struct ct_error *error);

#endif
