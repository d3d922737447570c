/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/vote.h"

#include <math.h>

static const double close_enough = 1e-9;

struct ballot {
    const double *times;
    double weight;
    double least;
};

static struct ballot make_ballot(const double *times, double weight, size_t method_count)
{
    struct ballot ballot = {times, weight, INFINITY};
    for (size_t i = 0; weight > 0 && i < method_count; i++)
        ballot.least = fmin(ballot.least, times[i]); /* which passes over NAN */
    return ballot;
}

static bool votes_for(const struct ballot *ballot, size_t method)
{
    return ballot->weight > 0 && ballot->times[method] <= ballot->least * (1 + close_enough);
}

static double votes_of(const struct ballot ballots[CT_COMMUNICATION_MODELS], size_t method)
{
    double votes = 0;
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        votes += votes_for(&ballots[model], method) ? ballots[model].weight : 0;
    return votes;
}

enum ct_communication_model ct_vote(const double *const times[CT_COMMUNICATION_MODELS],
                                    const double weights[CT_COMMUNICATION_MODELS], size_t method_count)
{
    struct ballot ballots[CT_COMMUNICATION_MODELS];
    double most = 0;
    int followed = 0;
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
        ballots[model] = make_ballot(times[model], weights[model], method_count);
        followed = weights[model] >= weights[followed] ? model : followed;
    }
    for (size_t i = 0; i < method_count; i++)
        most = fmax(most, votes_of(ballots, i));
    double heaviest = 0;
    for (size_t i = 0; i < method_count; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS && votes_of(ballots, i) == most; model++)
            if (votes_for(&ballots[model], i) &&
                (weights[model] > heaviest || (weights[model] == heaviest && model > followed))) {
                heaviest = weights[model];
                followed = model;
            }
    return (enum ct_communication_model)followed;
}
