/* SPDX-License-Identifier: BSD-3-Clause */
/* What a tuned library that is there says of itself. */
#include "library/colltuned.h"
#include "tests/library/applications/calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef size_t get_counters(struct colltuned_counter *counters, size_t room);

static bool is_of(const char *method, const char *collective)
{
    size_t length = strlen(collective);
    return strncmp(method, collective, length) == 0 && method[length] == '/';
}

static void compare(struct calls *calls, const struct colltuned_counter *counters, size_t count)
{
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++) {
        unsigned long long counted = 0;
        for (size_t i = 0; i < count; i++)
            if (is_of(counters[i].method, ct_collectives[c].name))
                counted += counters[i].calls;
        if (counted != calls->made[c])
            calls_wrong(calls, "%s: %zu calls were made, %llu are counted", ct_collectives[c].name,
                        calls->made[c], counted);
    }
}

/* A method that the library has for several reasons is one method. */
static void compare_names(struct calls *calls, const struct colltuned_counter *counters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(counters[i].method, counters[j].method) == 0)
                calls_wrong(calls, "%s has two counters", counters[i].method);
}

/* Past the library: this is not what is tried. */
static unsigned long long sum(unsigned long long mine)
{
    unsigned long long all = 0;
    PMPI_Reduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

void calls_counted(struct calls *calls)
{
    get_counters *get;
    void *symbol = dlsym(RTLD_DEFAULT, "colltuned_counters");
    int rank;
    if (!symbol)
        return;
    memcpy(&get, &symbol, sizeof get);
    size_t count = get(NULL, 0);
    if (count == 0) /* it was built for another MPI */
        return;
    struct colltuned_counter *counters = calloc(count + 1, sizeof *counters);
    if (!counters)
        MPI_Abort(MPI_COMM_WORLD, 1);
    get(counters, count);
    compare(calls, counters, count);
    compare_names(calls, counters, count);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < count; i++) {
        unsigned long long uses = sum(counters[i].calls), messages = sum(counters[i].messages);
        if (rank == 0 && uses > 0)
            printf("used %s %llu %llu\n", counters[i].method, uses, messages);
    }
    free(counters);
}
