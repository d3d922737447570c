/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/models/formulas/formula_texts.h"

#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <stdlib.h>

#include <stddef.h>

const struct formula_row_texts formula_texts[FORMULA_TEXTS] = {
    /* table 4.2 */
    {"barrier/linear",
     {{"(P-1)*a", "P*a"}, {"(P-2)*(g+o) + 2*(L+2*o)", NULL}, {"P*(g(0)+r(0)) + 2*(L-r(0))", NULL}}},
    {"barrier/double_ring", {{"2*P*a", NULL}, {"2*P*(L+o+g)", NULL}, {"2*P*(L+g(0))", NULL}}},
    {"barrier/recursive_doubling",
     {{"two ? l*a : (l+2)*a", "two ? l*a : (f+2)*a"},
      {"two ? l*(L+o+g) : (c+2)*(L+o+g)", "two ? l*(L+o+g) : (f+2)*(L+o+g)"},
      {"two ? l*(L+g(0)) : (c+2)*(L+g(0))", "two ? l*(L+g(0)) : (f+2)*(L+g(0))"}}},
    {"barrier/dissemination", {{"c*a", NULL}, {"c*(L+o+g)", NULL}, {"c*(L+g(0))", NULL}}},
    /* table 4.3 */
    {"bcast/linear",
     {{"ns*(P-1)*(a+b*ms)", NULL},
      {"L + 2*o - g + ns*(P-1)*((ms-1)*G+g)", NULL},
      {"L + ns*(P-1)*g(ms)", NULL}}},
    {"bcast/pipeline",
     {{"(P+ns-2)*(a+b*ms)", NULL},
      {"(P-1)*(L+2*o+(ms-1)*G) + (ns-1)*(g+(ms-1)*G+o)", NULL},
      {"(P-1)*(L+g(ms)) + (ns-1)*g(ms)", NULL}}},
    {"bcast/binomial",
     {{"c*ns*(a+b*ms)", NULL}, {"c*(L+2*o+(ms-1)*G+(ns-1)*(g+(ms-1)*G))", NULL}, {"c*(L+ns*g(ms))", NULL}}},
    {"bcast/binary",
     {{"2*(D+ns-2)*(a+b*ms)", NULL},
      {"(D-1)*(L+g+2*(o+(ms-1)*G)) + (ns-1)*(o+2*(g+(ms-1)*G))", NULL},
      {"(D-1)*(L+2*g(ms)) + (ns-1)*max(2*g(ms), r(ms)+g(ms)+s(ms))", NULL}}},
    {"bcast/split_binary",
     {{"2*(D+ceil(ns/2)-2)*(a+b*ms) + a + b*m/2", NULL},
      {"(D-1)*(L+g+2*(o+(ms-1)*G)) + (ceil(ns/2)-1)*(o+2*(g+(ms-1)*G)) + L + 2*o + (m/2-1)*G", NULL},
      {"(D-1)*(L+2*g(ms)) + (ceil(ns/2)-1)*max(2*g(ms), r(ms)+g(ms)+s(ms)) + L + g(m/2)", NULL}}},
    /* table 4.4 */
    {"scatter/linear",
     {{"(P-1)*(a+b*m)", NULL},
      {"L + 2*o + (P-2)*((m-1)*G+g)", "L + 2*o + (m-1)*G + (P-2)*((m-1)*G+g)"},
      {"L + (P-1)*g(m)", NULL}}},
    {"scatter/binomial",
     {{"l*a + (P-1)*b*m", "c*a + (P-1)*b*m"},
      {"L + 2*o + (m*(P-1)-c)*G + (c-1)*max(L+2*o, g)", NULL},
      {"c*L + up(0, c-1, m)", NULL}}},
    /* table 4.5 */
    {"gather/linear",
     {{"(P-1)*(a+b*m)", NULL},
      {"L + 2*o + (P-2)*((m-1)*G+g)", "L + 2*o + (m-1)*G + (P-2)*((m-1)*G+g)"},
      {"L + (P-1)*g(m)", NULL}}},
    {"gather/linear_sync",
     {{"a + (P-1)*(2*a+b*m)", NULL},
      {"g+m*G < L+2*(o+ms*G) ? (P-1)*(2*L+4*o+(ms-1)*G) + g + (m-ms-1)*G"
       " : (P-1)*(o+g+(m-2)*G+L+o)",
       "g+m*G < L+2*(o+ms*G) ? (P-1)*(2*L+4*o+(ms-1)*G) + g + (m-ms-1)*G"
       " : 2*L + 3*o + (P-1)*(o+(m-2)*G+g)"},
      {"g(m-ms) < L+g(0) ? (P-1)*(2*L+g(ms)+g(0)) + g(m-ms) : 2*L + g(0) + (P-1)*(g(ms)+g(m-ms))", NULL}}},
    {"gather/binomial",
     {{"l*a + P*b*m", "c*a + (P-1)*b*m"},
      {"(c-1)*(L+2*o) + ((2*P-1)*m-c)*G", "L + 2*o + (m*(P-1)-c)*G + (c-1)*max(L+2*o, g)"},
      {"c*L + up(0, c-1, m)", NULL}}},
    /* table 4.6 */
    {"allgather/bruck",
     {{"l*a + P*b*m + P*d*m", "c*a + (P-1)*b*m + P*d*m"},
      {"f*(o+max(g, L+o)-G) + (P-1)*m*G + P*d*m", "c*(o+max(g, L+o)-G) + (P-1)*m*G + P*d*m"},
      {"f*L + up(0, f-1, m) + L + g((P-(Q-1))*m) + P*d*m",
       "f*L + up(0, f-1, m) + (two ? 0 : L + g((P-Q)*m)) + P*d*m"}}},
    {"allgather/recursive_doubling",
     {{"l*a + (P-1)*b*m", "two ? l*a + (P-1)*b*m : (f+2)*a + (P+Q+2^j-1+(f-j)*(P-Q))*b*m"},
      {"l*(o+max(g, L+o)-G) + (P-1)*m*G", "two ? l*(o+max(g, L+o)-G) + (P-1)*m*G"
                                          " : (f+2)*(o+max(g, L+o)-G) + (P+Q+2^j-1+(f-j)*(P-Q))*m*G"},
      {"f*L + up(0, f-1, m)", "two ? f*L + up(0, f-1, m)"
                              " : (f+2)*L + g(m) + up(1, j, m) + over(j, f-1, m, (P-Q)*m) + g(P*m)"}}},
    {"allgather/ring", {{"(P-1)*(a+b*m)", NULL}, {"(P-1)*(L+2*o+(m-1)*G)", NULL}, {"(P-1)*(L+g(m))", NULL}}},
    {"allgather/neighbor_exchange",
     {{"a + b*m + (P/2-1)*(a+b*2*m)", NULL},
      {"P/2*(L+2*o+(2*m-1)*G) - m*G", NULL},
      {"L + g(m) + (P/2-1)*g(2*m)", "L + g(m) + (P/2-1)*(L+g(2*m))"}}},
    /* table 4.7 */
    {"alltoall/linear",
     {{"(P-1)*(a+b*m)", NULL}, {"L + 2*o + (m-1)*G + 2*(P-1)*g", NULL}, {"L + 2*(P-1)*g(m)", NULL}}},
    {"alltoall/pairwise",
     {{"(P-1)*(a+b*m)", NULL}, {"(P-1)*(L+o+(m-1)*G+g)", NULL}, {"(P-1)*(L+g(m))", NULL}}},
    {"alltoall/bruck",
     {{"c*a + f*(b+d)*P/2*m + d*P*m + (b+d)*(P-Q)*m", NULL},
      {"two ? l*(o+(P/2*m-1)*G+d*P/2*m+max(g, L+o)) + d*P*m"
       " : f*(o+(P/2*m-1)*G+d*P/2*m+max(g, L+o)) + d*P*m + o + ((P-Q)*m-1)*G + d*(P-Q)*m + max(g, L+o)",
       NULL},
      {"c*L + f*(g(P/2*m)+d*P/2*m) + d*P*m + g((P-Q)*m) + d*(P-Q)*m",
       "c*L + f*(g(P/2*m)+d*P/2*m) + d*P*m + (two ? 0 : g((P-Q)*m) + d*(P-Q)*m)"}}},
    /* table 4.8 */
    {"reduce/linear",
     {{"ns*(P-1)*(a+b*ms+y*ms)", NULL},
      {"o + (ms-1)*G + L + ns*max(g, (P-1)*(o+(ms-1)*G+y*ms))", "o + L + ns*max(g, (P-1)*(o+(ms-1)*G+y*ms))"},
      {"L + (P-1)*ns*max(g(ms), r(ms)+y*ms)", NULL}}},
    {"reduce/pipeline",
     {{"(P+ns-2)*(a+b*ms+y*ms)", NULL},
      {"(P-1)*(L+2*o+(ms-1)*G+y*ms) + (ns-1)*max(g, 2*o+(ms-1)*G+y*ms)", NULL},
      {"(P-1)*(L+max(g(ms), r(ms)+y*ms)) + (ns-1)*(max(g(ms), r(ms)+y*ms)+s(ms))", NULL}}},
    {"reduce/binomial",
     {{"ns*c*(a+b*ms+y*ms)", NULL},
      {"c*(o+L+ns*((ms-1)*G+max(g, o+y*ms)))", NULL},
      {"c*(L+ns*max(g(ms), r(ms)+y*ms+s(ms)))", NULL}}},
    {"reduce/binary",
     {{"2*(D+ns-2)*(a+b*ms+y*ms)", NULL},
      {"(D-1)*(L+3*o+(ms-1)*G+2*y*ms+(ns-1)*((ms-1)*G+max(g, 3*o+2*y*ms)))",
       "(D-1)*(L+3*o+(ms-1)*G+2*y*ms) + (ns-1)*((ms-1)*G+max(g, 3*o+2*y*ms))"},
      {"(D-1)*(L+2*max(g(ms), r(ms)+y*ms)) + (ns-1)*(s(ms)+2*max(g(ms), r(ms)+y*ms))", NULL}}},
    {"reduce/rabenseifner",
     {{"2*l*a + 2*(P-1)*b*m + (P-1)*y*m", "2*f*a + 2*(Q-1)/Q*b*m + (Q-1)/Q*y*m + (two ? 0 : a+b*m+y*m)"},
      {"2*l*(L+2*o) + 2*((P-1)*m-l)*G + (P-1)*y*m",
       "2*f*(L+2*o) + 2*((Q-1)/Q*m-f)*G + (Q-1)/Q*y*m + (two ? 0 : L+2*o+(m-1)*G+y*m)"},
      {"2*l*L + (P-1)*y*m + down(1, f, m)",
       "2*f*L + (Q-1)/Q*y*m + 2*down(1, f, m) + (two ? 0 : L+g(m)+y*m)"}}},
    /* table 4.9 */
    {"reduce_scatter/recursive_halving",
     {{"two ? l*a + (P-1)*(b+y)*m : (f+2)*a + 2*P*b*m + (2*P-1)*y*m", NULL},
      {"two ? l*(L+2*o) + ((P-1)*m-l)*G + (P-1)*y*m"
       " : (f+2)*(L+2e-6) + (2*(P*m-1)-f)*G + (2*P-1)*y*m",
       "two ? l*(L+2*o) + ((P-1)*m-l)*G + (P-1)*y*m"
       " : (f+2)*(L+2*o) + (2*(P*m-1)-f)*G + (2*P-1)*y*m"},
      {"two ? l*L + (P-1)*y*m + down(1, f, P) : (f+2)*L + g(m) + (2*P-1)*y*m + down(0, f, P)",
       "two ? l*L + (P-1)*y*m + down(1, f, P*m) : (f+2)*L + g(m) + (2*P-1)*y*m + down(0, f, P*m)"}}},
    {"reduce_scatter/ring",
     {{"(P-1)*(a+b*m+y*m) + P*d*m", NULL},
      {"(P-1)*(L+2*o+(m-1)*G+y*m) + P*d*m", NULL},
      {"(P-1)*(L+g(m)+y*m) + P*d*m", NULL}}},
    /* table 4.10 */
    {"allreduce/recursive_doubling",
     {{"two ? l*(a+b*m+y*m) : (c+2)*(a+b*m+y*m) - y*m", "two ? l*(a+b*m+y*m) : (f+2)*(a+b*m+y*m) - y*m"},
      {"two ? l*(L+2*o+(m-1)*G+y*m) : (c+2)*(L+2*o+(m-1)*G+y*m) - y*m",
       "two ? l*(L+2*o+(m-1)*G+y*m) : (f+2)*(L+2*o+(m-1)*G+y*m) - y*m"},
      {"two ? l*(L+g(m)+y*m) : (c+2)*(L+g(m)+y*m) - y*m",
       "two ? l*(L+g(m)+y*m) : (f+2)*(L+g(m)+y*m) - y*m"}}},
    {"allreduce/ring",
     {{"2*(P-1)*(a+b*ceil(m/P)) + (P-1)*y*ceil(m/P)", NULL},
      {"2*(P-1)*(L+2*o+(ceil(m/P)-1)*G) + (P-1)*y*ceil(m/P)", NULL},
      {"2*(P-1)*(L+g(ceil(m/P))) + (P-1)*y*ceil(m/P)", NULL}}},
    {"allreduce/ring_segmented",
     {{"(P+ns-2)*(a+b*ms+y*ms) + (P-1)*(a+b*ceil(m/P))", NULL},
      {"(P-1)*(L+2*o+(ms-1)*G) + (ns-1)*max(g, y*ms+o) + (ms-1)*G + (P-1)*(L+2*o+(ceil(m/P)-1)*G)",
       "(P-1)*(L+2*o+(ms-1)*G+y*ms) + (ns-1)*(max(g, y*ms+o)+(ms-1)*G) + (P-1)*(L+2*o+(ceil(m/P)-1)*G)"},
      {"(P-1)*(L+g(ms)+y*ms) + (ns-1)*(g(ms)+y*ms) + (P-1)*(L+g(ceil(m/P)))", NULL}}},
    {"allreduce/rabenseifner",
     {{"2*l*a + 2*(P-1)/P*b*m + (P-1)/P*y*m",
       "2*f*a + 2*(Q-1)/Q*b*m + (Q-1)/Q*y*m + (two ? 0 : 2*(a+b*m)+y*m)"},
      {"2*l*(L+2*o) + 2*((P-1)*m-l)*G + (P-1)*y*m/P + l*(o+max(g, L+o)) - G + (P-1)*m/P*G",
       "f*(L+2*o) + ((Q-1)*m/Q-f)*G + (Q-1)*y*m/Q + f*(o+max(g, L+o)-G) + (Q-1)*m/Q*G"
       " + (two ? 0 : 2*(L+2*o+(m-1)*G)+y*m)"},
      {"3*l*L + (P-1)*y*m/P + 3*down(1, l-1, m)",
       "2*f*L + (Q-1)*y*m/Q + 2*down(1, f, m) + (two ? 0 : 2*(L+g(m))+y*m)"}}},
    /* table 4.11 */
    {"scan/linear",
     {{"(P-1)*(a+b*m+y*m)", NULL}, {"(P-1)*(L+2*o+(m-1)*G+y*m)", NULL}, {"(P-1)*(L+g(m)+y*m)", NULL}}},
    {"scan/linear_segmented",
     {{"(P+ns-2)*(a+b*ms+y*ms)", NULL},
      {"(P-1)*(L+2*o+(ms-1)*G+y*ms) + (ns-1)*max(g, 2*o+(ms-1)*G+y*ms)", NULL},
      {"(P-1)*(L+g(ms)+y*ms) + (ns-1)*max(g(ms), s(ms)+r(ms)+y*ms)", NULL}}},
    /* PLogP: print has a bare g in max{g, ...}, which PLogP does not; g(m) as in the row above */
    {"scan/recursive_doubling",
     {{"c*(a+b*m+y*m)", NULL},
      {"c*(L+2*o+(m-1)*G+max(g, o+y*m))", "c*(L+2*o+(m-1)*G+y*m)"},
      {"c*(L+g(m)+max(g(m), s(m)+y*m))", "c*(L+g(m)+y*m)"}}},
};

/* muParser's functions get no context. */
static const struct ct_plogp *curves;

static double gap_of(double bytes)
{
    return ct_curve_at(&curves->gap, bytes);
}

static double sending_of(double bytes)
{
    return ct_curve_at(&curves->send_overhead, bytes);
}

static double receiving_of(double bytes)
{
    return ct_curve_at(&curves->receive_overhead, bytes);
}

static double up(double first, double last, double bytes)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += gap_of(pow(2, k) * bytes);
    return sum;
}

static double down(double first, double last, double bytes)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += gap_of(bytes / pow(2, k));
    return sum;
}

static double over(double first, double last, double bytes, double more)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += gap_of(pow(2, k) * bytes + more);
    return sum;
}

/* The least e with 2^e >= x. */
static double ceil_of_log2(double x)
{
    double exponent = 0;
    while (pow(2, exponent) < x)
        exponent++;
    return exponent;
}

struct letter {
    const char *name;
    double value;
};

static void define(muParserHandle_t parser, struct letter *letters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mupDefineVar(parser, letters[i].name, &letters[i].value);
}

double formula_text_seconds(const char *text, enum ct_communication_model model,
                            const struct ct_formula_terms *x)
{
    double c = ceil_of_log2(x->P), two = pow(2, c) == x->P, f = two > 0 ? c : c - 1;
    struct letter letters[] = {{"P", x->P},
                               {"m", x->m},
                               {"ms", x->m_s},
                               {"ns", x->n_s},
                               {"y", x->gamma},
                               {"d", x->delta},
                               {"l", log2(x->P)},
                               {"c", c},
                               {"f", f},
                               {"Q", pow(2, f)},
                               {"two", two},
                               {"D", ceil_of_log2(x->P + 1)},
                               {"j", ceil_of_log2(x->P - pow(2, f) + 1)}};
    struct letter hockney[] = {{"a", x->alpha}, {"b", x->beta}};
    struct letter loggp[] = {{"L", x->L}, {"o", x->o}, {"g", x->g}, {"G", x->G}};
    struct letter plogp[] = {{"L", x->L}};
    muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
    mupDefineFun1(parser, "ceil", ceil, 0);
    define(parser, letters, sizeof letters / sizeof letters[0]);
    if (model == CT_MODEL_HOCKNEY)
        define(parser, hockney, 2);
    if (model == CT_MODEL_LOGGP)
        define(parser, loggp, 4);
    if (model == CT_MODEL_PLOGP) {
        curves = x->plogp;
        define(parser, plogp, 1);
        mupDefineFun1(parser, "g", gap_of, 0);
        mupDefineFun1(parser, "s", sending_of, 0);
        mupDefineFun1(parser, "r", receiving_of, 0);
        mupDefineFun3(parser, "up", up, 0);
        mupDefineFun3(parser, "down", down, 0);
        mupDefineFun4(parser, "over", over, 0);
    }
    mupSetExpr(parser, text);
    double value = mupEval(parser);
    if (mupError(parser)) {
        fprintf(stderr, "'%s': %s\n", text, mupGetErrorMsg(parser));
        exit(1);
    }
    mupRelease(parser);
    return value;
}
