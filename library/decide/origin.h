/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_ORIGIN_H
#define CT_LIBRARY_ORIGIN_H

#include "plan/node_channel.h"

#include <stdbool.h>

/* Where decisions were learned: the lines "NAME: VALUE" of their provenance, which the library is built with
 * and which tables for COLLTUNE_TABLE have in comments. */

enum { CT_ORIGIN_TEXT = 400 };

/* Does a line name another MPI (mpi.name) or processor (machine.cpu) than this? `mpi` is the text of
 * PMPI_Get_library_version(); `cpu` is "" where it is not known. Then a line without newline says what
 * differs. What the provenance does not name is not compared. */
bool ct_origin_differs(const char *provenance, const char *mpi, const char *cpu,
                       char ret_line[CT_ORIGIN_TEXT]);

/* Does a line name another channel (node.channel) for messages within a node than this? Then a line without
 * newline says so. */
bool ct_origin_channel_differs(const char *provenance, enum ct_node_channel here,
                               char ret_line[CT_ORIGIN_TEXT]);

/* Is the MPI whose version text is `mpi` of another family than that with the name `built_for`, so that their
 * handles differ? Then a line without newline says so. A family that is not known here cannot be compared. */
bool ct_origin_is_foreign(const char *built_for, const char *mpi, char ret_line[CT_ORIGIN_TEXT]);

#endif
