/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/origin.h"

#include "plan/node_channel.h"

#include <stdio.h>
#include <string.h>

/* How the version texts of MPIs begin, and the MPI that they have their handles of. */
static const struct {
    const char *name;
    const char *begin;
    const char *handles_of;
} mpis[] = {{"mpich", "MPICH", "mpich"},      {"openmpi", "Open MPI", "openmpi"},
            {"smpi", "SMPI", "smpi"},         {"intel", "Intel(R) MPI", "mpich"},
            {"mvapich2", "MVAPICH", "mpich"}, {"cray", "MPI VERSION    : CRAY MPICH", "mpich"}};

enum { VALUE_TEXT = 100 };

/* Finds the next line NAME: VALUE; NULL if there is none, else what follows it. */
static const char *next_value(const char *text, const char *name, char ret_value[VALUE_TEXT])
{
    size_t length = strlen(name);
    const char *begin = text;
    while ((text = strstr(text, name))) {
        bool is_word = text == begin || text[-1] == ' ' || text[-1] == '\n';
        text += length;
        if (!is_word || strncmp(text, ": ", 2) != 0)
            continue;
        snprintf(ret_value, VALUE_TEXT, "%.*s", (int)strcspn(text + 2, "\n"), text + 2);
        return text;
    }
    return NULL;
}

static bool is_mpi(const char *name, const char *version)
{
    for (size_t i = 0; i < sizeof mpis / sizeof mpis[0]; i++)
        if (strcmp(mpis[i].name, name) == 0)
            return strncmp(version, mpis[i].begin, strlen(mpis[i].begin)) == 0;
    return true; /* an MPI that is not known here cannot be compared */
}

/* What `mpi` begins with, in one line without tabs. */
static void shorten(const char *mpi, char ret_here[VALUE_TEXT])
{
    snprintf(ret_here, VALUE_TEXT, "%.*s", (int)strcspn(mpi, ",\n"), mpi);
    for (char *tab = ret_here; (tab = strchr(tab, '\t'));)
        *tab = ' ';
}

bool ct_origin_is_foreign(const char *built_for, const char *mpi, char ret_line[CT_ORIGIN_TEXT])
{
    const char *handles_of = NULL;
    for (size_t i = 0; i < sizeof mpis / sizeof mpis[0]; i++)
        if (strncmp(mpi, mpis[i].begin, strlen(mpis[i].begin)) == 0)
            handles_of = mpis[i].handles_of;
    if (!*built_for || !handles_of || strcmp(handles_of, built_for) == 0)
        return false;
    char here[VALUE_TEXT];
    shorten(mpi, here);
    snprintf(ret_line, CT_ORIGIN_TEXT, "the tuned library was built for %s, this is %s", built_for, here);
    return true;
}

static const char advice[] = "they may be slower than native; tune here";

bool ct_origin_differs(const char *provenance, const char *mpi, const char *cpu,
                       char ret_line[CT_ORIGIN_TEXT])
{
    char there[VALUE_TEXT], here[VALUE_TEXT];
    for (const char *at = provenance; (at = next_value(at, "mpi.name", there));) {
        if (is_mpi(there, mpi))
            continue;
        shorten(mpi, here);
        snprintf(ret_line, CT_ORIGIN_TEXT, "decisions were learned with %s, this is %s: %s", there, here,
                 advice);
        return true;
    }
    for (const char *at = provenance; *cpu && (at = next_value(at, "machine.cpu", there));) {
        if (strcmp(there, cpu) == 0 || strcmp(there, "unknown") == 0)
            continue;
        snprintf(ret_line, CT_ORIGIN_TEXT, "decisions were learned on '%s', this is '%s': %s", there, cpu,
                 advice);
        return true;
    }
    return false;
}

bool ct_origin_channel_differs(const char *provenance, enum ct_node_channel here,
                               char ret_line[CT_ORIGIN_TEXT])
{
    char there[VALUE_TEXT];
    for (const char *at = provenance; (at = next_value(at, CT_NODE_CHANNEL_PROPERTY, there));) {
        const enum ct_node_channel learned = ct_node_channel_find(there);
        if (learned == CT_NODE_CHANNELS || learned == here)
            continue;
        snprintf(
            ret_line, CT_ORIGIN_TEXT,
            "decisions were learned with messages within the node through %s, here they go through %s: %s",
            ct_node_channel_titles[learned], ct_node_channel_titles[here], advice);
        return true;
    }
    return false;
}
