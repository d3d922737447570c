/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_VOTE_H
#define CT_MODELS_PREDICT_VOTE_H

#include "models/model.h"

/* A vote of models that disagree. Source: Pjesivac-Grbovic 2007, section 5.2.3: the method that most models
 * find best wins; models may have weights; if all differ, the model with the largest weight decides. */

/* Which model to follow, given times[model][method] in seconds (NAN if there is none) of the models whose
 * weight is above 0. Each model gives its weight to all methods within 1e-9 of its best. Of the models that
 * voted for the method with most votes the heaviest is followed; among equally heavy ones PLogP before LogGP
 * before Hockney. The winner is the best method of the model that is followed, so its times serve for all. At
 * least one weight is above 0. */
enum ct_communication_model ct_vote(const double *const times[CT_COMMUNICATION_MODELS],
                                    const double weights[CT_COMMUNICATION_MODELS], size_t method_count);

#endif
