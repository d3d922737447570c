/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_C_FEATURES_H
#define CT_CODEGEN_C_FEATURES_H

#include "decision/tree/tree.h"

/* The features of trees in generated C. */

enum { CT_C_COLUMNS = 110 };

/* Does the decision function of this tree take the feature as a parameter? It always takes the communicator
 * size; the message size if the collective has one; other features if a test uses them. */
bool ct_c_takes(const struct ct_decision_tree *tree, enum ct_feature feature);

/* Appends a constant expression that is right on every platform: values beyond an int get a wide type. Bytes
 * are written with COLLTUNE_KIB, COLLTUNE_MIB and COLLTUNE_GIB where possible. */
void ct_c_number_write(size_t number, bool in_bytes, struct ct_text *text);

/* The name of a feature in C; a prefix keeps users' names from being keywords. Returns `name`. */
enum { CT_C_FEATURE_TEXT = CT_FEATURE_NAME + 16 };
const char *ct_c_feature_name(const struct ct_feature_set *features, size_t number,
                              char name[CT_C_FEATURE_TEXT]);

/* Appends a function for each operator that the trees' features need. */
void ct_c_operators_write(const struct ct_decisions *decisions, struct ct_text *text);

/* Appends declarations of the computed features that the tests use, and marks unused parameters as used. */
void ct_c_features_write(const struct ct_decision_tree *tree, struct ct_text *text);

#endif
