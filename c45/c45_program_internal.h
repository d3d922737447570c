/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_C45_C45_PROGRAM_INTERNAL_H
#define CT_C45_C45_PROGRAM_INTERNAL_H

#include "c45/c45_program.h"
#include "learners/c45/c45_window.h"

/* The parts of the report. */

/* Sets the lower and upper bounds of all thresholds; appends a line for each. */
void ct_c45_soften(struct ct_c45_engine *engine, struct ct_c45_node *root, struct ct_text *text);

/* Makes the engine append the output of -v to `text`; none for verbosity 0. `trace` must live as long as the
 * engine. */
struct ct_c45_trace {
    struct ct_text *text;
    size_t verbosity;
};
void ct_c45_trace_begin(struct ct_c45_engine *engine, struct ct_c45_trace *trace);

#endif
