/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_CSV_TABLE_H
#define CT_SAMPLES_IMPORT_CSV_TABLE_H

#include "base/rows.h"
#include "samples/import/import_rows.h"

/* The lines of a foreign table, cut into fields. Fields are separated by commas, semicolons, tabs or blanks:
 * by the first of these that occurs in the first line that is cut. Those of the first three kinds may be
 * quoted as in RFC 4180, and blanks around them do not count. */
struct ct_csv_table {
    struct ct_import_file *file;
    struct ct_rows rows; /* the fields of the line that was cut last */
    char separator;      /* ' ': any number of blanks; 0: not known yet */
};

/* Cuts a line, which blanks that separate are replaced in. CT_OK, CT_E_INPUT, CT_E_MEMORY. */
int ct_csv_table_cut(struct ct_csv_table *table, char *line);

/* Forgets the separator, which the next line that is cut decides. Frees what the table holds. */
void ct_csv_table_free(struct ct_csv_table *table);

/* Is the line one of comment, behind # or %? */
bool ct_csv_is_comment(const char *line);

/* Does the field stand for a value that is not known: empty, -, NA, nan or the like? */
bool ct_csv_is_missing(const char *field);

/* Reads a number, which may be written as 4, 4.0, 4e0 or 8K, with a decimal comma where commas do not
 * separate (4,0), and with its deviation behind it: 4.0(0.1), 4.0 +- 0.1. CT_OK, or CT_E_INPUT without a
 * line. */
int ct_csv_table_number(const struct ct_csv_table *table, const char *field, double *ret_number);

enum { CT_CSV_UNIT = 8 };

/* The same for a number that may have a unit behind it, as in "12.5 us" and "4KiB"; "" if it has none. Which
 * units there are is up to the caller. */
int ct_csv_table_quantity(const struct ct_csv_table *table, const char *field, char ret_unit[CT_CSV_UNIT],
                          double *ret_number);

#endif
