/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_OMPI_RULES_H
#define CT_CODEGEN_OMPI_RULES_H

#include "base/error.h"
#include "plan/collective.h"

/* Open MPI's files of dynamic rules (coll_tuned_dynamic_rules_filename), as it understands them: the text of
 * release 4.1, that with the line `rule-file-version-2` of 5.0.7 and later, and the JSON of 6. */

struct ct_ompi_rule {
    size_t least; /* message size, as Open MPI counts it for the collective; both ends included */
    size_t most;
    size_t algorithm; /* 0 is Open MPI's own choice */
    size_t fanout;
    size_t segment;
    size_t requests;
};

struct ct_ompi_row {
    enum ct_collective collective;
    size_t least; /* communicator size, both ends included */
    size_t most;
    size_t first; /* rule; `count` of them, of which the first that matches holds */
    size_t count;
};

struct ct_ompi_file {
    struct ct_ompi_row *rows; /* of which the first that matches holds */
    size_t row_count;
    size_t row_capacity;
    struct ct_ompi_rule *rules;
    size_t rule_count;
    size_t rule_capacity;
    int release; /* by whose algorithms rules are understood: 4, or 6 of later forms */
};

/* Open MPI's number for the collective; -1 where it has no rules of it. */
int ct_ompi_number(enum ct_collective collective);

/* Both are stricter than Open MPI, which skips what it does not understand, or drops the file without a word:
 * CT_E_INPUT with a line in `error` that says where and what was expected; CT_E_MEMORY. Caller frees with
 * ct_ompi_file_free(). */
int ct_ompi_read_text(const char *text, const char *name, struct ct_error *error,
                      struct ct_ompi_file *ret_file);
int ct_ompi_read_json(const char *text, const char *name, struct ct_error *error,
                      struct ct_ompi_file *ret_file);

/* The rule for a call; NULL where Open MPI is left to choose itself. */
const struct ct_ompi_rule *ct_ompi_decide(const struct ct_ompi_file *file, enum ct_collective collective,
                                          size_t comm_size, size_t bytes);

/* For readers: take what follows the last row. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_ompi_add_row(struct ct_ompi_file *file, const struct ct_ompi_row *row);
int ct_ompi_add_rule(struct ct_ompi_file *file, const struct ct_ompi_rule *rule);

/* Has a release from 4.1 to 6 an algorithm of that number? */
bool ct_ompi_has(enum ct_collective collective, size_t algorithm, int release);

/* The number of release 6's algorithm of that name; false where it has none. */
bool ct_ompi_named(enum ct_collective collective, const char *name, size_t *ret_algorithm);

void ct_ompi_file_free(struct ct_ompi_file *file);

#endif
