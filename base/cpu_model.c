/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/cpu_model.h"

#include <stdio.h>
#include <string.h>

static void cut_blanks(char *text)
{
    for (size_t end = strlen(text); end > 0 && strchr(" \t\n", text[end - 1]);)
        text[--end] = '\0';
}

void ct_cpu_model(const char *path, char ret_model[CT_CPU_MODEL_TEXT])
{
    static const char name[] = "model name";
    char line[CT_CPU_MODEL_TEXT + 32]; /* of a longer line the begin */
    FILE *file = fopen(path, "r");
    ret_model[0] = '\0';
    while (file && !ret_model[0] && fgets(line, sizeof line, file)) {
        const char *value = strncmp(line, name, strlen(name)) == 0 ? strstr(line, ": ") : NULL;
        if (value)
            snprintf(ret_model, CT_CPU_MODEL_TEXT, "%s", value + 2);
        cut_blanks(ret_model);
    }
    if (file)
        fclose(file);
}
