/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWITCHES_H
#define CT_MEASURE_SWEEP_SWITCHES_H

#include "base/error.h"

#include <stddef.h>

/* Which hosts are close: the switches that they hang on, as trees. The file is Slurm's topology.conf, or what
 * `scontrol show topology` prints: a switch a line, with hosts or with switches below it:
 *
 *     SwitchName=leaf1 Nodes=n[1-16]
 *     SwitchName=spine Switches=leaf[1-8]
 *
 * Keys are written as Slurm takes them, in any case. LinkSpeed and Level are passed over, and so are the
 * Nodes of a switch that has Switches, which are theirs. */

enum { CT_NO_SWITCH = -1 };

struct ct_switch {
    char *name;
    int above; /* the next switch on the way up; CT_NO_SWITCH: none */
    int level; /* 0: has hosts; else one more than the highest of those below */
};

struct ct_switch_host {
    char *name;
    int leaf; /* the switch that it hangs on */
};

struct ct_switches {
    struct ct_switch *switches;
    int count;
    struct ct_switch_host *hosts; /* by name */
    size_t host_count;
};

/* Reads the text of a file, of so many bytes before its NUL; `name` stands for the file in messages. CT_OK;
 * CT_E_INPUT with a line in `error` for another key, a switch or a host that is there twice or below two
 * switches, a switch that is not there or that is below itself, and a file without hosts; CT_E_LIMIT,
 * CT_E_MEMORY. Caller frees. */
int ct_switches_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                      struct ct_switches *ret_switches);
/* The same of a file; also CT_E_SYSTEM. */
int ct_switches_read(const char *path, struct ct_error *error, struct ct_switches *ret_switches);
void ct_switches_free(struct ct_switches *switches);

/* The switch that the host with this name of so many characters hangs on; CT_NO_SWITCH: none. */
int ct_switches_leaf(const struct ct_switches *switches, const char *host, size_t length);

#endif
