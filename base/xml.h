/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_XML_H
#define CT_BASE_XML_H

#include "base/text.h"

#include <libxml/tree.h>

/* Strict XML files with a RELAX NG schema each. Every failure is CT_E_INPUT with one line in `error`:
 * "FILE:LINE: what is wrong". */

/* Requirements for a file, which must also be well-formed. */
struct ct_xml_kind {
    const char *schema; /* shipped file, as ct_data_path() takes it: "samples/run.rng" */
    size_t most_depth;  /* of nested elements; a deeper file is refused before it is validated */
};

/* Parses and validates. Document types, and with them entities, are refused; the network is not touched.
 * `name` stands for the text in errors. CT_OK; CT_E_INPUT; CT_E_SYSTEM if the schema is missing; CT_E_MEMORY.
 * Caller frees with xmlFreeDoc(). */
int ct_xml_parse(const char *text, size_t length, const char *name, const struct ct_xml_kind *kind,
                 struct ct_error *error, xmlDoc **ret_document);
int ct_xml_read(const char *path, const struct ct_xml_kind *kind, struct ct_error *error,
                xmlDoc **ret_document);

/* Writes "NAME:LINE: " of the node and the formatted line into `error`; returns CT_E_INPUT. */
int ct_xml_fail(const char *name, const xmlNode *node, struct ct_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The first element among the node's children; the next element after the node. NULL if there is none. */
xmlNode *ct_xml_first(const xmlNode *node);
xmlNode *ct_xml_next(const xmlNode *node);
/* The child element of that name; NULL if there is none. */
xmlNode *ct_xml_child(const xmlNode *node, const char *element);
bool ct_xml_is(const xmlNode *node, const char *element);

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

/* The sizes inside an element, separated by commas, each from `least` to `most`, without duplicates and
 * without ranges; there may be none. Caller frees *ret_sizes. CT_OK, CT_E_INPUT, CT_E_MEMORY. */
int ct_xml_sizes(const char *name, const xmlNode *node, size_t least, size_t most, struct ct_error *error,
                 size_t **ret_sizes, size_t *ret_count);

/* Attributes that are members of a structure. One const table, ended by an entry without name, serves
 * reading, writing and freeing. A text is an owned string. */
struct ct_xml_field {
    const char *name;                                                    /* of the attribute */
    enum { CT_XML_TEXT, CT_XML_WHOLE, CT_XML_NUMBER, CT_XML_FLAG } kind; /* char *, size_t, double, bool */
    size_t offset;
    bool optional; /* it may be missing, and is left out if it is a text without value */
};

/* Reads the attributes into `record`, where those that are missing stay as they are. CT_OK, CT_E_INPUT,
 * CT_E_MEMORY; on failure the record holds what ct_xml_fields_free() takes. `name` is that of the file. */
int ct_xml_fields_read(const char *name, const xmlNode *node, const struct ct_xml_field *fields,
                       struct ct_error *error, void *record);
/* Appends them, each behind a blank. */
void ct_xml_fields_write(const struct ct_xml_field *fields, const void *record, struct ct_text *text);
/* Frees the texts. */
void ct_xml_fields_free(const struct ct_xml_field *fields, void *record);

enum { CT_XML_VALUE_TEXT = 32 };
/* A member's value as it is written; "" for a text without value. Returns `text` or the member itself. */
const char *ct_xml_field_format(const struct ct_xml_field *field, const void *record,
                                char text[CT_XML_VALUE_TEXT]);

/* Appends ` name="value"`. */
void ct_xml_attribute_write(struct ct_text *text, const char *name, const char *value);

/* Appends `value` so that it can stand in an attribute between double quotes, or in an element. NULL is "".
 * Characters that XML 1.0 does not allow (control characters, bytes that are not UTF-8) become question
 * marks. */
void ct_xml_escape(struct ct_text *text, const char *value);

#endif
