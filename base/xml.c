/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/xml.h"
#include "base/data.h"
#include "base/file.h"
#include "base/xml_expect.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/relaxng.h>

/* The first complaint of a parser or validator, as one line. */
struct complaint {
    int line;
    const xmlNode *node; /* the node in question; NULL if it is not known */
    bool given;
    char text[400];
};

static void complain(struct complaint *complaint, int line, const char *text)
{
    if (complaint->given)
        return;
    complaint->given = true;
    complaint->line = line;
    snprintf(complaint->text, sizeof complaint->text, "%s", text ? text : "not valid");
    complaint->text[strcspn(complaint->text, "\n")] = '\0';
}

/* libxml2 2.12 made the second argument const. */
#if LIBXML_VERSION >= 21200
static void take_error(void *complaint, const xmlError *error)
#else
static void take_error(void *complaint, xmlError *error)
#endif
{
    struct complaint *first = complaint;
    if (!first->given)
        first->node = error->node;
    complain(first, error->line, error->message);
}

/* A document type may define entities that expand without bound or read other files; none of our files has
 * one. */
static void refuse_document_type(void *context, const xmlChar *name, const xmlChar *external,
                                 const xmlChar *system)
{
    (void)name;
    (void)external;
    (void)system;
    xmlParserCtxt *parser = context;
    complain(parser->_private, parser->input ? parser->input->line : 0,
             "a document type is not allowed here");
    xmlStopParser(parser);
}

static int parse_text(const char *text, size_t length, const char *name, struct ct_error *error,
                      xmlDoc **ret_document)
{
    if (length > INT_MAX)
        return ct_fail(error, CT_E_INPUT, "%s: too long for an XML file", name);
    struct complaint complaint = {0};
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (!parser)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    parser->_private = &complaint;
    parser->sax->internalSubset = refuse_document_type;
    /* HUGE removes the parser's limit of depth; the limit of amplification, which it also removes, matters
       for entities only */
    xmlDoc *document = xmlCtxtReadMemory(parser, text, (int)length, name, NULL,
                                         XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_BIG_LINES |
                                             XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlError *last = xmlCtxtGetLastError(parser);
    if (last && last->code != XML_ERR_OK)
        complain(&complaint, last->line, last->message);
    if (!document || complaint.given || !xmlDocGetRootElement(document)) {
        ct_fail(error, CT_E_INPUT, "%s:%d: %s; expected well-formed XML", name, complaint.line,
                complaint.given ? complaint.text : "there is nothing here");
        xmlFreeDoc(document);
        document = NULL;
    }
    xmlFreeParserCtxt(parser);
    if (!document)
        return CT_E_INPUT;
    *ret_document = document;
    return CT_OK;
}

/* A file of another kind is told from a flawed one. */
static int check_root(const xmlDoc *document, const char *name, const char *expected, struct ct_error *error)
{
    const xmlNode *root = xmlDocGetRootElement(document);
    const char *found = (const char *)root->name;
    return strcmp(found, expected) == 0
               ? CT_OK
               : ct_xml_fail(name, root, error,
                             "a file of another kind: it begins with <%.40s>; expected <%s>", found,
                             expected);
}

/* Validation recurses with the elements, so the depth is checked before. */
static int check_depth(const xmlDoc *document, const char *name, size_t most, struct ct_error *error)
{
    const xmlNode *node = xmlDocGetRootElement(document);
    size_t depth = 1;
    while (node) {
        if (node->type == XML_ELEMENT_NODE && depth > most)
            return ct_xml_fail(name, node, error, "elements are nested more than %zu deep", most);
        if (node->type == XML_ELEMENT_NODE && node->children) {
            node = node->children;
            depth++;
            continue;
        }
        while (node && !node->next) {
            node = depth > 1 ? node->parent : NULL;
            depth--;
        }
        node = node ? node->next : NULL;
    }
    return CT_OK;
}

/* The error line for a document that is not valid: the flaw from libxml2, the expectation from the schema. */
static int refuse(const struct complaint *complaint, const char *name, const char *schema,
                  struct ct_error *error)
{
    struct ct_text expected = {0};
    if (complaint->node)
        ct_xml_expect(schema, complaint->node, &expected);
    int status =
        ct_fail(error, CT_E_INPUT, "%s:%d: %s; expected %s", name, complaint->line,
                complaint->given ? complaint->text : "not valid",
                expected.length > 0 && !expected.failed ? expected.data : "what its schema describes");
    ct_text_free(&expected);
    return status;
}

static int validate(xmlDoc *document, const char *name, const char *schema_name, struct ct_error *error)
{
    char *path;
    int status = ct_data_path(schema_name, error, &path);
    if (status != CT_OK)
        return status;
    struct complaint complaint = {0};
    xmlRelaxNG *schema = NULL;
    xmlRelaxNGValidCtxt *validator = NULL;
    xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt(path);
    if (parser) {
        xmlRelaxNGSetParserStructuredErrors(parser, take_error, &complaint);
        schema = xmlRelaxNGParse(parser);
    }
    if (schema)
        validator = xmlRelaxNGNewValidCtxt(schema);
    if (!validator) {
        status = ct_fail(error, CT_E_SYSTEM, "%s:%d: the schema cannot be used: %s", path, complaint.line,
                         complaint.given ? complaint.text : "out of memory");
    } else {
        xmlRelaxNGSetValidStructuredErrors(validator, take_error, &complaint);
        if (xmlRelaxNGValidateDoc(validator, document) != 0)
            status = refuse(&complaint, name, path, error);
    }
    xmlRelaxNGFreeValidCtxt(validator);
    xmlRelaxNGFree(schema);
    xmlRelaxNGFreeParserCtxt(parser);
    free(path);
    return status;
}

int ct_xml_parse(const char *text, size_t length, const char *name, const struct ct_xml_kind *kind,
                 struct ct_error *error, xmlDoc **ret_document)
{
    xmlDoc *document;
    int status = parse_text(text, length, name, error, &document);
    if (status != CT_OK)
        return status;
    status = check_root(document, name, kind->root, error);
    if (status == CT_OK)
        status = check_depth(document, name, kind->most_depth, error);
    if (status == CT_OK)
        status = validate(document, name, kind->schema, error);
    if (status == CT_OK)
        *ret_document = document;
    else
        xmlFreeDoc(document);
    return status;
}

int ct_xml_read(const char *path, const struct ct_xml_kind *kind, struct ct_error *error,
                xmlDoc **ret_document)
{
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_xml_parse(text, length, path, kind, error, ret_document);
    free(text);
    return status;
}
