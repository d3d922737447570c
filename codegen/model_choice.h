/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MODEL_CHOICE_H
#define CT_CODEGEN_MODEL_CHOICE_H

#include "models/formulas/formula_terms.h"

/* The choice among the methods of a collective by their formulas, for one model or by a vote of several.
 *
 * `colltune generate --format model-c` copies this file whole into the files that it makes: beside
 * models/formulas/formula_terms.h it uses the standard library alone. */

/* The segment sizes that are tried for each method that cuts its message; 0 does not cut. */
static const double ct_model_choice_segments[] = {0,       512,      1 << 10,  2 << 10, 4 << 10,
                                                  8 << 10, 16 << 10, 32 << 10, 64 << 10};
enum { CT_MODEL_CHOICE_SEGMENTS = sizeof ct_model_choice_segments / sizeof ct_model_choice_segments[0] };

struct ct_model_candidate {
    size_t row;                           /* of the table of formulas */
    size_t first;                         /* the number of its first method among all candidates' */
    bool cuts;                            /* is a method for each segment size, or a single one */
    double segment;                       /* of the single one */
    bool power_of_two, even, commutative; /* what a call must have: ranks, ranks, operation */
};

/* A model with a vote: its P, m, m_s and n_s do not count. */
struct ct_model_voter {
    double weight; /* above 0 */
    struct ct_formula_terms machine;
};

enum { CT_MODEL_VOTERS_MAX = CT_COMMUNICATION_MODELS };

/* A call, and who decides it. */
struct ct_model_question {
    const struct ct_formula_table *table;
    const struct ct_model_candidate *candidates;
    size_t candidate_count;
    const struct ct_model_voter *voters;
    size_t voter_count; /* 1 to CT_MODEL_VOTERS_MAX */
    bool has_data;      /* the collective moves data */
    size_t ranks;
    size_t bytes;
    bool commutes;
};

struct ct_model_choice {
    const char *algorithm; /* NULL if no method applies */
    double segment;        /* bytes; 0 if the message is not cut */
    double seconds;
    size_t method; /* its number */
};

static inline bool ct_model_applies(const struct ct_model_question *question,
                                    const struct ct_model_candidate *candidate)
{
    const size_t ranks = question->ranks;
    return (question->commutes || !candidate->commutative) &&
           ((ranks & (ranks - 1)) == 0 || !candidate->power_of_two) && (ranks % 2 == 0 || !candidate->even);
}

/* How many segment sizes of the candidate are tried: those below the message size, and 0. */
static inline size_t ct_model_sizes(const struct ct_model_question *question,
                                    const struct ct_model_candidate *candidate)
{
    size_t count = 1;
    while (candidate->cuts && count < CT_MODEL_CHOICE_SEGMENTS &&
           ct_model_choice_segments[count] < (double)question->bytes)
        count++;
    return count;
}

static inline double ct_model_segment(const struct ct_model_candidate *candidate, size_t size)
{
    return candidate->cuts ? ct_model_choice_segments[size] : candidate->segment;
}

/* If there is no data in a collective that moves data, or one rank only, all take 0 seconds. */
static inline double ct_model_seconds(const struct ct_model_question *question, size_t voter,
                                      const struct ct_model_candidate *candidate, size_t size)
{
    const struct ct_formula *formula = &question->table->rows[candidate->row];
    struct ct_formula_terms x = question->voters[voter].machine;
    if (question->ranks < 2 || (question->bytes == 0 && question->has_data))
        return 0;
    x.P = (double)question->ranks;
    x.m = (double)question->bytes;
    ct_formula_cut(formula, ct_model_segment(candidate, size), &x);
    return formula->seconds[x.model](&x);
}

/* The first method with the least time by one voter. */
static inline struct ct_model_choice ct_model_best(const struct ct_model_question *question, size_t voter)
{
    struct ct_model_choice best = {NULL, 0, INFINITY, 0};
    for (size_t c = 0; c < question->candidate_count; c++) {
        const struct ct_model_candidate *candidate = &question->candidates[c];
        const size_t sizes = ct_model_applies(question, candidate) ? ct_model_sizes(question, candidate) : 0;
        for (size_t s = 0; s < sizes; s++) {
            const double seconds = ct_model_seconds(question, voter, candidate, s);
            if (!(seconds < best.seconds))
                continue;
            best.algorithm = question->table->rows[candidate->row].algorithm;
            best.segment = ct_model_segment(candidate, s);
            best.seconds = seconds;
            best.method = candidate->first + s;
        }
    }
    return best;
}

/* The votes so far. */
struct ct_model_poll {
    double most;     /* votes that a method has */
    double heaviest; /* of the voters for such a method */
    size_t followed; /* that voter; the last one among equals */
};

/* Each voter gives its weight to all methods within 1e-9 of its best, as ct_vote() has it. */
static inline void ct_model_count_votes(const struct ct_model_question *question,
                                        const struct ct_model_choice *best,
                                        const struct ct_model_candidate *candidate, size_t size,
                                        struct ct_model_poll *poll)
{
    bool votes_for[CT_MODEL_VOTERS_MAX];
    double votes = 0;
    for (size_t v = 0; v < question->voter_count; v++) {
        votes_for[v] = ct_model_seconds(question, v, candidate, size) <= best[v].seconds * (1 + 1e-9);
        votes += votes_for[v] ? question->voters[v].weight : 0;
    }
    if (votes < poll->most)
        return;
    if (votes > poll->most)
        poll->heaviest = 0;
    poll->most = votes;
    for (size_t v = 0; v < question->voter_count; v++)
        if (votes_for[v] && (question->voters[v].weight > poll->heaviest ||
                             (question->voters[v].weight == poll->heaviest && v > poll->followed))) {
            poll->heaviest = question->voters[v].weight;
            poll->followed = v;
        }
}

/* The method that most votes are for: the best one of the heaviest model that voted for it. */
static inline struct ct_model_choice ct_model_choose(const struct ct_model_question *question)
{
    struct ct_model_choice best[CT_MODEL_VOTERS_MAX];
    struct ct_model_poll poll = {0, 0, 0};
    for (size_t v = 0; v < question->voter_count; v++)
        best[v] = ct_model_best(question, v);
    for (size_t c = 0; question->voter_count > 1 && c < question->candidate_count; c++) {
        const struct ct_model_candidate *candidate = &question->candidates[c];
        const size_t sizes = ct_model_applies(question, candidate) ? ct_model_sizes(question, candidate) : 0;
        for (size_t s = 0; s < sizes; s++)
            ct_model_count_votes(question, best, candidate, s, &poll);
    }
    return best[poll.followed];
}

#endif
