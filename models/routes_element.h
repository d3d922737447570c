/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_ROUTES_ELEMENT_H
#define CT_MODELS_ROUTES_ELEMENT_H

#include "base/xml.h"
#include "models/contention/network_routes.h"

/* The element <routes> of a model's file (models/model.rng): a network of any shape. */

/* Of a document that fits the schema; `name` is the file's. CT_OK; CT_E_INPUT with a line in `error`;
 * CT_E_MEMORY. Caller frees with ct_network_routes_free(). */
int ct_routes_element_read(const char *name, const xmlNode *node, struct ct_error *error,
                           struct ct_network_routes **ret_routes);

/* Appends it, indented as a child of the root. */
void ct_routes_element_write(const struct ct_network_routes *routes, struct ct_text *text);

#endif
