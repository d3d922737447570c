/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/expression.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SUMS = 1, PRODUCTS = 2 };

static const struct {
    const char *name;
    int binds;    /* between its operands: the more, the closer; 0: it is a function */
    int operands; /* of a function */
} spellings[CT_OPERATORS] = {
    [CT_OPERATOR_PLUS] = {"+", SUMS, 0},
    [CT_OPERATOR_MINUS] = {"-", SUMS, 0},
    [CT_OPERATOR_TIMES] = {"*", PRODUCTS, 0},
    [CT_OPERATOR_QUOTIENT] = {"/", PRODUCTS, 0},
    [CT_OPERATOR_REMAINDER] = {"%", PRODUCTS, 0},
    [CT_OPERATOR_LEAST] = {"min", 0, 2},
    [CT_OPERATOR_GREATEST] = {"max", 0, 2},
    [CT_OPERATOR_LOG2] = {"log2", 0, 1},
    [CT_OPERATOR_IS_POWER_OF_TWO] = {"is_power_of_two", 0, 1},
};

enum { NESTED_MOST = 32, WORD_ROOM = 64 };

struct reader {
    const char *formula;
    const char *at;
    const struct ct_names *names;
    struct ct_error *error;
    struct ct_expression expression;
    int nested;
};

static void pass_blanks(struct reader *reader)
{
    reader->at += strspn(reader->at, " ");
}

static int fail_here(struct reader *reader, const char *expected)
{
    if (!*reader->at)
        return ct_fail(reader->error, CT_E_INPUT, "'%.200s' ends too early: expected %s", reader->formula,
                       expected);
    return ct_fail(reader->error, CT_E_INPUT, "'%.200s', column %zu: expected %s", reader->formula,
                   (size_t)(reader->at - reader->formula) + 1, expected);
}

/* Appends a term; its place is *ret_term. */
static int add(struct reader *reader, struct ct_term term, uint8_t *ret_term)
{
    struct ct_expression *expression = &reader->expression;
    if (expression->count == CT_TERMS_MAX)
        return ct_fail(reader->error, CT_E_LIMIT, "'%.200s' is too long: expected at most %d terms",
                       reader->formula, CT_TERMS_MAX);
    *ret_term = (uint8_t)expression->count;
    expression->terms[expression->count++] = term;
    return CT_OK;
}

static int read_number(struct reader *reader, uint8_t *ret_term)
{
    char word[WORD_ROOM];
    size_t length = 0, number;
    while (isalnum((unsigned char)reader->at[length]))
        length++;
    if (length >= sizeof word)
        return fail_here(reader, "a smaller number");
    memcpy(word, reader->at, length);
    word[length] = '\0';
    int status = ct_size_parse(word, &number);
    if (status != CT_OK)
        return fail_here(reader, status == CT_E_LIMIT ? "a smaller number" : "a number as 8, 4K, 2M or 1G");
    reader->at += length;
    return add(reader, (struct ct_term){.operation = CT_OPERATOR_NUMBER, .number = number}, ret_term);
}

/* What a name stands for, term by term. */
static int read_named(struct reader *reader, const char *name, uint8_t *ret_term)
{
    struct ct_expression named;
    if (!reader->names->find(reader->names->context, name, &named))
        return ct_fail(reader->error, CT_E_INPUT, "'%.200s': unknown feature '%s'", reader->formula, name);
    size_t first = reader->expression.count;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < named.count; i++) {
        struct ct_term term = named.terms[i];
        if (term.operation > CT_OPERATOR_FEATURE) {
            term.left = (uint8_t)(term.left + first);
            term.right = (uint8_t)(term.right + first);
        }
        status = add(reader, term, ret_term);
    }
    return status;
}

static int read_sum(struct reader *reader, uint8_t *ret_term);

static int read_arguments(struct reader *reader, int operation, uint8_t *ret_term)
{
    uint8_t arguments[2] = {0};
    for (int i = 0; i < spellings[operation].operands; i++) {
        const char *mark = i == 0 ? "(" : ",";
        pass_blanks(reader);
        if (*reader->at != *mark)
            return fail_here(reader, i == 0 ? "'('" : "','");
        reader->at++;
        int status = read_sum(reader, &arguments[i]);
        if (status != CT_OK)
            return status;
    }
    pass_blanks(reader);
    if (*reader->at != ')')
        return fail_here(reader, "')'");
    reader->at++;
    return add(reader,
               (struct ct_term){.operation = (uint8_t)operation, .left = arguments[0], .right = arguments[1]},
               ret_term);
}

/* CT_OPERATORS where there is none of that name. */
static int find_function(const char *name)
{
    int i = 0;
    while (i < CT_OPERATORS && (spellings[i].operands == 0 || strcmp(spellings[i].name, name) != 0))
        i++;
    return i;
}

bool ct_expression_has_function(const char *name)
{
    return find_function(name) < CT_OPERATORS;
}

/* A feature, or a function with its arguments. */
static int read_word(struct reader *reader, uint8_t *ret_term)
{
    char word[WORD_ROOM];
    size_t length = 0;
    while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')
        length++;
    if (length >= sizeof word)
        return fail_here(reader, "a shorter name");
    memcpy(word, reader->at, length);
    word[length] = '\0';
    reader->at += length;
    int function = find_function(word);
    return function < CT_OPERATORS ? read_arguments(reader, function, ret_term)
                                   : read_named(reader, word, ret_term);
}

static int read_operand(struct reader *reader, uint8_t *ret_term)
{
    pass_blanks(reader);
    if (isdigit((unsigned char)*reader->at))
        return read_number(reader, ret_term);
    if (isalpha((unsigned char)*reader->at))
        return read_word(reader, ret_term);
    if (*reader->at != '(')
        return fail_here(reader, "a number, a feature, a function or '('");
    reader->at++;
    int status = read_sum(reader, ret_term);
    if (status != CT_OK)
        return status;
    pass_blanks(reader);
    if (*reader->at != ')')
        return fail_here(reader, "an operator or ')'");
    reader->at++;
    return CT_OK;
}

/* The operator of that strength which stands next; CT_OPERATORS where none does. */
static int next_operator(struct reader *reader, int binds)
{
    pass_blanks(reader);
    int i = 0;
    while (i < CT_OPERATORS && (spellings[i].binds != binds || *spellings[i].name != *reader->at))
        i++;
    return i;
}

/* Operands with operators of one strength between them, from left to right. */
static int read_chain(struct reader *reader, int binds, int (*read_one)(struct reader *, uint8_t *),
                      uint8_t *ret_term)
{
    uint8_t left, right;
    int status = read_one(reader, &left), operation;
    while (status == CT_OK && (operation = next_operator(reader, binds)) < CT_OPERATORS) {
        reader->at++;
        status = read_one(reader, &right);
        if (status != CT_OK)
            break;
        const struct ct_term *divisor = &reader->expression.terms[right];
        if ((operation == CT_OPERATOR_QUOTIENT || operation == CT_OPERATOR_REMAINDER) &&
            divisor->operation == CT_OPERATOR_NUMBER && divisor->number == 0)
            return ct_fail(reader->error, CT_E_INPUT, "'%.200s' divides by 0", reader->formula);
        status = add(reader, (struct ct_term){.operation = (uint8_t)operation, .left = left, .right = right},
                     &left);
    }
    if (status == CT_OK)
        *ret_term = left;
    return status;
}

static int read_product(struct reader *reader, uint8_t *ret_term)
{
    return read_chain(reader, PRODUCTS, read_operand, ret_term);
}

static int read_sum(struct reader *reader, uint8_t *ret_term)
{
    if (++reader->nested > NESTED_MOST)
        return ct_fail(reader->error, CT_E_LIMIT, "'%.200s' is nested more than %d deep", reader->formula,
                       NESTED_MOST);
    int status = read_chain(reader, SUMS, read_product, ret_term);
    reader->nested--;
    return status;
}

int ct_expression_parse(const char *formula, const struct ct_names *names, struct ct_error *error,
                        struct ct_expression *ret_expression)
{
    struct reader reader = {.formula = formula, .at = formula, .names = names, .error = error};
    uint8_t top;
    int status = read_sum(&reader, &top);
    if (status == CT_OK && *reader.at)
        status = fail_here(&reader, "an operator or the end");
    if (status == CT_OK)
        *ret_expression = reader.expression;
    return status;
}

static void write_term(const struct ct_expression *expression, size_t at, int around, struct ct_text *text)
{
    const struct ct_term *term = &expression->terms[at];
    char number[CT_SIZE_TEXT];
    int binds = spellings[term->operation].binds;
    if (term->operation == CT_OPERATOR_NUMBER) {
        ct_text_append(text, "%s", ct_size_format(term->number, number));
    } else if (term->operation == CT_OPERATOR_FEATURE) {
        ct_text_append(text, "%s", ct_feature_descriptors[term->number]->name);
    } else if (binds == 0) {
        ct_text_append(text, "%s(", spellings[term->operation].name);
        write_term(expression, term->left, 0, text);
        if (spellings[term->operation].operands > 1) {
            ct_text_append(text, ",");
            write_term(expression, term->right, 0, text);
        }
        ct_text_append(text, ")");
    } else {
        ct_text_append(text, "%s", binds < around ? "(" : "");
        write_term(expression, term->left, binds, text);
        ct_text_append(text, "%s", spellings[term->operation].name);
        write_term(expression, term->right, binds + 1, text); /* chains go from left to right */
        ct_text_append(text, "%s", binds < around ? ")" : "");
    }
}

void ct_expression_write(const struct ct_expression *expression, struct ct_text *text)
{
    write_term(expression, expression->count - 1, 0, text);
}
