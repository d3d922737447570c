/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_MODEL_READER_H
#define CT_MODELS_MODEL_READER_H

#include "base/error.h"

#include <stddef.h>

/* What all who read a part of a model's file need. */
struct ct_model_reader {
    const char *name; /* of the file */
    struct ct_error *error;
    size_t version; /* of the format */
};

static inline int ct_model_out_of_memory(const struct ct_model_reader *reader)
{
    return ct_fail(reader->error, CT_E_MEMORY, "%s: out of memory", reader->name);
}

#endif
