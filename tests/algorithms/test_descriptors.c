/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plans send, against the formulas of traffic.c: exactly where P is a power of two, else as a bound.
 */
#include "plan/rank_grid.h"
#include "plan/verify/verifier.h"
#include "tests/algorithms/traffic.h"
#include "tests/plan/grid_neighbors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <muParserDLL.h>

enum { SIZES_MOST = 64, ELEMENT_BYTES = 8, UNITS_OF_A_PART = 48, VARIABLES = 8 };

/* So many algorithms are shipped, and traffic.c must have all of them. A row for a new one is welcome; then
 * this number rises. */
enum { SHIPPED = 112 };

/* Formulas are of these; the parameters' values follow the fixed ones. */
struct variables {
    const char *names[VARIABLES];
    double values[VARIABLES];
    int count;
};

static double base_2(double x)
{
    int exponent = 0;
    while (ldexp(1, exponent) < x)
        exponent++;
    return exponent;
}

static double any_base(double radix, double x)
{
    double exponent = 0;
    for (double power = 1; power < x; power *= radix)
        exponent++;
    return exponent;
}

static double power_below(double radix, double x)
{
    double power = 1;
    while (power * radix <= x)
        power *= radix;
    return power;
}

static double digits(double radix, double x)
{
    double count = 0;
    for (double number = 1; number < x; number++)
        for (double rest = number; rest > 0; rest = floor(rest / radix))
            count += fmod(rest, radix) != 0;
    return count;
}

static double neighbors(double dimensions, double size)
{
    struct ct_rank_grid grid = ct_rank_grid_make((int)size, (int)dimensions);
    return grid_neighbors(&grid);
}

/* Of each dimension every digit but the rank's own is as frequent; where there are holes, as many more hops
 * as there are ranks are enough. */
static double hops(double dimensions, double size)
{
    struct ct_rank_grid grid = ct_rank_grid_make((int)size, (int)dimensions);
    int last = grid.dimensions - 1;
    double sum = 0, points = grid.stride[last] * grid.length[last];
    for (int d = 0; d <= last; d++)
        sum += points * (grid.length[d] - 1) / grid.length[d];
    return points == size ? sum : sum + size;
}

static double is_odd_one(double x)
{
    return ldexp(1, (int)base_2(x)) == x ? 0 : 1;
}

static void set(struct variables *variables, const char *name, double value)
{
    assert_true(variables->count < VARIABLES);
    variables->names[variables->count] = name;
    variables->values[variables->count++] = value;
}

/* Where the formula is wrong, NAN. */
static double evaluate(const char *formula, struct variables *variables)
{
    muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
    mupDefineFun1(parser, "lg", base_2, 0);
    mupDefineFun2(parser, "lgr", any_base, 0);
    mupDefineFun2(parser, "power", power_below, 0);
    mupDefineFun2(parser, "digits", digits, 0);
    mupDefineFun2(parser, "neighbors", neighbors, 0);
    mupDefineFun2(parser, "hops", hops, 0);
    mupDefineFun1(parser, "ceil", ceil, 0);
    mupDefineFun1(parser, "floor", floor, 0);
    mupDefineFun1(parser, "odd", is_odd_one, 0);
    for (int i = 0; i < variables->count; i++)
        mupDefineVar(parser, variables->names[i], &variables->values[i]);
    mupSetExpr(parser, formula);
    double value = mupEval(parser);
    if (mupError(parser))
        value = NAN;
    mupRelease(parser);
    return value;
}

struct sent {
    double rank_messages;
    double rank_bytes;
    double messages;
    double bytes;
};

static struct sent sent_by(struct ct_verifier *verifier, const struct ct_method *method,
                           const struct ct_call *call)
{
    struct ct_error error = {{0}};
    struct ct_verdict verdict;
    struct sent sent = {0};
    int status = ct_verify(verifier, method, call, &error, &verdict);
    if (status != CT_OK)
        fail_msg("%s", error.text);
    for (int rank = 0; rank < call->size; rank++) {
        double messages = (double)verdict.traffic[rank].messages;
        double bytes = (double)(verdict.traffic[rank].units * call->unit_bytes);
        sent.rank_messages = fmax(sent.rank_messages, messages);
        sent.rank_bytes = fmax(sent.rank_bytes, bytes);
        sent.messages += messages;
        sent.bytes += bytes;
    }
    return sent;
}

static bool agrees(const char *what, const char *formula, double sent, const struct ct_method *method,
                   struct variables *variables)
{
    char spelling[CT_METHOD_TEXT];
    double size = variables->values[0], said = formula ? evaluate(formula, variables) : NAN;
    bool exact = is_odd_one(size) == 0;
    if (exact ? said == sent : sent <= said)
        return true;
    print_error("%s, %g ranks: %s: %g are sent, expected %s%s = %g\n",
                ct_method_format(method, true, spelling), size, what, sent, exact ? "" : "at most ",
                formula ? formula : "nothing", said);
    return false;
}

static bool traffic_agrees(struct ct_verifier *verifier, const struct traffic *sends,
                           const struct ct_method *method, const struct ct_call *call)
{
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    const struct ct_call first = ct_call_of_rank(method->algorithm->collective, call, 0);
    struct variables variables = {.count = 0};
    double bytes = (double)call->count * (double)call->unit_bytes, segment = 0;
    set(&variables, "P", call->size);
    set(&variables, "m", bytes);
    set(&variables, "n", first.nodes ? ct_node_size(first.nodes, 0) : call->size);
    for (int i = 0; i < ct_parameter_count(descriptor); i++) {
        const struct ct_parameter *parameter = descriptor->parameters[i];
        if (parameter->standard_name)
            continue;
        set(&variables, parameter->name, (double)method->values[i]);
        if (ct_is_segment_size(parameter))
            segment = (double)method->values[i];
    }
    set(&variables, "S", segment > 0 ? ceil(bytes / segment) : 1);

    struct sent sent = sent_by(verifier, method, call);
    bool right = agrees("messages of a rank", sends->rank_messages, sent.rank_messages, method, &variables);
    right = agrees("bytes of a rank", sends->rank_bytes, sent.rank_bytes, method, &variables) && right;
    right = agrees("messages", sends->messages, sent.messages, method, &variables) && right;
    return agrees("bytes", sends->bytes, sent.bytes, method, &variables) && right;
}

/* The call with counts where the collective has them, all alike. */
static void give_counts(const struct ct_collective_description *about, struct ct_call *call)
{
    static size_t counts[SIZES_MOST * SIZES_MOST];
    if (!about->varies)
        return;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        counts[i] = call->count;
    if (about->input[0] == CT_CONTENTS_PARTS)
        call->send_counts = counts;
    if (about->input[0] != CT_CONTENTS_PARTS || about->result[0] == CT_CONTENTS_PARTS_OF_EACH)
        call->recv_counts = counts;
}

/* Values that formulas are tried with; a name or a word has its standard one. */
static int values_of(const struct ct_parameter *parameter, size_t bytes, size_t values[3])
{
    values[0] = ct_parameter_standard(parameter);
    if (parameter->standard_name || parameter->words)
        return 1;
    values[1] = parameter->in_bytes ? bytes / 4 : parameter->least + 1;
    values[2] = parameter->in_bytes ? bytes / 16 : 8;
    return 3;
}

static bool try_values(struct ct_verifier *verifier, const struct traffic *sends, struct ct_method *method,
                       const struct ct_call *call, int index)
{
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    if (index == ct_parameter_count(descriptor))
        return !ct_method_applies(method, call, NULL) || traffic_agrees(verifier, sends, method, call);
    size_t values[3];
    int count = values_of(descriptor->parameters[index], call->count * call->unit_bytes, values);
    bool right = true;
    for (int i = 0; i < count; i++) {
        method->values[index] = values[i];
        right = try_values(verifier, sends, method, call, index + 1) && right;
    }
    return right;
}

/* On nodes of 2 and 4 ranks, where they are known. */
static bool try_size(struct ct_verifier *verifier, const struct traffic *sends,
                     const struct ct_algorithm *algorithm, int size)
{
    const struct ct_collective_description *about = &ct_collectives[algorithm->collective];
    bool right = true;
    for (int width = 2; width <= 4; width += 2) {
        struct ct_call call = {.size = size, .unit_bytes = about->reduces ? ELEMENT_BYTES : 1};
        struct ct_method method = {.algorithm = algorithm};
        struct ct_nodes nodes = {0};
        int labels[SIZES_MOST];
        call.commutative = true;
        call.count = about->has_data ? (size_t)size * UNITS_OF_A_PART : 0;
        if (algorithm->descriptor->constraints & CT_CONSTRAINT_NODES_KNOWN) {
            for (int i = 0; i < size; i++)
                labels[i] = i / width;
            assert_int_equal(ct_nodes_make(labels, size, &nodes), CT_OK);
            call.nodes = &nodes;
        }
        give_counts(about, &call);
        right = (size % width != 0 || try_values(verifier, sends, &method, &call, 0)) && right;
        ct_nodes_free(&nodes);
        if (!(algorithm->descriptor->constraints & CT_CONSTRAINT_NODES_KNOWN))
            break;
    }
    return right;
}

/* Does the row name the algorithm? */
static bool is_of(const struct traffic *row, const struct ct_algorithm *algorithm)
{
    char name[80];
    size_t length = (size_t)snprintf(name, sizeof name, "%s/%s", ct_collectives[algorithm->collective].name,
                                     algorithm->name);
    for (const char *word = row->algorithms; word; word = strchr(word, ' ')) {
        word += *word == ' ';
        if (strncmp(word, name, length) == 0 && (word[length] == ' ' || word[length] == '\0'))
            return true;
    }
    return false;
}

static const struct traffic *row_of(const struct ct_algorithm *algorithm)
{
    const struct traffic *row = traffics;
    while (row->algorithms && !is_of(row, algorithm))
        row++;
    return row->algorithms ? row : NULL;
}

static void test_traffic(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 48, 64};
    struct ct_verifier *verifier = ct_verifier_new();
    size_t wrong = 0, covered = 0;
    for (size_t a = 0; a < ct_algorithm_count; a++) {
        if (ct_collectives[ct_algorithms[a].collective].is_sparse) /* see test_routing.c */
            continue;
        const struct ct_algorithm *algorithm = &ct_algorithms[a];
        const struct traffic *row = row_of(algorithm);
        if (!row && !ct_is_native(algorithm))
            print_message("%s/%s has no row in traffic.c\n", ct_collectives[algorithm->collective].name,
                          algorithm->name);
        covered += row != NULL;
        for (size_t s = 0; row && s < sizeof sizes / sizeof sizes[0]; s++)
            if (!try_size(verifier, row, algorithm, sizes[s])) {
                wrong++;
                break;
            }
    }
    assert_int_equal(wrong, 0);
    assert_true(covered >= SHIPPED);
    ct_verifier_free(verifier);
}

/* A formula that is wrong by one, one that is no formula, and none. */
static void test_wrong_traffic(void **state)
{
    (void)state;
    struct ct_verifier *verifier = ct_verifier_new();
    const struct ct_algorithm *algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "binomial");
    struct traffic row = *row_of(algorithm);
    assert_true(try_size(verifier, &row, algorithm, 8));
    static const char *const wrong[] = {"P * S", "P - * S", NULL};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        row.messages = wrong[i];
        assert_false(try_size(verifier, &row, algorithm, 8));
    }
    ct_verifier_free(verifier);
}

/* Every name in the table is that of an algorithm, and a name that begins like another is not taken for it.
 */
static void test_names(void **state)
{
    (void)state;
    size_t names = 0, found = 0;
    for (const struct traffic *row = traffics; row->algorithms; row++) {
        names++;
        for (const char *at = row->algorithms; *at; at++)
            names += *at == ' ';
        for (size_t a = 0; a < ct_algorithm_count; a++)
            found += is_of(row, &ct_algorithms[a]);
    }
    assert_int_equal(names, found);
    const struct traffic row = {.algorithms = "bcast/linear_sync scatter/linear"};
    assert_false(is_of(&row, ct_algorithm_find(CT_COLLECTIVE_BCAST, "linear")));
    assert_true(is_of(&row, ct_algorithm_find(CT_COLLECTIVE_SCATTER, "linear")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_wrong_traffic),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
