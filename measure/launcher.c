/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/launcher.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct argv {
    char **words;
    size_t count;
    size_t capacity;
};

/* Takes `word` over. */
static int add(struct argv *argv, char *word)
{
    int status =
        word ? ct_grow(&argv->words, &argv->capacity, argv->count + 2, sizeof *argv->words) : CT_E_MEMORY;
    if (status != CT_OK) {
        free(word);
        return status;
    }
    argv->words[argv->count++] = word;
    argv->words[argv->count] = NULL;
    return CT_OK;
}

static int add_command(struct argv *argv, const char *const *command)
{
    int status = CT_OK;
    for (; status == CT_OK && *command; command++)
        status = add(argv, strdup(*command));
    return status;
}

/* Reads the word at *text and moves behind it. *ret_word stays NULL at the end. */
static int next_word(const char **text, const char *launcher, struct ct_error *error, char **ret_word)
{
    const char *at = *text + strspn(*text, " \t");
    if (!*at)
        return CT_OK;
    struct ct_text word = {0};
    char quote = '\0';
    ct_text_append_bytes(&word, "", 0);
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
    *ret_word = word.data ? word.data : strdup("");
    *text = at;
    return *ret_word ? CT_OK : CT_E_MEMORY;
}

/* `word` with its placeholders replaced. */
static char *replace(const char *word, size_t np, const char *const *command)
{
    struct ct_text text = {0};
    while (*word) {
        if (strncmp(word, "{np}", 4) == 0) {
            ct_text_append(&text, "%zu", np);
            word += 4;
        } else if (strncmp(word, "{cmd}", 5) == 0) {
            for (size_t i = 0; command[i]; i++)
                ct_text_append(&text, "%s%s", i ? " " : "", command[i]);
            word += 5;
        } else {
            ct_text_append_bytes(&text, word++, 1);
        }
    }
    if (text.failed) {
        ct_text_free(&text);
        return NULL;
    }
    return text.data ? text.data : strdup("");
}

int ct_launcher_check(const char *launcher, struct ct_error *error)
{
    static const char *const nothing[] = {NULL};
    char **argv;
    int status = ct_launcher_expand(launcher, 1, nothing, error, &argv);
    if (status == CT_OK)
        ct_launcher_free(argv);
    return status;
}

int ct_launcher_expand(const char *launcher, size_t np, const char *const *command, struct ct_error *error,
                       char ***ret_argv)
{
    bool has_np = strstr(launcher, "{np}"), has_command = strstr(launcher, "{cmd}");
    if (has_np != has_command)
        return ct_fail(error, CT_E_INPUT,
                       "the launcher '%s' has %s: expected both, as in 'srun -n {np} {cmd}', or none",
                       launcher, has_np ? "{np} without {cmd}" : "{cmd} without {np}");
    struct argv argv = {0};
    const char *rest = launcher;
    char *word = NULL;
    int status;
    while ((status = next_word(&rest, launcher, error, &word)) == CT_OK && word) {
        status =
            strcmp(word, "{cmd}") == 0 ? add_command(&argv, command) : add(&argv, replace(word, np, command));
        free(word);
        word = NULL;
        if (status != CT_OK)
            break;
    }
    if (status == CT_OK && argv.count == 0)
        status = ct_fail(error, CT_E_INPUT, "the launcher is empty: expected a command such as mpiexec");
    if (status == CT_OK && !has_command)
        status = add(&argv, strdup("-n"));
    if (status == CT_OK && !has_command)
        status = add(&argv, ct_format("%zu", np));
    if (status == CT_OK && !has_command)
        status = add_command(&argv, command);
    if (status != CT_OK) {
        ct_launcher_free(argv.words);
        return status;
    }
    *ret_argv = argv.words;
    return CT_OK;
}

void ct_launcher_free(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}
