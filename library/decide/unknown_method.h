/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_UNKNOWN_METHOD_H
#define CT_LIBRARY_UNKNOWN_METHOD_H

#include "base/error.h"

/* Methods by which blocks come to ranks that do not know of them (unknown_sources.h). These are no plans: a
 * plan knows whom its rank receives from. Without MPI. */

enum ct_unknown_kind { CT_UNKNOWN_NBX, CT_UNKNOWN_PERSONALIZED, CT_UNKNOWN_GRID, CT_UNKNOWN_KINDS };

struct ct_unknown_method {
    enum ct_unknown_kind kind;
    int dimensions; /* of grid, else 0 */
};

/* Reads a spelling: `nbx`, `personalized`, `grid`, `grid:dims=3`, each with `exchange/` before it or without.
 * CT_OK, or CT_E_INPUT with a line in `error`. */
int ct_unknown_method_parse(const char *spelling, struct ct_error *error,
                            struct ct_unknown_method *ret_method);

enum { CT_UNKNOWN_METHOD_TEXT = 48 };
/* Writes the spelling with `exchange/`; returns `text`. */
char *ct_unknown_method_format(const struct ct_unknown_method *method, char text[CT_UNKNOWN_METHOD_TEXT]);

/* What is used where none is named. It needs the least memory, and few messages where a rank sends to few. */
struct ct_unknown_method ct_unknown_method_standard(void);

#endif
