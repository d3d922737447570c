/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/tuned_call_checks.h"
#include "library/colltuned.h"
#include "library/decide/settled_choices.h"
#include "library/execute/describe_call.h"
#include "library/mpi/backend_mpi.h"
#include "library/sparse/sparse_calls.h"
#include "measure/benchmark/program.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_COUNTERS = 256 };

__attribute__((format(printf, 3, 4))) static void
find_wrong(struct ct_validation *validation, const struct ct_validated_point *point, const char *format, ...)
{
    va_list arguments;
    char text[200];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    validation->wrong++;
    fprintf(stderr, CT_VALIDATION_WRONG "%s of %zu bytes on %zu ranks, rank %d: %s\n",
            ct_collectives[point->collective].name, point->msg_bytes, validation->group->size,
            validation->bench.rank, text);
}

/* Messages that this rank sends in the method's plan. */
static unsigned long long messages_of_plan(const struct ct_validation *validation,
                                           const struct ct_method *method)
{
    struct ct_call call;
    struct ct_plan plan = {0};
    unsigned long long messages = 0;
    ct_bench_check(ct_call_describe(validation->channel, method->algorithm->collective,
                                    &validation->call->operands, &call),
                   "describing a call");
    if (ct_needs_routes(method) &&
        !(call.routes = ct_sparse_call_routes(validation->channel, validation->comm, method)))
        return 0;
    ct_plan_reset(&plan);
    if (ct_method_build(method, &plan, &call) != CT_OK)
        ct_bench_abort("no memory for a plan");
    for (size_t i = 0; i < plan.step_count; i++)
        messages += plan.steps[i].kind == CT_STEP_SEND;
    ct_plan_free(&plan);
    return messages;
}

/* What changed between two readings must be one call of one method, with the messages of its plan. */
static void check_counters(struct ct_validation *validation, struct ct_validated_point *point,
                           const struct colltuned_counter *before, const struct colltuned_counter *after,
                           size_t count)
{
    size_t ran = count;
    for (size_t i = 0; i < count; i++) {
        if (after[i].calls == before[i].calls)
            continue;
        if (ran < count || after[i].calls != before[i].calls + 1)
            find_wrong(validation, point, "more than one call was counted for one");
        ran = i;
    }
    if (ran == count) {
        find_wrong(validation, point, "no call was counted: the tuned library did not take it over");
        return;
    }
    struct ct_method method;
    if (ct_method_parse(after[ran].method, CT_COLLECTIVES, NULL, &method) != CT_OK ||
        method.algorithm->collective != point->collective) {
        find_wrong(validation, point, "'%s' was counted", after[ran].method);
        return;
    }
    ct_method_format(&method, false, point->method);
    unsigned long long expected = ct_is_native(method.algorithm) ? 0 : messages_of_plan(validation, &method);
    unsigned long long sent = after[ran].messages - before[ran].messages;
    if (sent != expected)
        find_wrong(validation, point, "%s sent %llu messages, its plan has %llu", after[ran].method, sent,
                   expected);
}

static void check_call(struct ct_validation *validation, struct ct_validated_point *point)
{
    struct colltuned_counter before[MOST_COUNTERS], after[MOST_COUNTERS];
    double figures[CT_FIGURES];
    ct_bench_call_fill(validation->call);
    size_t count = colltuned_counters(before, MOST_COUNTERS);
    ct_validation_call(validation, point, CT_VALIDATION_TUNED, 0, figures);
    colltuned_counters(after, MOST_COUNTERS);
    if (!ct_bench_call_right(validation->call))
        find_wrong(validation, point, "the result is wrong");
    check_counters(validation, point, before, after, count < MOST_COUNTERS ? count : MOST_COUNTERS);
}

/* All tuned calls before those that are timed. Ranks may agree in the first ones of sparse collectives. */
static int calls_to_check(const struct ct_job_cell *cell)
{
    return cell->pattern > 0 ? CT_SETTLED_AFTER + 1 : CT_SIMULATED ? 1 : 2;
}

bool ct_validation_check(struct ct_validation *validation, const struct ct_job_cell *cell,
                         struct ct_validated_point *point)
{
    for (int i = 0; i < calls_to_check(cell); i++)
        check_call(validation, point);
    double wrong = validation->wrong, any_wrong;
    validation->wrong = 0;
    ct_validation_agree(validation, &wrong, &any_wrong, 1);
    if (any_wrong > 0)
        ct_validation_report_word(validation, point, "wrong");
    return !(any_wrong > 0);
}
