/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/findings.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_findings_add(struct ct_findings *findings, enum ct_finding_state state, const char *subject,
                     const char *format, ...)
{
    struct ct_finding finding = {.state = state, .subject = strdup(subject)};
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&finding.text, format, arguments);
    va_end(arguments);
    if (length < 0)
        finding.text = NULL;
    if (!finding.subject || !finding.text ||
        ct_grow(&findings->items, &findings->capacity, findings->count + 1, sizeof finding) != CT_OK) {
        findings->status = CT_E_MEMORY;
        free(finding.subject);
        free(finding.text);
        return;
    }
    findings->items[findings->count++] = finding;
}

size_t ct_findings_count(const struct ct_findings *findings, enum ct_finding_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += findings->items[i].state == state;
    return count;
}

static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text; text++)
        printf("%s%c", *text == '"' ? "\"" : "", *text);
    putchar('"');
}

void ct_findings_print(const struct ct_findings *findings, bool as_csv)
{
    static const char *const names[CT_FINDING_STATES] = {"FAIL", "note", "ok"};
    int width = 0;
    for (size_t i = 0; i < findings->count; i++)
        width =
            (int)strlen(findings->items[i].subject) > width ? (int)strlen(findings->items[i].subject) : width;
    if (as_csv)
        puts("state,subject,text");
    for (int state = 0; state < CT_FINDING_STATES; state++) {
        for (size_t i = 0; i < findings->count; i++) {
            const struct ct_finding *finding = &findings->items[i];
            if ((int)finding->state != state)
                continue;
            if (!as_csv) {
                printf("%-4s  %-*s  %s\n", names[state], width, finding->subject, finding->text);
                continue;
            }
            printf("%s,%s,", names[state], finding->subject);
            print_quoted(finding->text);
            putchar('\n');
        }
    }
}

void ct_findings_free(struct ct_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        free(findings->items[i].subject);
        free(findings->items[i].text);
    }
    free(findings->items);
    *findings = (struct ct_findings){0};
}
