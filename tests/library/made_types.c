/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts from derived types into plain numbers, on 2 ranks, under a preloaded tuned library: types whose
 * bytes are in order, in another order, or apart, made in many ways, small and large. Those that repeat
 * another type are sent from where they lie: they are not packed, not even to see whether they are in order.
 * The ranks' types may have been made with large counts at one of them only. Prints "all right" at rank 0. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int packed; /* calls with data */

int PMPI_Pack(const void *in, int count, MPI_Datatype type, void *out, int bytes, int *position,
              MPI_Comm comm)
{
    int (*next)(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Pack");
    packed += count > 0;
    return next(in, count, type, out, bytes, position, comm);
}

/* Makes a type of 2 * half integers; where[i] is the place of its i-th integer. */
typedef void maker(int half, MPI_Datatype *ret_type, int *where);

static void in_order(int half, int *where)
{
    for (int i = 0; i < 2 * half; i++)
        where[i] = i;
}

static void make_contiguous(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Type_contiguous(2 * half, MPI_INT, ret_type);
    in_order(half, where);
}

static void make_nested(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Datatype pair, pairs, same;
    MPI_Type_vector(2, 1, 1, MPI_INT, &pair);
    MPI_Type_contiguous(half, pair, &pairs);
    MPI_Type_dup(pairs, &same);
    MPI_Type_create_resized(same, 0, 2 * half * (MPI_Aint)sizeof(int), ret_type);
    MPI_Type_free(&pair);
    MPI_Type_free(&pairs);
    MPI_Type_free(&same);
    in_order(half, where);
}

/* Pairs whose numbers lie apart, folded into one another by their extents, without a gap in all. */
static void fold(int half, MPI_Datatype apart, MPI_Datatype *ret_type, int *where)
{
    MPI_Datatype folded, all;
    MPI_Type_create_resized(apart, 0, sizeof(int), &folded);
    MPI_Type_contiguous(half, folded, &all);
    MPI_Type_create_resized(all, 0, 2 * half * (MPI_Aint)sizeof(int), ret_type);
    MPI_Type_free(&apart);
    MPI_Type_free(&folded);
    MPI_Type_free(&all);
    for (int i = 0; i < half; i++) {
        where[2 * i] = i;
        where[2 * i + 1] = half + i;
    }
}

static void make_folded(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Datatype apart;
    MPI_Type_vector(2, 1, half, MPI_INT, &apart);
    fold(half, apart, ret_type, where);
}

static void make_folded_by_extents(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Datatype wide, apart;
    MPI_Type_create_resized(MPI_INT, 0, half * (MPI_Aint)sizeof(int), &wide);
    MPI_Type_contiguous(2, wide, &apart);
    MPI_Type_free(&wide);
    fold(half, apart, ret_type, where);
}

static void make_swapped(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Type_indexed(2, (int[]){half, half}, (int[]){half, 0}, MPI_INT, ret_type);
    for (int i = 0; i < 2 * half; i++)
        where[i] = (i + half) % (2 * half);
}

/* Of a swapped type, so that the way in which it was made says nothing. */
static void make_of_swapped(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Datatype swapped;
    make_swapped(half, &swapped, where);
    MPI_Type_contiguous(1, swapped, ret_type);
    MPI_Type_free(&swapped);
}

static void make_apart(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Type_vector(half, 2, 3, MPI_INT, ret_type);
    for (int i = 0; i < 2 * half; i++)
        where[i] = i / 2 * 3 + i % 2;
}

static void make_in_one_block(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Type_indexed(2, (int[]){half, half}, (int[]){0, half}, MPI_INT, ret_type);
    in_order(half, where);
}

#if MPI_VERSION >= 4
static void make_with_large_count(int half, MPI_Datatype *ret_type, int *where)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Type_contiguous_c(2 * half, MPI_INT, ret_type);
    else
        MPI_Type_contiguous(2 * half, MPI_INT, ret_type);
    in_order(half, where);
}

static void make_of_large_count(int half, MPI_Datatype *ret_type, int *where)
{
    MPI_Datatype made;
    MPI_Type_vector_c(half, 2, 3, MPI_INT, &made);
    MPI_Type_contiguous(1, made, ret_type);
    MPI_Type_free(&made);
    for (int i = 0; i < 2 * half; i++)
        where[i] = i / 2 * 3 + i % 2;
}
#endif

static const struct {
    const char *name;
    maker *make;
    bool is_never_packed;
} makers[] = {
    {"contiguous", make_contiguous, true},
    {"nested", make_nested, true},
    {"folded", make_folded, false},
    {"folded by extents", make_folded_by_extents, false},
    {"swapped", make_swapped, false},
    {"of swapped", make_of_swapped, false},
    {"apart", make_apart, false},
    {"in one block", make_in_one_block, false},
#if MPI_VERSION >= 4
    {"with a large count", make_with_large_count, false},
    {"of one with a large count", make_of_large_count, false},
#endif
};

static bool try_type(size_t number, int half, int root, bool is_same_at_both)
{
    int rank, wrong = 0;
    MPI_Datatype type;
    int *where = malloc(2 * (size_t)half * sizeof *where), *data = malloc(3 * (size_t)half * sizeof *data);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    makers[number].make(half, &type, where);
    MPI_Type_commit(&type);
    for (int i = 0; i < 3 * half; i++)
        data[i] = -1;
    for (int i = 0; rank == root && i < 2 * half; i++)
        data[where[i]] = i;
    const bool is_typed = rank == root || is_same_at_both;
    packed = 0;
    MPI_Bcast(data, is_typed ? 1 : 2 * half, is_typed ? type : MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * half; i++)
        wrong += data[is_typed ? where[i] : i] != i;
    MPI_Type_free(&type);
    free(where);
    free(data);
    const bool right = wrong == 0 && (packed == 0 || !makers[number].is_never_packed);
    if (!right)
        printf("rank %d: %s, %d numbers, from %d: %d wrong, packed %d times\n", rank, makers[number].name,
               2 * half, root, wrong, packed);
    return right;
}

int main(int argc, char **argv)
{
    static const int halves[] = {1, 3, 4000, 300000};
    int rank;
    bool mine = true, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t m = 0; m < sizeof makers / sizeof makers[0]; m++)
        for (size_t h = 0; h < sizeof halves / sizeof halves[0]; h++)
            for (int way = 0; way < 4; way++)
                mine = try_type(m, halves[h], way / 2, way % 2) && mine;
    PMPI_Allreduce(&mine, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "all right" : "WRONG");
    MPI_Finalize();
    return all ? 0 : 1;
}
