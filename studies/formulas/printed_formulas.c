/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/formulas/printed_formulas.h"

/* --- table 4.2 --- */

static double barrier_linear_hockney(const struct ct_formula_terms *x)
{
    return (x->P - 1) * x->alpha;
}

static double barrier_linear_loggp_least(const struct ct_formula_terms *x)
{
    return (x->P - 2) * x->g + 2 * (x->L + 2 * x->o);
}

static double barrier_linear_plogp_least(const struct ct_formula_terms *x)
{
    return x->P * ct_gap_of(x, 0) + 2 * x->L;
}

static double barrier_recursive_doubling_hockney(const struct ct_formula_terms *x)
{
    return (log2(x->P) + (ct_is_power_of_two(x->P) ? 0 : 2)) * x->alpha;
}

static double barrier_recursive_doubling(const struct ct_formula_terms *x)
{
    double step = x->model == CT_MODEL_LOGGP ? x->L + x->o + x->g : ct_message_seconds(x, 0);
    return (ct_is_power_of_two(x->P) ? ct_floor_log2(x->P) : ct_ceil_log2(x->P) + 2) * step;
}

/* --- tables 4.4 and 4.5 --- */

/* Without (m - 1) G in the first message. */
static double scatter_linear_loggp(const struct ct_formula_terms *x)
{
    return x->L + 2 * x->o + (x->P - 2) * ((x->m - 1) * x->G + x->g);
}

static double scatter_binomial_hockney(const struct ct_formula_terms *x)
{
    return log2(x->P) * x->alpha + (x->P - 1) * x->beta * x->m;
}

static double gather_binomial_hockney(const struct ct_formula_terms *x)
{
    return log2(x->P) * x->alpha + x->P * x->beta * x->m;
}

static double gather_binomial_loggp(const struct ct_formula_terms *x)
{
    double steps = ct_ceil_log2(x->P);
    return (steps - 1) * (x->L + 2 * x->o) + ((2 * x->P - 1) * x->m - steps) * x->G;
}

static double gather_linear_sync_loggp(const struct ct_formula_terms *x)
{
    if (x->g + x->m * x->G < x->L + 2 * (x->o + x->m_s * x->G))
        return (x->P - 1) * (2 * x->L + 4 * x->o + (x->m_s - 1) * x->G) + x->g + (x->m - x->m_s - 1) * x->G;
    return (x->P - 1) * (x->o + x->g + (x->m - 2) * x->G + x->L + x->o);
}

/* --- table 4.6 --- */

static double allgather_exchange_loggp(const struct ct_formula_terms *x)
{
    return x->o + fmax(x->g, x->L + x->o) - x->G;
}

static double allgather_bruck_hockney(const struct ct_formula_terms *x)
{
    return log2(x->P) * x->alpha + x->P * x->beta * x->m + x->P * x->delta * x->m;
}

static double allgather_bruck_loggp(const struct ct_formula_terms *x)
{
    return ct_floor_log2(x->P) * allgather_exchange_loggp(x) + (x->P - 1) * x->m * x->G +
           x->P * x->delta * x->m;
}

static double allgather_bruck_plogp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P), rest = x->P - (ldexp(1, (int)steps) - 1);
    return steps * x->L + ct_gaps_doubling(x, 0, steps - 1, x->m) + ct_message_seconds(x, rest * x->m) +
           x->P * x->delta * x->m;
}

static double allgather_recursive_doubling_hockney(const struct ct_formula_terms *x)
{
    return log2(x->P) * x->alpha + (x->P - 1) * x->beta * x->m;
}

static double allgather_recursive_doubling_loggp(const struct ct_formula_terms *x)
{
    return log2(x->P) * allgather_exchange_loggp(x) + (x->P - 1) * x->m * x->G;
}

static double allgather_recursive_doubling_plogp(const struct ct_formula_terms *x)
{
    return ct_floor_log2(x->P) * x->L + ct_gaps_doubling(x, 0, log2(x->P) - 1, x->m);
}

static double allgather_neighbor_exchange_plogp(const struct ct_formula_terms *x)
{
    return ct_message_seconds(x, x->m) + (x->P / 2 - 1) * ct_gap_of(x, 2 * x->m);
}

/* --- table 4.7 --- */

/* Print has the last step also if nothing is left for it. */
static double alltoall_bruck_plogp(const struct ct_formula_terms *x)
{
    double half = x->P / 2 * x->m, left = (x->P - ct_floor_power_of_two(x->P)) * x->m;
    double full = ct_floor_log2(x->P) * (ct_gap_of(x, half) + x->delta * half) + x->delta * x->P * x->m;
    return ct_ceil_log2(x->P) * x->L + full + ct_gap_of(x, left) + x->delta * left;
}

/* --- table 4.8 --- */

/* Print counts the first segment's (m_s - 1) G twice: on its way, and when it is received. */
static double reduce_linear_loggp(const struct ct_formula_terms *x)
{
    double round = fmax(x->g, (x->P - 1) * (x->o + (x->m_s - 1) * x->G + x->gamma * x->m_s));
    return x->o + (x->m_s - 1) * x->G + x->L + x->n_s * round;
}

static double reduce_binary_loggp(const struct ct_formula_terms *x)
{
    double first = x->L + 3 * x->o + (x->m_s - 1) * x->G + 2 * x->gamma * x->m_s;
    double next = (x->m_s - 1) * x->G + fmax(x->g, 3 * x->o + 2 * x->gamma * x->m_s);
    return (ct_binary_depth(x) - 1) * (first + (x->n_s - 1) * next);
}

/* Print takes m for one of P parts. */
static double reduce_rabenseifner_hockney(const struct ct_formula_terms *x)
{
    return 2 * log2(x->P) * x->alpha + 2 * (x->P - 1) * x->beta * x->m + (x->P - 1) * x->gamma * x->m;
}

static double reduce_rabenseifner_loggp(const struct ct_formula_terms *x)
{
    return 2 * log2(x->P) * (x->L + 2 * x->o) + 2 * ((x->P - 1) * x->m - log2(x->P)) * x->G +
           (x->P - 1) * x->gamma * x->m;
}

static double reduce_rabenseifner_plogp(const struct ct_formula_terms *x)
{
    return 2 * log2(x->P) * x->L + (x->P - 1) * x->gamma * x->m + ct_gaps_halving(x, 1, log2(x->P), x->m);
}

/* --- table 4.9 --- */

/* Print adds a bare 2 to L, whose unit is the microsecond. */
static double reduce_scatter_halving_loggp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P);
    if (ct_is_power_of_two(x->P))
        return steps * (x->L + 2 * x->o) + ((x->P - 1) * x->m - steps) * x->G + (x->P - 1) * x->gamma * x->m;
    return (steps + 2) * (x->L + 2e-6) + (2 * (x->P * x->m - 1) - steps) * x->G +
           (2 * x->P - 1) * x->gamma * x->m;
}

/* What a rank has is P m; print has P. */
static double reduce_scatter_halving_plogp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P);
    if (ct_is_power_of_two(x->P))
        return steps * x->L + (x->P - 1) * x->gamma * x->m + ct_gaps_halving(x, 1, steps, x->P);
    return (steps + 2) * x->L + ct_gap_of(x, x->m) + (2 * x->P - 1) * x->gamma * x->m +
           ct_gaps_halving(x, 0, steps, x->P);
}

/* --- table 4.10 --- */

/* Print has two steps more than ceil(log2 P). */
static double allreduce_recursive_doubling(const struct ct_formula_terms *x)
{
    double message = ct_message_seconds(x, x->m), combined = x->gamma * x->m;
    if (ct_is_power_of_two(x->P))
        return ct_floor_log2(x->P) * (message + combined);
    return (ct_ceil_log2(x->P) + 2) * (message + combined) - combined;
}

/* Print closes the bracket before (m_s - 1) G, and combines nothing of the first segment. */
static double allreduce_ring_segmented_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * ct_message_seconds(x, x->m_s) + (x->n_s - 1) * fmax(x->g, x->gamma * x->m_s + x->o) +
           (x->m_s - 1) * x->G + (x->P - 1) * ct_message_seconds(x, ceil(x->m / x->P));
}

static double allreduce_rabenseifner_hockney(const struct ct_formula_terms *x)
{
    double share = (x->P - 1) / x->P;
    return 2 * log2(x->P) * x->alpha + 2 * share * x->beta * x->m + share * x->gamma * x->m;
}

static double allreduce_rabenseifner_loggp(const struct ct_formula_terms *x)
{
    double steps = log2(x->P), bytes = (x->P - 1) / x->P * x->m;
    return 2 * steps * (x->L + 2 * x->o) + 2 * ((x->P - 1) * x->m - steps) * x->G + x->gamma * bytes +
           steps * (x->o + fmax(x->g, x->L + x->o)) - x->G + bytes * x->G;
}

static double allreduce_rabenseifner_plogp(const struct ct_formula_terms *x)
{
    return 3 * log2(x->P) * x->L + (x->P - 1) / x->P * x->gamma * x->m +
           3 * ct_gaps_halving(x, 1, log2(x->P) - 1, x->m);
}

/* --- table 4.11 --- */

/* Print adds a gap, or another overhead, to each whole message. */
static double scan_doubling_loggp(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * (ct_message_seconds(x, x->m) + fmax(x->g, x->o + x->gamma * x->m));
}

/* The same; the g of print is without a size, which PLogP does not have, and taken as g(m). */
static double scan_doubling_plogp(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * (ct_message_seconds(x, x->m) +
                                 fmax(ct_gap_of(x, x->m), ct_send_overhead_of(x, x->m) + x->gamma * x->m));
}

/* --- all rows --- */

/* Reasons that several rows have. */
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

const struct printed_row printed_rows[PRINTED_ROWS] = {
    {"barrier/linear",
     "4.2",
     "Flat-Tree",
     {[CT_MODEL_HOCKNEY] = {.seconds = barrier_linear_hockney,
                            .erratum = 1,
                            .reason = "print lets P - 1 messages come in at once, here one at a time"},
      [CT_MODEL_LOGGP] = {.least = barrier_linear_loggp_least,
                          .remark = 30,
                          .reason = "o for a message that comes in, here the gap g: equal where g = o"},
      [CT_MODEL_PLOGP] = {.least = barrier_linear_plogp_least,
                          .remark = 30,
                          .reason = "o_r(0) for a message that comes in, here the gap g(0)"}}},
    {"barrier/double_ring", "4.2", "Double Ring", {[CT_MODEL_LOGGP] = {.remark = 31, .reason = longer_step}}},
    {"barrier/recursive_doubling",
     "4.2",
     "Recursive Doubling",
     {[CT_MODEL_HOCKNEY] = {.seconds = barrier_recursive_doubling_hockney, .erratum = 2},
      [CT_MODEL_LOGGP] = {.seconds = barrier_recursive_doubling,
                          .erratum = 2,
                          .remark = 31,
                          .reason = "a step is L + o + g, here L + 2o (31); other P: what a rank that stands "
                                    "for two waits for has been sent meanwhile, as sends are eager"},
      [CT_MODEL_PLOGP] = {.seconds = barrier_recursive_doubling, .erratum = 2, .reason = sent_already}}},
    {"barrier/dissemination", "4.2", "Bruck", {[CT_MODEL_LOGGP] = {.remark = 31, .reason = longer_step}}},
    {"bcast/linear", "4.3", "Linear", {{0}}},
    {"bcast/pipeline",
     "4.3",
     "Pipeline",
     {[CT_MODEL_LOGGP] = {.reason = "(n_s - 1) o too many: the CPU has time for both its o in a gap of "
                                    "g + (m_s - 1) G; equal in one segment"}}},
    {"bcast/binomial",
     "4.3",
     "Binomial",
     {[CT_MODEL_LOGGP] = {.reason = gaps_for_messages}, [CT_MODEL_PLOGP] = {.reason = gaps_for_messages}}},
    {"bcast/binary",
     "4.3",
     "Binary",
     {[CT_MODEL_HOCKNEY] = {.remark = 32, .reason = full_tree},
      [CT_MODEL_LOGGP] = {.remark = 32, .reason = full_tree_and_overhead},
      [CT_MODEL_PLOGP] = {.remark = 32, .reason = full_tree}}},
    {"bcast/split_binary",
     "4.3",
     "Split-binary",
     {[CT_MODEL_HOCKNEY] = {.remark = 32, .reason = full_tree},
      [CT_MODEL_LOGGP] = {.remark = 32, .reason = full_tree_and_overhead},
      [CT_MODEL_PLOGP] = {.remark = 32, .reason = full_tree}}},
    {"scatter/linear", "4.4", "Linear", {[CT_MODEL_LOGGP] = {.seconds = scatter_linear_loggp, .erratum = 3}}},
    {"scatter/binomial",
     "4.4",
     "Binomial",
     {[CT_MODEL_HOCKNEY] = {.seconds = scatter_binomial_hockney, .erratum = 4},
      [CT_MODEL_LOGGP] = {.reason = gaps_for_messages},
      [CT_MODEL_PLOGP] = {.remark = 33, .reason = shrinking_last}}},
    {"gather/linear", "4.5", "Linear", {[CT_MODEL_LOGGP] = {.seconds = scatter_linear_loggp, .erratum = 3}}},
    {"gather/linear_sync",
     "4.5",
     "Linear with sync.",
     {[CT_MODEL_LOGGP] = {.seconds = gather_linear_sync_loggp,
                          .erratum = 5,
                          .remark = 34,
                          .reason =
                              "4.13 has one gap for two messages; and its cases do not meet (34), where "
                              "the longer holds here"},
      [CT_MODEL_PLOGP] = {.remark = 34,
                          .reason = "the cases do not meet (34), where the longer holds here"}}},
    {"gather/binomial",
     "4.5",
     "Binomial",
     {[CT_MODEL_HOCKNEY] = {.seconds = gather_binomial_hockney, .erratum = 6},
      [CT_MODEL_LOGGP] = {.seconds = gather_binomial_loggp, .erratum = 7, .reason = gaps_for_messages},
      [CT_MODEL_PLOGP] = {.remark = 33, .reason = shrinking_last}}},
    {"allgather/bruck",
     "4.6",
     "Bruck",
     {[CT_MODEL_HOCKNEY] = {.seconds = allgather_bruck_hockney, .erratum = 8},
      [CT_MODEL_LOGGP] = {.seconds = allgather_bruck_loggp, .erratum = 9},
      [CT_MODEL_PLOGP] = {.seconds = allgather_bruck_plogp, .erratum = 10}}},
    {"allgather/recursive_doubling",
     "4.6",
     "Recursive doubling",
     {[CT_MODEL_HOCKNEY] = {.seconds = allgather_recursive_doubling_hockney, .erratum = 11},
      [CT_MODEL_LOGGP] = {.seconds = allgather_recursive_doubling_loggp,
                          .erratum = 11,
                          .reason = sent_already},
      [CT_MODEL_PLOGP] = {.seconds = allgather_recursive_doubling_plogp,
                          .erratum = 11,
                          .reason = sent_already}}},
    {"allgather/ring", "4.6", "Ring", {{0}}},
    {"allgather/neighbor_exchange",
     "4.6",
     "Neighbor exchange",
     {[CT_MODEL_PLOGP] = {.seconds = allgather_neighbor_exchange_plogp, .erratum = 12}}},
    {"alltoall/linear",
     "4.7",
     "Linear",
     {[CT_MODEL_LOGGP] = {.remark = 35,
                          .reason = "one (m - 1) G for P - 1 messages, and two gaps for each (35)"},
      [CT_MODEL_PLOGP] = {.remark = 36,
                          .reason = "a gap for what leaves and one for what comes (36), here both at once"}}},
    {"alltoall/pairwise",
     "4.7",
     "Pairwise exchange",
     {[CT_MODEL_LOGGP] = {.remark = 31, .reason = longer_step}}},
    {"alltoall/bruck",
     "4.7",
     "Bruck",
     {[CT_MODEL_HOCKNEY] = {.reason = copies},
      [CT_MODEL_LOGGP] = {.reason = copies},
      [CT_MODEL_PLOGP] = {.seconds = alltoall_bruck_plogp, .erratum = 13, .reason = copies}}},
    {"reduce/linear",
     "4.8",
     "Flat Tree",
     {[CT_MODEL_HOCKNEY] = {.reason = "one message is combined while the next comes in: equal without gamma"},
      [CT_MODEL_LOGGP] = {.seconds = reduce_linear_loggp,
                          .erratum = 14,
                          .reason =
                              "o for a message that comes in, here the gap g; and one is combined while "
                              "the next comes in"},
      [CT_MODEL_PLOGP] = {.reason =
                              "gamma m counts as part of the gap, also the last one's, which follows it: "
                              "equal without gamma"}}},
    {"reduce/pipeline",
     "4.8",
     "Pipeline",
     {[CT_MODEL_HOCKNEY] = {.reason = overlap},
      [CT_MODEL_LOGGP] = {.reason = rate},
      [CT_MODEL_PLOGP] = {.reason =
                              "gamma m_s counts as part of the gap, also where it follows it, and o_s as "
                              "more than the gap, of which it is part"}}},
    {"reduce/binomial",
     "4.8",
     "Binomial",
     {[CT_MODEL_HOCKNEY] = {.reason = overlap},
      [CT_MODEL_LOGGP] = {.remark = 31,
                          .reason = "g for the last o of a message (31), and a segment is combined while the "
                                    "next comes in; without gamma and with g = o equal at powers of two"},
      [CT_MODEL_PLOGP] = {.reason =
                              "gamma m_s counts as part of the gap, also where it follows it: without it "
                              "equal at powers of two; other P: as the broadcast"}}},
    {"reduce/binary",
     "4.8",
     "Binary",
     {[CT_MODEL_HOCKNEY] = {.remark = 32,
                            .reason =
                                "priced as the next P = 2^D - 1 (32), and a segment is combined while the "
                                "next comes in: equal there without gamma"},
      [CT_MODEL_LOGGP] = {.seconds = reduce_binary_loggp,
                          .erratum = 15,
                          .remark = 38,
                          .reason = "both children's bytes at once (38), and priced as the next P = 2^D - 1 "
                                    "(32)"},
      [CT_MODEL_PLOGP] = {.remark = 32,
                          .reason = "priced as the next P = 2^D - 1 (32), and gamma m_s and o_s as in the "
                                    "pipeline"}}},
    {"reduce/rabenseifner",
     "4.8",
     "Rabenseifner",
     {[CT_MODEL_HOCKNEY] = {.seconds = reduce_rabenseifner_hockney, .erratum = 16},
      [CT_MODEL_LOGGP] = {.seconds = reduce_rabenseifner_loggp, .erratum = 16},
      [CT_MODEL_PLOGP] = {.seconds = reduce_rabenseifner_plogp, .erratum = 16}}},
    {"reduce_scatter/recursive_halving",
     "4.9",
     "Recursive halving",
     {[CT_MODEL_HOCKNEY] = {.reason = pairs_stand_for_one},
      [CT_MODEL_LOGGP] = {.seconds = reduce_scatter_halving_loggp,
                          .erratum = 17,
                          .reason = pairs_stand_for_one},
      [CT_MODEL_PLOGP] = {.seconds = reduce_scatter_halving_plogp,
                          .erratum = 18,
                          .reason = pairs_stand_for_one}}},
    {"reduce_scatter/ring",
     "4.9",
     "Ring",
     {[CT_MODEL_HOCKNEY] = {.reason = no_copy},
      [CT_MODEL_LOGGP] = {.reason = no_copy},
      [CT_MODEL_PLOGP] = {.reason = no_copy}}},
    {"allreduce/recursive_doubling",
     "4.10",
     "Recursive doubling",
     {[CT_MODEL_HOCKNEY] = {.seconds = allreduce_recursive_doubling, .erratum = 19},
      [CT_MODEL_LOGGP] = {.seconds = allreduce_recursive_doubling, .erratum = 19, .reason = sent_already},
      [CT_MODEL_PLOGP] = {.seconds = allreduce_recursive_doubling, .erratum = 19, .reason = sent_already}}},
    {"allreduce/ring", "4.10", "Ring", {{0}}},
    {"allreduce/ring_segmented",
     "4.10",
     "Ring with segment.",
     {[CT_MODEL_HOCKNEY] = {.remark = 37, .reason = another_ring},
      [CT_MODEL_LOGGP] =
          {.seconds = allreduce_ring_segmented_loggp, .erratum = 20, .remark = 37, .reason = another_ring},
      [CT_MODEL_PLOGP] = {.remark = 37, .reason = another_ring}}},
    {"allreduce/rabenseifner",
     "4.10",
     "Rabenseifner",
     {[CT_MODEL_HOCKNEY] = {.seconds = allreduce_rabenseifner_hockney, .erratum = 21},
      [CT_MODEL_LOGGP] = {.seconds = allreduce_rabenseifner_loggp, .erratum = 22},
      [CT_MODEL_PLOGP] = {.seconds = allreduce_rabenseifner_plogp, .erratum = 23}}},
    {"scan/linear", "4.11", "Linear", {{0}}},
    {"scan/linear_segmented",
     "4.11",
     "Linear with segment.",
     {[CT_MODEL_HOCKNEY] = {.reason = overlap},
      [CT_MODEL_LOGGP] = {.reason = rate},
      [CT_MODEL_PLOGP] = {.reason =
                              "P = 2: no rank both receives and sends, so that o_s + o_r + gamma m_s is "
                              "nobody's rate"}}},
    {"scan/recursive_doubling",
     "4.11",
     "Binomial",
     {[CT_MODEL_HOCKNEY] = {.reason =
                                "other P: one message is combined while the next, sent already, comes in"},
      [CT_MODEL_LOGGP] = {.seconds = scan_doubling_loggp, .erratum = 24, .reason = gaps_for_messages},
      [CT_MODEL_PLOGP] = {.seconds = scan_doubling_plogp, .erratum = 24, .reason = gaps_for_messages}}},
};

/* --- tables 5.1 to 5.4 --- */

static double bcast_binary_hockney_optimum(const struct ct_formula_terms *x)
{
    return sqrt(2 * x->m * x->alpha / ((ct_binary_depth(x) - 2) * x->beta));
}

/* Belongs to the printed time, which has G once too often. */
static double reduce_linear_loggp_optimum(const struct ct_formula_terms *x)
{
    return sqrt(x->m * (x->P - 1) * (x->o - x->G) / x->G);
}

/* Print lacks the case in which the gap is the longer. */
static double combining_pipeline_loggp_optimum(const struct ct_formula_terms *x)
{
    return sqrt(x->m * (2 * x->o - x->G) / ((x->P - 2) * (x->G + x->gamma)));
}

static double reduce_binary_loggp_optimum(const struct ct_formula_terms *x)
{
    double gap_longer = sqrt(x->m * (x->g - x->G) / (2 * x->gamma));
    return x->g >= x->o + x->gamma * gap_longer ? gap_longer : sqrt(x->m * (x->o - x->G) / (2 * x->gamma));
}

static double allreduce_ring_loggp_optimum(const struct ct_formula_terms *x)
{
    double gap_longer = sqrt(x->m * (x->g - x->G) / ((x->P - 2) * x->G));
    return x->g >= x->o + x->gamma * gap_longer ? gap_longer
                                                : sqrt(x->m * (x->o - x->G) / ((x->P - 2) * x->G - x->gamma));
}

const struct printed_optimum printed_optima[PRINTED_OPTIMA] = {
    {"bcast/binary", CT_MODEL_HOCKNEY, "5.1", bcast_binary_hockney_optimum, 25},
    {"reduce/linear", CT_MODEL_LOGGP, "5.2", reduce_linear_loggp_optimum, 26},
    {"reduce/pipeline", CT_MODEL_LOGGP, "5.2", combining_pipeline_loggp_optimum, 27},
    {"reduce/binary", CT_MODEL_LOGGP, "5.2", reduce_binary_loggp_optimum, 28},
    {"allreduce/ring_segmented", CT_MODEL_LOGGP, "5.3", allreduce_ring_loggp_optimum, 29},
    {"scan/linear_segmented", CT_MODEL_LOGGP, "5.4", combining_pipeline_loggp_optimum, 27},
};

/* The positive root of 2 (D - 2) b m_s^2 + m b m_s - m = 0, in a form that includes D = 2. */
double segment_of_exponential_gap(double ranks, double bytes, double per_byte)
{
    double steep = bytes * per_byte, levels = ct_ceil_log2(ranks + 1) - 2;
    return 2 * bytes / (steep + sqrt(steep * steep + 8 * steep * levels));
}
