/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests do with every algorithm there is. `every_method list` prints a line for each: collective,
 * method, and "nodes" where it needs several nodes, else "-". `every_method table` prints a decision table
 * that has all of them: by message size, by communicator size where there is none. */
#include "algorithms/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { METHODS_MOST = 64 };

/* The methods of one collective, `native` last, so that it is not what small calls get. */
struct choice {
    enum ct_collective collective;
    struct ct_method methods[METHODS_MOST];
    size_t count;
};

/* Small segments, as tests' messages are short; else three of whatever is counted. */
static size_t value_of(const struct ct_parameter *parameter)
{
    enum { BYTES = 64, NUMBER = 3 };
    size_t value = parameter->in_bytes ? BYTES : NUMBER;
    if (parameter->standard_name)
        return ct_parameter_standard(parameter);
    value = value < parameter->least ? parameter->least : value;
    return value > parameter->most ? parameter->most : value;
}

static void add(struct choice *choice, const struct ct_algorithm *algorithm)
{
    struct ct_method *method = &choice->methods[choice->count++];
    method->algorithm = algorithm;
    for (int i = 0; i < ct_parameter_count(algorithm->descriptor); i++)
        method->values[i] = value_of(algorithm->descriptor->parameters[i]);
}

static struct choice choice_of(enum ct_collective collective)
{
    struct choice choice = {.collective = collective};
    for (int native = 0; native < 2; native++)
        for (size_t i = 0; i < ct_algorithm_count && choice.count < METHODS_MOST; i++)
            if (ct_algorithms[i].collective == collective && ct_is_native(&ct_algorithms[i]) == native)
                add(&choice, &ct_algorithms[i]);
    return choice;
}

static void print_list(const struct choice *choice)
{
    for (size_t i = 0; i < choice->count; i++) {
        char spelling[CT_METHOD_TEXT];
        bool nodes = ct_method_constraints(&choice->methods[i]) & CT_CONSTRAINT_NODES_KNOWN;
        printf("%s %s %s\n", ct_collectives[choice->collective].name,
               ct_method_format(&choice->methods[i], false, spelling), nodes ? "nodes" : "-");
    }
}

/* The first that always applies; `native` does. */
static const struct ct_method *always(const struct choice *choice)
{
    const struct ct_method *method = choice->methods;
    while (ct_method_constraints(method) != 0)
        method++;
    return method;
}

static void print_leaf(const struct choice *choice, size_t index)
{
    char spelling[CT_METHOD_TEXT];
    const struct ct_method *method = &choice->methods[index];
    printf("<leaf method=\"%s\"", ct_method_format(method, false, spelling));
    if (ct_method_constraints(method) != 0)
        printf(" fallback=\"%s\"", ct_method_format(always(choice), false, spelling));
    puts("/>");
}

/* Message sizes up to which test `index` of so many holds: evenly, by ratio, over those that tests have. */
static size_t size_below(size_t index, size_t tests)
{
    const double least = 8, ratio = 256;
    return (size_t)(least * pow(ratio, (double)(index + 1) / (double)tests)) + index;
}

static void print_tree(const struct choice *choice)
{
    const struct ct_collective_description *about = &ct_collectives[choice->collective];
    printf("<tree collective=\"%s\" run=\"none\" learner=\"hand\" options=\"\">\n", about->name);
    for (int native = 0; native < 2; native++)
        printf("<penalty of=\"%s\" cells=\"0\" unmeasured=\"0\" least=\"0\" mean=\"0\" median=\"0\" "
               "geometric-mean=\"0\" percentile-95=\"0\" most=\"0\" within-5-percent=\"0\"/>\n",
               native ? "native" : "tree");
    for (size_t i = 0; i + 1 < choice->count; i++) {
        printf("<split feature=\"%s\" at-most=\"%zu\">\n", about->has_size ? "msg_bytes" : "comm_size",
               about->has_size ? size_below(i, choice->count - 1) : i + 2);
        print_leaf(choice, i);
    }
    print_leaf(choice, choice->count - 1);
    for (size_t i = 0; i + 1 < choice->count; i++)
        puts("</split>");
    puts("</tree>");
}

static void print_head(void)
{
    static const char zeroes[] = "0000000000000000000000000000000000000000000000000000000000000000";
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<decision-table version=\"2\" tool-version=\"0.1.0\">\n"
           "<run name=\"none\" tool-version=\"0.1.0\" created=\"2026-01-01T00:00:00Z\" backend=\"real\" "
           "launcher=\"none\" samples-sha256=\"%s\" description-sha256=\"%s\"></run>\n",
           zeroes, zeroes);
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    bool list = strcmp(what, "list") == 0, tuned = strcmp(what, "tuned") == 0;
    if (!list && !tuned && strcmp(what, "table") != 0) {
        fputs("usage: every_method list|table|tuned\n", stderr);
        return 2;
    }
    if (!list)
        print_head();
    for (int i = 0; i < CT_DENSE_COLLECTIVES; i++) {
        struct choice choice = choice_of((enum ct_collective)i);
        choice.count -= tuned && choice.count > 1;
        (list ? print_list : print_tree)(&choice);
    }
    if (!list)
        puts("</decision-table>");
    return 0;
}
