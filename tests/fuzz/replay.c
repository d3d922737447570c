/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "tests/fuzz/target.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stands in for a fuzzing engine: gives the target the files named, and those in the folders named, and each
 * of them cut short at several places, which is how files break most. A file whose name begins with `whole`
 * must not be refused as it is: else nothing would tell that what it is there for is still reached. */

/* What the target says of the whole. */
static int replay(const char *text, size_t length)
{
    int answer = 0;
    enum { CUTS = 16 };
    for (size_t cut = 0; cut <= CUTS; cut++) {
        /* a copy of just that length, so that a read beyond it is seen */
        size_t part = length / CUTS * cut;
        if (cut == CUTS)
            part = length;
        uint8_t *copy = malloc(part ? part : 1);
        if (!copy)
            abort();
        memcpy(copy, text, part);
        answer = LLVMFuzzerTestOneInput(copy, part);
        free(copy);
    }
    return answer;
}

/* The number of files replayed, or -1. */
static int replay_file(const char *path)
{
    char *text;
    size_t length;
    struct ct_error error;
    if (ct_file_read(path, &error, &text, &length) != CT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return -1;
    }
    int answer = replay(text, length);
    free(text);
    const char *slash = strrchr(path, '/');
    bool whole = strncmp(slash ? slash + 1 : path, "whole", strlen("whole")) == 0;
    if (answer != 0 && whole)
        fprintf(stderr, "%s: was refused\n", path);
    return answer != 0 && whole ? -1 : 1;
}

static int replay_path(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return replay_file(path);
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry && count >= 0; entry = readdir(folder)) {
        if (entry->d_name[0] == '.')
            continue;
        char *name = ct_format("%s/%s", path, entry->d_name);
        int replayed = name ? replay_file(name) : -1;
        count = replayed < 0 ? -1 : count + replayed;
        free(name);
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++) {
        int count = replay_path(argv[i]);
        if (count < 0)
            return EXIT_FAILURE;
        total += count;
    }
    printf("%d files\n", total);
    return total > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
