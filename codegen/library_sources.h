/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_LIBRARY_SOURCES_H
#define CT_CODEGEN_LIBRARY_SOURCES_H

/* A hash, as text, of the sources that tuned libraries are made from. Libraries of other sources may carry
 * out a method, or agree on one, in another way. */
extern const char ct_library_sources[];

#endif
