/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "base/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ct_xml_fields_read(const char *name, const xmlNode *node, const struct ct_xml_field *fields,
                       struct ct_error *error, void *record)
{
    for (const struct ct_xml_field *field = fields; field->name; field++) {
        void *at = (char *)record + field->offset;
        int status = CT_OK;
        if (field->optional && !ct_xml_has(node, field->name))
            continue;
        if (field->kind == CT_XML_WHOLE)
            status = ct_xml_size(name, node, field->name, error, at);
        if (field->kind == CT_XML_NUMBER)
            status = ct_xml_number(name, node, field->name, error, at);
        if (status != CT_OK)
            return status;
        if (field->kind != CT_XML_TEXT && field->kind != CT_XML_FLAG)
            continue;
        char *text = ct_xml_attribute(node, field->name);
        if (!text)
            return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
        if (field->kind == CT_XML_TEXT) {
            *(char **)at = text;
            continue;
        }
        *(bool *)at = strcmp(text, "true") == 0;
        free(text);
    }
    return CT_OK;
}

const char *ct_xml_field_format(const struct ct_xml_field *field, const void *record,
                                char text[CT_XML_VALUE_TEXT])
{
    const void *at = (const char *)record + field->offset;
    switch (field->kind) {
    case CT_XML_TEXT:
        return *(char *const *)at ? *(char *const *)at : "";
    case CT_XML_WHOLE:
        snprintf(text, CT_XML_VALUE_TEXT, "%zu", *(const size_t *)at);
        return text;
    case CT_XML_NUMBER:
        return ct_number_format(*(const double *)at, text);
    case CT_XML_FLAG:
        break;
    }
    return *(const bool *)at ? "true" : "false";
}

void ct_xml_attribute_write(struct ct_text *text, const char *name, const char *value)
{
    ct_text_append(text, " %s=\"", name);
    ct_xml_escape(text, value);
    ct_text_append(text, "\"");
}

void ct_xml_fields_write(const struct ct_xml_field *fields, const void *record, struct ct_text *text)
{
    char number[CT_XML_VALUE_TEXT];
    for (const struct ct_xml_field *field = fields; field->name; field++) {
        const char *value = ct_xml_field_format(field, record, number);
        if (*value || !field->optional)
            ct_xml_attribute_write(text, field->name, value);
    }
}

void ct_xml_fields_free(const struct ct_xml_field *fields, void *record)
{
    for (const struct ct_xml_field *field = fields; field->name; field++) {
        char **text = (char **)((char *)record + field->offset);
        if (field->kind != CT_XML_TEXT)
            continue;
        free(*text);
        *text = NULL;
    }
}
