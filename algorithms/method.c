/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/method.h"
#include "algorithms/shared_parameters.h"
#include "algorithms/sparse.h"
#include "base/memory.h"
#include "base/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *nearest_collective(const char *word)
{
    const char *names[CT_COLLECTIVES];
    for (int i = 0; i < CT_COLLECTIVES; i++)
        names[i] = ct_collectives[i].name;
    return ct_nearest(word, names, CT_COLLECTIVES);
}

int ct_collective_fail(const char *where, const char *word, struct ct_error *error)
{
    const char *nearest = nearest_collective(word);
    return ct_fail(error, CT_E_INPUT, "%sunknown collective '%.80s'%s%s%s (see colltune list)", where, word,
                   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static int fail_collective(const char *name, const char *spelling, struct ct_error *error)
{
    const char *nearest = nearest_collective(name);
    return ct_fail(error, CT_E_INPUT, "unknown collective '%s' in the method '%s'%s%s%s", name, spelling,
                   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* The name in foreign/NAME, also behind a collective; NULL if it is no such spelling. */
static const char *foreign_name(const char *spelling)
{
    static const char foreign[] = "foreign/";
    const char *slash = strchr(spelling, '/');
    if (slash && strncmp(slash + 1, foreign, strlen(foreign)) == 0)
        return slash + 1 + strlen(foreign);
    return strncmp(spelling, foreign, strlen(foreign)) == 0 ? spelling + strlen(foreign) : NULL;
}

static void standard_values(struct ct_method *method)
{
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    for (int i = 0; i < CT_PARAMETERS_MAX; i++)
        method->values[i] = descriptor->parameters[i] ? ct_parameter_standard(descriptor->parameters[i]) : 0;
}

/* "linear, chain, ..." of a collective, for error messages. */
static void names_of(enum ct_collective collective, char *text, size_t room)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (ct_algorithms[i].collective == collective && length < room)
            length += (size_t)snprintf(text + length, room - length, "%s%s", length ? ", " : "",
                                       ct_algorithms[i].name);
}

/* What the literature, or other libraries, call an algorithm. */
static const struct {
    const char *other, *ours;
} other_names[] = {{"tree", "kary"}};

/* The algorithm that was probably meant by a name that there is not; NULL: nobody knows. */
static const char *probable_name(enum ct_collective collective, const char *name)
{
    enum { MOST = 64 };
    const char *names[MOST];
    size_t count = 0;
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++)
        if (strcmp(name, other_names[i].other) == 0 && ct_algorithm_find(collective, other_names[i].ours))
            return other_names[i].ours;
    for (size_t i = 0; i < ct_algorithm_count && count < MOST; i++)
        if (ct_algorithms[i].collective == collective)
            names[count++] = ct_algorithms[i].name;
    return ct_nearest(name, names, count);
}

const char *ct_algorithm_nearest(const char *name, const enum ct_collective *collectives, size_t count)
{
    const char *names[CT_COLLECTIVES] = {NULL};
    size_t found = 0;
    for (size_t i = 0; i < count && found < CT_COLLECTIVES; i++)
        if ((names[found] = probable_name(collectives[i], name)) != NULL)
            found++;
    const char *nearest = ct_nearest(name, names, found);
    return nearest || found == 0 ? nearest : names[0];
}

static int parse_value(const struct ct_method *method, const char *spelling, const char *word, size_t length,
                       struct ct_error *error, int *ret_index, size_t *ret_value)
{
    const char *equals = memchr(word, '=', length);
    size_t name_length = equals ? (size_t)(equals - word) : length;
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    for (int i = 0; i < ct_parameter_count(descriptor); i++) {
        const struct ct_parameter *parameter = descriptor->parameters[i];
        if (strlen(parameter->name) != name_length || strncmp(parameter->name, word, name_length) != 0)
            continue;
        char word_value[CT_VALUE_TEXT] = "", choice[400];
        size_t value;
        if (equals)
            snprintf(word_value, sizeof word_value, "%.*s", (int)(length - name_length - 1), equals + 1);
        if (!ct_parameter_parse(parameter, word_value, &value)) {
            ct_parameter_describe(parameter, choice, sizeof choice);
            return ct_fail(error, CT_E_INPUT, "'%.*s' in the method '%s': expected for %s %s", (int)length,
                           word, spelling, parameter->name, choice);
        }
        *ret_index = i;
        *ret_value = value;
        return CT_OK;
    }
    return ct_fail(error, CT_E_INPUT, "'%.*s' in the method '%s': %s/%s has no parameter of that name",
                   (int)length, word, spelling, ct_collectives[method->algorithm->collective].name,
                   method->algorithm->name);
}

/* Finds the algorithm that `spelling` begins with; *ret_rest points at its end or the ':'. */
static int parse_algorithm(const char *spelling, enum ct_collective collective, struct ct_error *error,
                           const struct ct_algorithm **ret_algorithm, const char **ret_rest)
{
    char name[CT_METHOD_TEXT];
    size_t length = strcspn(spelling, ":");
    if (length >= sizeof name)
        return ct_fail(error, CT_E_INPUT, "'%.40s...' is too long for a method", spelling);
    if (foreign_name(spelling))
        return ct_fail(error, CT_E_INPUT, "'%.80s' is a method of others, which colltune cannot carry out",
                       spelling);
    memcpy(name, spelling, length);
    name[length] = '\0';

    const char *algorithm = name;
    char *slash = strchr(name, '/');
    if (slash) {
        *slash = '\0';
        algorithm = slash + 1;
        enum ct_collective named = ct_collective_find(name);
        if (named == CT_COLLECTIVES)
            return fail_collective(name, spelling, error);
        if (collective != CT_COLLECTIVES && named != collective)
            return ct_fail(error, CT_E_INPUT, "the method '%s' is not one of %s", spelling,
                           ct_collectives[collective].name);
        collective = named;
    } else if (collective == CT_COLLECTIVES) {
        collective = ct_collective_find(name);
        if (collective == CT_COLLECTIVES)
            return ct_fail(error, CT_E_INPUT,
                           "the method '%s' names no collective: expected COLLECTIVE/ALGORITHM", spelling);
        char names[400];
        names_of(collective, names, sizeof names);
        return ct_fail(error, CT_E_INPUT, "'%s' names no algorithm: expected %s/ALGORITHM, with one of %s",
                       spelling, name, names);
    }
    *ret_algorithm = ct_algorithm_find(collective, algorithm);
    if (!*ret_algorithm) {
        char names[400];
        names_of(collective, names, sizeof names);
        const char *probable = probable_name(collective, algorithm);
        return ct_fail(error, CT_E_INPUT, "unknown algorithm '%s'%s%s%s%s %s has %s", spelling,
                       probable ? "; did you mean '" : ":", probable ? probable : "",
                       probable ? spelling + length : "", probable ? "'?" : "",
                       ct_collectives[collective].name, names);
    }
    *ret_rest = spelling + length;
    return CT_OK;
}

int ct_method_parse(const char *spelling, enum ct_collective collective, struct ct_error *error,
                    struct ct_method *ret_method)
{
    struct ct_method method;
    const char *rest = "";
    int status = parse_algorithm(spelling, collective, error, &method.algorithm, &rest);
    if (status != CT_OK)
        return status;
    standard_values(&method);
    if (*rest == ':')
        rest++;
    unsigned given = 0;
    while (*rest) {
        size_t length = strcspn(rest, ",");
        int index = 0;
        size_t value = 0;
        status = parse_value(&method, spelling, rest, length, error, &index, &value);
        if (status != CT_OK)
            return status;
        if (given & 1u << index)
            return ct_fail(error, CT_E_INPUT, "'%.*s' in the method '%s' is given twice", (int)length, rest,
                           spelling);
        given |= 1u << index;
        method.values[index] = value;
        rest += length;
        if (*rest == ',' && !*++rest)
            return ct_fail(error, CT_E_INPUT, "the method '%s' ends with a comma", spelling);
    }
    *ret_method = method;
    return CT_OK;
}

int ct_method_parse_any(const char *spelling, enum ct_collective collective, struct ct_error *error,
                        struct ct_method *ret_method)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+";
    const char *name = foreign_name(spelling);
    if (!name)
        return ct_method_parse(spelling, collective, error, ret_method);
    struct ct_method method = {.values = {0}};
    enum ct_collective named = collective;
    if (strchr(spelling, '/') + 1 != name) {
        char word[CT_METHOD_TEXT];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(spelling, "/"), spelling);
        named = ct_collective_find(word);
    }
    if (named == CT_COLLECTIVES || (collective != CT_COLLECTIVES && named != collective))
        return ct_fail(error, CT_E_INPUT, "the method '%.80s' is not one of %s", spelling,
                       collective == CT_COLLECTIVES ? "a collective that there is"
                                                    : ct_collectives[collective].name);
    if (!*name || strlen(name) >= sizeof method.foreign || name[strspn(name, letters)])
        return ct_fail(error, CT_E_INPUT,
                       "the method '%.80s': expected behind foreign/ up to %zu letters, digits and _-.+",
                       spelling, sizeof method.foreign - 1);
    method.algorithm = &ct_foreign_algorithms[named];
    strcpy(method.foreign, name);
    *ret_method = method;
    return CT_OK;
}

char *ct_method_format(const struct ct_method *method, bool with_collective, char text[CT_METHOD_TEXT])
{
    const struct ct_algorithm *algorithm = method->algorithm;
    size_t length = (size_t)snprintf(text, CT_METHOD_TEXT, "%s%s%s",
                                     with_collective ? ct_collectives[algorithm->collective].name : "",
                                     with_collective ? "/" : "", algorithm->name);
    if (ct_is_foreign(algorithm))
        snprintf(text + length, CT_METHOD_TEXT - length, "/%s", method->foreign);
    char separator = ':';
    for (int i = 0; i < ct_parameter_count(algorithm->descriptor) && length < CT_METHOD_TEXT; i++) {
        const struct ct_parameter *parameter = algorithm->descriptor->parameters[i];
        if (method->values[i] == ct_parameter_standard(parameter))
            continue;
        char value[CT_VALUE_TEXT];
        length += (size_t)snprintf(text + length, CT_METHOD_TEXT - length, "%c%s=%s", separator,
                                   parameter->name, ct_parameter_format(parameter, method->values[i], value));
        separator = ',';
    }
    return text;
}

bool ct_method_equal(const struct ct_method *a, const struct ct_method *b)
{
    return a->algorithm == b->algorithm && memcmp(a->values, b->values, sizeof a->values) == 0;
}

size_t ct_method_index(const struct ct_method *method, const struct ct_method *methods, size_t count)
{
    size_t i = 0;
    while (i < count && !ct_method_equal(&methods[i], method))
        i++;
    return i;
}

size_t *ct_method_segment(struct ct_method *method)
{
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++)
        if (ct_is_segment_size(method->algorithm->descriptor->parameters[i]))
            return &method->values[i];
    return NULL;
}

static int add_method(const struct ct_method *method, struct ct_method **methods, size_t *count,
                      size_t *capacity)
{
    if (ct_method_index(method, *methods, *count) < *count)
        return CT_OK;
    int status = ct_grow(methods, capacity, *count + 1, sizeof **methods);
    if (status == CT_OK)
        (*methods)[(*count)++] = *method;
    return status;
}

/* Adds methods with all values of parameter `index` and the following ones; the others are set. */
static int add_product(struct ct_method *method, int index, struct ct_method **methods, size_t *count,
                       size_t *capacity)
{
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    if (index == CT_PARAMETERS_MAX || !descriptor->parameters[index])
        return add_method(method, methods, count, capacity);
    size_t *values, value_count;
    int status = ct_parameter_sweep(descriptor->parameters[index], &values, &value_count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; status == CT_OK && i < value_count; i++) {
        method->values[index] = values[i];
        status = add_product(method, index + 1, methods, count, capacity);
    }
    free(values);
    return status;
}

int ct_methods_of(const struct ct_algorithm *algorithm, struct ct_method **methods, size_t *count,
                  size_t *capacity)
{
    struct ct_method method = {.algorithm = algorithm};
    standard_values(&method);
    return add_product(&method, 0, methods, count, capacity);
}

static int add_word(const char *word, enum ct_collective collective, struct ct_error *error,
                    struct ct_method **methods, size_t *count, size_t *capacity)
{
    int status = CT_OK;
    if (strcmp(word, "all") == 0) {
        for (size_t i = 0; status == CT_OK && i < ct_algorithm_count; i++)
            if (ct_algorithms[i].collective == collective)
                status = ct_methods_of(&ct_algorithms[i], methods, count, capacity);
        return status;
    }
    struct ct_method method;
    status = ct_method_parse(word, collective, error, &method);
    if (status != CT_OK)
        return status;
    if (strchr(word, ':'))
        return add_method(&method, methods, count, capacity);
    return ct_methods_of(method.algorithm, methods, count, capacity);
}

int ct_methods_parse(const char *list, enum ct_collective collective, struct ct_error *error,
                     struct ct_method **ret_methods, size_t *ret_count)
{
    char **words;
    size_t word_count;
    int status = ct_words_split(list, error, &words, &word_count);
    if (status != CT_OK)
        return status;
    struct ct_method *methods = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; status == CT_OK && i < word_count; i++)
        status = add_word(words[i], collective, error, &methods, &count, &capacity);
    ct_words_free(words, word_count);
    if (status != CT_OK) {
        free(methods);
        return status;
    }
    *ret_methods = methods;
    *ret_count = count;
    return CT_OK;
}

unsigned ct_method_constraints(const struct ct_method *method)
{
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    unsigned constraints = descriptor->constraints;
    for (int i = 0; i < ct_parameter_count(descriptor); i++) {
        const struct ct_parameter *parameter = descriptor->parameters[i];
        for (int k = 0; k < parameter->inner_count; k++)
            constraints |= ct_descriptor_named(method->values[i], parameter->inner[k])->constraints;
    }
    return constraints;
}

bool ct_method_applies(const struct ct_method *method, const struct ct_call *call,
                       const struct ct_constraint_description **ret_failed)
{
    return ct_constraints_hold(ct_method_constraints(method), call, ret_failed);
}

int ct_method_build(const struct ct_method *method, struct ct_plan *plan, struct ct_call *call)
{
    assert(ct_has_plan(method->algorithm));
    assert(call->rank >= 0 && call->rank < call->size && call->root >= 0 && call->root < call->size);
    assert(call->unit_bytes > 0);
    if (!ct_call_fits(method->algorithm->collective, call))
        plan->status = CT_E_LIMIT;
    call->algorithms = &ct_registry;
    call->descriptor = method->algorithm->descriptor;
    call->values = method->values;
    if (plan->status == CT_OK && call->routed)
        ct_sparse_changed_blocks(plan, call,
                                 ct_collectives[method->algorithm->collective].input[0] == CT_CONTENTS_OWN);
    else if (plan->status == CT_OK)
        method->algorithm->descriptor->build(plan, call);
    return ct_plan_finish(plan);
}
