/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_LINK_ELEMENT_H
#define CT_MODELS_LINK_ELEMENT_H

#include "base/xml.h"
#include "models/model.h"
#include "models/model_reader.h"

/* The element <link> of a model's file (models/model.rng): what messages between two ranks cost. */

/* Adds the link of a document that fits the schema to the model. CT_OK; CT_E_INPUT with a line in the
 * reader's error; CT_E_MEMORY. The model owns what was read, on failure, too. */
int ct_link_element_read(const struct ct_model_reader *reader, const xmlNode *node, struct ct_model *model);

/* Appends it, indented as a child of the root; nothing if the link has no parameters. */
void ct_link_element_write(const struct ct_link *link, enum ct_link_kind kind, enum ct_node_channel channel,
                           struct ct_text *text);

#endif
