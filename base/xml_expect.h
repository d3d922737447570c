/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_XML_EXPECT_H
#define CT_BASE_XML_EXPECT_H

#include "base/text.h"

#include <libxml/tree.h>

/* Appends what the RELAX NG schema at `path` allows at `node`, which is not valid: the start tag of the
 * element (of the enclosing one if the schema has no element of that name there) and its content, as
 * `<timing time="global|local" seed="whole">` or `<grid> with <collective>, <comm-sizes>, <msg-sizes>`.
 * Appends nothing if that is not known. */
void ct_xml_expect(const char *path, const xmlNode *node, struct ct_text *text);

#endif
