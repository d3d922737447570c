/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/xml.h"

#include <string.h>

#include <libxml/xmlstring.h>

static const struct {
    char character;
    const char *text;
} escapes[] = {
    {'&', "&amp;"}, {'<', "&lt;"},   {'>', "&gt;"},   {'"', "&quot;"},
    {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"},
};

enum { ESCAPES = sizeof escapes / sizeof escapes[0] };

static const char *escape_of(char character)
{
    for (int i = 0; i < ESCAPES; i++)
        if (escapes[i].character == character)
            return escapes[i].text;
    return NULL;
}

/* The number of bytes of the character at `at`; 0 if XML does not allow it. */
static int plain_length(const char *at)
{
    int length = (int)strnlen(at, 4);
    int code = xmlGetUTF8Char((const unsigned char *)at, &length);
    int shortest = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (length != shortest)
        return 0;
    bool good = (code >= 0x20 && code <= 0xD7FF) || (code >= 0xE000 && code <= 0xFFFD) ||
                (code >= 0x10000 && code <= 0x10FFFF);
    return good ? length : 0;
}

void ct_xml_escape(struct ct_text *text, const char *value)
{
    if (!value)
        return;
    while (*value) {
        const char *escape = escape_of(*value);
        int length = escape ? 1 : plain_length(value);
        if (escape)
            ct_text_append(text, "%s", escape);
        else if (length > 0)
            ct_text_append_bytes(text, value, (size_t)length);
        else
            ct_text_append_bytes(text, "?", 1);
        value += length > 0 ? length : 1;
    }
}
