/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FORMULAS_SEGMENT_H
#define CT_MODELS_FORMULAS_SEGMENT_H

#include "models/formulas/formula.h"

/* The segment size that makes a segmented collective fastest, by the formula of its time. Source:
 * Pjesivac-Grbovic 2007, section 5.2.2. */

enum ct_segment_way {
    CT_SEGMENT_BY_FORMULA, /* the closed form (ct_segment_optimal()) if there is one, else a search */
    CT_SEGMENT_BY_SEARCH,  /* the best of all whole numbers of bytes */
    CT_SEGMENT_FROM_LIST,  /* none is chosen: methods have their own */
    CT_SEGMENT_WAYS
};

/* "formula", "search", "fixed". */
extern const char *const ct_segment_way_names[CT_SEGMENT_WAYS];

struct ct_segment_choice {
    size_t segment; /* bytes, 0 does not cut */
    double seconds; /* of the call with it */
};

/* Chooses a segment size for the call, by the formula or by a search. The call's own size counts only if the
 * algorithm does not cut all of its message: for gather with synchronisation.
 *
 * Sizes are whole bytes, and so are numbers of segments. The closed form gives fractions, so the two numbers
 * of segments next to it are tried, each with its smallest size. A search tries every number of segments with
 * its smallest size, some 2 sqrt(bytes) of them. That is exact if PLogP's curves never fall, because segments
 * of one number then take longer the larger they are; for other curves the search also tries the points,
 * and the starts of regimes. Of equal times the larger segment wins.
 *
 * CT_OK; CT_E_INPUT, with a line in `error`, if the link does not know the model, or the message is no whole
 * number of bytes below 2^53. */
int ct_segment_choose(const struct ct_formula *formula, enum ct_communication_model model,
                      const struct ct_formula_call *call, enum ct_segment_way way, struct ct_error *error,
                      struct ct_segment_choice *ret_choice);

/* The segment size with the least time by the closed form, in bytes and fractions of them: from 1 byte to all
 * that the algorithm cuts, which means not to cut. The number of segments counts as m / m_s, whole or not.
 * NAN if there is no closed form, or the link has regimes under Hockney or LogGP. Source: tables 5.1 to 5.4,
 * and corollary 5.4 for split-binary broadcast under PLogP, corrected. */
double ct_segment_optimal(const struct ct_formula *formula, enum ct_communication_model model,
                          const struct ct_formula_call *call);

#endif
