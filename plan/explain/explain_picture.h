/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_EXPLAIN_EXPLAIN_PICTURE_H
#define CT_PLAN_EXPLAIN_EXPLAIN_PICTURE_H

#include "base/text.h"
#include "plan/explain/explain_flow.h"

/* Pictures of a flow: one column a rank, one band a round, an arrow a message, bold if it leaves its node.
 * Those that neither leave nor reach `rank` are left out; -1 shows all. The note stands below the title. */
void ct_picture_dot(const struct ct_flow *flow, int size, int rank, size_t unit_bytes, const char *title,
                    const char *note, struct ct_text *text);
void ct_picture_svg(const struct ct_flow *flow, int size, int rank, size_t unit_bytes, const char *title,
                    const char *note, struct ct_text *text);

#endif
