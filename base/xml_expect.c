/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/xml_expect.h"
#include "base/xml_node.h"

#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>

/* Limit of nested references: a schema may refer to itself. */
enum { REFERENCES_MAX = 8 };

static bool is_named(const xmlNode *node, const char *name)
{
    char *own = ct_xml_attribute(node, "name");
    bool same = own && strcmp(own, name) == 0;
    free(own);
    return same;
}

/* The first `element` of that name in document order. This is its definition, since our schemas use each name
 * once. */
static const xmlNode *find(const xmlNode *from, const char *element, const char *name)
{
    for (const xmlNode *node = from; node; node = ct_xml_next(node)) {
        if (ct_xml_is(node, element) && is_named(node, name))
            return node;
        const xmlNode *below = find(ct_xml_first(node), element, name);
        if (below)
            return below;
    }
    return NULL;
}

static const xmlNode *definition_of(const xmlNode *reference)
{
    char *name = ct_xml_attribute(reference, "name");
    const xmlNode *found = name ? find(xmlDocGetRootElement(reference->doc), "define", name) : NULL;
    free(name);
    return found;
}

/* The values of an attribute: its choices, or the name of their type. */
static void append_values(const xmlNode *parent, bool *first, struct ct_text *text)
{
    for (const xmlNode *node = ct_xml_first(parent); node; node = ct_xml_next(node)) {
        char *word = NULL;
        if (ct_xml_is(node, "choice"))
            append_values(node, first, text);
        else if (ct_xml_is(node, "value"))
            word = ct_xml_content(node);
        else if (ct_xml_is(node, "ref"))
            word = ct_xml_attribute(node, "name");
        else if (ct_xml_is(node, "data"))
            word = ct_xml_attribute(node, "type");
        if (!word)
            continue;
        ct_text_append(text, "%s%s", *first ? "" : "|", word);
        *first = false;
        free(word);
    }
}

/* Walks the direct content of an element's definition, through groups and references. */
static void append_parts(const xmlNode *parent, const char *part, int references, bool *first,
                         struct ct_text *text)
{
    for (const xmlNode *node = ct_xml_first(parent); node; node = ct_xml_next(node)) {
        if (ct_xml_is(node, part)) {
            bool attribute = strcmp(part, "attribute") == 0, first_value = true;
            char *name = ct_xml_attribute(node, "name");
            ct_text_append(text, attribute ? " %s=\"" : *first ? " with <%s>" : ", <%s>", name ? name : "");
            if (attribute) {
                append_values(node, &first_value, text);
                ct_text_append(text, first_value ? "...\"" : "\"");
            }
            *first = false;
            free(name);
        } else if (ct_xml_is(node, "ref")) {
            const xmlNode *definition = references < REFERENCES_MAX ? definition_of(node) : NULL;
            if (definition)
                append_parts(definition, part, references + 1, first, text);
        } else if (!ct_xml_is(node, "element") && !ct_xml_is(node, "attribute")) {
            append_parts(node, part, references, first, text);
        }
    }
}

void ct_xml_expect(const char *path, const xmlNode *node, struct ct_text *text)
{
    xmlDoc *schema = xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = schema ? xmlDocGetRootElement(schema) : NULL;
    const xmlNode *found = NULL;
    for (; root && node && node->type == XML_ELEMENT_NODE && !found; node = node->parent)
        found = find(root, "element", (const char *)node->name);
    if (found) {
        bool first = true, first_attribute = true;
        char *name = ct_xml_attribute(found, "name");
        ct_text_append(text, "<%s", name ? name : "");
        append_parts(found, "attribute", 0, &first_attribute, text);
        ct_text_append(text, ">");
        append_parts(found, "element", 0, &first, text);
        free(name);
    }
    xmlFreeDoc(schema);
}
