/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_MODEL_CHOICES_H
#define CT_STUDIES_MODEL_CHOICES_H

#include "decision/score.h"
#include "models/evaluate/evaluate.h"
#include "models/model.h"

/* What models would have chosen in the cells of a measured run, after Pjesivac-Grbovic 2007, section 6.1. */

/* How a model tells what a method takes. */
enum choice_way { CHOICE_BY_FORMULAS, CHOICE_BY_PLANS, CHOICE_BY_SHARING, CHOICE_WAYS };

/* "formulas", "plans", "shared": plans with shared links (models/evaluate/evaluate.h). */
extern const char *const choice_way_names[CHOICE_WAYS];

/* Behind the models: that they vote, with equal weights. */
enum { CHOICE_BY_VOTE = CT_COMMUNICATION_MODELS, CHOICE_SOURCES };

struct choices {
    size_t *of[CHOICE_SOURCES]; /* by cell: method of the map, SIZE_MAX where no method has a time */
};

/* Leaves the methods out of the map that are not in the list (written as sweeps do) and native, of which
 * there is no model: as if they had not been measured. CT_OK; CT_E_INPUT; CT_E_MEMORY. */
int choices_restrict(struct ct_map *map, const char *methods, struct ct_error *error);

/* What each model, and all together, find best in the map's cells among the methods measured there. Nodes
 * have one rank each. CT_OK; CT_E_INPUT where the model lacks one of the three, or for a collective with
 * blocks of different lengths; CT_E_MEMORY. Caller frees with choices_free(), also after a failure. */
int choices_make(const struct ct_map *map, const struct ct_model *model, enum choice_way way,
                 struct ct_error *error, struct choices *ret_choices);
void choices_free(struct choices *choices);

#endif
