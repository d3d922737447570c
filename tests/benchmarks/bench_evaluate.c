/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_evaluate [METHOD SIZE BYTES]: messages a second that the evaluation of plans gets through, writing of
 * the plans included, in processor time; and its peak memory. */
#include "models/evaluate/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

struct subject {
    const char *method;
    int size;
    size_t bytes;
};

/* Myrinet-like: table 4.13. */
static const struct ct_link myrinet = {.known = {true, true, false},
                                       .hockney = {.alpha = 5.64e-6, .beta = 4.2e-9},
                                       .loggp = {2.1e-6, 1.6e-6, 2.3e-6, 4.4e-9}};

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int run(struct ct_evaluator *evaluator, const struct subject *subject, const struct ct_model *model)
{
    enum { ELEMENT_BYTES = 8 };
    const double least_seconds = 0.5;
    const struct ct_evaluation_options options = {.most_messages = (size_t)1 << 28};
    struct ct_error error = {""};
    struct ct_method method;
    struct ct_evaluation evaluation = {0};
    int status = ct_method_parse(subject->method, CT_COLLECTIVES, &error, &method);
    double begun = cpu_seconds(), taken = 0;
    size_t messages = 0;
    while (status == CT_OK && taken < least_seconds) {
        size_t unit = ct_collectives[method.algorithm->collective].reduces ? ELEMENT_BYTES : 1;
        const struct ct_call call = {
            .size = subject->size, .count = subject->bytes / unit, .unit_bytes = unit, .commutative = true};
        status = ct_evaluate(evaluator, &method, &call, model, CT_MODEL_LOGGP, &options, &error, &evaluation);
        messages += evaluation.messages;
        taken = cpu_seconds() - begun;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (status != CT_OK)
        fprintf(stderr, "bench_evaluate: %s\n", error.text);
    else
        printf("%-36s %7d ranks %8zu bytes %10zu messages %9.3g million/s %8.3f s %6ld MB\n", subject->method,
               subject->size, subject->bytes, evaluation.messages, 1e-6 * (double)messages / taken,
               taken * (double)evaluation.messages / (double)messages, usage.ru_maxrss / 1024);
    return status;
}

int main(int argc, char **argv)
{
    static const struct subject subjects[] = {
        {"bcast/binomial", 1024, 8},
        {"bcast/pipeline:seg=8K", 128, 8 << 20},
        {"bcast/split_binary:seg=8K", 128, 8 << 20},
        {"reduce/pipeline:seg=8K", 128, 8 << 20},
        {"allreduce/recursive_doubling", 1024, 1 << 10},
        {"allreduce/ring", 1024, 1 << 20},
        {"allgather/ring", 1024, 1 << 10},
        {"alltoall/pairwise", 1024, 1 << 10},
        {"alltoall/linear", 1024, 1 << 10},
        {"gather/linear_sync", 1024, 64 << 10},
        {"bcast/binomial", 131072, 8},
        {"allreduce/recursive_doubling", 131072, 8},
    };
    struct ct_model model = {.links = {myrinet}, .gamma = 5e-10, .delta = 1e-10};
    struct ct_evaluator *evaluator = ct_evaluator_new();
    int status = evaluator ? CT_OK : CT_E_MEMORY;
    if (argc == 4) {
        const struct subject subject = {argv[1], atoi(argv[2]), strtoul(argv[3], NULL, 10)};
        status = run(evaluator, &subject, &model);
    } else {
        for (size_t i = 0; status == CT_OK && i < sizeof subjects / sizeof subjects[0]; i++)
            status = run(evaluator, &subjects[i], &model);
    }
    ct_evaluator_free(evaluator);
    return status == CT_OK ? 0 : 1;
}
