/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/formulas/formula_class.h"

#include "models/formulas/formula_rows.h"

const char *const ct_formula_class_names[] = {[CT_FORMULA_CLASS_EQUAL] = "equal",
                                              [CT_FORMULA_CLASS_ABOVE] = "upper bound",
                                              [CT_FORMULA_CLASS_BELOW] = "lower bound",
                                              [CT_FORMULA_CLASS_MIXED] = "inconsistent"};

/* Reasons that several have. */
static const char
    longer_step[] = "a step is L + o + g, here L + 2o (31): equal where g = o",
    sent_already[] =
        "other P: what a rank that stands for two waits for has been sent meanwhile (eager sends)",
    gaps_for_messages[] = "other P: no rank is behind ceil(log2 P) whole messages; some steps are gaps",
    shrinking_last[] = "other P: no rank is behind ceil(log2 P) messages on end, and the largest message has "
                       "fewer blocks (33)",
    full_tree[] = "priced as the next P = 2^D - 1 (32): equal there",
    full_tree_and_overhead[] =
        "priced as the next P = 2^D - 1 (32), and (n_s - 1) o too many: equal there if n_s = 1",
    overlap[] = "a segment is combined while the next comes in: equal without gamma",
    rate[] = "rate: g or 2o + (m_s - 1) G + gamma m_s; here the larger of g + (m_s - 1) G, 2o + gamma m_s",
    copies[] =
        "delta: print rotates P blocks and copies P / 2 a step, the plan rotates none and copies in and "
        "out (without delta equal at powers of two); other P: fewer than P / 2 blocks a step",
    pairs_stand_for_one[] =
        "other P: print moves 2 P m, the plan (P + 1) m and in each step the larger of two "
        "unequal parts; and what one waits for has been sent meanwhile",
    no_copy[] = "P delta m: the plan copies nothing; equal without delta",
    another_ring[] =
        "print lets all segments flow as along one chain (37), and then spreads whole blocks; the plan's "
        "segments follow one another in both phases, and are combined meanwhile";

static const struct {
    const struct ct_formula *formula;
    struct ct_formula_standing models[CT_COMMUNICATION_MODELS];
} standings[] = {
    {&ct_formula_barrier_linear,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_BELOW, CT_FORMULA_CLASS_BELOW},
                            "print lets P - 1 messages come in at once, here one at a time"},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_BELOW, CT_FORMULA_CLASS_BELOW},
                          "o for a message that comes in, here the gap g: equal where g = o"},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_BELOW, CT_FORMULA_CLASS_BELOW},
                          "o_r(0) for a message that comes in, here the gap g(0)"}}},
    {&ct_formula_barrier_double_ring,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, longer_step}}},
    {&ct_formula_barrier_recursive_doubling,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE},
                          "a step is L + o + g, here L + 2o (31); other P: what a rank that stands "
                          "for two waits for has been sent meanwhile, as sends are eager"},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, sent_already}}},
    {&ct_formula_barrier_dissemination,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, longer_step}}},
    {&ct_formula_bcast_pipeline,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE},
                          "(n_s - 1) o too many: the CPU has time for both its o in a gap of "
                          "g + (m_s - 1) G; equal in one segment"}}},
    {&ct_formula_bcast_binomial,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, gaps_for_messages},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, gaps_for_messages}}},
    {&ct_formula_bcast_binary,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, full_tree},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, full_tree_and_overhead},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, full_tree}}},
    {&ct_formula_bcast_split_binary,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, full_tree},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, full_tree_and_overhead},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, full_tree}}},
    {&ct_formula_scatter_binomial,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, gaps_for_messages},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, shrinking_last}}},
    {&ct_formula_gather_linear_sync,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_BELOW, CT_FORMULA_CLASS_BELOW},
                          "4.13 has one gap for two messages; and its cases do not meet (34), where "
                          "the longer holds here"},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_BELOW, CT_FORMULA_CLASS_BELOW},
                          "the cases do not meet (34), where the longer holds here"}}},
    {&ct_formula_gather_binomial,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, gaps_for_messages},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, shrinking_last}}},
    {&ct_formula_allgather_recursive_doubling,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, sent_already},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, sent_already}}},
    {&ct_formula_alltoall_linear,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED},
                          "one (m - 1) G for P - 1 messages, and two gaps for each (35)"},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE},
                          "a gap for what leaves and one for what comes (36), here both at once"}}},
    {&ct_formula_alltoall_pairwise,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, longer_step}}},
    {&ct_formula_alltoall_bruck,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED}, copies},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED}, copies},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED}, copies}}},
    {&ct_formula_reduce_linear,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE},
                            "one message is combined while the next comes in: equal without gamma"},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED},
                          "o for a message that comes in, here the gap g; and one is combined while "
                          "the next comes in"},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_BELOW, CT_FORMULA_CLASS_BELOW},
                          "gamma m counts as part of the gap, also the last one's, which follows it: "
                          "equal without gamma"}}},
    {&ct_formula_reduce_pipeline,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, overlap},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED}, rate},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED},
                          "gamma m_s counts as part of the gap, also where it follows it, and o_s as "
                          "more than the gap, of which it is part"}}},
    {&ct_formula_reduce_binomial,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, overlap},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE},
                          "g for the last o of a message (31), and a segment is combined while the "
                          "next comes in; without gamma and with g = o equal at powers of two"},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED},
                          "gamma m_s counts as part of the gap, also where it follows it: without it "
                          "equal at powers of two; other P: as the broadcast"}}},
    {&ct_formula_reduce_binary,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE},
                            "priced as the next P = 2^D - 1 (32), and a segment is combined while the "
                            "next comes in: equal there without gamma"},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED},
                          "both children's bytes at once (38), and priced as the next P = 2^D - 1 "
                          "(32)"},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED},
                          "priced as the next P = 2^D - 1 (32), and gamma m_s and o_s as in the "
                          "pipeline"}}},
    {&ct_formula_reduce_scatter_recursive_halving,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_MIXED}, pairs_stand_for_one},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_MIXED}, pairs_stand_for_one},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_MIXED}, pairs_stand_for_one}}},
    {&ct_formula_reduce_scatter_ring,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, no_copy},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, no_copy},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, no_copy}}},
    {&ct_formula_allreduce_recursive_doubling,
     {[CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, sent_already},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, sent_already}}},
    {&ct_formula_allreduce_ring_segmented,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED}, another_ring},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED}, another_ring},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED}, another_ring}}},
    {&ct_formula_scan_linear_segmented,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_ABOVE}, overlap},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_MIXED, CT_FORMULA_CLASS_MIXED}, rate},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_ABOVE, CT_FORMULA_CLASS_EQUAL},
                          "P = 2: no rank both receives and sends, so that o_s + o_r + gamma m_s is "
                          "nobody's rate"}}},
    {&ct_formula_scan_recursive_doubling,
     {[CT_MODEL_HOCKNEY] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE},
                            "other P: one message is combined while the next, sent already, comes in"},
      [CT_MODEL_LOGGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, gaps_for_messages},
      [CT_MODEL_PLOGP] = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_ABOVE}, gaps_for_messages}}},
};

const struct ct_formula_standing *ct_formula_standing_of(const struct ct_formula *formula,
                                                         enum ct_communication_model model)
{
    static const struct ct_formula_standing equal = {{CT_FORMULA_CLASS_EQUAL, CT_FORMULA_CLASS_EQUAL}, NULL};
    for (size_t i = 0; i < sizeof standings / sizeof standings[0]; i++)
        if (standings[i].formula == formula)
            return &standings[i].models[model];
    return &equal;
}
