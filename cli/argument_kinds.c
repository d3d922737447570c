/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/argument_kinds.h"
#include "base/file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { OTHER, RUN, TABLE, MODEL, LIBRARY };

static const char *const kind_names[] = {[RUN] = "a run", [TABLE] = "a table", [MODEL] = "a model"};

/* What the usage wants at this place: a word such as "RUN", "MODEL.xml" or "[TABLE.xml...]". */
static enum kind wanted_kind(const char *word, size_t length)
{
    static const char ending[] = ".xml";
    if (length > 0 && *word == '[') {
        word++;
        length--;
    }
    if (length >= 3 && strncmp(word, "RUN", 3) == 0)
        return RUN;
    if (length == 6 && strncmp(word, "PREFIX", 6) == 0)
        return LIBRARY;
    if (memmem(word, length, ending, strlen(ending)) == NULL)
        return OTHER;
    return strncmp(word, "MODEL", 5) == 0 ? MODEL : TABLE;
}

/* What lies there, as far as its beginning tells. */
static enum kind kind_of(const char *path)
{
    static const struct {
        const char *root;
        enum kind kind;
    } roots[] = {{"<decision-table", TABLE}, {"<model", MODEL}};
    struct stat about;
    char text[4096], file[4096];
    if (stat(path, &about) != 0)
        return OTHER;
    if (S_ISDIR(about.st_mode)) {
        int length = snprintf(file, sizeof file, "%s/run.xml", path);
        return length < (int)sizeof file && access(file, F_OK) == 0 ? RUN : OTHER;
    }
    FILE *stream = S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    if (!stream)
        return OTHER;
    size_t length = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[length] = '\0';
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (strstr(text, roots[i].root))
            return roots[i].kind;
    return OTHER;
}

/* The folder that `colltune tune` made stands where one of the results in it is wanted. */
static int refuse_tuned(enum kind wanted, const char *folder, struct ct_error *error)
{
    static const struct {
        enum kind kind;
        const char *name, *file; /* the result, and a file by which it is known */
    } results[] = {{RUN, "run", "run/run.xml"},
                   {TABLE, "table.xml", "table.xml"},
                   {LIBRARY, "library", "library/lib/pkgconfig/colltuned.pc"}};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (results[i].kind != wanted)
            continue;
        char *path = ct_format("%s/%s", folder, results[i].file);
        if (!path)
            return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
        if (access(path, F_OK) == 0)
            name = results[i].name;
        free(path);
    }
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    return name ? ct_fail(error, CT_E_INPUT, "%s is a folder with all results of tuning; expected %.*s/%s",
                          folder, (int)length, folder, name)
                : CT_OK;
}

int ct_argument_kinds_check(const struct ct_command *command, const struct ct_arguments *arguments,
                            struct ct_error *error)
{
    const char *run = NULL, *file = NULL; /* in the place of the other */
    enum kind file_kind = OTHER;
    const int usage = (int)strcspn(command->usage, "\n"); /* its first line */
    const char *at = command->usage, *end = at + usage;
    for (size_t i = 0; i < arguments->count && at < end && *at != '-'; i++) {
        const size_t length = strcspn(at, " \n");
        const enum kind wanted = wanted_kind(at, length), there = kind_of(arguments->words[i]);
        const int status = there == OTHER ? refuse_tuned(wanted, arguments->words[i], error) : CT_OK;
        if (status != CT_OK)
            return status;
        if (there == RUN && (wanted == TABLE || wanted == MODEL))
            run = arguments->words[i];
        if (wanted == RUN && (there == TABLE || there == MODEL)) {
            file = arguments->words[i];
            file_kind = there;
        }
        at += length + (at[length] == ' ');
    }
    return run && file
               ? ct_fail(error, CT_E_INPUT, "%s is a run and %s is %s; expected them in the order %.*s", run,
                         file, kind_names[file_kind], usage, command->usage)
               : CT_OK;
}
