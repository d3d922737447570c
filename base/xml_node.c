/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/xml_node.h"
#include "base/number.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ct_xml_fail(const char *name, const xmlNode *node, struct ct_error *error, const char *format, ...)
{
    char line[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return ct_fail(error, CT_E_INPUT, "%s:%ld: %s", name, xmlGetLineNo((xmlNode *)node), line);
}

static xmlNode *element_from(xmlNode *node)
{
    while (node && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

xmlNode *ct_xml_first(const xmlNode *node)
{
    return element_from(node->children);
}

xmlNode *ct_xml_next(const xmlNode *node)
{
    return element_from(node->next);
}

bool ct_xml_is(const xmlNode *node, const char *element)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, element) == 0;
}

bool ct_xml_has(const xmlNode *node, const char *attribute)
{
    return xmlHasProp((xmlNode *)node, (const xmlChar *)attribute) != NULL;
}

xmlNode *ct_xml_child(const xmlNode *node, const char *element)
{
    xmlNode *child = ct_xml_first(node);
    while (child && !ct_xml_is(child, element))
        child = ct_xml_next(child);
    return child;
}

/* Copies a string from libxml2's memory into ours. */
static char *own(xmlChar *value)
{
    char *copy = strdup(value ? (const char *)value : "");
    xmlFree(value);
    return copy;
}

char *ct_xml_attribute(const xmlNode *node, const char *attribute)
{
    return own(xmlGetNoNsProp(node, (const xmlChar *)attribute));
}

char *ct_xml_content(const xmlNode *node)
{
    return own(xmlNodeGetContent(node));
}

int ct_xml_size(const char *name, const xmlNode *node, const char *attribute, struct ct_error *error,
                size_t *ret_size)
{
    char *value = ct_xml_attribute(node, attribute);
    if (!value)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    int status = ct_size_parse(value, ret_size);
    if (status != CT_OK)
        ct_xml_fail(name, node, error, "%s=\"%s\": expected %s", attribute, value,
                    status == CT_E_LIMIT ? "a smaller number" : "a whole number");
    free(value);
    return status == CT_OK ? CT_OK : CT_E_INPUT;
}

int ct_xml_number(const char *name, const xmlNode *node, const char *attribute, struct ct_error *error,
                  double *ret_number)
{
    char *value = ct_xml_attribute(node, attribute);
    if (!value)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    int status = ct_number_parse(value, ret_number);
    if (status != CT_OK)
        ct_xml_fail(name, node, error, "%s=\"%s\": expected a finite decimal number", attribute, value);
    free(value);
    return status == CT_OK ? CT_OK : CT_E_INPUT;
}
