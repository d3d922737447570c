/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_STANDARD_OUTPUT_H
#define CT_CLI_STANDARD_OUTPUT_H

/* However the program ends from now on, it ends with a line on standard error and CT_EXIT_NO unless all of
 * its standard output was written. To be called once. */
void ct_standard_output_guard(void);

#endif
