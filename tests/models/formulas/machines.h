/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_MODELS_MACHINES_H
#define CT_TESTS_MODELS_MACHINES_H

#include "models/formulas/formula.h"

#include <gsl/gsl_rng.h>

/* Machines to put into formulas: published ones, and random ones. A machine must stay where it was made: its
 * curves point into it. */

enum { MACHINE_POINTS = 9, PUBLISHED_MACHINES = 5 };

/* Rows of ct_formula_at(). */
enum { FORMULAS = 35 };

struct machine {
    const char *name;
    struct ct_link link;
    double gamma, delta;
    struct ct_curve_point gap[MACHINE_POINTS], sending[MACHINE_POINTS], receiving[MACHINE_POINTS];
};

/* Tables 4.12 and 4.13: Grig (mx), Grig (tcp), Boba, Frodo (mx), Frodo (tcp). PLogP is LogGP's line, with a
 * gap of an overhead at least. */
void published_machine(int which, struct machine *ret_machine);

/* Parameters of some order of magnitude; PLogP's curves rise in pieces, to 1 MB and on, with
 * o_s + o_r on either side of g. */
void random_machine(gsl_rng *random, struct machine *ret_machine);

/* One machine in the words of all three models: g = o, and every message costs the same in each. */
void equal_machine(gsl_rng *random, struct machine *ret_machine);

struct ct_formula_call call_on(const struct machine *machine, double ranks, double bytes, double segment);

/* Seconds of the call with segments of m_s bytes, and m / m_s of them, whole or not: the function that
 * optimal segment sizes minimise. */
double smooth_seconds(const struct ct_formula *formula, enum ct_communication_model model,
                      const struct ct_formula_call *call, double m_s);

/* Does the optimal segment size have a closed form? */
bool has_optimum(const struct ct_formula *formula, enum ct_communication_model model);

#endif
