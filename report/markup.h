/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_MARKUP_H
#define CT_REPORT_MARKUP_H

#include "algorithms/method.h"
#include "base/text.h"

#include <stdint.h>

/* What goes into a page or a picture's script, safe whatever it holds; and numbers as readers like them. */

/* Appends text to HTML: markup characters as entities, control characters as blanks, bytes that are not UTF-8
 * as question marks. */
void ct_html_text(struct ct_text *page, const char *string);

/* Appends a method, without its collective, as <code> whose lines end behind words. */
void ct_html_method(struct ct_text *page, const struct ct_method *method);

/* Appends a single-quoted gnuplot string; control characters become blanks. */
void ct_gnuplot_string(struct ct_text *script, const char *string);

enum { CT_NUMBER_TEXT = 40 };

/* A slowdown in percent: "0.4 %", "37 %", "12300 %". A dash where it is not known. */
char *ct_penalty_text(double penalty, char text[CT_NUMBER_TEXT]);
/* A ratio of times: "1.45". A dash where it is not known. */
char *ct_factor_text(double ratio, char text[CT_NUMBER_TEXT]);
/* The same as "1.45 ×". */
char *ct_ratio_text(double ratio, char text[CT_NUMBER_TEXT]);
/* A time: "1.23 ms". A dash where it is not known. */
char *ct_seconds_text(double seconds, char text[CT_NUMBER_TEXT]);
/* `part` of `whole` in percent. */
char *ct_share_text(size_t part, size_t whole, char text[CT_NUMBER_TEXT]);
/* "#rrggbb". */
char *ct_colour_text(uint32_t colour, char text[CT_NUMBER_TEXT]);

#endif
