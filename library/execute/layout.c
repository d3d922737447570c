/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/layout.h"
#include "library/mpi/type_envelope.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* State of the process, see tuner.c. */
static struct {
    pthread_once_t once;
    int keyval;
    _Atomic unsigned forgotten;
} layouts = {.once = PTHREAD_ONCE_INIT, .keyval = MPI_KEYVAL_INVALID};

/* Answers are kept as attributes of the datatypes: a freed handle may come back as another type. */
static int forget_layout(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type;
    (void)keyval;
    (void)extra;
    free(value);
    atomic_fetch_add(&layouts.forgotten, 1);
    return MPI_SUCCESS;
}

unsigned ct_layouts_forgotten(void)
{
    return atomic_load_explicit(&layouts.forgotten, memory_order_relaxed);
}

static void make_keyval(void)
{
    if (PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget_layout, &layouts.keyval, NULL) != MPI_SUCCESS)
        layouts.keyval = MPI_KEYVAL_INVALID;
}

static int keyval(void)
{
    pthread_once(&layouts.once, make_keyval);
    return layouts.keyval;
}

/* Is the extent, or the true extent, as that function finds it, the bytes of the signature? */
static bool is_filled(MPI_Datatype type, int get_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent))
{
    MPI_Count size;
    MPI_Aint lb, extent;
    return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && get_extent(type, &lb, &extent) == MPI_SUCCESS &&
           size == extent;
}

/* Ways to make a type of another one alone, and which of the integers tell how often it is repeated. */
enum { ONE = 3, INTEGERS, ADDRESSES = 2 }; /* integers[ONE] is 1 */
static const struct repetition {
    int combiner, count, block, stride;
} repetitions[] = {
    {MPI_COMBINER_DUP, ONE, ONE, ONE},
    {MPI_COMBINER_RESIZED, ONE, ONE, ONE},
    {MPI_COMBINER_CONTIGUOUS, 0, ONE, ONE},
    {MPI_COMBINER_VECTOR, 0, 1, 2},
};

/* Finds the type of which a type is made; MPI_DATATYPE_NULL: it is made in another way. *ret_passes: is it in
 * order if that one is? */
static MPI_Datatype find_inner(MPI_Datatype type, const struct ct_type_envelope *envelope, bool *ret_passes)
{
    int integers[INTEGERS] = {[ONE] = 1};
    MPI_Aint addresses[ADDRESSES];
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    *ret_passes = false;
    for (size_t i = 0; envelope->has_contents && i < sizeof repetitions / sizeof repetitions[0]; i++) {
        const struct repetition *made = &repetitions[i];
        if (made->combiner != envelope->combiner)
            continue;
        if (PMPI_Type_get_contents(type, ONE, ADDRESSES, 1, integers, addresses, &inner) != MPI_SUCCESS)
            return MPI_DATATYPE_NULL;
        const int count = integers[made->count], block = integers[made->block];
        const bool is_repeated = count > 1 || block > 1;
        *ret_passes = (count <= 1 || integers[made->stride] == block) &&
                      (!is_repeated || is_filled(inner, PMPI_Type_get_extent));
    }
    return inner;
}

/* Do the bytes of an element lie one after the other in the order of the signature, as the way in which the
 * type was made shows? */
static bool is_made_in_order(MPI_Datatype type)
{
    bool is_in_order = true;
    MPI_Datatype within = type;
    while (within != MPI_DATATYPE_NULL) {
        struct ct_type_envelope envelope;
        if (ct_type_envelope(within, &envelope) != MPI_SUCCESS)
            return false;
        if (envelope.is_predefined)
            return is_in_order && is_filled(within, PMPI_Type_get_true_extent);
        bool passes;
        MPI_Datatype inner = is_in_order ? find_inner(within, &envelope, &passes) : MPI_DATATYPE_NULL;
        is_in_order = inner != MPI_DATATYPE_NULL && passes;
        if (within != type)
            PMPI_Type_free(&within);
        within = inner;
    }
    return false;
}

/* Packs one element whose bytes are numbered, one digit of the number at a time: does their order stay? False
 * without memory: data of any type can be packed. */
static int try_numbered(MPI_Datatype type, size_t size, MPI_Comm comm, bool *ret_in_order)
{
    unsigned char *element = malloc(size), *packed = malloc(size);
    bool in_order = element && packed;
    int code = MPI_SUCCESS;
    for (int shift = 0; code == MPI_SUCCESS && in_order && (shift == 0 || (size - 1) >> shift); shift += 8) {
        for (size_t i = 0; i < size; i++)
            element[i] = (unsigned char)(i >> shift);
        int position = 0;
        code = PMPI_Pack(element, 1, type, packed, (int)size, &position, comm);
        in_order = code == MPI_SUCCESS && (size_t)position == size && memcmp(element, packed, size) == 0;
    }
    free(element);
    free(packed);
    *ret_in_order = in_order;
    return code;
}

/* Trying larger types takes longer than to pack them. */
enum { TRIED_MOST = 64 << 10 };

static int measure(MPI_Datatype type, bool named, MPI_Comm comm, struct ct_layout *layout)
{
    MPI_Count size;
    MPI_Aint lb;
    int code = PMPI_Type_size_x(type, &size);
    if (code == MPI_SUCCESS)
        code = PMPI_Type_get_extent(type, &lb, &layout->extent);
    if (code == MPI_SUCCESS)
        code = PMPI_Type_get_true_extent(type, &layout->true_lb, &layout->true_extent);
    if (code != MPI_SUCCESS)
        return code;
    layout->size = (size_t)size;
    layout->predefined = layout->lasts = named;
    layout->contiguous = size <= INT_MAX && lb == 0 && layout->true_lb == 0 && layout->extent == size &&
                         layout->true_extent == size;
    if (!layout->contiguous || named || size <= 1 || is_made_in_order(type))
        return MPI_SUCCESS;
    if (layout->size <= TRIED_MOST)
        return try_numbered(type, layout->size, comm, &layout->contiguous);
    layout->contiguous = false;
    return MPI_SUCCESS;
}

/* Must be called at every rank before anything is sent: a rank that packs nothing would wait for those that
 * cannot pack. */
static int check_committed(MPI_Datatype type, MPI_Comm comm)
{
    unsigned char byte = 0, packed = 0;
    int position = 0;
    return PMPI_Pack(&byte, 0, type, &packed, 1, &position, comm);
}

int ct_layout_find(MPI_Datatype type, MPI_Comm comm, struct ct_layout *ret_layout)
{
    struct ct_type_envelope envelope;
    int code = ct_type_envelope(type, &envelope);
    if (code != MPI_SUCCESS)
        return code;
    if (envelope.is_predefined)
        return measure(type, true, comm, ret_layout);

    int key = keyval(), found = 0;
    struct ct_layout *kept = NULL;
    if (key != MPI_KEYVAL_INVALID && PMPI_Type_get_attr(type, key, &kept, &found) == MPI_SUCCESS && found) {
        *ret_layout = *kept;
        return MPI_SUCCESS;
    }
    struct ct_layout layout;
    code = check_committed(type, comm);
    if (code == MPI_SUCCESS)
        code = measure(type, false, comm, &layout);
    if (code != MPI_SUCCESS)
        return code;
    kept = key != MPI_KEYVAL_INVALID ? malloc(sizeof *kept) : NULL;
    layout.lasts = kept != NULL;
    if (kept) {
        *kept = layout;
        layout.lasts = PMPI_Type_set_attr(type, key, kept) == MPI_SUCCESS;
    }
    if (kept && !layout.lasts)
        free(kept);
    *ret_layout = layout;
    return MPI_SUCCESS;
}
