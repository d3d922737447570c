/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pattern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "plan/row_parts.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void ct_pattern_free(struct ct_pattern *pattern)
{
    free(pattern->ranks);
    free(pattern->ends);
    free(pattern->lengths);
    *pattern = (struct ct_pattern){0};
}

/* Gives each rank its part of the lists. */
static void divide(struct ct_pattern *pattern, size_t edge_count)
{
    size_t out = 0, in = edge_count;
    for (int rank = 0; rank < pattern->size; rank++) {
        struct ct_neighbors *own = &pattern->ranks[rank];
        own->out = pattern->ends + out;
        own->in = pattern->ends + in;
        own->out_lengths = pattern->lengths ? pattern->lengths + out : NULL;
        own->in_lengths = pattern->lengths ? pattern->lengths + in : NULL;
        out += own->out_count;
        in += own->in_count;
        own->out_count = own->in_count = 0; /* they rise again as the lists are filled */
    }
}

static void add_end(struct ct_pattern *pattern, const int *list, size_t *count, int end, size_t length)
{
    size_t place = (size_t)(list - pattern->ends) + (*count)++;
    pattern->ends[place] = end;
    if (pattern->lengths)
        pattern->lengths[place] = length;
}

int ct_pattern_make(int size, const struct ct_edge *edges, size_t count, bool has_lengths,
                    struct ct_pattern *ret_pattern)
{
    size_t places;
    if (!ct_multiply(count, 2, &places) || !ct_add(places, 1, &places))
        return CT_E_MEMORY;
    struct ct_pattern pattern = {.size = size,
                                 .ranks = ct_allocate((size_t)size, sizeof *pattern.ranks),
                                 .ends = ct_allocate(places, sizeof *pattern.ends),
                                 .lengths =
                                     has_lengths ? ct_allocate(places, sizeof *pattern.lengths) : NULL};
    if (!pattern.ranks || !pattern.ends || (has_lengths && !pattern.lengths)) {
        ct_pattern_free(&pattern);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        assert(edges[i].from >= 0 && edges[i].from < size && edges[i].to >= 0 && edges[i].to < size);
        pattern.ranks[edges[i].from].out_count++;
        pattern.ranks[edges[i].to].in_count++;
    }
    divide(&pattern, count);
    for (size_t i = 0; i < count; i++) {
        struct ct_neighbors *from = &pattern.ranks[edges[i].from], *to = &pattern.ranks[edges[i].to];
        add_end(&pattern, from->out, &from->out_count, edges[i].to, edges[i].length);
        add_end(&pattern, to->in, &to->in_count, edges[i].from, edges[i].length);
    }
    *ret_pattern = pattern;
    return CT_OK;
}

/* --- kinds --- */

struct edges {
    struct ct_edge *items;
    size_t count;
    size_t capacity;
};

static int add_edge(struct edges *edges, int from, int to)
{
    int status = ct_grow(&edges->items, &edges->capacity, edges->count + 1, sizeof *edges->items);
    if (status == CT_OK)
        edges->items[edges->count++] = (struct ct_edge){from, to, 1};
    return status;
}

enum { PARAMETERS_MAX = 2, DIMENSIONS_MAX = 8 };

/* The lengths of a grid of `size` ranks: prime factors, the largest first, each to what is the shortest then.
 */
static void divide_grid(int size, int dimensions, int lengths[DIMENSIONS_MAX])
{
    int factors[32], count = 0;
    for (int i = 0; i < dimensions; i++)
        lengths[i] = 1;
    for (int factor = 2; size > 1; factor++) {
        if (factor > size / factor)
            factor = size;
        for (; size % factor == 0; size /= factor)
            factors[count++] = factor;
    }
    while (count > 0) {
        int shortest = 0;
        for (int i = 1; i < dimensions; i++)
            if (lengths[i] < lengths[shortest])
                shortest = i;
        lengths[shortest] *= factors[--count];
    }
}

/* The different places within `r` steps along a dimension of this length. */
static int places_within(int r, int length)
{
    return 2 * r + 1 < length ? 2 * r + 1 : length;
}

/* The rank at an offset, whose digits are the steps in each dimension plus r. */
static int rank_at(const int *lengths, int dimensions, int r, int rank, int offset)
{
    int stride = 1, there = 0;
    for (int i = 0; i < dimensions; i++) {
        int places = places_within(r, lengths[i]), steps = offset % places - r, at = rank % lengths[i];
        there += ((at + steps) % lengths[i] + lengths[i]) % lengths[i] * stride;
        stride *= lengths[i];
        rank /= lengths[i];
        offset /= places;
    }
    return there;
}

static int make_moore(int size, const double values[PARAMETERS_MAX], uint64_t *random, struct edges *edges)
{
    int dimensions = (int)values[0], r = (int)values[1], lengths[DIMENSIONS_MAX], status = CT_OK, offsets = 1;
    (void)random;
    divide_grid(size, dimensions, lengths);
    for (int i = 0; i < dimensions; i++)
        offsets *= places_within(r, lengths[i]); /* at most `size` */
    for (int rank = 0; rank < size; rank++)
        for (int i = 0; status == CT_OK && i < offsets; i++) {
            int other = rank_at(lengths, dimensions, r, rank, i);
            if (other != rank)
                status = add_edge(edges, rank, other);
        }
    return status;
}

/* A number from 0 to below 1. */
static double random_share(uint64_t *random)
{
    return (double)(ct_random(random) >> 11) * 0x1p-53;
}

static int make_random(int size, const double values[PARAMETERS_MAX], uint64_t *random, struct edges *edges)
{
    int status = CT_OK;
    for (int from = 0; from < size; from++)
        for (int to = 0; status == CT_OK && to < size; to++)
            if (from != to && random_share(random) < values[0])
                status = add_edge(edges, from, to);
    return status;
}

/* Adds so many different destinations of a rank. `seen` is zero for the first rank. */
static int add_random(int size, int rank, int degree, int *seen, uint64_t *random, struct edges *edges)
{
    int status = CT_OK;
    seen[rank] = rank + 1;
    while (status == CT_OK && degree > 0) {
        int to = (int)(ct_random(random) % (uint64_t)size);
        if (seen[to] == rank + 1)
            continue;
        seen[to] = rank + 1;
        status = add_edge(edges, rank, to);
        degree--;
    }
    return status;
}

static int make_hubs(int size, const double values[PARAMETERS_MAX], uint64_t *random, struct edges *edges)
{
    int hubs = (int)values[0] < size ? (int)values[0] : size, status = CT_OK;
    int degree = (int)values[1] < size - 1 ? (int)values[1] : size - 1;
    int *seen = ct_allocate((size_t)size, sizeof *seen);
    if (!seen)
        return CT_E_MEMORY;
    for (int rank = 0; status == CT_OK && rank < size; rank++) {
        for (int to = 0; status == CT_OK && rank < hubs && to < size; to++)
            if (to != rank)
                status = add_edge(edges, rank, to);
        if (status == CT_OK && rank >= hubs)
            status = add_random(size, rank, degree, seen, random, edges);
    }
    free(seen);
    return status;
}

/* A random order of the numbers below `size`, which the caller frees; NULL without memory. */
static int *shuffled(int size, uint64_t *random)
{
    int *order = ct_allocate((size_t)size, sizeof *order);
    for (int i = 0; order && i < size; i++) {
        int other = (int)(ct_random(random) % (uint64_t)(i + 1));
        order[i] = order[other];
        order[other] = i;
    }
    return order;
}

/* The rank at place i of the order of degrees has a degree proportional to (i + 1)^(-1 / (X - 1)): then the
 * share of ranks with more than k destinations falls like k^-(X - 1). */
static int make_powerlaw(int size, const double values[PARAMETERS_MAX], uint64_t *random, struct edges *edges)
{
    const double slope = -1 / (values[1] - 1);
    double sum = 0;
    int status = CT_OK, *seen = ct_allocate((size_t)size, sizeof *seen), *order = shuffled(size, random);
    if (!seen || !order)
        status = CT_E_MEMORY;
    for (int i = 0; i < size; i++)
        sum += pow(i + 1, slope);
    for (int rank = 0; status == CT_OK && rank < size; rank++) {
        double degree = values[0] * size * pow(order[rank] + 1, slope) / sum;
        status =
            add_random(size, rank, degree < size - 1 ? (int)(degree + 0.5) : size - 1, seen, random, edges);
    }
    free(seen);
    free(order);
    return status;
}

static const struct kind {
    const char *name;
    struct {
        const char *name;
        double least, most;
        bool is_whole;
    } parameters[PARAMETERS_MAX];
    int (*make)(int size, const double values[PARAMETERS_MAX], uint64_t *random, struct edges *edges);
} kinds[] = {
    {"moore", {{"d", 1, DIMENSIONS_MAX, true}, {"r", 1, 16, true}}, make_moore},
    {"random", {{"density", 0, 1, false}}, make_random},
    {"hubs", {{"count", 0, 1e6, true}, {"degree", 0, 1e6, true}}, make_hubs},
    {"powerlaw", {{"degree", 0, 1e6, false}, {"exponent", 1.1, 100, false}}, make_powerlaw},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Reads `name=value`, of the parameter `index` of a kind, at *text, and the comma behind it. */
static int read_value(const struct kind *kind, int index, const char **text, struct ct_error *error,
                      double *ret_value)
{
    const char *name = kind->parameters[index].name;
    size_t length = strlen(name), end = strcspn(*text, ",");
    char word[CT_NUMBER_TEXT] = "";
    double value = 0;
    bool is_right = strncmp(*text, name, length) == 0 && (*text)[length] == '=' && end > length + 1 &&
                    end - length - 1 < sizeof word;
    if (is_right)
        memcpy(word, *text + length + 1, end - length - 1);
    is_right = is_right && ct_number_parse(word, &value) == CT_OK && value >= kind->parameters[index].least &&
               value <= kind->parameters[index].most &&
               (!kind->parameters[index].is_whole || value == (double)(int)value);
    if (!is_right)
        return ct_fail(error, CT_E_INPUT,
                       "pattern %s: expected %s=NUMBER, %s from %g to %g, instead of '%.*s'", kind->name,
                       name, kind->parameters[index].is_whole ? "a whole number" : "a number",
                       kind->parameters[index].least, kind->parameters[index].most, (int)end, *text);
    *text += end + ((*text)[end] == ',');
    *ret_value = value;
    return CT_OK;
}

/* Reads the list of `edges:LIST`. */
static int read_edges(const char *list, int size, struct ct_error *error, struct edges *edges)
{
    int status = CT_OK;
    while (status == CT_OK && *list) {
        char *end;
        bool is_right = isdigit((unsigned char)*list);
        unsigned long from = strtoul(list, &end, 10), to = 0;
        is_right = is_right && *end == '>' && isdigit((unsigned char)end[1]);
        if (is_right)
            to = strtoul(end + 1, &end, 10);
        is_right = is_right && from < (unsigned long)size && to < (unsigned long)size &&
                   (*end == '\0' || (*end == ',' && end[1]));
        if (!is_right)
            return ct_fail(error, CT_E_INPUT,
                           "pattern edges: expected edges such as 0>1,0>2 among %d ranks, instead of '%s'",
                           size, list);
        status = add_edge(edges, (int)from, (int)to);
        list = *end ? end + 1 : end;
    }
    return status;
}

static int finish_edges(int status, struct edges *edges, struct ct_edge **ret_edges, size_t *ret_count)
{
    if (status == CT_OK && !edges->items)
        status = ct_grow(&edges->items, &edges->capacity, 1, sizeof *edges->items);
    if (status != CT_OK) {
        free(edges->items);
        return status;
    }
    *ret_edges = edges->items;
    *ret_count = edges->count;
    return CT_OK;
}

int ct_pattern_edges(const char *text, int size, struct ct_error *error, struct ct_edge **ret_edges,
                     size_t *ret_count)
{
    size_t length = strcspn(text, ":");
    int index = 0, status = CT_OK;
    struct edges edges = {0};
    if (strncmp(text, "edges:", 6) == 0) {
        status = read_edges(text + 6, size, error, &edges);
        return finish_edges(status, &edges, ret_edges, ret_count);
    }
    if (strncmp(text, "matrix:", 7) == 0)
        return ct_matrix_pattern(text + 7, size, error, ret_edges, ret_count);
    while (index < KINDS &&
           (strlen(kinds[index].name) != length || memcmp(kinds[index].name, text, length) != 0))
        index++;
    if (index == KINDS)
        return ct_fail(error, CT_E_INPUT,
                       "unknown pattern '%s': expected moore:d=2,r=1, random:density=0.05, "
                       "hubs:count=4,degree=20, powerlaw:degree=20,exponent=2.1, edges:0>1,1>2 or "
                       "matrix:FILE.mtx",
                       text);
    const struct kind *kind = &kinds[index];
    const char *rest = text + length + (text[length] == ':');
    double values[PARAMETERS_MAX] = {0};
    for (int i = 0; status == CT_OK && i < PARAMETERS_MAX && kind->parameters[i].name; i++)
        status = read_value(kind, i, &rest, error, &values[i]);
    if (status == CT_OK && *rest)
        status =
            ct_fail(error, CT_E_INPUT, "pattern %s: expected nothing more instead of '%s'", kind->name, rest);
    if (status != CT_OK)
        return status;
    uint64_t random = (uint64_t)size;
    status = kind->make(size, values, &random, &edges);
    return finish_edges(status, &edges, ret_edges, ret_count);
}

/* --- lists --- */

static const char blanks[] = " \t\n";

static int add_text(char *text, char ***texts, size_t *count, size_t *capacity)
{
    int status = text ? ct_grow(texts, capacity, *count + 1, sizeof **texts) : CT_E_MEMORY;
    if (status == CT_OK)
        (*texts)[(*count)++] = text;
    else
        free(text);
    return status;
}

/* What stands between blanks. */
struct word {
    char *plain;  /* without quotes and backslashes */
    char *hidden; /* the same with _ for each character that they keep from being a separator */
};

/* Takes the word at *list, which moves behind it. The word has room for the whole list. */
static int take_word(const char **list, struct ct_error *error, struct word *word)
{
    const char *at = *list;
    char quote = '\0';
    size_t length = 0;
    for (; *at && (quote || !strchr(blanks, *at)); at++) {
        const bool is_escaped = !quote && *at == '\\';
        if (quote ? *at == quote : *at == '\'' || *at == '"') {
            quote = quote ? '\0' : *at;
            continue;
        }
        at += is_escaped;
        if (!*at)
            return ct_fail(error, CT_E_INPUT, "'%s': expected a character behind the backslash at the end",
                           *list);
        if (*at == '\n')
            return ct_fail(error, CT_E_INPUT, "'%s': expected a file without a line break in its name",
                           *list);
        word->plain[length] = *at;
        word->hidden[length++] = quote || is_escaped ? '_' : *at;
    }
    if (quote)
        return ct_fail(error, CT_E_INPUT,
                       "'%s': the quote %c is not closed; expected another one, or a backslash before it",
                       *list, quote);
    word->plain[length] = word->hidden[length] = '\0';
    *list = at;
    return CT_OK;
}

static int split_word(const struct word *word, struct ct_error *error, char ***texts, size_t *count,
                      size_t *capacity)
{
    char **parts;
    size_t part_count;
    const char *at = word->plain;
    if (strncmp(word->plain, "edges:", 6) == 0)
        return add_text(strdup(word->plain), texts, count, capacity);
    int status = ct_words_split(word->hidden, NULL, &parts, &part_count);
    if (status != CT_OK)
        return status == CT_E_INPUT ? ct_fail(error, status, "empty item in the list '%s'", word->plain)
                                    : status;
    for (size_t i = 0; status == CT_OK && i < part_count; at += strlen(parts[i++]) + 1)
        status = add_text(strndup(at, strlen(parts[i])), texts, count, capacity);
    ct_words_free(parts, part_count);
    return status;
}

/* Takes word after word. */
static int split_words(const char *list, struct ct_error *error, struct word *word, char ***texts,
                       size_t *count)
{
    const char *at = list;
    size_t capacity = 0;
    int status = CT_OK;
    while (status == CT_OK && *(at += strspn(at, blanks))) {
        status = take_word(&at, error, word);
        if (status == CT_OK)
            status = split_word(word, error, texts, count, &capacity);
    }
    return status == CT_OK && *count == 0
               ? ct_fail(error, CT_E_INPUT, "'%s': expected patterns such as moore:d=2,r=1", list)
               : status;
}

int ct_patterns_split(const char *list, struct ct_error *error, char ***ret_texts, size_t *ret_count)
{
    const size_t room = strlen(list) + 1;
    struct word word = {.plain = ct_allocate(room, 1), .hidden = ct_allocate(room, 1)};
    char **texts = NULL;
    size_t count = 0;
    int status = word.plain && word.hidden ? split_words(list, error, &word, &texts, &count) : CT_E_MEMORY;
    free(word.plain);
    free(word.hidden);
    if (status != CT_OK) {
        ct_words_free(texts, count);
        return status == CT_E_INPUT ? ct_fail_in(error, status, "--pattern") : status;
    }
    *ret_texts = texts;
    *ret_count = count;
    return CT_OK;
}

int ct_pattern_check(const char *text, const size_t *sizes, size_t count, struct ct_error *error)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_edge *edges = NULL;
        size_t edge_count;
        status = ct_pattern_edges(text, (int)sizes[i], error, &edges, &edge_count);
        free(edges);
    }
    return status == CT_OK ? CT_OK : ct_fail_in(error, status, "--pattern");
}
