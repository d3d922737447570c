/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_VALIDATION_H
#define CT_REPORT_VALIDATION_H

#include "algorithms/method.h"
#include "base/text.h"
#include "plan/cell_key.h"
#include "plan/overlap.h"

/* What `colltune validate` measured: the tuned library against native, in turn in one job. A CSV file with a
 * header line and a line per point. */

/* Which columns a file has beyond those of all files. Lines of other calls leave them empty. */
struct ct_validation_form {
    bool overlaps; /* of calls that are not blocking: what they overlapped (docs/overlap.md) */
    bool roots;    /* of collectives that have a root, where one is not 0 */
    bool patterns; /* of sparse collectives */
};

struct ct_validation_point {
    enum ct_collective collective;
    struct ct_cell_key key;  /* comm_size, msg_bytes, mode, root and pattern; the others are 0 */
    struct ct_method method; /* that the tuned library chose */
    double tuned;            /* seconds */
    double native;
    double
        low; /* 95 % confidence interval of the speed-up native / tuned, which it holds: order statistics of
                the speed-ups of interleaved blocks; of fewer than six the extremes; simulated: a point */
    double high;
    struct ct_overlap tuned_overlap; /* medians; all 0 where calls are blocking */
    struct ct_overlap native_overlap;
    const char *pattern; /* of a sparse collective: its text, which is the validation's; else NULL */
};

struct ct_validation {
    struct ct_validation_point
        *points; /* sorted by mode, collective, pattern, root, comm_size, msg_bytes; no two the same */
    size_t count;
    char **patterns;
    size_t pattern_count;
};

/* The header line of a file, without its end. */
const char *ct_validation_header(struct ct_validation_form form);

/* The modes of its points, a bit 1 << MODE for each. */
unsigned ct_validation_modes(const struct ct_validation *validation);
/* The points of one mode, which are those of `validation`. */
struct ct_validation ct_validation_of_mode(const struct ct_validation *validation, enum ct_call_mode mode);

/* A point is slower than native if the whole confidence interval of its speed-up is below this. Others are as
 * fast within the noise. */
#define CT_VALIDATION_SLOWER 0.97

/* Appends the point's line to a file of this form. `method` is the spelling without the collective. */
void ct_validation_append(const struct ct_validation_point *point, const char *method,
                          struct ct_validation_form form, struct ct_text *text);

/* Appends what was called, as in "scatter of 8 bytes on 2 ranks". */
void ct_validation_name(const struct ct_validation_point *point, struct ct_text *text);
/* " (native through the library)" where the library chose native: what is slower is then its own cost, and
 * another method is no remedy. Else nothing. */
const char *ct_validation_remark(const struct ct_validation_point *point);

bool ct_validation_is_slower(const struct ct_validation_point *point);

/* Native time over tuned time. */
double ct_validation_speed_up(const struct ct_validation_point *point);

/* The points that are slower than native, the slowest first. CT_OK, CT_E_MEMORY. Caller frees
 * *ret_slower; the points are those of `validation`. */
int ct_validation_slower(const struct ct_validation *validation,
                         const struct ct_validation_point ***ret_slower, size_t *ret_count);

/* CT_OK; CT_E_INPUT with file, line and what was expected; CT_E_SYSTEM; CT_E_MEMORY. Caller frees with
 * ct_validation_free(). */
int ct_validation_read(const char *path, struct ct_error *error, struct ct_validation *ret_validation);
/* The same from text in memory, which `name` stands for in errors. */
int ct_validation_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                        struct ct_validation *ret_validation);
void ct_validation_free(struct ct_validation *validation);

#endif
