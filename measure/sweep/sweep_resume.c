/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_internal.h"

#include <string.h>

/* A run is one set of conditions; what is added to it later must have been measured under the same. */

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_bytes(const void *a, size_t a_count, const void *b, size_t b_count, size_t size)
{
    return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * size) == 0);
}

static bool same_methods(const struct ct_run_description *a, const struct ct_run_description *b)
{
    if (a->method_count != b->method_count)
        return false;
    for (size_t i = 0; i < a->method_count; i++)
        if (!ct_method_equal(&a->methods[i], &b->methods[i]))
            return false;
    return true;
}

int ct_sweep_conditions_same(const struct ct_run_description *before, const struct ct_run_description *now,
                             const char *folder, struct ct_error *error)
{
    static const char *const properties[] = {"mpi.name",          "mpi.version",       "platform.sha256",
                                             "machine.host",      "machine.threads",   "affinity",
                                             "benchmark.program", "simulator.options", "sync",
                                             "launcher.hostfile", "launcher.ppn",      "sweep.cells",
                                             "sweep.racing",      "sweep.prior.sha256"};
    const struct {
        const char *name;
        bool same;
    } parts[] = {
        {"collectives", same_bytes(before->collectives, before->collective_count, now->collectives,
                                   now->collective_count, sizeof *now->collectives)},
        {"communicator sizes", same_bytes(before->comm_sizes, before->comm_size_count, now->comm_sizes,
                                          now->comm_size_count, sizeof *now->comm_sizes)},
        {"message sizes", same_bytes(before->msg_sizes, before->msg_size_count, now->msg_sizes,
                                     now->msg_size_count, sizeof *now->msg_sizes)},
        {"methods", same_methods(before, now)},
        {"number of launches", before->launches == now->launches},
        {"seed", before->seed == now->seed},
        {"precision", before->precision == now->precision},
        {"number of repetitions", before->most_repetitions == now->most_repetitions},
    };
    if (!same_text(before->backend, now->backend) || !same_text(before->launcher, now->launcher))
        return ct_fail(error, CT_E_INPUT,
                       "%s: was begun %s with '%s', not %s with '%s': it cannot be resumed so", folder,
                       before->backend, before->launcher, now->backend, now->launcher);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!parts[i].same)
            return ct_fail(error, CT_E_INPUT,
                           "%s: was begun with other %s: leave the option out, or measure into a new folder",
                           folder, parts[i].name);
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        const char *was = ct_run_property(before, properties[i]), *is = ct_run_property(now, properties[i]);
        if (!same_text(was, is))
            return ct_fail(error, CT_E_INPUT,
                           "%s: was begun where %s was '%s', here it is '%s': measure into a new folder",
                           folder, properties[i], was ? was : "", is ? is : "");
    }
    return CT_OK;
}
