/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_DATA_TYPE_H
#define CT_MEASURE_DATA_TYPE_H

#include "measure/operation.h"
#include "plan/collective.h"

/* Datatypes of the calls that are measured. The benchmark program makes the MPI datatypes of them. */

enum ct_data_type {
    CT_DATA_BYTE, /* the usual one of collectives that move data */
    CT_DATA_INT,
    CT_DATA_DOUBLE, /* the usual one of reductions */
    CT_DATA_VECTOR,
    CT_DATA_INDEXED,
    CT_DATA_TYPES
};

enum { CT_DATA_BYTES_MOST = 8 };

struct ct_data_type_description {
    const char *name;
    size_t bytes;                             /* of data in an element */
    size_t extent;                            /* bytes from one element to the next */
    unsigned char places[CT_DATA_BYTES_MOST]; /* of the data's bytes in an element */
    bool reduces;                             /* operations of MPI take it */
};

extern const struct ct_data_type_description ct_data_types[CT_DATA_TYPES];

/* The type of that name; CT_DATA_TYPES if there is none. */
enum ct_data_type ct_data_type_find(const char *name);
/* The name at an index, for options; NULL behind the last. */
const char *ct_data_type_choice(size_t index);

/* What calls of a collective carry if `asked` is asked for: reductions carry doubles unless the operation
 * takes that type. MPI's own take numbers; functions of the program also derived types whose data are a
 * double. */
enum ct_data_type ct_data_type_of(enum ct_collective collective, enum ct_data_type asked,
                                  enum ct_operation operation);
/* Is the message size a whole number of elements? */
bool ct_data_type_divides(enum ct_collective collective, enum ct_data_type asked, enum ct_operation operation,
                          size_t msg_bytes);

/* The number that an element holds: an int or, wherever its bytes lie, a double. Numbers are set as whole
 * ones that wrap around in an int. */
double ct_data_type_number(enum ct_data_type type, const void *element);
void ct_data_type_set_number(enum ct_data_type type, double number, void *element);

#endif
