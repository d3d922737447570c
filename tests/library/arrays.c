/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives whose counts and displacements lie in arrays, called again and again under a preloaded tuned
 * library: with the same arrays, with other contents in them, with the same contents elsewhere, and with
 * arrays that mean nothing. Prints ALL RIGHT at the end. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* From the third of calls that are alike their way is kept, and from the next one on it is taken. */
enum { RANKS_MOST = 8, LENGTH_MOST = 4, ROOM = RANKS_MOST * LENGTH_MOST, ALIKE = 6, ROUNDS = 8 * ALIKE };

static int rank, size;
static int counts[RANKS_MOST], places[RANKS_MOST]; /* of blocks, by rank */
static int copied_counts[RANKS_MOST], copied_places[RANKS_MOST];
static int data[ROOM], result[ROOM];
static const int *volatile nowhere = (const int *)1; /* volatile: the compiler would warn of it */

/* ALIKE rounds are alike; then lengths change at places that stay, then places at lengths that stay. */
static void set_arrays(int round)
{
    int by_length = round / ALIKE % 4, is_reversed = round / (2 * ALIKE) % 2;
    for (int i = 0; i < size; i++) {
        counts[i] = (i + by_length) % LENGTH_MOST + (i == 0);
        counts[i] = counts[i] > LENGTH_MOST ? LENGTH_MOST : counts[i];
        places[i] = (is_reversed ? size - 1 - i : i) * LENGTH_MOST;
    }
    memcpy(copied_counts, counts, sizeof counts);
    memcpy(copied_places, places, sizeof places);
}

/* What rank `from` sends to `to` at a place of the block. */
static int word(int round, int from, int to, int place)
{
    return ((round * RANKS_MOST + from) * RANKS_MOST + to) * LENGTH_MOST + place;
}

static void fill(int round, int from, int to, int *block, int n)
{
    for (int i = 0; i < n; i++)
        block[i] = word(round, from, to, i);
}

static int is_block(int round, int from, int to, const int *block, int n)
{
    for (int i = 0; i < n; i++)
        if (block[i] != word(round, from, to, i))
            return 0;
    return 1;
}

/* Every second call passes copies of the arrays. */
static const int *either(int round, const int *array, const int *copy)
{
    return round % 2 ? copy : array;
}

static int allgatherv(int round)
{
    int right = 1, in_place = round % 3 == 2;
    const int *lengths = either(round, counts, copied_counts), *begins = either(round, places, copied_places);
    memset(result, -1, sizeof result);
    fill(round, rank, 0, in_place ? result + places[rank] : data, counts[rank]);
    if (in_place)
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result, lengths, begins, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Allgatherv(data, counts[rank], MPI_INT, result, lengths, begins, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        right = right && is_block(round, i, 0, result + places[i], counts[i]);
    return right;
}

/* Only the root has arrays; elsewhere they point nowhere. */
static int gatherv(int round)
{
    int root = round / ALIKE % size, right = 1, is_root = rank == root;
    const int *lengths = is_root ? either(round, counts, copied_counts) : nowhere;
    memset(result, -1, sizeof result);
    fill(round, rank, root, data, counts[rank]);
    MPI_Gatherv(data, counts[rank], MPI_INT, result, lengths,
                is_root ? either(round, places, copied_places) : NULL, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; is_root && i < size; i++)
        right = right && is_block(round, i, root, result + places[i], counts[i]);
    return right;
}

static int scatterv(int round)
{
    int root = round / ALIKE % size, is_root = rank == root;
    const int *lengths = is_root ? either(round, counts, copied_counts) : nowhere;
    memset(result, -1, sizeof result);
    for (int i = 0; i < size; i++)
        fill(round, root, i, data + places[i], counts[i]);
    MPI_Scatterv(data, lengths, is_root ? either(round, places, copied_places) : NULL, MPI_INT, result,
                 counts[rank], MPI_INT, root, MPI_COMM_WORLD);
    return is_block(round, root, rank, result, counts[rank]);
}

/* All ranks receive as much from a rank as that rank's own count. */
static int alltoallv(int round)
{
    int right = 1, own_counts[RANKS_MOST], in_place = round % 4 == 3;
    for (int i = 0; i < size; i++)
        own_counts[i] = in_place ? LENGTH_MOST : counts[rank];
    memset(result, -1, sizeof result);
    for (int i = 0; i < size; i++)
        fill(round, rank, i, (in_place ? result : data) + places[i], own_counts[i]);
    if (in_place)
        MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, result, own_counts, places, MPI_INT,
                      MPI_COMM_WORLD);
    else
        MPI_Alltoallv(data, own_counts, places, MPI_INT, result, either(round, counts, copied_counts),
                      either(round, places, copied_places), MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        right = right && is_block(round, i, rank, result + places[i], in_place ? LENGTH_MOST : counts[i]);
    return right;
}

/* Counts depend on both ranks, and so do types, which change while counts and places stay. */
static int alltoallw(int round)
{
    int right = 1, elements[RANKS_MOST], lengths[RANKS_MOST], bytes[RANKS_MOST];
    MPI_Datatype derived, types[RANKS_MOST];
    MPI_Type_contiguous(2, MPI_INT, &derived);
    MPI_Type_commit(&derived);
    const MPI_Datatype some[] = {MPI_INT, MPI_2INT, derived};
    for (int i = 0; i < size; i++) {
        int which = (rank + i + round / ALIKE) % (round / ALIKE % 4 == 3 ? 3 : 2);
        types[i] = some[which];
        elements[i] = (rank + i) % 3;
        lengths[i] = elements[i] * (which == 0 ? 1 : 2);
        bytes[i] = places[i] * (int)sizeof(int);
        types[i] = elements[i] > 0 ? types[i] : MPI_DATATYPE_NULL;
    }
    memset(result, -1, sizeof result);
    for (int i = 0; i < size; i++)
        fill(round, rank, i, data + places[i], lengths[i]);
    MPI_Alltoallw(data, elements, bytes, types, result, elements, bytes, types, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        right = right && is_block(round, i, rank, result + places[i], lengths[i]);
    MPI_Type_free(&derived);
    return right;
}

static int reduce_scatter(int round)
{
    int right = 1, at = 0, before = 0;
    for (int i = 0; i < size; i++) {
        before += i < rank ? counts[i] : 0;
        for (int k = 0; k < counts[i]; k++, at++)
            data[at] = round + at;
    }
    memset(result, -1, sizeof result);
    MPI_Reduce_scatter(data, result, either(round, counts, copied_counts), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < counts[rank]; i++)
        right = right && result[i] == size * (round + before + i);
    return right;
}

int main(int argc, char **argv)
{
    static int (*const collectives[])(int) = {allgatherv, gatherv,   scatterv,
                                              alltoallv,  alltoallw, reduce_scatter};
    static const char *const names[] = {"allgatherv", "gatherv",   "scatterv",
                                        "alltoallv",  "alltoallw", "reduce_scatter"};
    enum { COLLECTIVES = sizeof collectives / sizeof collectives[0] };
    int all = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MOST)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int round = 0; round < ROUNDS; round++) {
        set_arrays(round);
        for (int i = 0; i < COLLECTIVES; i++) {
            if (collectives[i](round))
                continue;
            printf("rank %d, round %d: %s is wrong\n", rank, round, names[i]);
            all = 0;
        }
    }
    printf("rank %d: %s\n", rank, all ? "ALL RIGHT" : "WRONG");
    MPI_Finalize();
    return all ? 0 : 1;
}
