/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_DECISION_RUN_FIXTURE_H
#define CT_TESTS_DECISION_RUN_FIXTURE_H

#include "samples/run.h"

/* A small run for tests: barrier and bcast on 2, 4 and 8 ranks, messages of 1, 8K and 1M, five methods. */

/* Fills a description; free with ct_run_description_free(). */
void fixture_description(struct ct_run_description *ret_description);

/* What a writer of samples looks at, where all calls are blocking. */
extern const struct ct_run_description fixture_blocking;

/* Makes a fresh temporary folder and returns its name, heap-allocated. */
char *fixture_folder(void);

/* For cmocka: the state of each test is a fresh folder, which is removed after it. Return 0. */
int fixture_begin(void **state);
int fixture_end(void **state);

/* Makes the run FOLDER/run with that description and `rows` (whole lines) behind the header; returns its
 * path, heap-allocated. */
char *fixture_run(const char *folder, const char *rows);

#endif
