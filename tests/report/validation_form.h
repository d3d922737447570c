/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_VALIDATION_FORM_H
#define CT_TESTS_VALIDATION_FORM_H

#include "report/validation.h"

/* The form of a file that holds all points. */
static inline struct ct_validation_form form_of(const struct ct_validation *validation)
{
    struct ct_validation_form form = {.overlaps = false};
    for (size_t i = 0; i < validation->count; i++) {
        form.overlaps |= validation->points[i].key.mode != CT_MODE_BLOCKING;
        form.roots |= validation->points[i].key.root > 0;
        form.patterns |= validation->points[i].pattern != NULL;
    }
    return form;
}

#endif
