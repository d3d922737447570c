/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_EMBEDDED_FILES_H
#define CT_CODEGEN_EMBEDDED_FILES_H

/* Whole source files as text, for generated code to contain; made by embed_files. NULL ends the list. */
struct ct_embedded_file {
    const char *name; /* without folders */
    const char *text;
};
extern const struct ct_embedded_file ct_embedded_files[];

#endif
