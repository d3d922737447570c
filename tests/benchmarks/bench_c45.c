/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_c45 [KIND CASES]: processor time of C4.5 from the text of the cases to the report, as the cases grow.
 * The cases are decisions of bcast with noise, drawn from a seed, in kinds that once made a difference. */
#include "c45/c45_files.h"
#include "c45/c45_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char names_text[] = "Linear_none, Binomial_none, Binary_1KB, Split_binary_8KB, Pipeline_8KB, "
                                 "Pipeline_64KB.\n\n"
                                 "communicator_size: continuous.\nmessage_size: continuous.\n"
                                 "total_size: continuous.\neven: yes, no.\npow2: yes, no.\n";

enum kind { DRAWN, RISING, MISSING, FALLING_MISSING, KINDS };

static const char *const kind_names[KINDS] = {
    [DRAWN] = "drawn", [RISING] = "rising", [MISSING] = "missing", [FALLING_MISSING] = "falling, missing"};

static unsigned long long draw(unsigned long long *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed >> 20;
}

/* Which method would be best, without the noise. */
static size_t choose(size_t ranks, size_t bytes)
{
    enum { LINEAR, BINOMIAL, BINARY, SPLIT_BINARY, PIPELINE_8K, PIPELINE_64K };
    if (bytes < 20000)
        return ranks <= 3 ? LINEAR : BINOMIAL;
    if (bytes < 800000)
        return ranks <= 11 ? PIPELINE_8K : bytes < 30000 ? BINARY : SPLIT_BINARY;
    return bytes / ranks > 100000 ? PIPELINE_64K : PIPELINE_8K;
}

static void write_case(enum kind kind, size_t index, unsigned long long *seed, struct ct_text *text)
{
    static const char *const classes[] = {"Linear_none",      "Binomial_none", "Binary_1KB",
                                          "Split_binary_8KB", "Pipeline_8KB",  "Pipeline_64KB"};
    enum { CLASSES = 6, NOISE_PERCENT = 8, MISSING_PERCENT = 5, BYTES_MOST = 4000000 };
    size_t ranks = 2 + draw(seed) % 63, doubling = draw(seed) % 23;
    bool ordered = kind == RISING || kind == FALLING_MISSING;
    size_t bytes = ordered ? (kind == RISING ? index + 1 : BYTES_MOST - index) : (size_t)1 << doubling;
    if (!ordered)
        bytes += draw(seed) % bytes;
    size_t class = choose(ranks, bytes);
    if (draw(seed) % 100 < NOISE_PERCENT)
        class = draw(seed) % CLASSES;
    if (kind >= MISSING && draw(seed) % 100 < MISSING_PERCENT)
        ct_text_append(text, "?,");
    else
        ct_text_append(text, "%zu,", ranks);
    ct_text_append(text, "%zu,%zu,%s,%s,%s\n", bytes, ranks * bytes, ranks % 2 ? "no" : "yes",
                   ranks & (ranks - 1) ? "no" : "yes", classes[class]);
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int run(enum kind kind, size_t count)
{
    unsigned long long seed = 88172645463325252ull;
    struct ct_error error = {""};
    struct ct_text text = {0}, report = {0};
    struct ct_c45_names names = {0};
    struct ct_c45_cases cases = {0};
    for (size_t i = 0; i < count; i++)
        write_case(kind, i, &seed, &text);
    double begun = cpu_seconds();
    const struct ct_c45_program program = {.stem = "bench", .learn = ct_c45_standard};
    int status = ct_c45_names_parse(names_text, strlen(names_text), "names", &error, &names);
    if (status == CT_OK)
        status = ct_c45_cases_parse(text.data, text.length, "data", true, &names, &error, &cases);
    double read = cpu_seconds() - begun;
    if (status == CT_OK)
        status = ct_c45_report(&names, &cases, NULL, &program, &error, &report);
    double taken = cpu_seconds() - begun;
    if (status != CT_OK)
        fprintf(stderr, "bench_c45: %s\n", error.text);
    else
        printf("%-16s %8zu cases %8.3f s %8.3f s of it reading %8.3f us a case\n", kind_names[kind], count,
               taken, read, 1e6 * taken / (double)count);
    fflush(stdout);
    ct_text_free(&text);
    ct_text_free(&report);
    ct_c45_cases_free(&cases);
    ct_c45_names_free(&names);
    return status;
}

int main(int argc, char **argv)
{
    static const size_t counts[] = {20000, 200000, 2000000};
    for (int kind = 0; kind < KINDS; kind++) {
        if (argc == 3 && strcmp(argv[1], kind_names[kind]) != 0)
            continue;
        if (argc == 3)
            return run((enum kind)kind, strtoull(argv[2], NULL, 10)) == CT_OK ? 0 : 1;
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            if (run((enum kind)kind, counts[i]) != CT_OK)
                return 1;
    }
    return 0;
}
