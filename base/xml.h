/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_XML_H
#define CT_BASE_XML_H

#include "base/text.h"
#include "base/xml_node.h"

/* Strict XML files with a RELAX NG schema each. Every failure is CT_E_INPUT with one line in `error`:
 * "FILE:LINE: what is wrong". */

/* Requirements for a file, which must also be well-formed. */
struct ct_xml_kind {
    const char *root;   /* name of the outermost element */
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
