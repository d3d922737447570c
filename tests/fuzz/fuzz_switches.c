/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/switches.h"
#include "tests/fuzz/target.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The input is a file of switches. In trees that are read each host hangs on a switch without switches below
 * it, and each way up ends and gains a level at every switch. */

static void need(bool good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error error = {""};
    struct ct_switches tree;
    char *text = malloc(size + 1);
    need(text);
    memcpy(text, data, size);
    text[size] = '\0';
    int status = ct_switches_parse(text, size, "input", &error, &tree);
    free(text);
    if (status != CT_OK) {
        need(error.text[0] && !strchr(error.text, '\n'));
        return -1;
    }
    need(tree.count > 0 && tree.host_count > 0);
    for (int i = 0; i < tree.count; i++) {
        const int above = tree.switches[i].above;
        need(above == CT_NO_SWITCH ||
             (above >= 0 && above < tree.count && tree.switches[above].level > tree.switches[i].level));
    }
    for (size_t i = 0; i < tree.host_count; i++) {
        const char *name = tree.hosts[i].name;
        need(tree.switches[tree.hosts[i].leaf].level == 0);
        need(ct_switches_leaf(&tree, name, strlen(name)) == tree.hosts[i].leaf);
    }
    ct_switches_free(&tree);
    return 0;
}
