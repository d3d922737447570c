/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sort.h"
#include "config.h"
#include "samples/run_xml.h"
#include "samples/samples_csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *const ct_sample_status_names[CT_SAMPLE_STATUSES] = {
    [CT_SAMPLE_OK] = "ok",       [CT_SAMPLE_CRASHED] = "crashed",     [CT_SAMPLE_HUNG] = "hung",
    [CT_SAMPLE_WRONG] = "wrong", [CT_SAMPLE_PREDICTED] = "predicted", [CT_SAMPLE_COMMIT] = "commit",
};

/* --- the description --- */

int ct_run_stamp(struct ct_run_description *description)
{
    char created[32];
    time_t now = time(NULL);
    struct tm split;
    strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &split));
    description->created = strdup(created);
    description->tool_version = strdup(CT_VERSION);
    return description->created && description->tool_version ? CT_OK : CT_E_MEMORY;
}

int ct_run_describe(const char *backend, const char *launcher, const char *which_time, const char *sync,
                    struct ct_run_description *description)
{
    int status = ct_run_stamp(description);
    if (status != CT_OK)
        return status;
    description->backend = strdup(backend);
    description->launcher = strdup(launcher);
    description->time = strdup(which_time);
    description->sync = strdup(sync);
    bool good = description->backend && description->launcher && description->time && description->sync;
    return good ? CT_OK : CT_E_MEMORY;
}

void ct_properties_free(struct ct_property *properties, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(properties[i].name);
        free(properties[i].value);
    }
    free(properties);
}

void ct_run_description_free(struct ct_run_description *description)
{
    char *const strings[] = {description->tool_version, description->created,   description->backend,
                             description->launcher,     description->time,      description->sync,
                             description->by,           description->mode,      description->yield_from,
                             description->node_channel, description->validation};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        free(strings[i]);
    ct_properties_free(description->properties, description->property_count);
    ct_sweep_state_free(&description->sweep);
    free(description->collectives);
    free(description->comm_sizes);
    free(description->msg_sizes);
    for (size_t i = 0; i < description->pattern_count; i++)
        free(description->patterns[i]);
    free(description->patterns);
    free(description->methods);
    *description = (struct ct_run_description){0};
}

const char *ct_run_pattern(const struct ct_run_description *description, size_t id)
{
    for (size_t i = 0; id != 0 && i < description->pattern_count; i++)
        if (ct_pattern_id(description->patterns[i]) == id)
            return description->patterns[i];
    return NULL;
}

int ct_run_add_pattern(struct ct_run_description *description, const char *text)
{
    if (ct_run_pattern(description, ct_pattern_id(text)))
        return CT_OK;
    char *copy = strdup(text);
    char **grown = reallocarray(description->patterns, description->pattern_count + 1, sizeof *grown);
    if (grown)
        description->patterns = grown;
    if (!copy || !grown) {
        free(copy);
        return CT_E_MEMORY;
    }
    grown[description->pattern_count++] = copy;
    return CT_OK;
}

/* Where the word of a launch begins in a list of one for each. Launches behind the last word are like that if
 * `continues`, else they have "". */
static const char *find_word(const char *list, size_t launch, bool continues)
{
    const char *word = list ? list : "";
    for (; launch > 0 && *word; launch--) {
        const char *next = word + strcspn(word, ",");
        if (!*next && continues)
            break;
        word = next + (*next == ',');
    }
    return word;
}

size_t ct_run_yield_from(const struct ct_run_description *description, size_t launch)
{
    const char *word = find_word(description->yield_from, launch, true);
    return *word ? strtoul(word, NULL, 10) : description->sweep.yield_from;
}

bool ct_run_yields(const struct ct_run_description *description, size_t launch, size_t ppn)
{
    const size_t from = ct_run_yield_from(description, launch);
    return from > 0 && ppn >= from;
}

/* That word as an index of the names; 0 if the list has none. */
static size_t word_of_launch(const char *list, size_t launch, const char *const *names, bool continues)
{
    const char *word = find_word(list, launch, continues);
    for (size_t i = 0; names[i]; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(word, names[i], length) == 0 && (word[length] == ',' || !word[length]))
            return i;
    }
    return 0;
}

/* Replaces a list by `values`, or by their names (NULL: they are numbers); by none where all are 0. */
static int set_words(const size_t *values, size_t count, const char *const *names, char **list)
{
    struct ct_text text = {0};
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        ct_text_append(&text, i > 0 ? "," : "");
        if (names)
            ct_text_append(&text, "%s", names[values[i]]);
        else
            ct_text_append(&text, "%zu", values[i]);
        any |= values[i] != 0;
    }
    if (text.failed || !any) {
        ct_text_free(&text);
        return any ? CT_E_MEMORY : CT_OK;
    }
    free(*list);
    *list = text.data;
    return CT_OK;
}

int ct_run_set_validations(struct ct_run_description *description, const size_t *flags, size_t count)
{
    return set_words(flags, count, NULL, &description->validation);
}

enum ct_mapped_by ct_run_mapping(const struct ct_run_description *description, size_t launch)
{
    return (enum ct_mapped_by)word_of_launch(description->by, launch, ct_mapped_names, false);
}

int ct_run_set_mappings(struct ct_run_description *description, const size_t *mappings, size_t count)
{
    return set_words(mappings, count, ct_mapped_names, &description->by);
}

bool ct_run_has_overlap(const struct ct_run_description *description)
{
    for (size_t launch = 0; launch < description->launches; launch++)
        if (ct_run_mode(description, launch) != CT_MODE_BLOCKING)
            return true;
    return false;
}

/* Launches in which cells were measured again are like those before. */
enum ct_call_mode ct_run_mode(const struct ct_run_description *description, size_t launch)
{
    return (enum ct_call_mode)word_of_launch(description->mode, launch, ct_mode_names, true);
}

int ct_run_set_modes(struct ct_run_description *description, const size_t *modes, size_t count)
{
    return set_words(modes, count, ct_mode_names, &description->mode);
}

enum ct_node_channel ct_run_node_channel(const struct ct_run_description *description)
{
    return description->node_channel ? ct_node_channel_find(description->node_channel) : CT_NODE_CHANNEL_MPI;
}

int ct_run_set_node_channel(struct ct_run_description *description, enum ct_node_channel channel)
{
    char *name = strdup(ct_node_channel_names[channel]);
    if (!name)
        return CT_E_MEMORY;
    free(description->node_channel);
    description->node_channel = name;
    return CT_OK;
}

int ct_run_set_yields(struct ct_run_description *description, const size_t *yields, size_t count)
{
    return set_words(yields, count, NULL, &description->yield_from);
}

const char *ct_run_property(const struct ct_run_description *description, const char *name)
{
    for (size_t i = 0; i < description->property_count; i++)
        if (strcmp(description->properties[i].name, name) == 0)
            return description->properties[i].value;
    return NULL;
}

int ct_run_add_property(struct ct_run_description *description, const char *name, const char *value)
{
    size_t count = description->property_count;
    struct ct_property property = {.name = strdup(name), .value = strdup(value)};
    struct ct_property *grown = NULL;
    if (property.name && property.value)
        grown = realloc(description->properties, (count + 1) * sizeof *grown);
    if (!grown) {
        free(property.name);
        free(property.value);
        return CT_E_MEMORY;
    }
    grown[count] = property;
    description->properties = grown;
    description->property_count = count + 1;
    return CT_OK;
}

/* --- reading --- */

static int read_description(const char *folder, struct ct_error *error,
                            struct ct_run_description *ret_description)
{
    char *path = ct_format("%s/run.xml", folder);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status == CT_OK) {
        status = ct_run_description_read(text, length, path, error, ret_description);
        free(text);
    } else if (status == CT_E_SYSTEM && access(path, F_OK) != 0) {
        status = ct_fail(error, CT_E_INPUT, "%s: not a run: expected a folder with run.xml and samples.csv",
                         folder);
    }
    free(path);
    return status;
}

static int read_samples(bool resuming, struct ct_error *error, struct ct_run *run)
{
    char *path = ct_format("%s/samples.csv", run->folder);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", run->folder);
    int status;
    FILE *file = fopen(path, "rb");
    if (file) {
        status = ct_samples_read(file, path, resuming, error, run);
        fclose(file);
    } else {
        status = ct_fail(error, errno == ENOENT ? CT_E_INPUT : CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    free(path);
    return status;
}

int ct_run_read(const char *folder, bool resuming, struct ct_error *error, struct ct_run *ret_run)
{
    struct ct_run run = {0};
    run.folder = strdup(folder);
    if (!run.folder)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    int status = read_description(folder, error, &run.description);
    run.methods = run.description.methods;
    run.method_count = run.description.method_count;
    if (status == CT_OK)
        status = read_samples(resuming, error, &run);
    if (status == CT_OK)
        *ret_run = run;
    else
        ct_run_free(&run);
    return status;
}

void ct_run_free(struct ct_run *run)
{
    free(run->folder);
    if (run->methods != run->description.methods)
        free(run->methods);
    ct_run_description_free(&run->description);
    for (size_t i = 0; i < run->word_count; i++)
        free(run->words[i]);
    free(run->words);
    free(run->samples);
    free(run->cells);
    *run = (struct ct_run){0};
}

bool ct_run_measures(const struct ct_run *run, enum ct_collective collective)
{
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->methods[run->samples[i].method].algorithm->collective == collective)
            return true;
    return false;
}

bool ct_run_is_validation(const struct ct_run_description *description, uint32_t launch)
{
    return *find_word(description->validation, launch, false) == '1' ||
           (launch >= description->launches && (launch - description->launches) % 2 == 0);
}

bool ct_run_has_cell(const struct ct_run *run, const struct ct_run_cell *cell)
{
    return run->cell_count > 0 &&
           bsearch(cell, run->cells, run->cell_count, sizeof *run->cells, ct_run_cell_compare) != NULL;
}

struct ct_run_cell ct_sample_cell(const struct ct_sample *sample, enum ct_collective collective)
{
    return (struct ct_run_cell){.launch = sample->launch, .collective = collective, .key = sample->key};
}

int ct_run_cell_compare(const void *a, const void *b)
{
    const struct ct_run_cell *left = a, *right = b;
    if (left->launch != right->launch)
        return CT_COMPARE(left->launch, right->launch);
    if (left->collective != right->collective)
        return CT_COMPARE(left->collective, right->collective);
    return ct_cell_key_compare(&left->key, &right->key);
}

/* --- writing --- */

/* A rename is on the disk once the folder is. */
static int sync_folder(const char *path, struct ct_error *error)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY);
    int failed = folder < 0 || fsync(folder) != 0;
    int reason = errno;
    if (folder >= 0)
        close(folder);
    return failed ? ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(reason)) : CT_OK;
}

/* Puts both files into `folder`, synced. */
static int fill(const char *folder, const struct ct_text *description, const char *samples, size_t length,
                struct ct_error *error)
{
    mode_t mask = umask(0);
    umask(mask);
    if (chmod(folder, 0777 & ~mask) != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", folder, strerror(errno));
    char *xml = ct_format("%s/run.xml", folder), *csv = ct_format("%s/samples.csv", folder);
    int status = xml && csv ? CT_OK : ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    if (status == CT_OK)
        status = ct_file_create(xml, description->data, description->length, error);
    if (status == CT_OK)
        status = ct_file_create(csv, samples, length, error);
    free(xml);
    free(csv);
    return status == CT_OK ? sync_folder(folder, error) : status;
}

/* Gives `ready` the name `folder`, which must be free. An empty folder reserves the name: rename() may
 * replace that, and nothing else. */
static int put_in_place(const char *ready, const char *folder, const char *above, struct ct_error *error)
{
    if (mkdir(folder, 0777) != 0)
        return errno == EEXIST
                   ? ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", folder)
                   : ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
    if (rename(ready, folder) != 0) {
        int status = ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
        rmdir(folder);
        return status;
    }
    return sync_folder(above, error);
}

/* Refuses to write a description that could not be read back. */
static int check(const char *folder, const struct ct_text *text, struct ct_error *error)
{
    char *name = ct_format("%s/run.xml", folder);
    if (!name || text->failed) {
        free(name);
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    }
    struct ct_run_description copy;
    int status = ct_run_description_read(text->data, text->length, name, error, &copy);
    if (status == CT_OK)
        ct_run_description_free(&copy);
    free(name);
    return status;
}

/* Makes the run under a temporary name and renames it when it is whole. */
static int create(const char *path, const struct ct_run_description *description, const char *samples,
                  size_t length, struct ct_error *error)
{
    struct ct_text text = {0};
    struct stat what;
    char *folder = strdup(path), *above = NULL, *ready = NULL;
    int status = CT_E_MEMORY;
    if (!folder)
        goto done;
    for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/'; end--)
        folder[end - 1] = '\0';
    const char *slash = strrchr(folder, '/');
    above = slash ? strndup(folder, slash > folder ? (size_t)(slash - folder) : 1) : strdup(".");
    ready = ct_format("%s.XXXXXX", folder);
    if (!above || !ready)
        goto done;
    ct_run_description_write(description, &text);
    if (!*folder)
        status = ct_fail(error, CT_E_INPUT, "expected the name of a folder for the run");
    else if (lstat(folder, &what) == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", folder);
    else
        status = check(folder, &text, error);
    if (status == CT_OK)
        status = ct_folder_make(above, error);
    if (status != CT_OK)
        goto done;
    if (!mkdtemp(ready)) {
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
        goto done;
    }
    status = fill(ready, &text, samples, length, error);
    if (status == CT_OK)
        status = put_in_place(ready, folder, above, error);
    if (status != CT_OK)
        ct_remove_all(ready, NULL);
done:
    ct_text_free(&text);
    free(ready);
    free(above);
    free(folder);
    return status == CT_E_MEMORY ? ct_fail(error, status, "%s: out of memory", path) : status;
}

int ct_run_write(const char *folder, const struct ct_run *run, struct ct_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    int status = file ? ct_samples_write(run, file) : CT_E_MEMORY;
    if (file && fclose(file) != 0 && status == CT_OK)
        status = CT_E_MEMORY;
    if (status == CT_OK)
        status = create(folder, &run->description, text, length, error);
    else
        ct_fail(error, status, "%s: %s", folder,
                status == CT_E_INPUT ? "a sample that no run may hold" : "out of memory");
    free(text);
    return status;
}

int ct_run_create(const char *folder, const struct ct_run_description *description, struct ct_error *error)
{
    const struct ct_run empty = {.description = *description};
    return ct_run_write(folder, &empty, error);
}

int ct_run_set_sweep(const char *folder, const struct ct_sweep_state *state, struct ct_error *error)
{
    char *path = ct_format("%s/run.xml", folder), *old = NULL;
    size_t length;
    struct ct_run_description description = {0};
    struct ct_text text = {0};
    int status = path ? ct_file_read(path, error, &old, &length) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_run_description_read(old, length, path, error, &description);
    if (status != CT_OK)
        goto done;
    ct_sweep_state_free(&description.sweep);
    status = ct_sweep_state_copy(state, &description.sweep);
    if (status != CT_OK)
        goto done;
    ct_run_description_write(&description, &text);
    status = check(folder, &text, error);
    if (status == CT_OK)
        status = ct_file_write(path, text.data, text.length, error);
done:
    ct_run_description_free(&description);
    ct_text_free(&text);
    free(old);
    free(path);
    return status == CT_E_MEMORY ? ct_fail(error, status, "%s: out of memory", folder) : status;
}
