/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/outcomes.h"

#include <stdio.h>

void ct_outcome_add(struct ct_outcome *outcome, const struct ct_cases_totals *totals, double seconds)
{
    outcome->totals.cases += totals->cases;
    outcome->totals.skipped.by_constraints += totals->skipped.by_constraints;
    outcome->totals.skipped.by_messages += totals->skipped.by_messages;
    outcome->totals.steps += totals->steps;
    outcome->totals.messages += totals->messages;
    outcome->seconds += seconds;
}

static void print_failure(const struct ct_case_failure *failure)
{
    const struct ct_call *call = &failure->call;
    const struct ct_collective_description *description =
        &ct_collectives[failure->method.algorithm->collective];
    char method[CT_METHOD_TEXT], root[40] = "", bytes[40] = "", ppn[40] = "";
    ct_method_format(&failure->method, true, method);
    if (description->has_root)
        snprintf(root, sizeof root, " --root %d", call->root);
    if (description->has_data)
        snprintf(bytes, sizeof bytes, " --bytes %zu", call->count * call->unit_bytes);
    if (failure->ppn > 0)
        snprintf(ppn, sizeof ppn, " --ppn %d", failure->ppn);
    printf("%s, %d ranks: %s\n", method, call->size, failure->error.text);
    printf("  colltune explain %s --size %d%s%s%s%s%s%s --rank %d\n", method, call->size, root, bytes, ppn,
           failure->uneven ? " --uneven" : "", call->in_place ? " --in-place" : "",
           call->commutative ? "" : " --ordered", failure->verdict.rank);
    if (failure->nodes[0] && failure->ppn == 0)
        printf("  with the ranks on nodes %s\n", failure->nodes);
}

/* "verified" needs at least one case. */
static const char *result_of(const struct ct_outcome *outcome, bool failed)
{
    const struct ct_cases_skipped *skipped = &outcome->totals.skipped;
    if (failed)
        return "FAILED";
    if (outcome->totals.cases > 0)
        return skipped->by_messages ? "verified; methods with O(P^2) messages were skipped" : "verified";
    return skipped->by_messages ? "skipped: O(P^2) messages" : "skipped: does not apply";
}

/* In columns, or, `width` being 0, as CSV. */
static void print_row(int width, const char *name, const struct ct_outcome *outcome, bool failed)
{
    const struct ct_cases_totals *totals = &outcome->totals;
    printf(width ? "%-*s %9zu %9zu %9zu %11zu %12zu %8.2f  %s\n" : "%*s,%zu,%zu,%zu,%zu,%zu,%.3f,%s\n", width,
           name, totals->cases, totals->skipped.by_constraints, totals->skipped.by_messages, totals->messages,
           totals->steps, outcome->seconds, result_of(outcome, failed));
}

static int spell(const struct ct_algorithm *algorithm, char text[CT_METHOD_TEXT])
{
    return snprintf(text, CT_METHOD_TEXT, "%s/%s", ct_collectives[algorithm->collective].name,
                    algorithm->name);
}

static int widest(const struct ct_algorithm *const *algorithms, size_t count)
{
    int width = 0;
    for (size_t i = 0; i < count; i++) {
        char name[CT_METHOD_TEXT];
        int length = spell(algorithms[i], name);
        width = length > width ? length : width;
    }
    return width;
}

bool ct_outcomes_print(const struct ct_algorithm *const *algorithms, const struct ct_outcome *outcomes,
                       size_t count, bool csv)
{
    struct ct_outcome all = {.seconds = 0};
    size_t failures = 0;
    int width = csv ? 0 : widest(algorithms, count);
    if (csv)
        puts("algorithm,cases,skipped,quadratic,messages,steps,seconds,result");
    else
        printf("%-*s %9s %9s %9s %11s %12s %8s  %s\n", width, "algorithm", "cases", "skipped", "quadratic",
               "messages", "steps", "seconds", "result");
    for (size_t i = 0; i < count; i++) {
        char name[CT_METHOD_TEXT];
        spell(algorithms[i], name);
        print_row(width, name, &outcomes[i], outcomes[i].failure != NULL);
        failures += outcomes[i].failure != NULL;
        ct_outcome_add(&all, &outcomes[i].totals, outcomes[i].seconds);
    }
    if (!csv && count > 1)
        print_row(width, "all", &all, failures > 0);
    for (size_t i = 0; i < count; i++)
        if (outcomes[i].failure && !csv)
            print_failure(outcomes[i].failure);
    return failures == 0;
}
