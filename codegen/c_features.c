/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/c_features.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool is_tested(const struct ct_decision_tree *tree, size_t feature)
{
    for (size_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].feature != CT_LEAF && (size_t)tree->nodes[i].feature == feature)
            return true;
    return false;
}

/* Do the tests use the feature? */
static bool is_needed(const struct ct_decision_tree *tree, enum ct_feature feature)
{
    for (size_t i = 0; i < CT_FEATURES + tree->features.count; i++)
        if (ct_feature_uses(&tree->features, i, feature) && is_tested(tree, i))
            return true;
    return false;
}

bool ct_c_takes(const struct ct_decision_tree *tree, enum ct_feature feature)
{
    if (feature == CT_FEATURE_MSG_BYTES)
        return ct_collectives[tree->collective].has_size;
    return feature == CT_FEATURE_COMM_SIZE || is_needed(tree, feature);
}

static const struct {
    const char *name;
    size_t bytes;
} units[] = {
    {"COLLTUNE_GIB", (size_t)1 << 30},
    {"COLLTUNE_MIB", (size_t)1 << 20},
    {"COLLTUNE_KIB", (size_t)1 << 10},
};

void ct_c_number_write(size_t number, bool in_bytes, struct ct_text *text)
{
    const char *wide = number > INT_MAX ? "ULL" : "";
    for (size_t i = 0; in_bytes && number > 0 && i < sizeof units / sizeof units[0]; i++) {
        if (number % units[i].bytes == 0) {
            if (number > units[i].bytes)
                ct_text_append(text, "%zu%s * ", number / units[i].bytes, wide);
            ct_text_append(text, "%s", units[i].name);
            return;
        }
    }
    ct_text_append(text, "%zu%s", number, wide);
}

const char *ct_c_feature_name(const struct ct_feature_set *features, size_t number,
                              char name[CT_C_FEATURE_TEXT])
{
    bool of_user = number >= CT_FEATURES && !features->composites[number - CT_FEATURES].known;
    snprintf(name, CT_C_FEATURE_TEXT, "%s%s", of_user ? "feature_" : "", ct_feature_name(features, number));
    return name;
}

/* By operator: its function, and what that returns. */
static const struct {
    const char *name;
    const char *body;
    bool has_two;
} operators[CT_OPERATORS] = {
    [CT_OPERATOR_PLUS] = {"plus", "    return a > (size_t)-1 - b ? (size_t)-1 : a + b;\n", true},
    [CT_OPERATOR_MINUS] = {"minus", "    return a > b ? a - b : 0;\n", true},
    [CT_OPERATOR_TIMES] = {"times", "    return b && a > (size_t)-1 / b ? (size_t)-1 : a * b;\n", true},
    [CT_OPERATOR_QUOTIENT] = {"quotient", "    return b ? a / b : 0;\n", true},
    [CT_OPERATOR_REMAINDER] = {"remainder", "    return b ? a % b : 0;\n", true},
    [CT_OPERATOR_LEAST] = {"min", "    return a < b ? a : b;\n", true},
    [CT_OPERATOR_GREATEST] = {"max", "    return a > b ? a : b;\n", true},
    [CT_OPERATOR_LOG2] = {"log2",
                          "    size_t log = 0;\n    while (a >>= 1)\n        log++;\n    return log;\n",
                          false},
    [CT_OPERATOR_IS_POWER_OF_TWO] = {"is_power_of_two", "    return a > 0 && (a & (a - 1)) == 0;\n", false},
};

/* C's own operator if the divisor is a constant other than 0. */
static const char *plain_operator(const struct ct_expression *expression, const struct ct_term *term)
{
    if (expression->terms[term->right].operation != CT_OPERATOR_NUMBER)
        return NULL;
    return term->operation == CT_OPERATOR_QUOTIENT    ? "/"
           : term->operation == CT_OPERATOR_REMAINDER ? "%"
                                                      : NULL;
}

static bool calls(const struct ct_expression *expression, int operation)
{
    for (size_t i = 0; i < expression->count; i++)
        if (expression->terms[i].operation == operation && !plain_operator(expression, &expression->terms[i]))
            return true;
    return false;
}

static bool is_called(const struct ct_decisions *decisions, int operation)
{
    for (size_t t = 0; t < decisions->tree_count; t++) {
        const struct ct_decision_tree *tree = &decisions->trees[t];
        for (size_t i = 0; i < tree->features.count; i++)
            if (is_tested(tree, CT_FEATURES + i) &&
                calls(&tree->features.composites[i].expression, operation))
                return true;
    }
    return false;
}

void ct_c_operators_write(const struct ct_decisions *decisions, struct ct_text *text)
{
    bool any = false;
    for (int i = CT_OPERATOR_PLUS; i < CT_OPERATORS; i++) {
        if (!is_called(decisions, i))
            continue;
        if (!any)
            ct_text_append(text,
                           "\n/* Results above SIZE_MAX become SIZE_MAX, results below 0 become 0, and so "
                           "is what is divided by 0. */\n");
        ct_text_append(text, "%sstatic inline size_t colltune_%s(size_t a%s)\n{\n%s}\n", any ? "\n" : "",
                       operators[i].name, operators[i].has_two ? ", size_t b" : "", operators[i].body);
        any = true;
    }
}

/* Recursion is bounded by the number of terms. */
static void write_expression(const struct ct_expression *expression, size_t at, struct ct_text *text)
{
    const struct ct_term *term = &expression->terms[at];
    if (term->operation == CT_OPERATOR_NUMBER) {
        ct_c_number_write(term->number, true, text);
    } else if (term->operation == CT_OPERATOR_FEATURE) {
        ct_text_append(text, "%s", ct_feature_descriptors[term->number]->name);
    } else if (plain_operator(expression, term)) {
        write_expression(expression, term->left, text);
        ct_text_append(text, " %s (", plain_operator(expression, term));
        write_expression(expression, term->right, text);
        ct_text_append(text, ")");
    } else {
        ct_text_append(text, "colltune_%s(", operators[term->operation].name);
        write_expression(expression, term->left, text);
        if (operators[term->operation].has_two) {
            ct_text_append(text, ", ");
            write_expression(expression, term->right, text);
        }
        ct_text_append(text, ")");
    }
}

void ct_c_features_write(const struct ct_decision_tree *tree, struct ct_text *text)
{
    char name[CT_C_FEATURE_TEXT];
    for (int i = 0; i < CT_FEATURES; i++)
        if (ct_c_takes(tree, (enum ct_feature)i) && !is_needed(tree, (enum ct_feature)i))
            ct_text_append(text, "    (void)%s;\n", ct_feature_descriptors[i]->name);
    for (size_t i = 0; i < tree->features.count; i++) {
        if (!is_tested(tree, CT_FEATURES + i))
            continue;
        const struct ct_expression *expression = &tree->features.composites[i].expression;
        struct ct_text formula = {0};
        write_expression(expression, expression->count - 1, &formula);
        ct_c_feature_name(&tree->features, CT_FEATURES + i, name);
        bool fits = strlen("    const size_t  = ;") + strlen(name) + formula.length <= CT_C_COLUMNS;
        ct_text_append(text, "    const size_t %s =%s%s;\n", name, fits ? " " : "\n        ",
                       formula.failed ? "" : formula.data);
        text->failed = text->failed || formula.failed;
        ct_text_free(&formula);
    }
}
