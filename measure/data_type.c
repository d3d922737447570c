/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/data_type.h"

#include <string.h>

const struct ct_data_type_description ct_data_types[CT_DATA_TYPES] = {
    [CT_DATA_BYTE] = {"byte", 1, 1, {0}, false},
    [CT_DATA_INT] = {"int", 4, 4, {0, 1, 2, 3}, true},
    [CT_DATA_DOUBLE] = {"double", 8, 8, {0, 1, 2, 3, 4, 5, 6, 7}, true},
    /* two floats with a gap of one between them */
    [CT_DATA_VECTOR] = {"vector", 8, 12, {0, 1, 2, 3, 8, 9, 10, 11}, false},
    /* 3, 1 and 4 bytes with gaps between them */
    [CT_DATA_INDEXED] = {"indexed", 8, 12, {0, 1, 2, 5, 8, 9, 10, 11}, false},
};

enum ct_data_type ct_data_type_find(const char *name)
{
    int type = 0;
    while (type < CT_DATA_TYPES && strcmp(ct_data_types[type].name, name) != 0)
        type++;
    return (enum ct_data_type)type;
}

const char *ct_data_type_choice(size_t index)
{
    return index < CT_DATA_TYPES ? ct_data_types[index].name : NULL;
}

static bool takes(enum ct_operation operation, enum ct_data_type type)
{
    return ct_data_types[type].reduces ||
           (ct_operations[operation].is_users && ct_data_types[type].bytes == sizeof(double));
}

enum ct_data_type ct_data_type_of(enum ct_collective collective, enum ct_data_type asked,
                                  enum ct_operation operation)
{
    return ct_collectives[collective].reduces && !takes(operation, asked) ? CT_DATA_DOUBLE : asked;
}

bool ct_data_type_divides(enum ct_collective collective, enum ct_data_type asked, enum ct_operation operation,
                          size_t msg_bytes)
{
    return msg_bytes % ct_data_types[ct_data_type_of(collective, asked, operation)].bytes == 0;
}

double ct_data_type_number(enum ct_data_type type, const void *element)
{
    unsigned char bytes[sizeof(double)];
    double number;
    if (type == CT_DATA_INT)
        return *(const int *)element;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = ((const unsigned char *)element)[ct_data_types[type].places[i]];
    memcpy(&number, bytes, sizeof number);
    return number;
}

void ct_data_type_set_number(enum ct_data_type type, double number, void *element)
{
    unsigned char bytes[sizeof(double)];
    if (type == CT_DATA_INT) {
        *(int *)element = (int)(unsigned)(long long)number;
        return;
    }
    memcpy(bytes, &number, sizeof number);
    for (size_t i = 0; i < sizeof bytes; i++)
        ((unsigned char *)element)[ct_data_types[type].places[i]] = bytes[i];
}
