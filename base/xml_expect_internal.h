/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_XML_EXPECT_INTERNAL_H
#define CT_BASE_XML_EXPECT_INTERNAL_H

#include "base/text.h"

#include <libxml/tree.h>

/* Appends what the RELAX NG schema at `path` allows at `node`, which did not validate: the start tag of the
 * element, or of the one around it where the schema knows none of that name there, and what may stand in it,
 * as
 * `<timing time="global|local" seed="whole">` or `<grid> with <collective>, <comm-sizes>, <msg-sizes>`.
 * Nothing where that cannot be told. */
void ct_xml_expect(const char *path, const xmlNode *node, struct ct_text *text);

#endif
