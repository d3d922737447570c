/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/exchange_arguments.h"
#include "base/memory.h"
#include "library/colltuned.h"
#include "library/process/own_error.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

void ct_exchange_fail(struct ct_exchange_finding *finding, int code, const char *format, ...)
{
    char text[sizeof finding->error.text];
    va_list arguments;
    if (finding->code != MPI_SUCCESS)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    finding->code = code;
    ct_fail(&finding->error, CT_E_INPUT, "%s", text);
}

/* --- errors --- */

/* The line for a rank that has found nothing wrong itself. */
static const char *text_of(int class)
{
    static const struct {
        int class;
        const char *text;
    } texts[] = {
        {MPI_ERR_RANK, "another rank names a rank outside the communicator"},
        {MPI_ERR_COUNT, "another rank has a wrong count or length"},
        {MPI_ERR_ARG, "another rank has a wrong argument"},
        {MPI_ERR_TOPOLOGY, "another rank expects other sources than it has"},
        {MPI_ERR_TRUNCATE, "another rank expects other lengths than it is sent"},
        {MPI_ERR_NO_MEM, "a rank has no memory"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].class == class)
            return texts[i].text;
    return "a message or an agreement of the ranks has failed";
}

int ct_exchange_raise(const struct ct_exchange_arguments *arguments,
                      const struct ct_exchange_finding *finding, int class)
{
    const char *text = finding->error.text;
    if (class == MPI_SUCCESS)
        return class;
    return ct_raise_own_error(arguments->function, class, *text ? text : text_of(class), arguments->comm);
}

/* --- arguments --- */

static void check_side(const struct ct_exchange_finding *known, const char *what, int count, const int *ranks,
                       const size_t *lengths, bool has_lengths, struct ct_exchange_finding *finding)
{
    size_t sum = 0;
    if (count < 0) {
        ct_exchange_fail(finding, MPI_ERR_COUNT, "%d %ss: expected 0 or more", count, what);
        return;
    }
    if (count > 0 && (!ranks || (has_lengths && !lengths))) {
        ct_exchange_fail(finding, MPI_ERR_ARG, "%d %ss, but a list of them is NULL", count, what);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (ranks[i] < 0 || ranks[i] >= known->size)
            ct_exchange_fail(finding, MPI_ERR_RANK, "rank %d: %s %d is rank %d; expected 0 to %d",
                             known->rank, what, i, ranks[i], known->size - 1);
        if (has_lengths && (lengths[i] > INT_MAX || !ct_add(sum, lengths[i], &sum)))
            ct_exchange_fail(finding, MPI_ERR_COUNT, "rank %d: %s %d has %zu bytes; expected at most %d",
                             known->rank, what, i, lengths[i], INT_MAX);
    }
}

static void check(const struct ct_exchange_arguments *arguments, struct ct_exchange_finding *finding)
{
    check_side(finding, "destination", arguments->destination_count, arguments->destinations,
               arguments->lengths, true, finding);
    if (arguments->source_count != COLLTUNED_UNKNOWN)
        check_side(finding, "source", arguments->source_count, arguments->sources, arguments->source_lengths,
                   arguments->source_lengths, finding);
}

int ct_exchange_enter(const struct ct_exchange_arguments *arguments, struct ct_exchange_finding *finding,
                      struct ct_exchange_comm **ret_own)
{
    int code = ct_enter_own(arguments->function, arguments->comm);
    if (code != MPI_SUCCESS)
        return code;
    PMPI_Comm_rank(arguments->comm, &finding->rank);
    PMPI_Comm_size(arguments->comm, &finding->size);
    code = ct_exchange_comm_of(arguments->comm, ret_own);
    if (code != MPI_SUCCESS)
        return ct_raise_own_error(arguments->function, code, "no private communicator could be made",
                                  arguments->comm);
    check(arguments, finding);
    return MPI_SUCCESS;
}
