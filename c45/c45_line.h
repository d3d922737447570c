/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_C45_C45_LINE_H
#define CT_C45_C45_LINE_H

#include "learners/c45/c45_data.h"

/* Parts of the lines that trees are printed in. Each function takes what it expects at *place, moves that
 * behind it and returns true; else it moves nothing. Names may hold any character, so the longest that fits
 * is meant. */

bool ct_c45_take_text(const char **place, const char *text);

/* "|   " as often as it stands there. */
size_t ct_c45_take_level(const char **place);

/* An attribute and one of the operators " <= ", " > ", " = ", " in {", by its place in this list. */
bool ct_c45_take_test(const char **place, const struct ct_c45_names *names, size_t *ret_attribute,
                      size_t *ret_operator);

/* One of the words and what ends it, a character of `ends`. */
bool ct_c45_take_word(const char **place, const struct ct_c45_words *words, const char *ends,
                      size_t *ret_number, char *ret_end);

/* A number of single precision. */
bool ct_c45_take_number(const char **place, float *ret_number);

/* " CLASS (ITEMS)" or " CLASS (ITEMS/ERRORS)" up to the end of the line. */
bool ct_c45_take_leaf(const char **place, const struct ct_c45_names *names, uint16_t *ret_class,
                      float *ret_items, float *ret_errors);

#endif
