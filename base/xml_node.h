/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_XML_NODE_H
#define CT_BASE_XML_NODE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#include <libxml/tree.h>

/* Elements of an XML document: their place in errors, their neighbors, attributes and content. */

/* Writes "NAME:LINE: " of the node and the formatted line into `error`; returns CT_E_INPUT. */
int ct_xml_fail(const char *name, const xmlNode *node, struct ct_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The first element among the node's children; the next element after the node. NULL if there is none. */
xmlNode *ct_xml_first(const xmlNode *node);
xmlNode *ct_xml_next(const xmlNode *node);
/* The child element of that name; NULL if there is none. */
xmlNode *ct_xml_child(const xmlNode *node, const char *element);
bool ct_xml_is(const xmlNode *node, const char *element);
bool ct_xml_has(const xmlNode *node, const char *attribute);

/* An attribute's value; the text inside an element. A new string, "" if there is none; NULL if memory is
 * short. Caller frees with free(). */
char *ct_xml_attribute(const xmlNode *node, const char *attribute);
char *ct_xml_content(const xmlNode *node);

/* An attribute that is a plain number, or a size with K, M, G. CT_OK, or CT_E_INPUT saying what was expected.
 */
int ct_xml_size(const char *name, const xmlNode *node, const char *attribute, struct ct_error *error,
                size_t *ret_size);
/* An attribute that is a finite decimal number. */
int ct_xml_number(const char *name, const xmlNode *node, const char *attribute, struct ct_error *error,
                  double *ret_number);

#endif
