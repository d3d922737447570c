/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FORMULAS_SEGMENT_H
#define CT_MODELS_FORMULAS_SEGMENT_H

#include "models/formulas/formula.h"

/* Which segment size makes a segmented collective fastest, by a row's formula of its time. Source:
 * Pjesivac-Grbovic 2007, section 5.2.2. */

enum ct_segment_way {
    CT_SEGMENT_BY_FORMULA, /* closed, where there is one (ct_segment_optima), else by search */
    CT_SEGMENT_BY_SEARCH,  /* the best of all whole numbers of bytes */
    CT_SEGMENT_FROM_LIST,  /* the best of those given */
    CT_SEGMENT_WAYS
};

/* "formula", "search", "list". */
extern const char *const ct_segment_way_names[CT_SEGMENT_WAYS];

struct ct_segment_choice {
    size_t segment; /* bytes, 0 does not cut */
    double seconds; /* of the call with it */
    bool searched;  /* all sizes were tried */
};

/* Chooses a segment size for the call, whose own counts only where a row is not cut into segments: gather
 * with synchronisation, unless from a list. Sizes are whole bytes, and so are numbers of segments. From a
 * formula, which knows neither, come the two numbers of segments next to what it says, each with its least
 * size. A search tries every number of segments with its least size, some 2 sqrt(bytes) of them: exact where
 * PLogP's curves rise, as segments of one number then take the longer the larger they are; of other curves it
 * tries the points, too. Of equal times the larger segment is taken, from a list the earlier one. `sizes` is
 * for CT_SEGMENT_FROM_LIST alone.
 *
 * CT_OK; CT_E_INPUT, with a line in `error`, where the link does not know the model, the list is empty, or
 * the message is no whole number of bytes below 2^53. */
int ct_segment_choose(const struct ct_formula *formula, enum ct_communication_model model,
                      const struct ct_formula_call *call, enum ct_segment_way way, const size_t *sizes,
                      size_t size_count, struct ct_error *error, struct ct_segment_choice *ret_choice);

/* Seconds of the call with segments of m_s bytes, of which there may be a fraction: n_s = m / m_s. What
 * tables 5.1 to 5.4 minimise. */
double ct_segment_smooth_seconds(const struct ct_formula *formula, enum ct_communication_model model,
                                 const struct ct_formula_call *call, double m_s);

struct ct_segment_trial;

/* One closed form of an optimal segment size. */
struct ct_segment_optimum {
    const struct ct_formula *formula;
    enum ct_communication_model model;
    const char *table; /* "5.1" */
    /* Tries where the time can have a least value between 1 byte and all that is cut; NULL where nowhere. */
    void (*try_inside)(struct ct_segment_trial *trial);
    double (*printed)(
        const struct ct_formula_terms *x); /* as printed, NAN for none; NULL where that is taken */
    int erratum;                           /* as in struct ct_formula_cell */
};

/* Tables 5.1 to 5.4 row by row; then corollary 5.4, split-binary broadcast under PLogP. */
extern const struct ct_segment_optimum ct_segment_optima[];
extern const size_t ct_segment_optimum_count;

/* That of a row under a model; NULL where there is none. */
const struct ct_segment_optimum *ct_segment_optimum_find(const struct ct_formula *formula,
                                                         enum ct_communication_model model);

/* The size, in bytes and fractions, for which ct_segment_smooth_seconds() is least, by the closed form: from
 * 1 byte to all that the row cuts, which means not to cut. */
double ct_segment_optimal(const struct ct_segment_optimum *optimum, const struct ct_formula_call *call);

/* Corollary 5.5, mended (docs/formulas-errata.md): the optimal size of split-binary broadcast under PLogP
 * where g(m) = a exp(per_byte m) and g(m_s) > o_s(m_s) + o_r(m_s), which the caller sees to; ranks >= 3. */
double ct_segment_of_exponential_gap(double ranks, double bytes, double per_byte);

#endif
