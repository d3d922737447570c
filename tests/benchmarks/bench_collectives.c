/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a run on 2 ranks: for every collective and message size the best of our methods against the native one,
 * median (least - most) over the launches, each of which scores the method that is best in the others; the
 * geometric mean over the sizes; and what the methods are. Usage: bench_collectives RUN [CSV], where CSV gets
 * a line a launch. */
#include "base/file.h"
#include "base/number.h"
#include "base/statistics.h"
#include "samples/run_folder.h"
#include "tests/benchmarks/left_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 2, NAME = 22, COLUMN = 22 };

/* Prints the median of what is not missing, with its extremes, in a column; a star where some is. Sorts it.
 */
static void print_spread(double *values, size_t count)
{
    char text[64] = "-";
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[n++] = values[i];
    ct_sort(values, n);
    if (n > 0)
        snprintf(text, sizeof text, "%s%.2f (%.2f - %.2f)", n < count ? "*" : "", ct_quantile(values, n, 0.5),
                 values[0], values[n - 1]);
    printf(" %*s", COLUMN, text);
}

/* The geometric mean of one launch's ratios; NAN where one is missing. */
static double mean_of_launch(const struct left_out *left_out, size_t launch)
{
    double sum = 0;
    for (size_t size = 0; size < left_out->size_count; size++)
        sum += log(left_out_ratio(left_out, size, launch));
    return exp(sum / (double)left_out->size_count);
}

/* A line: a column for each size of the run, in which the collective may have none, and the mean. The means
 * of the launches are multiplied into `products`. */
static void print_line(const struct left_out *left_out, const size_t *sizes, size_t size_count,
                       double *products)
{
    double *values = malloc((left_out->launches + 1) * sizeof *values);
    if (!values)
        abort();
    printf("%-*s", NAME, ct_collectives[left_out->collective].name);
    for (size_t i = 0, own = 0; i < size_count; i++) {
        bool has = own < left_out->size_count && left_out->msg_bytes[own] == sizes[i];
        for (size_t launch = 0; launch < left_out->launches; launch++)
            values[launch] = has ? left_out_ratio(left_out, own, launch) : NAN;
        print_spread(values, left_out->launches);
        own += has;
    }
    for (size_t launch = 0; launch < left_out->launches; launch++) {
        values[launch] = mean_of_launch(left_out, launch);
        products[launch] *= values[launch];
    }
    print_spread(values, left_out->launches);
    puts("");
    free(values);
}

/* What is best in all launches together, and in how many of them it was the choice of the others. */
static void print_choices(const struct left_out *left_out)
{
    for (size_t size = 0; size < left_out->size_count; size++) {
        char bytes[CT_SIZE_TEXT] = "", spelling[CT_METHOD_TEXT];
        size_t best = left_out_best(left_out, size, SIZE_MAX), same = 0;
        size_t native = left_out_native(left_out);
        if (best == SIZE_MAX)
            continue;
        for (size_t launch = 0; launch < left_out->launches; launch++)
            same += left_out_best(left_out, size, launch) == best;
        printf("%-*s %6s  %-36s chosen %zu times of %zu; native %.3g us\n", NAME,
               ct_collectives[left_out->collective].name,
               ct_collectives[left_out->collective].has_size
                   ? ct_size_format(left_out->msg_bytes[size], bytes)
                   : "",
               ct_method_format(&left_out->run->methods[best], false, spelling), same, left_out->launches,
               1e6 * left_out_median(left_out, size, 0, native));
    }
}

static void add_csv(const struct left_out *left_out, struct ct_text *csv)
{
    size_t native = left_out_native(left_out);
    for (size_t size = 0; size < left_out->size_count; size++)
        for (size_t launch = 0; launch < left_out->launches; launch++) {
            char spelling[CT_METHOD_TEXT];
            size_t best = left_out_best(left_out, size, launch);
            if (isnan(left_out_ratio(left_out, size, launch)))
                continue;
            ct_text_append(csv, "%s,%zu,%zu,\"%s\",%.9g,%.9g,%.6f\n",
                           ct_collectives[left_out->collective].name, left_out->msg_bytes[size], launch,
                           ct_method_format(&left_out->run->methods[best], false, spelling),
                           left_out_median(left_out, size, launch, best),
                           left_out_median(left_out, size, launch, native),
                           left_out_ratio(left_out, size, launch));
        }
}

static void print_head(const struct ct_run_description *description)
{
    printf("ours / native on %d ranks, %zu launches (* fewer)\n%-*s", RANKS, description->launches, NAME,
           "collective");
    for (size_t i = 0; i < description->msg_size_count; i++) {
        char bytes[CT_SIZE_TEXT];
        printf(" %*s", COLUMN, ct_size_format(description->msg_sizes[i], bytes));
    }
    printf(" %*s\n", COLUMN, "geometric mean");
}

/* All lines, and the mean over the collectives. */
static void print_table(const struct ct_run *run, const struct left_out *collectives, size_t count)
{
    const struct ct_run_description *description = &run->description;
    double *products = malloc((description->launches + 1) * sizeof *products);
    if (!products)
        abort();
    for (size_t i = 0; i < description->launches; i++)
        products[i] = 1;
    print_head(description);
    for (size_t i = 0; i < count; i++)
        print_line(&collectives[i], description->msg_sizes, description->msg_size_count, products);
    printf("%-*s", NAME + (int)description->msg_size_count * (COLUMN + 1), "all");
    for (size_t i = 0; i < description->launches; i++)
        products[i] = pow(products[i], 1 / (double)count);
    print_spread(products, description->launches);
    puts("\n");
    for (size_t i = 0; i < count; i++)
        print_choices(&collectives[i]);
    free(products);
}

static int report(const struct ct_run *run, const char *csv_file, struct ct_error *error)
{
    static struct left_out collectives[CT_COLLECTIVES];
    struct ct_text csv = {0};
    size_t count = 0;
    int status = CT_OK;
    ct_text_append(&csv, "collective,msg_bytes,launch,method,seconds,native_seconds,ratio\n");
    for (int i = 0; i < CT_COLLECTIVES && status == CT_OK; i++) {
        if (!ct_run_measures(run, (enum ct_collective)i))
            continue;
        status = left_out_make(run, (enum ct_collective)i, RANKS, &collectives[count]);
        count += status == CT_OK && collectives[count].size_count > 0;
    }
    if (status == CT_OK && count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: nothing was measured on %d ranks", run->folder, RANKS);
    if (status == CT_OK)
        print_table(run, collectives, count);
    for (size_t i = 0; i < count; i++) {
        add_csv(&collectives[i], &csv);
        left_out_free(&collectives[i]);
    }
    if (status == CT_OK && csv_file)
        status = ct_file_write(csv_file, csv.data, csv.length, error);
    ct_text_free(&csv);
    return status;
}

int main(int argc, char **argv)
{
    struct ct_error error = {0};
    struct ct_run run;
    if (argc < 2 || argc > 3) {
        fputs("usage: bench_collectives RUN [CSV]\n", stderr);
        return 2;
    }
    int status = ct_run_read(argv[1], false, &error, &run);
    if (status == CT_OK) {
        status = report(&run, argc > 2 ? argv[2] : NULL, &error);
        ct_run_free(&run);
    }
    if (status != CT_OK)
        fprintf(stderr, "bench_collectives: %s\n", error.text[0] ? error.text : "out of memory");
    return status == CT_OK ? 0 : 1;
}
