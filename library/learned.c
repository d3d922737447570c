/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/learned.h"
#include "base/file.h"

#include <pthread.h>
#include <stdio.h>

/* State of the process, see tuner.c: the lines so far, of all communicators. */
static struct {
    pthread_mutex_t lock;
    struct ct_text lines; /* the first one names the columns */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_asked_for(void)
{
    return ct_tuner()->configuration.learned && ct_tuner()->rank == 0;
}

static void append_header(struct ct_text *lines)
{
    if (lines->length == 0)
        ct_text_append(lines, "collective,method,nodes,ppn,comm_size,msg_bytes,seconds\n");
}

void ct_learned_add(const struct ct_choice *choice, const struct ct_features *features, double seconds)
{
    char spelling[CT_METHOD_TEXT];
    const size_t *value = features->value;
    if (!is_asked_for())
        return;
    ct_method_format(&choice->method, false, spelling);
    pthread_mutex_lock(&state.lock);
    append_header(&state.lines);
    ct_text_append(&state.lines, "%s,\"%s\",%zu,%zu,%zu,%zu,%.9g\n",
                   ct_collectives[choice->method.algorithm->collective].name, spelling,
                   value[CT_FEATURE_NODES], value[CT_FEATURE_PPN], value[CT_FEATURE_COMM_SIZE],
                   value[CT_FEATURE_MSG_BYTES], seconds);
    pthread_mutex_unlock(&state.lock);
}

void ct_learned_write(void)
{
    struct ct_text *lines = &state.lines;
    struct ct_error error = {.text = "out of memory"};
    if (!is_asked_for() || lines->length == 0)
        return;
    pthread_mutex_lock(&state.lock);
    if (lines->failed ||
        ct_file_write(ct_tuner()->configuration.learned, lines->data, lines->length, &error) != CT_OK)
        fprintf(stderr, "colltune: what was learned is lost: %s\n", error.text);
    ct_text_free(lines);
    pthread_mutex_unlock(&state.lock);
}
