/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FORMULAS_FORMULA_H
#define CT_MODELS_FORMULAS_FORMULA_H

#include "algorithms/method.h"
#include "models/formulas/formula_terms.h"
#include "models/model.h"

/* How long a collective takes, as closed formulas: 35 rows of tables 4.2 to 4.11 in Pjesivac-Grbovic 2007,
 * each for Hockney, LogGP (LogP with G = 0) and PLogP. Errors in print are corrected;
 * studies/formulas/formulas-errata.md lists them. */

/* One row after another, in the order of the tables; NULL at the end. */
const struct ct_formula *ct_formula_at(size_t index);

/* The table that the row belongs to, by the name of its file: "scatter" for gather, too. */
const struct ct_formula_table *ct_formula_table_of(const struct ct_formula *formula, const char **ret_name);

/* The row of a method's algorithm. allgatherv and reduce_scatter_block with blocks of equal size have the
 * rows of allgather and reduce_scatter. NULL if the tables have no row: so it is for every radix other
 * than 2. */
const struct ct_formula *ct_formula_find(const struct ct_method *method);

enum ct_collective ct_formula_collective(const struct ct_formula *formula);

/* The formula compared with the evaluation of the method's plans: "equal", "upper bound", "lower bound" or
 * "inconsistent"; see struct ct_formula. */
const char *ct_formula_class(const struct ct_formula *formula, enum ct_communication_model model,
                             size_t ranks);

/* Does the algorithm cut its message into segments all along? */
bool ct_formula_is_segmented(const struct ct_formula *formula);

/* A call on a machine. */
struct ct_formula_call {
    const struct ct_link *link;
    double gamma; /* per byte */
    double delta; /* per byte */
    double ranks;
    double bytes;   /* the message size */
    double segment; /* bytes, 0 does not cut; for gather/linear_sync the size of the first segment */
};

/* The segment size among a method's parameters, as struct ct_formula_call has it; 0 if it has none. */
double ct_formula_segment(const struct ct_method *method);

/* The letters for a call with ranks >= 2 under a model that its link knows. Where the link has regimes, they
 * are those of a segment. */
struct ct_formula_terms ct_formula_terms_of(const struct ct_formula *formula,
                                            enum ct_communication_model model,
                                            const struct ct_formula_call *call);

/* Seconds of the call under a model. 0 for one rank, or without data in a collective that moves data; NAN if
 * the link does not know the model. */
double ct_formula_seconds(const struct ct_formula *formula, enum ct_communication_model model,
                          const struct ct_formula_call *call);

#endif
