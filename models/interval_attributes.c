/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/interval_attributes.h"

static const struct ct_xml_field interval_numbers[] = {
    {"low", CT_XML_NUMBER, offsetof(struct ct_interval, low)},
    {"high", CT_XML_NUMBER, offsetof(struct ct_interval, high)},
    {0}};

int ct_interval_read(const char *name, const xmlNode *node, struct ct_error *error,
                     struct ct_interval *interval)
{
    int status = ct_xml_fields_read(name, node, interval_numbers, error, interval);
    if (status == CT_OK && interval->low > interval->high)
        return ct_xml_fail(name, node, error, "low is more than high: expected an interval");
    return status;
}

void ct_interval_write(const struct ct_interval *interval, struct ct_text *text)
{
    ct_xml_fields_write(interval_numbers, interval, text);
}
