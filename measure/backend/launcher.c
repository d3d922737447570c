/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/launcher.h"
#include "base/file.h"
#include "base/text.h"
#include "measure/backend/word_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the word at *text and moves *text past it. *ret_word stays NULL at the end. */
static int next_word(const char **text, const char *launcher, struct ct_error *error, char **ret_word)
{
    const char *at = *text + strspn(*text, " \t");
    if (!*at)
        return CT_OK;
    struct ct_text word = {0};
    char quote = '\0';
    ct_text_append(&word, "%s", "");
    for (; *at && (quote || (*at != ' ' && *at != '\t')); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? '\0' : *at;
        else
            ct_text_append_bytes(&word, at, 1);
    }
    if (quote || word.failed) {
        ct_text_free(&word);
        return quote ? ct_fail(error, CT_E_INPUT, "the launcher '%s' has a %c that is not closed", launcher,
                               quote)
                     : CT_E_MEMORY;
    }
    *ret_word = word.data;
    *text = at;
    return CT_OK;
}

char *ct_launcher_of(const char *path)
{
    struct ct_text text = {0};
    if (!path[strcspn(path, " \t'\"")])
        return strdup(path);
    ct_text_append(&text, "'");
    for (; *path; path++)
        ct_text_append(&text, *path == '\'' ? "'\"%c\"'" : "%c", *path);
    ct_text_append(&text, "'");
    if (text.failed)
        ct_text_free(&text);
    return text.data;
}

enum placeholder { NP, HOSTFILE, PPN, NODES, CMD, PLACEHOLDERS };
static const char *const placeholders[PLACEHOLDERS] = {"{np}", "{hostfile}", "{ppn}", "{nodes}", "{cmd}"};

/* The placeholder that the text begins with; PLACEHOLDERS if there is none. */
static enum placeholder find_placeholder(const char *text)
{
    int i = 0;
    while (i < PLACEHOLDERS && strncmp(text, placeholders[i], strlen(placeholders[i])) != 0)
        i++;
    return (enum placeholder)i;
}

/* `word` with its placeholders replaced. check_template() has refused placeholders without a value. */
static char *replace(const char *word, const struct ct_launch *launch, const char *const *command)
{
    struct ct_text text = {0};
    size_t ppn = launch->ppn ? launch->ppn : 1;
    ct_text_append(&text, "%s", "");
    while (*word) {
        enum placeholder found = find_placeholder(word);
        if (found == NP)
            ct_text_append(&text, "%zu", launch->np);
        else if (found == HOSTFILE)
            ct_text_append(&text, "%s", launch->hostfile);
        else if (found == PPN)
            ct_text_append(&text, "%zu", ppn);
        else if (found == NODES)
            ct_text_append(&text, "%zu", launch->np / ppn + (launch->np % ppn > 0));
        else if (found == PLACEHOLDERS)
            ct_text_append_bytes(&text, word, 1);
        for (size_t i = 0; found == CMD && command[i]; i++)
            ct_text_append(&text, "%s%s", i ? " " : "", command[i]);
        word += found < PLACEHOLDERS ? strlen(placeholders[found]) : 1;
    }
    if (text.failed)
        ct_text_free(&text);
    return text.data;
}

/* Plain commands whose options for hosts are known. */
static const struct known {
    const char *programs; /* names without folder and suffix, between blanks */
    const char *mpi;      /* NULL: any */
    const char *hostfile;
    const char *ppn;
    const char *oversubscribed;
} known[] = {
    {" srun ", NULL, "--nodelist={hostfile}", "--nodes={nodes} --ntasks-per-node={ppn}", ""},
    {" mpiexec mpirun orterun ", "openmpi", "--hostfile {hostfile}", "--map-by ppr:{ppn}:node",
     "--oversubscribe"},
    {" mpiexec mpirun ", "mpich", "-f {hostfile}", "-ppn {ppn}", ""},
};

static const struct known *find_known(const char *launcher, const char *mpi)
{
    const char *word = launcher + strspn(launcher, " \t"), *end = word + strcspn(word, " \t");
    for (const char *slash = word; slash < end; slash++)
        if (*slash == '/')
            word = slash + 1;
    char name[32] = "", padded[sizeof name + 2];
    size_t length = (size_t)(end - word);
    if (length >= sizeof name)
        return NULL;
    memcpy(name, word, length);
    char *dot = strchr(name, '.'), *rest = dot ? dot + 1 : name + length;
    if (dot)
        *dot = '\0';
    if (*rest)
        mpi = strcmp(rest, "hydra") == 0 ? "mpich" : rest;
    snprintf(padded, sizeof padded, " %.*s ", (int)sizeof name - 1, name);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(known[i].programs, padded) && (!known[i].mpi || (mpi && strcmp(known[i].mpi, mpi) == 0)))
            return &known[i];
    return NULL;
}

/* A plain command as a template. */
static int complete(const char *launcher, const struct ct_launch *launch, struct ct_error *error,
                    char **ret_template)
{
    const struct known *kind = find_known(launcher, launch->mpi);
    bool hostfile = launch->hostfile && !strstr(launcher, "{hostfile}");
    bool ppn = launch->ppn && !strstr(launcher, "{ppn}") && !strstr(launcher, "{nodes}");
    if (!kind && (hostfile || ppn))
        return ct_fail(error, CT_E_INPUT,
                       "the launcher '%s' has no known option for %s: expected a template, as in "
                       "'%s {np} ... {%s} ... {cmd}'",
                       launcher, hostfile ? "a hostfile" : "the ranks per node", launcher,
                       hostfile ? "hostfile" : "ppn");
    *ret_template =
        ct_format("%s -n {np} %s %s %s {cmd}", launcher, hostfile ? kind->hostfile : "", ppn ? kind->ppn : "",
                  kind && launch->oversubscribed ? kind->oversubscribed : "");
    return *ret_template ? CT_OK : CT_E_MEMORY;
}

/* Any other word in braces is a misspelt placeholder, except for a shell's variables, ${NAME}. */
static int check_braces(const char *launcher, struct ct_error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    for (const char *at = strchr(launcher, '{'); at; at = strchr(at + 1, '{')) {
        size_t length = strspn(at + 1, letters);
        if (find_placeholder(at) == PLACEHOLDERS && length > 0 && at[1 + length] == '}' &&
            (at == launcher || at[-1] != '$'))
            return ct_fail(error, CT_E_INPUT,
                           "the launcher '%s' has %.*s: expected {np}, {hostfile}, {ppn}, {nodes} or {cmd}",
                           launcher, (int)length + 2, at);
    }
    return CT_OK;
}

/* A template has a place for each value that is given, and for no other. */
static int check_template(const char *launcher, const struct ct_launch *launch, struct ct_error *error)
{
    const struct {
        const char *place;
        const char *option;
        bool given;
        bool needed;
    } parts[] = {
        {"{hostfile}", "--hostfile", launch->hostfile != NULL, launch->hostfile != NULL},
        {"{ppn}", "--ppn", launch->ppn > 0, launch->ppn > 0 && !strstr(launcher, "{nodes}")},
        {"{nodes}", "--ppn", launch->ppn > 0, false},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool placed = strstr(launcher, parts[i].place);
        if (placed && !parts[i].given)
            return ct_fail(error, CT_E_INPUT, "the launcher '%s' has %s: expected %s, too", launcher,
                           parts[i].place, parts[i].option);
        if (!placed && parts[i].needed)
            return ct_fail(error, CT_E_INPUT, "the launcher '%s' has no place for %s: expected %s in it",
                           launcher, parts[i].option, parts[i].place);
    }
    return CT_OK;
}

int ct_launcher_check(const char *launcher, const struct ct_launch *launch, struct ct_error *error)
{
    static const char *const nothing[] = {NULL};
    char **argv;
    int status = ct_launcher_expand(launcher, launch, nothing, error, &argv);
    if (status == CT_OK)
        ct_launcher_free(argv);
    return status;
}

/* The words of a template, filled in. */
static int fill_in(const char *words, const char *launcher, const struct ct_launch *launch,
                   const char *const *command, struct ct_error *error, struct ct_word_list *argv)
{
    char *word = NULL;
    int status;
    while ((status = next_word(&words, launcher, error, &word)) == CT_OK && word) {
        if (strcmp(word, "{cmd}") == 0)
            ct_word_list_add_all(argv, command);
        else
            ct_word_list_add(argv, replace(word, launch, command));
        free(word);
        word = NULL;
    }
    return status == CT_OK ? argv->status : status;
}

int ct_launcher_expand(const char *launcher, const struct ct_launch *launch, const char *const *command,
                       struct ct_error *error, char ***ret_argv)
{
    bool has_np = strstr(launcher, "{np}"), has_command = strstr(launcher, "{cmd}");
    if (has_np != has_command)
        return ct_fail(error, CT_E_INPUT,
                       "the launcher '%s' has %s: expected both, as in 'srun -n {np} {cmd}', or none",
                       launcher, has_np ? "{np} without {cmd}" : "{cmd} without {np}");
    if (!launcher[strspn(launcher, " \t")])
        return ct_fail(error, CT_E_INPUT, "the launcher is empty: expected a command such as mpiexec");
    char *template = NULL;
    const char *words = launcher;
    struct ct_word_list argv = {0};
    int status = check_braces(launcher, error);
    if (status == CT_OK && !has_command) {
        status = complete(launcher, launch, error, &template);
        words = template;
    }
    if (status == CT_OK && (status = check_template(words, launch, error)) == CT_OK)
        status = fill_in(words, launcher, launch, command, error, &argv);
    free(template);
    if (status != CT_OK)
        ct_word_list_free(&argv);
    else
        *ret_argv = argv.data;
    return status;
}

void ct_launcher_free(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}
