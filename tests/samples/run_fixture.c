/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/samples/run_fixture.h"
#include "base/file.h"
#include "base/memory.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ct_run_description fixture_blocking = {.launches = 1};

/* A test without memory or disk has nothing to say. */
static void need(bool good)
{
    if (!good)
        abort();
}

static size_t *sizes(size_t count, const size_t *values)
{
    size_t *copy = ct_allocate(count, sizeof *copy);
    need(copy);
    memcpy(copy, values, count * sizeof *copy);
    return copy;
}

void fixture_description(struct ct_run_description *ret_description)
{
    static const char *const methods[] = {"barrier/native", "barrier/dissemination", "bcast/native",
                                          "bcast/binomial:seg=8K", "bcast/chain:seg=1K,radix=4"};
    enum { METHODS = sizeof methods / sizeof methods[0] };
    struct ct_run_description description = {
        .tool_version = strdup("0.1.0"),
        .created = strdup("2024-05-17T09:30:00Z"),
        .backend = strdup("simulated"),
        .launcher = strdup("cluster \"a\" <b> & c"),
        .time = strdup("global"),
        .sync = strdup("barrier/dissemination"),
        .seed = 42,
        .comm_sizes = sizes(3, (const size_t[]){2, 4, 8}),
        .comm_size_count = 3,
        .msg_sizes = sizes(3, (const size_t[]){1, 8192, 1048576}),
        .msg_size_count = 3,
        .launches = 2,
        .warmup = 1,
        .least_repetitions = 1,
        .most_repetitions = 100,
        .precision = 0.1,
        .most_seconds = 1.0 / 3,
    };
    description.collectives = ct_allocate(2, sizeof *description.collectives);
    description.methods = ct_allocate(METHODS, sizeof *description.methods);
    need(description.collectives && description.methods);
    description.collectives[description.collective_count++] = CT_COLLECTIVE_BARRIER;
    description.collectives[description.collective_count++] = CT_COLLECTIVE_BCAST;
    for (int i = 0; i < METHODS; i++)
        need(ct_method_parse(methods[i], CT_COLLECTIVES, NULL,
                             &description.methods[description.method_count++]) == CT_OK);
    need(ct_run_add_property(&description, "machine.cpu", "two\nlines\tand a tab") == CT_OK);
    need(ct_run_add_property(&description, "env.NAME", "") == CT_OK);
    *ret_description = description;
}

char *fixture_folder(void)
{
    char *folder = ct_format("%s/colltune-test.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    need(folder && mkdtemp(folder));
    return folder;
}

int fixture_begin(void **state)
{
    *state = fixture_folder();
    return 0;
}

int fixture_end(void **state)
{
    ct_remove_all(*state, NULL);
    free(*state);
    return 0;
}

char *fixture_run(const char *folder, const char *rows)
{
    struct ct_run_description description;
    fixture_description(&description);
    char *path = ct_format("%s/run", folder), *samples = ct_format("%s/run/samples.csv", folder);
    need(path && samples);
    need(ct_remove_all(path, NULL) == CT_OK);
    need(ct_run_create(path, &description, NULL) == CT_OK);
    FILE *file = fopen(samples, "ab");
    need(file && fputs(rows, file) >= 0 && fclose(file) == 0);
    free(samples);
    ct_run_description_free(&description);
    return path;
}
