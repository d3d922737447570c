/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_ORIGIN_H
#define CT_LIBRARY_ORIGIN_H

#include <stdbool.h>

/* Where decisions were learned: the lines "NAME: VALUE" of their provenance, which the library is built with
 * and which tables for COLLTUNE_TABLE have in comments. */

enum { CT_ORIGIN_TEXT = 400 };

/* The model of this machine's processor, as Linux names it; "" if it does not. */
void ct_origin_cpu(char ret_cpu[CT_ORIGIN_TEXT]);

/* Does a line name another MPI (mpi.name) or processor (machine.cpu) than this? `mpi` is the text of
 * PMPI_Get_library_version(); `cpu` is "" where it is not known. Then a line without newline says what
 * differs. What the provenance does not name is not compared. */
bool ct_origin_differs(const char *provenance, const char *mpi, const char *cpu,
                       char ret_line[CT_ORIGIN_TEXT]);

#endif
