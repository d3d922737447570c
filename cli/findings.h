/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_FINDINGS_H
#define CT_CLI_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

/* What `colltune doctor` found: facts in one line each. */

/* In the order in which they are printed. */
enum ct_finding_state {
    CT_FINDING_WRONG, /* something that is needed is missing, or does not work */
    CT_FINDING_NOTE,  /* something optional is missing, or will surprise */
    CT_FINDING_GOOD,
    CT_FINDING_STATES
};

struct ct_finding {
    enum ct_finding_state state;
    char *subject;
    char *text;
};

struct ct_findings {
    struct ct_finding *items;
    size_t count;
    size_t capacity;
    int status; /* the first failure while adding, else CT_OK */
};

void ct_findings_add(struct ct_findings *findings, enum ct_finding_state state, const char *subject,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

size_t ct_findings_count(const struct ct_findings *findings, enum ct_finding_state state);

/* Prints them to standard output, what is wrong first, as aligned text or as CSV. */
void ct_findings_print(const struct ct_findings *findings, bool as_csv);

/* Leaves all zeroes. */
void ct_findings_free(struct ct_findings *findings);

#endif
