/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/profile.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Calls that are alike. */
struct line {
    struct ct_profile_entry what;
    uint64_t calls;
    double seconds;
};

struct ct_profile {
    pthread_mutex_t lock;
    struct line *lines;
    size_t count;
    size_t capacity;
    struct ct_hash_table table; /* of the lines */
};

struct ct_profile *ct_profile_make(void)
{
    struct ct_profile *profile = ct_allocate(1, sizeof *profile);
    if (profile)
        pthread_mutex_init(&profile->lock, NULL);
    return profile;
}

void ct_profile_begin(const struct ct_profile *profile, enum ct_collective collective,
                      const struct ct_call *call, const struct ct_method *method,
                      struct ct_profile_entry *ret_entry)
{
    if (!profile)
        return;
    *ret_entry = (struct ct_profile_entry){.profile = profile,
                                           .collective = collective,
                                           .comm_size = (size_t)call->size,
                                           .msg_bytes = ct_call_bytes(collective, call),
                                           .method = method,
                                           .begun = PMPI_Wtime()};
}

static bool is_alike(const void *sought, size_t index)
{
    const struct ct_profile_entry *a = sought, *b = &a->profile->lines[index].what;
    return a->collective == b->collective && a->comm_size == b->comm_size && a->msg_bytes == b->msg_bytes &&
           a->method == b->method;
}

/* The line of `entry`, added if it is new; NULL without memory. */
static struct line *line_of(struct ct_profile *profile, const struct ct_profile_entry *entry)
{
    const uint64_t numbers[] = {(uint64_t)entry->collective, entry->comm_size, entry->msg_bytes,
                                (uint64_t)(uintptr_t)entry->method};
    uint64_t key = ct_hash(0, numbers, sizeof numbers);
    size_t index = ct_hash_find(&profile->table, key, is_alike, entry);
    if (index != SIZE_MAX)
        return &profile->lines[index];
    if (ct_grow(&profile->lines, &profile->capacity, profile->count + 1, sizeof *profile->lines) != CT_OK ||
        ct_hash_add(&profile->table, key, profile->count) != CT_OK)
        return NULL;
    profile->lines[profile->count] = (struct line){.what = *entry};
    return &profile->lines[profile->count++];
}

void ct_profile_end(struct ct_profile *profile, const struct ct_profile_entry *entry)
{
    if (!profile)
        return;
    double seconds = PMPI_Wtime() - entry->begun;
    pthread_mutex_lock(&profile->lock);
    struct line *line = line_of(profile, entry);
    if (line) {
        line->calls++;
        line->seconds += seconds;
    }
    pthread_mutex_unlock(&profile->lock);
}

static int by_what(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    if (a->what.collective != b->what.collective)
        return a->what.collective < b->what.collective ? -1 : 1;
    if (a->what.comm_size != b->what.comm_size)
        return a->what.comm_size < b->what.comm_size ? -1 : 1;
    return (a->what.msg_bytes > b->what.msg_bytes) - (a->what.msg_bytes < b->what.msg_bytes);
}

/* Sorts the lines, which ends the use of the table. */
static void write_lines(struct ct_profile *profile, int rank, struct ct_text *text)
{
    if (profile->count > 0)
        qsort(profile->lines, profile->count, sizeof *profile->lines, by_what);
    for (size_t i = 0; i < profile->count; i++) {
        const struct line *line = &profile->lines[i];
        char spelling[CT_METHOD_TEXT];
        ct_text_append(text, "%d,%s,%zu,%zu,\"%s\",%llu,%.9g\n", rank,
                       ct_collectives[line->what.collective].name, line->what.comm_size, line->what.msg_bytes,
                       ct_method_format(line->what.method, false, spelling), (unsigned long long)line->calls,
                       line->seconds);
    }
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
    if (code != MPI_SUCCESS)
        return;
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
        free(bytes);
    }
    PMPI_Comm_free(&comm);
}

static void write_header(struct ct_text *text)
{
    ct_text_append(text, "rank,collective,comm_size,msg_bytes,method,calls,seconds\n");
}

static void write_file(const char *path, const struct ct_text *text)
{
    struct ct_error error = {0};
    if (text->failed || ct_file_write(path, text->data, text->length, &error) != CT_OK)
        fprintf(stderr, "colltune: the profile is lost: %s\n", text->failed ? "out of memory" : error.text);
}

void ct_profile_write(struct ct_profile *profile, const char *path)
{
    int rank, size, all = profile != NULL;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    struct ct_text text = {0};
    if (rank == 0)
        write_header(&text);
    write_lines(profile, rank, &text);
    collect(rank, size, &text);
    if (rank == 0)
        write_file(path, &text);
    ct_text_free(&text);
}

void ct_profile_write_part(struct ct_profile *profile, const char *path, int rank)
{
    if (!profile)
        return;
    struct ct_text text = {0};
    char *own = ct_format("%s.%d", path, rank);
    write_header(&text);
    pthread_mutex_lock(&profile->lock);
    write_lines(profile, rank, &text);
    pthread_mutex_unlock(&profile->lock);
    text.failed |= !own;
    write_file(own, &text);
    free(own);
    ct_text_free(&text);
}
