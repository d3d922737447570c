/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_GENERATOR_H
#define CT_CODEGEN_GENERATOR_H

#include "decision/table.h"

/* Writes a decision table in a format that other programs use. */

struct ct_generator_options {
    const char *base; /* the file in which decisions are replaced; NULL: the file of the MPI at hand */
    bool commutative; /* take all operations as commutative */
};

struct ct_translation;

struct ct_generator {
    const char *name;    /* of the format */
    const char *text;    /* one line */
    bool takes_base;     /* options.base */
    bool has_one_method; /* for a collective, whatever the call is */
    const struct ct_translation
        *target; /* the library whose files these are; NULL: all methods can be told */
    /* Appends to `text`; the same table always gives the same text. Appends a line to `notes` for each
     * decision that the format cannot express, with its replacement. CT_OK; CT_E_LIMIT with a line in `error`
     * if the format cannot hold the table; CT_E_INPUT, CT_E_SYSTEM if the base is wrong or cannot be read;
     * CT_E_MEMORY. */
    int (*generate)(const struct ct_table *table, const struct ct_generator_options *options,
                    struct ct_error *error, struct ct_text *text, struct ct_text *notes);
};

#define GENERATOR(name, file) extern const struct ct_generator ct_##name##_generator;
#include "codegen/generators.def"
#undef GENERATOR

#endif
