/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/benchmarks/left_out.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples of one median stand together, their times rising. */
static int by_median(const void *left, const void *right)
{
    const struct ct_sample *const *a = left, *const *b = right;
    if ((*a)->key.msg_bytes != (*b)->key.msg_bytes)
        return (*a)->key.msg_bytes < (*b)->key.msg_bytes ? -1 : 1;
    if ((*a)->launch != (*b)->launch)
        return (*a)->launch < (*b)->launch ? -1 : 1;
    if ((*a)->method != (*b)->method)
        return (*a)->method < (*b)->method ? -1 : 1;
    return ((*a)->seconds > (*b)->seconds) - ((*a)->seconds < (*b)->seconds);
}

static bool of_one_median(const struct ct_sample *a, const struct ct_sample *b)
{
    return a->key.msg_bytes == b->key.msg_bytes && a->launch == b->launch && a->method == b->method;
}

static bool is_of(const struct left_out *left_out, const struct ct_sample *sample)
{
    return left_out->run->methods[sample->method].algorithm->collective == left_out->collective &&
           sample->key.comm_size == left_out->comm_size;
}

static size_t place(const struct left_out *left_out, size_t size, size_t launch, size_t method)
{
    return (size * left_out->launches + launch) * left_out->run->method_count + method;
}

/* The sizes and the number of launches of sorted samples. */
static int find_sizes(struct left_out *left_out, const struct ct_sample *const *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (samples[i]->launch >= left_out->launches)
            left_out->launches = (size_t)samples[i]->launch + 1;
        if (i == 0 || samples[i]->key.msg_bytes != samples[i - 1]->key.msg_bytes)
            left_out->size_count++;
    }
    left_out->msg_bytes = ct_allocate(left_out->size_count + 1, sizeof *left_out->msg_bytes);
    size_t medians, all;
    if (!left_out->msg_bytes || !ct_multiply(left_out->size_count, left_out->launches, &medians) ||
        !ct_multiply(medians, left_out->run->method_count, &all))
        return CT_E_MEMORY;
    left_out->medians = ct_allocate(all + 1, sizeof *left_out->medians);
    if (!left_out->medians)
        return CT_E_MEMORY;
    for (size_t i = 0; i < all; i++)
        left_out->medians[i] = NAN;
    return CT_OK;
}

/* The median of the first samples, which are of one; how many these are. */
static size_t take_median(const struct ct_sample *const *samples, size_t count, double *ret_median)
{
    size_t n = 0;
    bool failed = false;
    while (n < count && of_one_median(samples[0], samples[n]))
        failed |= samples[n++]->status != CT_SAMPLE_OK;
    double low = samples[(n - 1) / 2]->seconds, high = samples[n / 2]->seconds;
    *ret_median = failed ? NAN : (low + high) / 2;
    return n;
}

static void find_medians(struct left_out *left_out, const struct ct_sample *const *samples, size_t count)
{
    size_t size = 0;
    for (size_t i = 0, n; i < count; i += n) {
        const struct ct_sample *first = samples[i];
        if (i > 0 && first->key.msg_bytes != samples[i - 1]->key.msg_bytes)
            size++;
        left_out->msg_bytes[size] = first->key.msg_bytes;
        n = take_median(samples + i, count - i,
                        &left_out->medians[place(left_out, size, first->launch, first->method)]);
    }
}

int left_out_make(const struct ct_run *run, enum ct_collective collective, size_t comm_size,
                  struct left_out *ret_left_out)
{
    struct left_out left_out = {.run = run, .collective = collective, .comm_size = comm_size};
    const struct ct_sample **samples = ct_allocate(run->sample_count + 1, sizeof *samples);
    size_t count = 0;
    if (!samples)
        return CT_E_MEMORY;
    for (size_t i = 0; i < run->sample_count; i++)
        if (is_of(&left_out, &run->samples[i]))
            samples[count++] = &run->samples[i];
    qsort(samples, count, sizeof *samples, by_median);
    int status = find_sizes(&left_out, samples, count);
    if (status == CT_OK)
        find_medians(&left_out, samples, count);
    free(samples);
    if (status == CT_OK)
        *ret_left_out = left_out;
    else
        left_out_free(&left_out);
    return status;
}

void left_out_free(struct left_out *left_out)
{
    free(left_out->msg_bytes);
    free(left_out->medians);
    *left_out = (struct left_out){0};
}

double left_out_median(const struct left_out *left_out, size_t size, size_t launch, size_t method)
{
    return left_out->medians[place(left_out, size, launch, method)];
}

size_t left_out_native(const struct left_out *left_out)
{
    const struct ct_method *methods = left_out->run->methods;
    for (size_t i = 0; i < left_out->run->method_count; i++)
        if (methods[i].algorithm->collective == left_out->collective && ct_is_native(methods[i].algorithm))
            return i;
    return SIZE_MAX;
}

/* Sum of the logarithms of a method's times against native in the other launches; NAN where one is missing.
 */
static double sum_of_logs(const struct left_out *left_out, size_t size, size_t launch, size_t method)
{
    size_t native = left_out_native(left_out);
    double sum = native == SIZE_MAX || left_out->launches < 2 ? NAN : 0;
    for (size_t i = 0; i < left_out->launches && !isnan(sum); i++)
        if (i != launch)
            sum +=
                log(left_out_median(left_out, size, i, method) / left_out_median(left_out, size, i, native));
    return sum;
}

size_t left_out_best(const struct left_out *left_out, size_t size, size_t launch)
{
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t i = 0; i < left_out->run->method_count; i++) {
        const struct ct_algorithm *algorithm = left_out->run->methods[i].algorithm;
        if (algorithm->collective != left_out->collective || ct_is_native(algorithm))
            continue;
        double sum = sum_of_logs(left_out, size, launch, i);
        if (sum < least) {
            best = i;
            least = sum;
        }
    }
    return best;
}

double left_out_ratio(const struct left_out *left_out, size_t size, size_t launch)
{
    size_t best = left_out_best(left_out, size, launch), native = left_out_native(left_out);
    if (best == SIZE_MAX)
        return NAN;
    return left_out_median(left_out, size, launch, best) / left_out_median(left_out, size, launch, native);
}
