/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_application.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ct_tune_application_check(const struct ct_arguments *arguments, struct ct_error *error)
{
    static const char *const excluded[] = {"collectives", "comm-sizes", "msg-sizes",
                                           "guided",      "simulate",   "from-profile"};
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++)
        if (ct_is_given(arguments, excluded[i]))
            return ct_fail(error, CT_E_INPUT, "--application: cannot be combined with --%s", excluded[i]);
    return CT_OK;
}

int ct_tune_application_add(struct ct_tune_call *call, const char *application)
{
    const char *const words[] = {"sh", "-c", application};
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < sizeof words / sizeof words[0]; i++)
        status = ct_tune_step_add_word(call, words[i]);
    return status;
}

int ct_tune_application_note(const char *folder, const char *application, struct ct_error *error)
{
    char *path = ct_format("%s/application", folder), *line = ct_format("%s\n", application), *noted = NULL;
    size_t length = 0;
    int status = path && line ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && access(path, F_OK) != 0)
        status = ct_file_write(path, line, strlen(line), error);
    else if (status == CT_OK && (status = ct_file_read(path, error, &noted, &length)) == CT_OK &&
             (length != strlen(line) || memcmp(noted, line, length) != 0))
        status = ct_fail(error, CT_E_INPUT, "%s: is tuned for another application: expected '%.*s'", folder,
                         (int)strcspn(noted, "\n"), noted);
    free(path);
    free(line);
    free(noted);
    return status;
}

int ct_tune_application_try(const struct ct_tune_call *call, struct ct_error *error)
{
    struct ct_error why = {""};
    ct_tune_step_show(call);
    int status = ct_tune_step_run(call, &why);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "try: %s", ct_failure(status, &why));
}
