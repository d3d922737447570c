/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_VOTE_H
#define CT_MODELS_PREDICT_VOTE_H

#include "models/model.h"

/* Models that disagree vote. Source: Pjesivac-Grbovic 2007, section 5.2.3: the method that most models find
 * best is taken, models may weigh more than others, and where all differ the most trusted one is followed. */

/* Which model to follow, given times[model][method] in seconds, NAN where there is none, of the models whose
 * weight is above 0. Each gives its weight to the methods that it finds best, all those within 1e-9 of the
 * best. Of the models that voted for the method of most votes the heaviest one is followed, among equally
 * heavy ones PLogP before LogGP before Hockney: its best method is the winner. So its times can stand for
 * all, and no mixture of models is needed. At least one weight is above 0. */
enum ct_communication_model ct_vote(const double *const times[CT_COMMUNICATION_MODELS],
                                    const double weights[CT_COMMUNICATION_MODELS], size_t method_count);

#endif
