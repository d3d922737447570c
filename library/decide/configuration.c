/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/configuration.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/nearest.h"
#include "plan/node_channel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void complain(struct ct_configuration *configuration, const char *name, const char *why)
{
    ct_text_append(&configuration->complaints, "colltune: %s is ignored: %s\n", name, why);
}

/* A level is a digit from 0 to `most`, or not set, which is 0. */
static int read_level(struct ct_configuration *configuration, const char *name, int most)
{
    const char *value = getenv(name);
    if (!value || !*value)
        return 0;
    if (*value >= '0' && *value <= '0' + most && !value[1])
        return *value - '0';
    complain(configuration, name, most == 1 ? "expected 0 or 1" : "expected 0, 1 or 2");
    return 0;
}

static void read_adapt(struct ct_configuration *configuration)
{
    static const struct {
        const char *text;
        int level;
        bool by_model;
    } values[] = {{"", 0, false},  {"0", 0, false},      {"1", 1, false},
                  {"2", 2, false}, {"1,model", 1, true}, {"2,model", 2, true}};
    const char *value = getenv("COLLTUNE_ADAPT");
    for (size_t i = 0; value && i < sizeof values / sizeof values[0]; i++)
        if (strcmp(value, values[i].text) == 0) {
            configuration->adapt = values[i].level;
            configuration->adapts_by_model = values[i].by_model;
            return;
        }
    if (value)
        complain(configuration, "COLLTUNE_ADAPT", "expected 0, 1, 2, \"1,model\" or \"2,model\"");
}

/* NULL where it is not set. */
static char *read_path(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? strdup(value) : NULL;
}

enum { NAME_TEXT = 64 };

/* "COLLTUNE_BCAST" */
static void name_of(enum ct_collective collective, char ret_name[NAME_TEXT])
{
    snprintf(ret_name, NAME_TEXT, "COLLTUNE_%s", ct_collectives[collective].name);
    for (char *at = ret_name; *at; at++)
        *at = (char)toupper((unsigned char)*at);
}

/* Variables of the library, of the command, and of the simulator's backend. */
static const char *const variables[] = {"COLLTUNE_DISABLE",     "COLLTUNE_VERBOSE", "COLLTUNE_TABLE",
                                        "COLLTUNE_PROFILE",     "COLLTUNE_DATA",    "COLLTUNE_GAMMA_FLOPS",
                                        "COLLTUNE_DELTA_FLOPS", "COLLTUNE_WAIT",    "COLLTUNE_CHECK",
                                        "COLLTUNE_NONBLOCKING", "COLLTUNE_TRACE",   "COLLTUNE_ADAPT",
                                        "COLLTUNE_LEARNED",     "COLLTUNE_NODE",    "COLLTUNE_NODE_COSTS",
                                        "COLLTUNE_PLATFORM",    "COLLTUNE_EXCHANGE"};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

/* Complains of variables that begin as ours but are none: most are misspelt. */
static void check_names(struct ct_configuration *configuration)
{
    char spellings[CT_MPI_COLLECTIVES][NAME_TEXT];
    const char *names[VARIABLES + CT_MPI_COLLECTIVES];
    memcpy(names, variables, sizeof variables);
    for (int i = 0; i < CT_MPI_COLLECTIVES; i++) {
        name_of((enum ct_collective)i, spellings[i]);
        names[VARIABLES + i] = spellings[i];
    }
    for (char **variable = environ; *variable; variable++) {
        char name[NAME_TEXT], why[2 * NAME_TEXT];
        if (strncmp(*variable, "COLLTUNE_", strlen("COLLTUNE_")) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*variable, "="), *variable);
        const char *nearest = ct_nearest(name, names, VARIABLES + CT_MPI_COLLECTIVES);
        if (nearest && strcmp(nearest, name) == 0)
            continue;
        snprintf(why, sizeof why, "there is no such variable%s%s%s", nearest ? "; did you mean " : "",
                 nearest ? nearest : "", nearest ? "?" : "");
        complain(configuration, name, why);
    }
}

static void read_forced(struct ct_configuration *configuration, enum ct_collective collective)
{
    char name[NAME_TEXT];
    name_of(collective, name);
    const char *value = getenv(name);
    if (!value || !*value)
        return;
    struct ct_error error = {0};
    if (ct_method_parse(value, collective, &error, &configuration->forced[collective]) != CT_OK)
        complain(configuration, name, error.text);
    else
        configuration->is_forced[collective] = true;
}

static void read_exchange(struct ct_configuration *configuration)
{
    struct ct_error error = {0};
    const char *value = getenv("COLLTUNE_EXCHANGE");
    configuration->exchange = ct_unknown_method_standard();
    if (value && *value && ct_unknown_method_parse(value, &error, &configuration->exchange) != CT_OK)
        complain(configuration, "COLLTUNE_EXCHANGE", error.text);
}

static void read_table(struct ct_configuration *configuration)
{
    const char *path = getenv("COLLTUNE_TABLE");
    if (!path || !*path)
        return;
    struct ct_error error = {0};
    char *text = NULL;
    size_t length;
    int status = ct_file_read(path, &error, &text, &length);
    if (status == CT_OK && strlen(text) != length)
        status = ct_fail(&error, CT_E_INPUT, "%s: holds a NUL byte", path);
    if (status == CT_OK)
        status = ct_decisions_read_text(text, path, &error, &configuration->table);
    if (status != CT_OK) {
        complain(configuration, "COLLTUNE_TABLE", error.text);
        free(text);
        return;
    }
    configuration->hash = ct_hash(configuration->hash, text, length);
    configuration->table_text = text;
}

static void read_wait(struct ct_configuration *configuration)
{
    const char *value = getenv("COLLTUNE_WAIT");
    if (!value || !*value)
        return;
    bool spins = strcmp(value, "spin") == 0;
    configuration->sets_wait = spins || strcmp(value, "yield") == 0;
    configuration->wait = spins ? CT_WAIT_SPIN : CT_WAIT_YIELD;
    if (!configuration->sets_wait)
        complain(configuration, "COLLTUNE_WAIT", "expected spin or yield");
}

static void read_node(struct ct_configuration *configuration)
{
    enum ct_node_channel channel = CT_NODE_CHANNEL_SHARED;
    if (!ct_node_channel_read(getenv("COLLTUNE_NODE"), &channel, &configuration->is_plain))
        complain(configuration, "COLLTUNE_NODE", CT_NODE_CHANNEL_EXPECTED);
    configuration->avoids_lanes = channel == CT_NODE_CHANNEL_MPI;
}

void ct_configuration_read(struct ct_configuration *ret_configuration)
{
    struct ct_configuration configuration = {0};
    check_names(&configuration);
    configuration.disabled = read_level(&configuration, "COLLTUNE_DISABLE", 1) == 1;
    configuration.check = read_level(&configuration, "COLLTUNE_CHECK", 1) == 1;
    configuration.nonblocking = read_level(&configuration, "COLLTUNE_NONBLOCKING", 1) == 1;
    configuration.trace = read_level(&configuration, "COLLTUNE_TRACE", 1) == 1;
    read_adapt(&configuration);
    configuration.verbose = read_level(&configuration, "COLLTUNE_VERBOSE", 2);
    for (int i = 0; i < CT_MPI_COLLECTIVES; i++)
        read_forced(&configuration, (enum ct_collective)i);
    read_exchange(&configuration);
    read_table(&configuration);
    read_wait(&configuration);
    read_node(&configuration);
    configuration.profile = read_path("COLLTUNE_PROFILE");
    configuration.learned = read_path("COLLTUNE_LEARNED");
    if (configuration.learned && configuration.adapt == 0) {
        complain(&configuration, "COLLTUNE_LEARNED", "expected COLLTUNE_ADAPT to be set, too");
        free(configuration.learned);
        configuration.learned = NULL;
    }

    uint64_t hash = ct_hash(configuration.hash, &configuration.disabled, sizeof configuration.disabled);
    hash = ct_hash(hash, &configuration.check, sizeof configuration.check);
    hash = ct_hash(hash, &configuration.nonblocking, sizeof configuration.nonblocking);
    hash = ct_hash(hash, &configuration.adapt, sizeof configuration.adapt);
    hash = ct_hash(hash, &configuration.adapts_by_model, sizeof configuration.adapts_by_model);
    char exchange[CT_UNKNOWN_METHOD_TEXT];
    ct_unknown_method_format(&configuration.exchange, exchange);
    hash = ct_hash(hash, exchange, strlen(exchange));
    for (int i = 0; i < CT_MPI_COLLECTIVES; i++) {
        char spelling[CT_METHOD_TEXT] = "";
        if (configuration.is_forced[i])
            ct_method_format(&configuration.forced[i], true, spelling);
        hash = ct_hash(hash, spelling, strlen(spelling) + 1);
    }
    configuration.hash = hash;
    *ret_configuration = configuration;
}
