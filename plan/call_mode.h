/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_CALL_MODE_H
#define CT_PLAN_CALL_MODE_H

/* How an application makes a call. The library decides by it, runs and profiles record it. */
enum ct_call_mode {
    CT_MODE_BLOCKING,
    CT_MODE_NONBLOCKING, /* begun by one function, waited for by another */
    CT_MODE_PERSISTENT,  /* the same, and prepared once for as many calls as follow */
    CT_MODES
};

/* By enum: "blocking", "nonblocking", "persistent"; NULL behind the last. */
extern const char *const ct_mode_names[CT_MODES + 1];
/* The mode of that name; CT_MODES where there is none. */
enum ct_call_mode ct_mode_find(const char *name);

/* The names of a set of modes, which has the bit 1 << MODE for each: "blocking,persistent". */
enum { CT_MODES_TEXT = 40 };
const char *ct_modes_format(unsigned modes, char text[CT_MODES_TEXT]);
/* The set that a text of such names means; other words count for nothing. */
unsigned ct_modes_parse(const char *text);

#endif
