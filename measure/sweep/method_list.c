/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/method_list.h"
#include "algorithms/routing.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct methods {
    struct ct_method *data;
    size_t count;
    size_t capacity;
};

static int add(struct methods *methods, const struct ct_method *method)
{
    if (ct_method_index(method, methods->data, methods->count) < methods->count)
        return CT_OK;
    int status = ct_grow(&methods->data, &methods->capacity, methods->count + 1, sizeof *methods->data);
    if (status == CT_OK)
        methods->data[methods->count++] = *method;
    return status;
}

static void remove_method(struct methods *methods, const struct ct_method *method)
{
    size_t kept = 0;
    for (size_t i = 0; i < methods->count; i++)
        if (!ct_method_equal(&methods->data[i], method))
            methods->data[kept++] = methods->data[i];
    methods->count = kept;
}

/* Methods of dense collectives that need a set-up pay only where a pattern repeats, which no sweep knows:
 * they are meant by name alone. */
static bool is_by_name(const struct ct_method *method)
{
    return ct_needs_routes(method) && !ct_collectives[method->algorithm->collective].is_sparse;
}

/* Applies one word to one collective that has it. */
static int apply(const char *word, bool removes, enum ct_collective collective, struct ct_error *error,
                 struct methods *methods)
{
    struct ct_method *found;
    size_t count;
    int status = ct_methods_parse(word, collective, error, &found, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        if (removes)
            remove_method(methods, &found[i]);
        else if (strcmp(word, "all") != 0 || !is_by_name(&found[i]))
            status = add(methods, &found[i]);
    }
    free(found);
    return status;
}

/* Can the word (without a leading '-') mean methods of this collective? */
static bool can_mean(const char *word, enum ct_collective collective)
{
    const char *name = ct_collectives[collective].name;
    size_t length = strcspn(word, ":");
    const char *slash = memchr(word, '/', length);
    char algorithm[CT_METHOD_TEXT];
    if (slash)
        return strlen(name) == (size_t)(slash - word) && strncmp(name, word, strlen(name)) == 0;
    if (length >= sizeof algorithm)
        return false;
    snprintf(algorithm, sizeof algorithm, "%.*s", (int)length, word);
    return strcmp(algorithm, "all") == 0 || ct_algorithm_find(collective, algorithm);
}

int ct_collective_list_parse(const char *list, struct ct_error *error,
                             enum ct_collective ret_collectives[CT_COLLECTIVES], size_t *ret_count)
{
    char **words;
    size_t word_count, count = 0;
    int status = ct_words_split(list, error, &words, &word_count);
    if (status != CT_OK)
        return ct_fail_in(error, status, "--collectives");
    for (size_t i = 0; status == CT_OK && i < word_count; i++) {
        enum ct_collective collective = ct_collective_find(words[i]);
        size_t seen = 0;
        if (collective == CT_COLLECTIVES)
            status = ct_collective_fail("--collectives: ", words[i], error);
        else if (collective >= CT_MPI_COLLECTIVES)
            status = ct_fail(error, CT_E_INPUT, "--collectives: MPI has no %s; expected another collective",
                             words[i]);
        while (seen < count && ret_collectives[seen] != collective)
            seen++;
        if (status == CT_OK && seen == count)
            ret_collectives[count++] = collective;
    }
    ct_words_free(words, word_count);
    *ret_count = count;
    return status;
}

int ct_method_list_collectives(const char *list, struct ct_error *error,
                               enum ct_collective ret_collectives[CT_COLLECTIVES], size_t *ret_count)
{
    char **words;
    size_t word_count, count = 0;
    int status = ct_words_split(list, error, &words, &word_count);
    if (status != CT_OK)
        return status;
    for (int i = 0; i < CT_MPI_COLLECTIVES; i++) {
        bool meant = false;
        for (size_t w = 0; w < word_count;
             w++) /* sparse ones, which need patterns, are meant by name alone */
            meant |= words[w][0] != '-' && can_mean(words[w], (enum ct_collective)i) &&
                     (!ct_collectives[i].is_sparse || memchr(words[w], '/', strcspn(words[w], ":")));
        if (meant)
            ret_collectives[count++] = (enum ct_collective)i;
    }
    ct_words_free(words, word_count);
    *ret_count = count;
    return CT_OK;
}

static int fail_unknown(const char *word, const enum ct_collective *collectives, size_t count,
                        struct ct_error *error)
{
    const size_t length = strcspn(word, ":");
    char *name = strndup(word, length);
    if (!name)
        return CT_E_MEMORY;
    const char *nearest = ct_algorithm_nearest(name, collectives, count);
    int status = ct_fail(error, CT_E_INPUT, "unknown algorithm '%s'%s%s%s%s none of the collectives has it",
                         word, nearest ? "; did you mean '" : ":", nearest ? nearest : "",
                         nearest ? word + length : "", nearest ? "'?" : "");
    free(name);
    return status;
}

/* Applies one word to all collectives that it can mean. `used` counts the words of each collective. */
static int apply_to_all(const char *word, const enum ct_collective *collectives, size_t collective_count,
                        struct ct_error *error, struct methods *methods, size_t *used)
{
    bool removes = word[0] == '-', meant = false;
    const char *bare = word + removes, *slash = memchr(bare, '/', strcspn(bare, ":"));
    for (size_t i = 0; i < collective_count; i++) {
        if (!can_mean(bare, collectives[i]))
            continue;
        bool all = slash && strcmp(slash + 1, "all") == 0;
        int status = apply(all ? "all" : bare, removes, collectives[i], error, methods);
        if (status != CT_OK)
            return status;
        meant = true;
        used[i] += !removes;
    }
    if (meant)
        return CT_OK;
    if (!slash)
        return fail_unknown(bare, collectives, collective_count, error);
    /* The reason may be the method, or that its collective is not measured. */
    struct ct_method method;
    int status = ct_method_parse(bare, CT_COLLECTIVES, error, &method);
    return status != CT_OK
               ? status
               : ct_fail(
                     error, CT_E_INPUT,
                     "the method '%s' belongs to a collective that is left out; expected it in --collectives",
                     bare);
}

int ct_method_list_parse(const char *list, const enum ct_collective *collectives, size_t collective_count,
                         struct ct_error *error, struct ct_method **ret_methods, size_t *ret_count)
{
    char **words;
    size_t word_count, used[CT_COLLECTIVES] = {0};
    struct methods methods = {0};
    int status = ct_words_split(list, error, &words, &word_count);
    if (status != CT_OK)
        return status;
    bool adds = false;
    for (size_t i = 0; i < word_count; i++)
        adds |= words[i][0] != '-';
    for (size_t i = 0; status == CT_OK && i < collective_count; i++)
        status = apply("native", false, collectives[i], NULL, &methods);
    if (status == CT_OK && !adds)
        status = apply_to_all("all", collectives, collective_count, error, &methods, used);
    for (size_t i = 0; status == CT_OK && i < word_count; i++)
        status = apply_to_all(words[i], collectives, collective_count, error, &methods, used);
    ct_words_free(words, word_count);
    for (size_t i = 0; status == CT_OK && i < collective_count; i++) {
        size_t left = 0;
        for (size_t m = 0; m < methods.count; m++)
            left += methods.data[m].algorithm->collective == collectives[i];
        if (used[i] == 0 || left == 0)
            status = ct_fail(error, CT_E_INPUT, "no method of the list '%s' is one of %s", list,
                             ct_collectives[collectives[i]].name);
    }
    if (status != CT_OK) {
        free(methods.data);
        return status;
    }
    *ret_methods = methods.data;
    *ret_count = methods.count;
    return CT_OK;
}
