/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/adapt/learned.h"
#include "base/file.h"
#include "base/text.h"

#include <pthread.h>
#include <stdio.h>

/* State of the process, see tuner.c: what was noted so far, of all communicators. */
static struct {
    pthread_mutex_t lock;
    struct ct_text lines; /* of the file; the first one names the columns */
    unsigned long classes;
    unsigned long settled;
    unsigned long changed; /* another method than the table's is in use */
    struct ct_text changes;
} all_learned = {.lock = PTHREAD_MUTEX_INITIALIZER};

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
    pthread_mutex_lock(&all_learned.lock);
    append_header(&all_learned.lines);
    ct_text_append(&all_learned.lines, "%s,\"%s\",%zu,%zu,%zu,%zu,%.9g\n",
                   ct_collectives[choice->method.algorithm->collective].name, spelling,
                   value[CT_FEATURE_NODES], value[CT_FEATURE_PPN], value[CT_FEATURE_COMM_SIZE],
                   value[CT_FEATURE_MSG_BYTES], seconds);
    pthread_mutex_unlock(&all_learned.lock);
}

void ct_learned_write(void)
{
    struct ct_text *lines = &all_learned.lines;
    struct ct_error error = {.text = "out of memory"};
    if (!is_asked_for() || lines->length == 0)
        return;
    pthread_mutex_lock(&all_learned.lock);
    if (lines->failed ||
        ct_file_write(ct_tuner()->configuration.learned, lines->data, lines->length, &error) != CT_OK)
        fprintf(stderr, "colltune: what was learned is lost: %s\n", error.text);
    ct_text_free(lines);
    pthread_mutex_unlock(&all_learned.lock);
}

static void append_method(struct ct_text *text, const struct ct_choice *choice, double seconds)
{
    char spelling[CT_METHOD_TEXT];
    ct_text_append(text, "%s", ct_method_format(&choice->method, false, spelling));
    if (seconds > 0)
        ct_text_append(text, " (%.3g us)", seconds * 1e6);
}

/* "colltune: bcast of 1024 bytes on 8 ranks: binomial (3.1 us) instead of linear (20 us)" */
static void append_change(struct ct_text *text, const struct ct_learned_class *class)
{
    const size_t *value = class->features->value;
    ct_text_append(text, "colltune: %s of %zu byte%s on %zu ranks: ",
                   ct_collectives[class->decided->method.algorithm->collective].name,
                   value[CT_FEATURE_MSG_BYTES], ct_s(value[CT_FEATURE_MSG_BYTES]),
                   value[CT_FEATURE_COMM_SIZE]);
    append_method(text, class->chosen, class->chosen_seconds);
    ct_text_append(text, " instead of ");
    append_method(text, class->decided, class->decided_seconds);
    ct_text_append(text, "\n");
}

void ct_learned_add_class(const struct ct_learned_class *class)
{
    const bool is_changed = class->chosen != class->decided;
    if (!ct_tuner()->configuration.verbose || ct_tuner()->rank != 0)
        return;
    pthread_mutex_lock(&all_learned.lock);
    all_learned.classes++;
    all_learned.settled += class->is_settled;
    all_learned.changed += is_changed;
    if (is_changed && ct_tuner()->configuration.verbose > 1)
        append_change(&all_learned.changes, class);
    pthread_mutex_unlock(&all_learned.lock);
}

void ct_learned_print(void)
{
    pthread_mutex_lock(&all_learned.lock);
    if (all_learned.classes > 0)
        fprintf(stderr, "colltune: %lu class%s of calls adapted: %lu settled, %lu changed\n%s",
                all_learned.classes, all_learned.classes == 1 ? "" : "es", all_learned.settled,
                all_learned.changed, all_learned.changes.data ? all_learned.changes.data : "");
    all_learned.classes = all_learned.settled = all_learned.changed = 0;
    ct_text_free(&all_learned.changes);
    pthread_mutex_unlock(&all_learned.lock);
}
