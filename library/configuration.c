/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/configuration.h"
#include "base/file.h"
#include "base/hash.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(struct ct_configuration *configuration, const char *name, const char *why)
{
    ct_text_append(&configuration->complaints, "colltune: %s is ignored: %s\n", name, why);
}

/* A switch is 0, 1 or not set. */
static bool read_switch(struct ct_configuration *configuration, const char *name)
{
    const char *value = getenv(name);
    if (!value || strcmp(value, "0") == 0 || strcmp(value, "") == 0)
        return false;
    if (strcmp(value, "1") == 0)
        return true;
    complain(configuration, name, "expected 0 or 1");
    return false;
}

static void read_forced(struct ct_configuration *configuration, enum ct_collective collective)
{
    char name[64];
    snprintf(name, sizeof name, "COLLTUNE_%s", ct_collectives[collective].name);
    for (char *at = name; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    const char *value = getenv(name);
    if (!value || !*value)
        return;
    struct ct_error error = {0};
    if (ct_method_parse(value, collective, &error, &configuration->forced[collective]) != CT_OK)
        complain(configuration, name, error.text);
    else
        configuration->is_forced[collective] = true;
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
    if (status != CT_OK)
        complain(configuration, "COLLTUNE_TABLE", error.text);
    else
        configuration->hash = ct_hash(configuration->hash, text, length);
    free(text);
}

void ct_configuration_read(struct ct_configuration *ret_configuration)
{
    struct ct_configuration configuration = {0};
    configuration.disabled = read_switch(&configuration, "COLLTUNE_DISABLE");
    configuration.verbose = read_switch(&configuration, "COLLTUNE_VERBOSE");
    for (int i = 0; i < CT_COLLECTIVES; i++)
        read_forced(&configuration, (enum ct_collective)i);
    read_table(&configuration);
    const char *profile = getenv("COLLTUNE_PROFILE");
    configuration.profile = profile && *profile ? strdup(profile) : NULL;

    uint64_t hash = ct_hash(configuration.hash, &configuration.disabled, sizeof configuration.disabled);
    for (int i = 0; i < CT_COLLECTIVES; i++) {
        char spelling[CT_METHOD_TEXT] = "";
        if (configuration.is_forced[i])
            ct_method_format(&configuration.forced[i], true, spelling);
        hash = ct_hash(hash, spelling, strlen(spelling) + 1);
    }
    configuration.hash = hash;
    *ret_configuration = configuration;
}

void ct_configuration_free(struct ct_configuration *configuration)
{
    ct_decisions_free(&configuration->table);
    free(configuration->profile);
    ct_text_free(&configuration->complaints);
}
