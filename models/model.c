/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/model.h"

#include <math.h>
#include <stdlib.h>

const char *const ct_communication_model_names[CT_COMMUNICATION_MODELS] = {
    [CT_HOCKNEY] = "hockney", [CT_LOGGP] = "loggp", [CT_PLOGP] = "plogp"};

const char *const ct_link_kind_names[CT_LINK_KINDS] = {[CT_NETWORK] = "network", [CT_NODE] = "node"};

struct ct_loggp ct_loggp_of_plogp(const struct ct_plogp *plogp)
{
    double sending = ct_curve_at(&plogp->send_overhead, 1),
           receiving = ct_curve_at(&plogp->receive_overhead, 1);
    double gap = ct_curve_at(&plogp->gap, 1);
    return (struct ct_loggp){.latency = fmax(plogp->latency + gap - sending - receiving, 0),
                             .overhead = (sending + receiving) / 2,
                             .gap = gap,
                             .gap_per_byte = ct_curve_slope_at_end(&plogp->gap)};
}

void ct_model_free(struct ct_model *model)
{
    free(model->name);
    free(model->source);
    for (int kind = 0; kind < CT_LINK_KINDS; kind++) {
        ct_curve_free(&model->links[kind].plogp.send_overhead);
        ct_curve_free(&model->links[kind].plogp.receive_overhead);
        ct_curve_free(&model->links[kind].plogp.gap);
    }
    *model = (struct ct_model){0};
}
