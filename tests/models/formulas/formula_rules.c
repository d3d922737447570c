/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/models/formulas/formula_rules.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COMPLETE "two ranks are taken for a complete tree of three: the root has two children"
#define LIGHT    "a green light and two segments, of which the second has no latency of its own"
#define WHOLE    "the whole message runs in segments, not a block of it: one segment counts as all of it"
#define GAPS     "a gap for the message that leaves and one for that which comes: 2 (P - 1) g"

const struct formula_rule formula_rules[FORMULA_RULES] = {
    {"barrier/linear", 2, 0, 0, 0, {0}},
    {"barrier/double_ring", 4, 0, 0, 0, {0}},
    {"barrier/recursive_doubling", 1, 0, 0, 0, {0}},
    {"barrier/dissemination", 1, 0, 0, 0, {0}},
    {"bcast/linear", 1, 1, 0, 0, {0}},
    {"bcast/pipeline", 1, 1, 0, 0, {0}},
    {"bcast/binomial", 1, 1, 0, 0, {0}},
    {"bcast/binary", 1, 1, 0, 0, {COMPLETE, COMPLETE, COMPLETE}},
    {"bcast/split_binary", 2, 0.5, 0, 0, {COMPLETE, COMPLETE, COMPLETE}},
    {"scatter/linear", 1, 1, 0, 0, {0}},
    {"scatter/binomial", 1, 1, 0, 0, {0}},
    {"gather/linear", 1, 1, 0, 0, {0}},
    {"gather/linear_sync", 1, 1, 0, 0, {LIGHT, LIGHT, LIGHT}},
    {"gather/binomial", 1, 1, 0, 0, {0}},
    {"allgather/bruck", 1, 1, 0, 2, {0}},
    {"allgather/recursive_doubling", 1, 1, 0, 0, {0}},
    {"allgather/ring", 1, 1, 0, 0, {0}},
    {"allgather/neighbor_exchange", 1, 1, 0, 0, {0}},
    {"alltoall/linear", 1, 1, 0, 0, {NULL, GAPS, GAPS}},
    {"alltoall/pairwise", 1, 1, 0, 0, {0}},
    {"alltoall/bruck", 1, 1, 0, 3, {0}},
    {"reduce/linear", 1, 1, 1, 0, {0}},
    {"reduce/pipeline", 1, 1, 1, 0, {0}},
    {"reduce/binomial", 1, 1, 1, 0, {0}},
    {"reduce/binary", 1, 1, 1, 0, {COMPLETE, COMPLETE, COMPLETE}},
    {"reduce/rabenseifner", 2, 0.5, 0.5, 0, {0}},
    {"reduce_scatter/recursive_halving", 1, 1, 1, 0, {0}},
    {"reduce_scatter/ring", 1, 1, 1, 2, {0}},
    {"allreduce/recursive_doubling", 1, 1, 1, 0, {0}},
    {"allreduce/ring", 2, 0.5, 0.5, 0, {0}},
    {"allreduce/ring_segmented", 2, 0.5, 0.5, 0, {WHOLE, WHOLE, WHOLE}},
    {"allreduce/rabenseifner", 2, 0.5, 0.5, 0, {0}},
    {"scan/linear", 1, 1, 1, 0, {0}},
    {"scan/linear_segmented", 1, 1, 1, 0, {0}},
    {"scan/recursive_doubling", 1, 1, 1, 0, {0}},
};
const struct ct_formula *formula_of(const struct formula_rule *rule)
{
    struct ct_method method;
    struct ct_error error;
    if (ct_method_parse(rule->method, CT_COLLECTIVES, &error, &method) != CT_OK)
        fail_msg("%s", error.text);
    return ct_formula_find(&method);
}

static double message(const struct ct_link *link, double bytes)
{
    return link->loggp.latency + 2 * link->loggp.overhead + (bytes - 1) * link->loggp.gap_per_byte;
}

static bool is_near(double value, double wanted)
{
    return fabs(value - wanted) <= 1e-9 * fabs(wanted);
}

/* Is a formula of the rule what its messages cost? A message without data has no byte that G counts:
 * Hockney's and PLogP's are LogGP's of 0 and of 1 byte. */
bool costs_its_messages(ct_formula_function *seconds, const struct formula_rule *rule,
                        enum ct_communication_model model, const struct machine *machine)
{
    const double bytes = 3000;
    const struct ct_formula_call call = call_on(machine, 2, bytes, 0);
    struct ct_formula_terms x = ct_formula_terms_of(formula_of(rule), model, &call);
    double one = message(&machine->link, rule->share > 0 ? rule->share * bytes : model != CT_MODEL_HOCKNEY);
    if (!is_near(seconds(&x), rule->messages * one))
        return false;
    x.delta = 1e-9;
    if (!is_near(seconds(&x), rule->messages * one + rule->copied * bytes * x.delta))
        return false;
    if (model == CT_MODEL_PLOGP &&
        ct_formula_collective(formula_of(rule)) == CT_COLLECTIVE_REDUCE) /* there a gap hides it */
        return true;
    x.delta = 0;
    x.gamma = 1e-9;
    return is_near(seconds(&x), rule->messages * one + rule->reduced * bytes * x.gamma);
}

/* On equal machines rows in which one message follows the other cost the same in all models; where a rank's
 * sends overlap, LogGP and PLogP do, and Hockney does not know of it. */
enum agreement { ALL_MODELS, ALL_BUT_HOCKNEY, NONE };

static const struct {
    const char *method;
    enum agreement agreement;
    const char *why;
} disagreeing[] = {
    {"barrier/linear", NONE, "the worst case has o, or o_r, beside a gap"},
    {"bcast/linear", ALL_BUT_HOCKNEY, "the root's sends overlap"},
    {"bcast/binary", ALL_BUT_HOCKNEY, "a rank's two sends overlap"},
    {"bcast/split_binary", ALL_BUT_HOCKNEY, "a rank's two sends overlap"},
    {"scatter/linear", ALL_BUT_HOCKNEY, "the root's sends overlap"},
    {"gather/linear", ALL_BUT_HOCKNEY, "the root's receives overlap"},
    {"gather/linear_sync", ALL_BUT_HOCKNEY, "the rest of a block overlaps with the next green light"},
    {"alltoall/linear", NONE, "sends overlap, and LogGP has G once for all, PLogP twice for each"},
    {"reduce/linear", ALL_BUT_HOCKNEY, "the root's receives overlap"},
    {"reduce/binary", NONE, "LogGP takes in both children's bytes at once, PLogP one after the other"},
    {"allreduce/ring_segmented", ALL_BUT_HOCKNEY, "segments overlap"},
};

static enum agreement agreement_of(const char *method)
{
    for (size_t i = 0; i < sizeof disagreeing / sizeof disagreeing[0]; i++)
        if (strcmp(disagreeing[i].method, method) == 0)
            return disagreeing[i].agreement;
    return ALL_MODELS;
}

static double value(const struct ct_formula *formula, ct_formula_function *seconds,
                    enum ct_communication_model model, const struct machine *machine, double ranks)
{
    const struct ct_formula_call call = call_on(machine, ranks, 1 << 20, formula->cut == CT_CUT_FIRST);
    struct ct_formula_terms x = ct_formula_terms_of(formula, model, &call);
    return seconds(&x);
}

/* Without data there is no byte that LogGP does not count. */
static void forget_bytes(struct machine *machine)
{
    machine->link.hockney.alpha += machine->link.hockney.beta;
    machine->link.hockney.beta = machine->link.loggp.gap_per_byte = 0;
}

bool agrees(ct_formula_function *seconds, const struct formula_rule *rule, enum ct_communication_model model,
            const struct machine *there)
{
    const struct ct_formula *formula = formula_of(rule);
    struct machine machine = *there;
    if (!ct_collectives[ct_formula_collective(formula)].has_data)
        forget_bytes(&machine);
    for (int other = 0; other < CT_COMMUNICATION_MODELS; other++) {
        bool with_hockney = other == CT_MODEL_HOCKNEY || model == CT_MODEL_HOCKNEY;
        if (agreement_of(rule->method) > (with_hockney ? ALL_MODELS : ALL_BUT_HOCKNEY))
            continue;
        for (double ranks = 2; ranks <= 1024; ranks *= 2)
            if (!is_near(value(formula, seconds, model, &machine, ranks),
                         value(formula, formula->seconds[other], other, &machine, ranks)))
                return false;
    }
    return true;
}

/* Neighbor exchange is for an even number of ranks. */
static bool is_for_any_ranks(const struct ct_formula *formula)
{
    unsigned constraints =
        ct_algorithm_find(ct_formula_collective(formula), formula->algorithm)->descriptor->constraints;
    return !(constraints & ~(unsigned)CT_CONSTRAINT_COMMUTATIVE);
}

bool counts_whole_latencies(ct_formula_function *seconds, const struct formula_rule *rule,
                            enum ct_communication_model model)
{
    const struct ct_formula *formula = formula_of(rule);
    struct ct_curve_point nothing = {0, 0};
    const struct machine machine = {.link = {.known = {true, true, true},
                                             .hockney = {1, 0},
                                             .loggp = {1, 0, 0, 0},
                                             .plogp = {1, {&nothing, 1}, {&nothing, 1}, {&nothing, 1}}}};
    enum ct_communication_model other = model == CT_MODEL_PLOGP ? CT_MODEL_LOGGP : CT_MODEL_PLOGP;
    bool compares = model != CT_MODEL_HOCKNEY || agreement_of(rule->method) == ALL_MODELS;
    for (double ranks = 2; ranks <= 70; ranks += is_for_any_ranks(formula) ? 1 : 2) {
        double count = value(formula, seconds, model, &machine, ranks);
        if (count != floor(count))
            return false;
        if (compares && count != value(formula, formula->seconds[other], other, &machine, ranks))
            return false;
    }
    return true;
}

static const char *const pipelined[] = {"bcast/pipeline",          "bcast/binary",  "bcast/split_binary",
                                        "reduce/pipeline",         "reduce/binary", "scan/linear_segmented",
                                        "allreduce/ring_segmented"};

/* One segment more costs a pipeline the same, however long it is. */
static double of_a_segment_more(const struct ct_formula *formula, ct_formula_function *seconds,
                                enum ct_communication_model model, const struct machine *machine,
                                double ranks)
{
    const struct ct_formula_call call = call_on(machine, ranks, 1 << 20, 1024);
    struct ct_formula_terms x = ct_formula_terms_of(formula, model, &call);
    double before = seconds(&x);
    x.n_s += 2;
    return seconds(&x) - before;
}

bool flows(ct_formula_function *seconds, const struct formula_rule *rule, enum ct_communication_model model,
           const struct machine *machine)
{
    const struct ct_formula *formula = formula_of(rule);
    for (size_t i = 0; i < sizeof pipelined / sizeof pipelined[0]; i++) {
        if (strcmp(pipelined[i], rule->method) != 0)
            continue;
        double few = of_a_segment_more(formula, seconds, model, machine, 3);
        return fabs(of_a_segment_more(formula, seconds, model, machine, 1000) / few - 1) < 1e-6;
    }
    return true;
}

bool keeps_all_rules(ct_formula_function *seconds, const struct formula_rule *rule,
                     enum ct_communication_model model, const struct machine *machine)
{
    return costs_its_messages(seconds, rule, model, machine) == !rule->exempt[model] &&
           agrees(seconds, rule, model, machine) && flows(seconds, rule, model, machine) &&
           counts_whole_latencies(seconds, rule, model);
}
