/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_FACT_PATTERN_H
#define CT_SAMPLES_IMPORT_FACT_PATTERN_H

#include "algorithms/method.h"
#include "base/error.h"

#include <stdbool.h>

/* Texts that say facts about results: names of files and columns, and lines between outputs.
 *
 * In a pattern {collective}, {method}, {by}, {nodes}, {ppn}, {comm_size} and {msg_bytes} stand for such
 * facts, each at most once, and * for anything. Numbers consist of digits, {collective} is one that there is;
 * if a pattern matches in several ways, the first facts are the longest. */

enum ct_fact {
    CT_FACT_COLLECTIVE,
    CT_FACT_METHOD,
    CT_FACT_BY,
    CT_FACT_NODES,
    CT_FACT_PPN,
    CT_FACT_COMM_SIZE,
    CT_FACT_MSG_BYTES,
    CT_FACTS
};

enum { CT_FACT_PATTERN_PIECES = 200 };

/* A pattern, cut into what each of its pieces matches. */
struct ct_fact_pattern {
    const char *option; /* that gave it, for errors */
    const char *text;
    struct ct_fact_pattern_piece {
        enum { CT_PIECE_LETTER, CT_PIECE_FACT, CT_PIECE_ANYTHING } kind;
        char letter;
        enum ct_fact fact;
        size_t wild; /* how many pieces before it are no letters */
    } pieces[CT_FACT_PATTERN_PIECES];
    size_t count;
    bool has[CT_FACTS];
};

/* What a text says; "" where the pattern does not have it. */
struct ct_facts {
    char words[CT_FACTS][CT_METHOD_TEXT];
};

/* As a pattern writes it. */
const char *ct_fact_name(enum ct_fact fact);

/* Reads a pattern, which refers to both texts. CT_OK, or CT_E_INPUT with a line in `error`. */
int ct_fact_pattern_read(const char *option, const char *text, struct ct_error *error,
                         struct ct_fact_pattern *ret_pattern);

/* Does all of the text match? If so, `ret_facts` has what it says. Facts and * match no `stop` ('\0': they
 * match anything). Texts beyond 1000 bytes do not match. */
bool ct_fact_pattern_matches(const struct ct_fact_pattern *pattern, const char *text, char stop,
                             struct ct_facts *ret_facts);

/* Writes "OPTION 'PATTERN': WHY" into the error; returns CT_E_INPUT. */
int ct_fact_pattern_fail(const char *option, const char *text, const char *why, struct ct_error *error);

#endif
