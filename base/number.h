/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_NUMBER_H
#define CT_BASE_NUMBER_H

#include "base/error.h"

#include <stddef.h>

enum { CT_NUMBER_TEXT = 32 };

/* Writes the shortest decimal that reads back as the same double; returns `text`. */
char *ct_number_format(double number, char text[CT_NUMBER_TEXT]);

/* Writes a positive number below 10^15 for people: with so many digits that count, whole ones in full
 * ("1.06", "1438"), never with an exponent from 1 on. Returns `text`. */
char *ct_rounded_format(double number, int digits, char text[CT_NUMBER_TEXT]);

/* Reads a finite decimal ("12", "0.5", "-3.25e-07"), which must be the whole of `word`: no blanks, no
 * hexadecimal, no inf or nan. CT_OK, CT_E_INPUT, or CT_E_LIMIT if it is too large for a double. */
int ct_number_parse(const char *word, double *ret_number);

/* Reads a whole number of digits alone, at most `most`. CT_OK, CT_E_INPUT, or CT_E_LIMIT beyond `most`. */
int ct_whole_parse(const char *word, size_t most, size_t *ret_number);

/* Reads a time in seconds, more than 0: "90", "50us", "5ms", "90s", "10m", "1.5h". CT_OK or CT_E_INPUT. */
int ct_seconds_parse(const char *word, double *ret_seconds);

#endif
