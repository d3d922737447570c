/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/models/formulas/machines.h"
#include "models/formulas/segment.h"

#include <math.h>

/* In microseconds. */
static const struct {
    const char *name;
    struct ct_hockney hockney;
    struct ct_loggp loggp;
    double gamma;
} published[PUBLISHED_MACHINES] = {
    {"Grig (mx)", {5.64, 1 / 239.58}, {2.1, 1.6, 2.3, 0.0044}, 5e-4},
    {"Grig (tcp)", {110.65, 0.0851}, {106.6, 19.5, 1, 0.0859}, 5e-4},
    {"Boba", {47.6, 0.0151}, {30.40, 8.15, 8.683, 0.0150}, 1.7e-3},
    {"Frodo (mx)", {4.23, 0.0042}, {1.8, 1.3, 1.6, 0.0044}, 3e-3},
    {"Frodo (tcp)", {80.2, 0.0854}, {61.22, 8.2, 23.8, 0.0840}, 3e-3},
};

static void set_curves(struct machine *machine, size_t points)
{
    machine->link.plogp.gap = (struct ct_curve){machine->gap, points};
    machine->link.plogp.send_overhead = (struct ct_curve){machine->sending, points};
    machine->link.plogp.receive_overhead = (struct ct_curve){machine->receiving, points};
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        machine->link.known[model] = true;
}

/* g(m) = gap + (m - 1) G, constant overheads. */
static void set_line(struct machine *machine, double latency, double gap, double per_byte, double sending,
                     double receiving)
{
    machine->gap[0] = (struct ct_curve_point){1, gap};
    machine->gap[1] = (struct ct_curve_point){1 + (1 << 20), gap + (1 << 20) * per_byte};
    for (int i = 0; i < 2; i++) {
        machine->sending[i] = (struct ct_curve_point){machine->gap[i].bytes, sending};
        machine->receiving[i] = (struct ct_curve_point){machine->gap[i].bytes, receiving};
    }
    machine->link.plogp.latency = latency;
    set_curves(machine, 2);
}

void published_machine(int which, struct machine *ret_machine)
{
    const double us = 1e-6;
    const struct ct_loggp loggp = {published[which].loggp.latency * us, published[which].loggp.overhead * us,
                                   published[which].loggp.gap * us, published[which].loggp.gap_per_byte * us};
    *ret_machine = (struct machine){
        .name = published[which].name,
        .link = {.hockney = {published[which].hockney.alpha * us, published[which].hockney.beta * us},
                 .loggp = loggp},
        .gamma = published[which].gamma * us,
        .delta = published[which].gamma * us / 2};
    double gap = fmax(loggp.gap, loggp.overhead);
    set_line(ret_machine, loggp.latency + 2 * loggp.overhead - gap, gap, loggp.gap_per_byte, loggp.overhead,
             loggp.overhead);
}

/* Between low and high, every order of magnitude as likely. */
static double some(gsl_rng *random, double low, double high)
{
    return low * pow(high / low, gsl_rng_uniform(random));
}

void random_machine(gsl_rng *random, struct machine *ret_machine)
{
    double overhead = some(random, 1e-8, 1e-5), per_byte = some(random, 1e-10, 1e-6);
    *ret_machine = (struct machine){
        .name = "random",
        .link = {.hockney = {some(random, 1e-6, 1e-4), per_byte},
                 .loggp = {some(random, 1e-6, 1e-4), overhead, overhead * some(random, 0.3, 300), per_byte},
                 .plogp = {.latency = some(random, 1e-6, 1e-4)}},
        .gamma = per_byte * some(random, 0.01, 1),
        .delta = per_byte * some(random, 0.01, 1)};
    double share = some(random, 0.2, 0.9);
    double gap = 3 * overhead;
    for (int i = 0; i < MACHINE_POINTS; i++) {
        double bytes = i == 0 ? 0 : floor(ldexp(some(random, 1, 2), 4 + 2 * i));
        double step = i == 0 ? 0 : bytes - ret_machine->gap[i - 1].bytes;
        gap += step * per_byte * some(random, 0.3, 3);
        ret_machine->gap[i] = (struct ct_curve_point){bytes, gap};
        ret_machine->sending[i] = (struct ct_curve_point){bytes, share * gap};
        ret_machine->receiving[i] = (struct ct_curve_point){bytes, 0.9 * share * gap};
    }
    set_curves(ret_machine, MACHINE_POINTS);
}

void equal_machine(gsl_rng *random, struct machine *ret_machine)
{
    double latency = some(random, 1e-6, 1e-4), overhead = some(random, 1e-7, 1e-5);
    double per_byte = some(random, 1e-10, 1e-7);
    *ret_machine = (struct machine){.name = "equal",
                                    .link = {.hockney = {latency + 2 * overhead - per_byte, per_byte},
                                             .loggp = {latency, overhead, overhead, per_byte}}};
    set_line(ret_machine, latency + overhead, overhead, per_byte, overhead / 2, overhead / 2);
}

struct ct_formula_call call_on(const struct machine *machine, double ranks, double bytes, double segment)
{
    return (struct ct_formula_call){.link = &machine->link,
                                    .gamma = machine->gamma,
                                    .delta = machine->delta,
                                    .ranks = ranks,
                                    .bytes = bytes,
                                    .segment = segment};
}

double smooth_seconds(const struct ct_formula *formula, enum ct_communication_model model,
                      const struct ct_formula_call *call, double m_s)
{
    struct ct_formula_terms x = ct_formula_terms_of(formula, model, call);
    x.m_s = m_s;
    x.n_s = x.m / m_s;
    return formula->seconds[model](&x);
}

bool has_optimum(const struct ct_formula *formula, enum ct_communication_model model)
{
    struct machine machine;
    published_machine(0, &machine);
    const struct ct_formula_call call = call_on(&machine, 8, 65536, 0);
    return !isnan(ct_segment_optimal(formula, model, &call));
}
