/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_IMPORTS_IMPORT_FIXTURE_H
#define CT_TESTS_IMPORTS_IMPORT_FIXTURE_H

#include "samples/import/import.h"

/* Imports a text, as the one file "given", into a run; free it with ct_run_free(). `source` may be NULL. */
int fixture_import(const char *format, const struct ct_import_request *request,
                   const struct ct_import_source *source, const char *text, struct ct_error *error,
                   struct ct_import_summary *ret_summary, struct ct_run *ret_run);

/* The seconds of a method's sample in the first cell of these sizes; -1 where there is none. */
double fixture_seconds(const struct ct_run *run, const char *method, size_t comm_size, size_t msg_bytes,
                       size_t rep);

#endif
