/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/fact_pattern.h"

#include <string.h>

enum { WILD = 8, LONGEST = 1000 };

static const struct {
    const char *name;
    bool is_number;
} facts[CT_FACTS] = {
    [CT_FACT_COLLECTIVE] = {"collective", false},
    [CT_FACT_METHOD] = {"method", false},
    [CT_FACT_BY] = {"by", false},
    [CT_FACT_NODES] = {"nodes", true},
    [CT_FACT_PPN] = {"ppn", true},
    [CT_FACT_COMM_SIZE] = {"comm_size", true},
    [CT_FACT_MSG_BYTES] = {"msg_bytes", true},
};

const char *ct_fact_name(enum ct_fact fact)
{
    return facts[fact].name;
}

int ct_fact_pattern_fail(const char *option, const char *text, const char *why, struct ct_error *error)
{
    return ct_fail(error, CT_E_INPUT, "%s '%.100s': %s", option, text, why);
}

static int wrong(const struct ct_fact_pattern *pattern, const char *why, struct ct_error *error)
{
    return ct_fact_pattern_fail(pattern->option, pattern->text, why, error);
}

static int read_fact(const char *at, size_t length, struct ct_error *error, struct ct_fact_pattern *pattern,
                     struct ct_fact_pattern_piece *piece)
{
    size_t i = 0;
    while (i < CT_FACTS && (strlen(facts[i].name) != length || strncmp(facts[i].name, at, length) != 0))
        i++;
    if (i == CT_FACTS)
        return wrong(pattern,
                     "expected {collective}, {method}, {by}, {nodes}, {ppn}, {comm_size} or {msg_bytes}",
                     error);
    if (pattern->has[i])
        return wrong(pattern, "expected each field once", error);
    pattern->has[i] = true;
    *piece = (struct ct_fact_pattern_piece){.kind = CT_PIECE_FACT, .fact = (enum ct_fact)i};
    return CT_OK;
}

int ct_fact_pattern_read(const char *option, const char *text, struct ct_error *error,
                         struct ct_fact_pattern *ret_pattern)
{
    struct ct_fact_pattern pattern = {.option = option, .text = text};
    size_t wild = 0;
    for (const char *at = text; *at; at++) {
        if (pattern.count == CT_FACT_PATTERN_PIECES)
            return wrong(&pattern, "is too long", error);
        struct ct_fact_pattern_piece *piece = &pattern.pieces[pattern.count];
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        *piece = (struct ct_fact_pattern_piece){.kind = *at == '*' ? CT_PIECE_ANYTHING : CT_PIECE_LETTER,
                                                .letter = *at};
        int status = CT_OK;
        if (*at == '{' && !end)
            status = wrong(&pattern, "expected a } behind the {", error);
        else if (end)
            status = read_fact(at + 1, (size_t)(end - at - 1), error, &pattern, piece);
        if (status != CT_OK)
            return status;
        at = end ? end : at;
        if (piece->kind != CT_PIECE_LETTER && wild == WILD)
            return wrong(&pattern, "has too many fields and *", error);
        piece->wild = wild;
        wild += piece->kind != CT_PIECE_LETTER;
        pattern.count++;
    }
    *ret_pattern = pattern;
    return CT_OK;
}

/* Collectives and methods both contain what may part them: {collective}_{method}. */
static bool may_be(enum ct_fact fact, const char *text, size_t length)
{
    if (fact != CT_FACT_COLLECTIVE)
        return true;
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (strlen(ct_collectives[i].name) == length && strncmp(ct_collectives[i].name, text, length) == 0)
            return true;
    return false;
}

/* A text being compared. */
struct matching {
    const struct ct_fact_pattern *pattern;
    const char *text;
    char stop;
    bool failed[WILD][LONGEST + 1]; /* from this piece and this place of the text on */
    struct ct_facts facts;
};

/* Does the text match from this piece and place on? Longest fields first; the recursion is as deep as the
 * pattern is long. */
static bool matches(struct matching *matching, size_t at, size_t from)
{
    const char *text = matching->text + from;
    if (at == matching->pattern->count)
        return !*text;
    const struct ct_fact_pattern_piece *piece = &matching->pattern->pieces[at];
    if (piece->kind == CT_PIECE_LETTER)
        return *text == piece->letter && matches(matching, at + 1, from + 1);
    if (matching->failed[piece->wild][from])
        return false;
    const bool is_fact = piece->kind == CT_PIECE_FACT;
    const char stops[2] = {matching->stop, '\0'};
    size_t most = is_fact && facts[piece->fact].is_number ? strspn(text, "0123456789") : strcspn(text, stops);
    if (is_fact && most >= CT_METHOD_TEXT)
        most = CT_METHOD_TEXT - 1;
    for (size_t length = most + 1; length-- > (is_fact ? 1 : 0);)
        if ((!is_fact || may_be(piece->fact, text, length)) && matches(matching, at + 1, from + length)) {
            if (is_fact)
                memcpy(matching->facts.words[piece->fact], text, length);
            return true;
        }
    matching->failed[piece->wild][from] = true;
    return false;
}

bool ct_fact_pattern_matches(const struct ct_fact_pattern *pattern, const char *text, char stop,
                             struct ct_facts *ret_facts)
{
    struct matching matching = {.pattern = pattern, .text = text, .stop = stop};
    if (strnlen(text, LONGEST + 1) > LONGEST || !matches(&matching, 0, 0))
        return false;
    *ret_facts = matching.facts;
    return true;
}
