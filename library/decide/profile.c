/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/profile.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sort.h"
#include "library/decide/choice.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/yielding_calls.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Calls that are alike. */
struct line {
    const struct ct_choice *choice;
    enum ct_call_mode mode;
    size_t comm_size;
    size_t msg_bytes; /* of the class */
    _Atomic unsigned long long calls;
    _Atomic unsigned long long bytes;
    _Atomic unsigned long long nanoseconds;
    _Atomic unsigned long long shortest; /* nanoseconds */
    struct line *next;
};

/* Lines are only ever added, in front of those of their bucket, and never change place: so threads need no
 * lock, and a signal handler may read them at any time. */
enum { BUCKET_BITS = 8, BUCKETS = 1 << BUCKET_BITS };

struct ct_profile {
    const char *path;
    char *part;     /* this rank's own file */
    char *new_part; /* its name while it is written */
    int rank;
    bool many_threads;
    struct line *_Atomic buckets[BUCKETS];
};

struct ct_profile *ct_profile_make(const char *path, int rank, bool many_threads)
{
    struct ct_profile *profile = ct_allocate(1, sizeof *profile);
    if (!profile)
        return NULL;
    profile->path = path;
    profile->rank = rank;
    profile->many_threads = many_threads;
    profile->part = ct_format("%s.%d", path, rank);
    profile->new_part = ct_format("%s.%d.new", path, rank);
    if (profile->part && profile->new_part)
        return profile;
    free(profile->part);
    free(profile->new_part);
    free(profile);
    return NULL;
}

uint64_t ct_profile_now(void)
{
    return (uint64_t)(ct_own_clock() * 1e9);
}

/* --- calls --- */

static struct line *_Atomic *bucket_of(struct ct_profile *profile, const struct line *sought)
{
    const uint64_t spread =
        0x9e3779b97f4a7c15; /* Knuth's multiplicative hashing, 2^64 over the golden ratio */
    uint64_t key = (uintptr_t)sought->choice ^ sought->msg_bytes ^ (uint64_t)sought->comm_size << 20 ^
                   (uint64_t)sought->mode << 60;
    return &profile->buckets[key * spread >> (64 - BUCKET_BITS)];
}

static struct line *find_line(struct line *first, const struct line *sought)
{
    while (first && (first->choice != sought->choice || first->msg_bytes != sought->msg_bytes ||
                     first->comm_size != sought->comm_size || first->mode != sought->mode))
        first = first->next;
    return first;
}

/* Adds a line like `sought`, unless another thread does so first; NULL without memory. */
static struct line *add_line(struct line *_Atomic *bucket, const struct line *sought)
{
    struct line *line = ct_allocate(1, sizeof *line), *first = atomic_load(bucket), *other = NULL;
    if (!line)
        return NULL;
    *line = *sought;
    line->shortest = UINT64_MAX;
    do {
        other = find_line(first, sought);
        line->next = first;
    } while (!other && !atomic_compare_exchange_weak(bucket, &first, line));
    if (other)
        free(line);
    return other ? other : line;
}

static void lower(_Atomic unsigned long long *least, unsigned long long value)
{
    unsigned long long known = atomic_load_explicit(least, memory_order_relaxed);
    while (value < known && !atomic_compare_exchange_weak(least, &known, value))
        ;
}

void ct_profile_add(struct ct_profile *profile, enum ct_call_mode mode, const struct ct_choice *choice,
                    const struct ct_call *call, uint64_t nanoseconds)
{
    size_t bytes = ct_call_bytes(choice->method.algorithm->collective, call);
    const struct line sought = {.choice = choice,
                                .mode = mode,
                                .comm_size = (size_t)call->size,
                                .msg_bytes = ct_profile_class(bytes)};
    struct line *_Atomic *bucket = bucket_of(profile, &sought);
    struct line *line = find_line(atomic_load_explicit(bucket, memory_order_acquire), &sought);
    if (!line && !(line = add_line(bucket, &sought)))
        return;
    ct_counter_add(profile->many_threads, &line->calls, 1);
    ct_counter_add(profile->many_threads, &line->bytes, bytes);
    ct_counter_add(profile->many_threads, &line->nanoseconds, nanoseconds);
    lower(&line->shortest, nanoseconds);
}

/* --- the text of a line, by functions that a signal handler may call --- */

enum { LINE_TEXT = CT_METHOD_TEXT + 256 };

static char *put_text(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

/* With at least so many digits. */
static char *put_whole(char *at, unsigned long long number, int digits)
{
    char text[32], *begin = &text[sizeof text - 1];
    *begin = '\0';
    while (number > 0 || digits > 0) {
        *--begin = (char)('0' + number % 10);
        number /= 10;
        digits--;
    }
    return put_text(at, begin);
}

static char *put_seconds(char *at, unsigned long long nanoseconds)
{
    const unsigned long long second = 1000000000;
    at = put_text(put_whole(at, nanoseconds / second, 1), ".");
    return put_whole(at, nanoseconds % second, 9);
}

static size_t put_header(char text[LINE_TEXT])
{
    char *at = text;
    for (int i = 0; i < CT_PROFILE_COLUMNS; i++)
        at = put_text(i > 0 ? put_text(at, ",") : at, ct_profile_columns[i]);
    return (size_t)(put_text(at, "\n") - text);
}

/* The columns in their order. Returns the length of the line, which is 0 if there was no call. */
static size_t put_line(const struct line *line, int rank, char text[LINE_TEXT])
{
    const enum ct_collective collective = line->choice->method.algorithm->collective;
    unsigned long long calls = atomic_load(&line->calls), shortest = atomic_load(&line->shortest);
    unsigned long long nanoseconds = atomic_load(&line->nanoseconds);
    if (calls == 0) /* a handler came before the first call was added, */
        return 0;
    bool is_whole = shortest <= nanoseconds / calls; /* or between the additions of one */
    char *at = put_text(put_whole(text, (unsigned long long)rank, 1), ",");
    at = put_text(put_text(at, ct_collectives[collective].name), ",");
    at = put_text(put_text(at, ct_mode_names[line->mode]), ",");
    at = put_text(put_whole(at, line->comm_size, 1), ",");
    at = put_text(put_whole(at, line->msg_bytes, 1), ",\"");
    at = put_text(put_text(at, strchr(line->choice->spelling, '/') + 1), "\",");
    at = put_text(put_whole(at, calls, 1), ",");
    at = put_text(put_whole(at, atomic_load(&line->bytes), 1), ",");
    at = put_text(put_seconds(at, nanoseconds), ",");
    at = put_seconds(at, is_whole ? nanoseconds - calls * shortest : 0);
    return (size_t)(put_text(at, "\n") - text);
}

/* --- this rank's own file --- */

static bool write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

void ct_profile_write_part(const struct ct_profile *profile)
{
    char text[LINE_TEXT];
    if (!profile)
        return;
    int file = open(profile->new_part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool written = file >= 0 && write_all(file, text, put_header(text));
    for (size_t i = 0; written && i < BUCKETS; i++)
        for (const struct line *line = atomic_load(&profile->buckets[i]); written && line; line = line->next)
            written = write_all(file, text, put_line(line, profile->rank, text));
    written = file >= 0 && close(file) == 0 && written;
    if (written && rename(profile->new_part, profile->part) == 0)
        return;
    static const char lost[] = "colltune: the profile is lost: cannot write ";
    char *at = put_text(text, lost);
    size_t room = sizeof text - sizeof lost - 1, length = strlen(profile->part);
    memcpy(at, profile->part, length < room ? length : room);
    at += length < room ? length : room;
    *at++ = '\n';
    write_all(STDERR_FILENO, text, (size_t)(at - text));
}

/* --- the file of all ranks --- */

static int by_what(const void *left, const void *right)
{
    const struct line *a = *(const struct line *const *)left, *b = *(const struct line *const *)right;
    int order = CT_COMPARE(a->choice->method.algorithm->collective, b->choice->method.algorithm->collective);
    order = order ? order : CT_COMPARE(a->mode, b->mode);
    order = order ? order : CT_COMPARE(a->comm_size, b->comm_size);
    order = order ? order : CT_COMPARE(a->msg_bytes, b->msg_bytes);
    return order ? order : strcmp(a->choice->spelling, b->choice->spelling);
}

/* Appends this rank's lines, sorted. */
static void append_lines(const struct ct_profile *profile, struct ct_text *text)
{
    const struct line **lines = NULL;
    size_t count = 0, capacity = 0;
    char one[LINE_TEXT];
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct line *line = atomic_load(&profile->buckets[i]); line; line = line->next) {
            if (ct_grow(&lines, &capacity, count + 1, sizeof *lines) == CT_OK)
                lines[count++] = line;
            else
                text->failed = true;
        }
    if (count > 0)
        qsort(lines, count, sizeof *lines, by_what);
    for (size_t i = 0; i < count; i++)
        ct_text_append_bytes(text, one, put_line(lines[i], profile->rank, one));
    free(lines);
}

/* Collects the texts of all ranks at rank 0, one after another, so that no rank holds more than two. */
static void collect(int rank, int size, struct ct_text *text)
{
    enum { TAG = 7 };
    MPI_Group world;
    MPI_Comm comm;
    PMPI_Comm_group(MPI_COMM_WORLD, &world); /* MPI_Comm_dup would call the user's attribute functions */
    int code = PMPI_Comm_create(MPI_COMM_WORLD, world, &comm);
    PMPI_Group_free(&world);
    if (code != MPI_SUCCESS) {
        text->failed = true;
        return;
    }
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank > 0)
        PMPI_Send(text->data, (int)text->length, MPI_CHAR, 0, TAG, comm);
    for (int peer = 1; rank == 0 && peer < size; peer++) {
        MPI_Status status;
        int length = 0;
        PMPI_Probe(peer, TAG, comm, &status);
        PMPI_Get_count(&status, MPI_CHAR, &length);
        char *bytes = malloc((size_t)length + 1);
        PMPI_Recv(bytes, bytes ? length : 0, MPI_CHAR, peer, TAG, comm, MPI_STATUS_IGNORE);
        if (bytes)
            ct_text_append_bytes(text, bytes, (size_t)length);
        else
            text->failed = true;
        free(bytes);
    }
    PMPI_Comm_free(&comm);
}

static void write_file(const char *path, const struct ct_text *text)
{
    struct ct_error error = {0};
    if (text->failed || ct_file_write(path, text->data, text->length, &error) != CT_OK)
        fprintf(stderr, "colltune: the profile is lost: %s\n", text->failed ? "out of memory" : error.text);
}

void ct_profile_write(const struct ct_profile *profile)
{
    int rank, size, all;
    struct ct_text text = {.failed = !profile};
    char header[LINE_TEXT];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        ct_text_append_bytes(&text, header, put_header(header));
    if (profile)
        append_lines(profile, &text);
    all = !text.failed;
    ct_yielding_allreduce(&all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all)
        collect(rank, size, &text);
    if (rank == 0 && profile) {
        text.failed = text.failed || !all;
        write_file(profile->path, &text);
    }
    ct_text_free(&text);
}
