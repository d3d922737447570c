/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/map.h"
#include "samples/run_xml.h"
#include "samples/samples_csv_read.h"
#include "samples/samples_csv_write.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a run.xml, a line `=====` and a samples.csv; without that line it is a samples.csv alone, read
 * against the description below. Whatever is taken must survive writing and reading, make a map, and be taken
 * by `--resume` as it is. */

static const char standard_description[] =
    "<?xml version=\"1.0\"?>\n"
    "<run version=\"2\" tool=\"0.1.0\" created=\"2024-05-17T09:30:00Z\">\n"
    "<backend kind=\"real\" launcher=\"mpiexec\"/>\n"
    "<timing time=\"global\" sync=\"barrier\" launches=\"2\" warmup=\"1\" least-repetitions=\"1\"\n"
    "  most-repetitions=\"9\" precision=\"0.1\" most-seconds=\"1\" seed=\"1\"/>\n"
    "<grid><collective name=\"barrier\"/><collective name=\"bcast\"/>\n"
    "<comm-sizes>2,4,8</comm-sizes><msg-sizes>1,8K</msg-sizes></grid>\n"
    "<methods><method name=\"barrier/native\"/><method name=\"bcast/native\"/>\n"
    "<method name=\"bcast/binomial:seg=8K\"/><method name=\"bcast/chain:seg=1K,radix=4\"/></methods>\n"
    "<properties/></run>\n";

static void need(bool good)
{
    if (!good)
        abort();
}

static void check_description(const struct ct_run_description *description)
{
    struct ct_text text = {0}, again = {0};
    struct ct_run_description back;
    ct_run_description_write(description, &text);
    need(ct_run_description_read(text.data, text.length, "again", NULL, &back) == CT_OK);
    ct_run_description_write(&back, &again);
    need(text.length == again.length && memcmp(text.data, again.data, text.length) == 0);
    ct_run_description_free(&back);
    ct_text_free(&text);
    ct_text_free(&again);
}

static int read_samples(const char *text, size_t length, bool resuming, struct ct_run *run)
{
    struct ct_error error = {""};
    FILE *file = fmemopen((void *)text, length, "r");
    need(file);
    int status = ct_samples_read(file, "samples.csv", resuming, NULL, &error, run);
    fclose(file);
    need(status == CT_OK || (error.text[0] && !strchr(error.text, '\n')));
    return status;
}

static void check_maps(const struct ct_run *run)
{
    for (int i = 0; i < CT_COLLECTIVES; i++) {
        struct ct_map map;
        if (ct_map_make(run, (enum ct_collective)i, NULL, &map) != CT_OK)
            continue;
        need(map.cell_count > 0);
        ct_map_free(&map);
    }
}

/* What a run's samples are as a file; the caller frees it. */
static char *written(const struct ct_run *run, size_t *ret_length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, ret_length);
    need(file && ct_samples_write(run, file) == CT_OK);
    need(fclose(file) == 0);
    return text;
}

static void check_statuses(const struct ct_run *run, const struct ct_run *back)
{
    size_t counts[CT_SAMPLE_STATUSES] = {0};
    need(back->sample_count == run->sample_count && back->cell_count == run->cell_count);
    for (size_t i = 0; i < run->sample_count; i++) {
        counts[run->samples[i].status]++;
        counts[back->samples[i].status]--;
    }
    for (size_t i = 0; i < CT_SAMPLE_STATUSES; i++)
        need(counts[i] == 0);
}

static void check_written(const char *description, size_t length, const struct ct_run *run)
{
    size_t first_length, second_length;
    char *first = written(run, &first_length);
    struct ct_run back = {0};
    need(ct_run_description_read(description, length, "run.xml", NULL, &back.description) == CT_OK);
    back.methods = back.description.methods;
    back.method_count = back.description.method_count;
    need(read_samples(first, first_length, false, &back) == CT_OK);
    check_statuses(run, &back);
    char *second = written(&back, &second_length);
    need(first_length == second_length && memcmp(first, second, first_length) == 0);
    ct_run_free(&back);
    free(first);
    free(second);
}

/* 0 where a strict reader takes it, else -1. */
static int check_samples(const char *description, size_t description_length, const char *text, size_t length)
{
    size_t taken = 0;
    int strict = CT_E_INPUT;
    for (int resuming = 0; resuming < 2; resuming++) {
        struct ct_run run = {0};
        if (ct_run_description_read(description, description_length, "run.xml", NULL, &run.description) !=
            CT_OK)
            return -1;
        if (!resuming)
            check_description(&run.description);
        run.methods = run.description.methods;
        run.method_count = run.description.method_count;
        int status = read_samples(text, length, resuming, &run);
        if (status == CT_OK) {
            need(run.whole_length <= length);
            need(strict != CT_OK || (run.sample_count == taken && run.dropped == 0));
            check_maps(&run);
            check_written(description, description_length, &run);
            taken = run.sample_count;
        }
        need(strict != CT_OK || status == CT_OK);
        strict = resuming ? strict : status;
        ct_run_free(&run);
    }
    return strict == CT_OK ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char border[] = "=====\n";
    const char *text = (const char *)data;
    const char *at = memmem(text, size, border, strlen(border));
    if (at) {
        size_t length = (size_t)(at - text);
        return check_samples(text, length, at + strlen(border), size - length - strlen(border));
    }
    return check_samples(standard_description, strlen(standard_description), text, size);
}
