/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_CPU_MODEL_H
#define CT_BASE_CPU_MODEL_H

enum { CT_CPU_MODEL_TEXT = 128 };

/* The file in which Linux names the processors. */
#define CT_CPU_FILE "/proc/cpuinfo"

/* The model of the first processor in a file like CT_CPU_FILE, without blanks at its end; "" if it names
 * none. Runs and the library use this name alone: in a virtual machine the processor itself may give another
 * one. */
void ct_cpu_model(const char *path, char ret_model[CT_CPU_MODEL_TEXT]);

#endif
