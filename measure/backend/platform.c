/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/platform.h"
#include "base/data.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "plan/node_channel.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const shipped[] = {"ethernet100", "gigabit", "fattree", "dragonfly"};

enum { SHIPPED = sizeof shipped / sizeof shipped[0] };

const char *ct_platform_choice(size_t index)
{
    return index < SHIPPED ? shipped[index] : NULL;
}

/* Flops per byte where a platform does not say: half a nanosecond and a quarter a byte at 1 Gf. */
static const char usual_gamma[] = "0.5", usual_delta[] = "0.25";

enum { HOSTS_MAX = 1 << 20 };

static int find(const char *name, struct ct_error *error, char **ret_path)
{
    size_t length = strlen(name);
    if (strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0)) {
        struct stat about;
        if (access(name, R_OK) != 0 || stat(name, &about) != 0)
            return ct_fail(error, CT_E_INPUT, "%s: there is no such platform file", name);
        if (S_ISDIR(about.st_mode))
            return ct_fail(error, CT_E_INPUT, "%s: is a folder: expected a platform file", name);
        *ret_path = realpath(name, NULL);
        return *ret_path ? CT_OK : CT_E_MEMORY;
    }
    for (size_t i = 0; i < SHIPPED; i++) {
        if (strcmp(shipped[i], name) != 0)
            continue;
        char file[80];
        snprintf(file, sizeof file, "measure/backend/platforms/%s.xml", name);
        return ct_data_path(file, error, ret_path);
    }
    struct ct_text names = {0};
    ct_text_append_choices(&names, shipped, SHIPPED);
    int status = names.failed
                     ? CT_E_MEMORY
                     : ct_fail(error, CT_E_INPUT, "unknown platform '%s'; expected %s, or a file NAME.xml",
                               name, names.data);
    ct_text_free(&names);
    return status;
}

/* --- hosts: <host id="..."> and <cluster prefix="..." radical="0-63,70" suffix="..."> in the file's order
 * --- */

/* The option of SMPI that gives links other latencies than they say, unless this is its value. */
static const char factor_option[] = "smpi/lat-factor", no_factor[] = "0:1";

struct hosts {
    struct ct_platform *platform;
    size_t capacity;
    size_t elements;   /* that made hosts */
    bool is_irregular; /* of a cluster: not all its links are alike and of two directions */
    bool has_no_factor;
    const char *path;
    struct ct_error *error;
};

/* Takes `host` over. */
static int add_host(struct hosts *hosts, char *host)
{
    struct ct_platform *platform = hosts->platform;
    size_t need = platform->host_count + 1;
    if (!host || ct_grow(&platform->hosts, &hosts->capacity, need, sizeof *platform->hosts) != CT_OK) {
        free(host);
        return CT_E_MEMORY;
    }
    platform->hosts[platform->host_count++] = host;
    return CT_OK;
}

static int add_radical(struct hosts *hosts, const char *prefix, const char *radical, const char *suffix,
                       long line)
{
    for (const char *at = radical; *at;) {
        char *end;
        unsigned long first = strtoul(at, &end, 10), last = first;
        bool good = *at >= '0' && *at <= '9';
        if (good && *end == '-' && end[1] >= '0' && end[1] <= '9')
            last = strtoul(end + 1, &end, 10);
        if (!good || (*end && *end != ',') || last < first || last - first >= HOSTS_MAX)
            return ct_fail(hosts->error, CT_E_INPUT,
                           "%s, line %ld: '%s' is no radical: expected one like 0-63", hosts->path, line,
                           radical);
        for (unsigned long i = first; i <= last; i++) {
            int status = add_host(hosts, ct_format("%s%lu%s", prefix, i, suffix));
            if (status != CT_OK)
                return status;
        }
        at = *end ? end + 1 : end;
    }
    return CT_OK;
}

/* For each regime of the channel through shared memory "SECONDS:SECONDS PER BYTE", separated by semicolons.
 */
static bool is_node_costs(const char *value)
{
    size_t count = 0;
    char *copy = strdup(value), *rest = copy;
    bool good = copy != NULL;
    for (char *regime = strsep(&rest, ";"); good && regime; regime = strsep(&rest, ";")) {
        char *per_byte = strchr(regime, ':');
        double numbers[2] = {-1, -1};
        if (per_byte)
            *per_byte++ = '\0';
        good = per_byte && ct_number_parse(regime, &numbers[0]) == CT_OK &&
               ct_number_parse(per_byte, &numbers[1]) == CT_OK && numbers[0] >= 0 && numbers[1] >= 0;
        count++;
    }
    free(copy);
    return good && count == CT_NODE_REGIMES;
}

/* The first value of a property counts. */
static int take_property(struct hosts *hosts, const char *id, const char *value, long line)
{
    struct ct_platform *platform = hosts->platform;
    const struct {
        const char *id;
        char **place;
    } known[] = {{"colltune.gamma_flops", &platform->gamma_flops},
                 {"colltune.delta_flops", &platform->delta_flops},
                 {"colltune.node_costs", &platform->node_costs}};
    char **place = NULL;
    if (strcmp(id, factor_option) == 0)
        hosts->has_no_factor = strcmp(value, no_factor) == 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        place = strcmp(id, known[i].id) == 0 ? known[i].place : place;
    if (!place || *place)
        return CT_OK;
    if (place == &platform->node_costs && !is_node_costs(value))
        return ct_fail(
            hosts->error, CT_E_INPUT,
            "%s, line %ld: colltune.node_costs '%.80s': expected SECONDS:SECONDS_PER_BYTE for each of "
            "the %d regimes, separated by ';'",
            hosts->path, line, value, CT_NODE_REGIMES);
    *place = strdup(value);
    return *place ? CT_OK : CT_E_MEMORY;
}

/* SimGrid's seconds, "250ns"; 0 if they cannot be read. */
static double seconds_of(const char *text)
{
    static const struct {
        const char *name;
        double in_a_second;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}, {"ps", 1e12}};
    char *unit;
    const double number = strtod(text, &unit);
    for (size_t i = 0; unit > text && number >= 0 && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0)
            return number / units[i].in_a_second;
    return 0;
}

/* The topology of a cluster whose links are all alike; others are not known. SimGrid has commas between the
 * lengths of a torus. */
static int take_topology(struct ct_platform *platform, const char *kind, const char *parameters,
                         const char *latency)
{
    static const struct {
        const char *theirs, *ours;
        char comma;
    } kinds[] = {{"FAT_TREE", "fattree", ','}, {"TORUS", "torus", 'x'}, {"DRAGONFLY", "dragonfly", ','}};
    for (size_t i = 0; !platform->topology && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kind, kinds[i].theirs) != 0)
            continue;
        platform->topology = ct_format("%s:%s", kinds[i].ours, parameters);
        for (char *at = platform->topology; at && (at = strchr(at, ',')); at++)
            *at = kinds[i].comma;
        platform->hop_latency = latency ? seconds_of(latency) : 0;
        return platform->topology ? CT_OK : CT_E_MEMORY;
    }
    return CT_OK;
}

static bool has_attribute(xmlNode *node, const char *name, const char *usual)
{
    xmlChar *value = xmlGetProp(node, BAD_CAST name);
    const bool has = value && !(usual && xmlStrEqual(value, BAD_CAST usual));
    xmlFree(value);
    return has;
}

static int visit(struct hosts *hosts, xmlNode *node)
{
    enum { ID, VALUE, PREFIX, RADICAL, SUFFIX, TOPOLOGY, PARAMETERS, LATENCY, ATTRIBUTES };
    static const char *const names[ATTRIBUTES] = {"id",     "value",    "prefix",          "radical",
                                                  "suffix", "topology", "topo_parameters", "lat"};
    char *texts[ATTRIBUTES];
    int status = CT_OK;
    for (int i = 0; i < ATTRIBUTES; i++)
        texts[i] = (char *)xmlGetProp(node, BAD_CAST names[i]);
    if (xmlStrEqual(node->name, BAD_CAST "host") && texts[ID]) {
        status = add_host(hosts, strdup(texts[ID]));
        hosts->elements++;
    } else if (xmlStrEqual(node->name, BAD_CAST "cluster") && texts[RADICAL]) {
        status = add_radical(hosts, texts[PREFIX] ? texts[PREFIX] : "", texts[RADICAL],
                             texts[SUFFIX] ? texts[SUFFIX] : "", xmlGetLineNo(node));
        hosts->elements++;
        hosts->is_irregular |= has_attribute(node, "bb_bw", NULL) ||
                               has_attribute(node, "limiter_link", NULL) ||
                               has_attribute(node, "sharing_policy", "SPLITDUPLEX");
        if (status == CT_OK && texts[TOPOLOGY] && texts[PARAMETERS])
            status = take_topology(hosts->platform, texts[TOPOLOGY], texts[PARAMETERS], texts[LATENCY]);
    } else if (xmlStrEqual(node->name, BAD_CAST "prop") && texts[ID] && texts[VALUE]) {
        status = take_property(hosts, texts[ID], texts[VALUE], xmlGetLineNo(node));
    }
    for (int i = 0; i < ATTRIBUTES; i++)
        xmlFree(texts[i]);
    return status;
}

/* The element after `node` in document order; NULL after the last. */
static xmlNode *next_element(xmlNode *node)
{
    xmlNode *next = xmlFirstElementChild(node);
    for (; node && !next; node = node->type == XML_ELEMENT_NODE ? node->parent : NULL)
        next = node->type == XML_ELEMENT_NODE ? xmlNextElementSibling(node) : NULL;
    return next;
}

static int parse(const char *path, struct ct_error *error, xmlDoc **ret_document)
{
    xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    if (root && xmlStrEqual(root->name, BAD_CAST "platform")) {
        *ret_document = document;
        return CT_OK;
    }
    const xmlError *last = document ? NULL : xmlGetLastError();
    xmlFreeDoc(document);
    return ct_fail(error, CT_E_INPUT, "%s, line %d: expected a SimGrid platform", path,
                   last && last->line > 0 ? last->line : 1);
}

static int read_platform(const char *path, struct ct_error *error, struct ct_platform *platform)
{
    xmlDoc *document;
    int status = parse(path, error, &document);
    if (status != CT_OK)
        return status;
    struct hosts hosts = {.platform = platform, .path = path, .error = error};
    for (xmlNode *node = xmlDocGetRootElement(document); status == CT_OK && node; node = next_element(node))
        status = visit(&hosts, node);
    if (hosts.elements != 1) {
        free(platform->topology);
        platform->topology = NULL;
    }
    platform->is_plain = hosts.elements == 1 && !hosts.is_irregular && hosts.has_no_factor;
    if (status == CT_OK && platform->host_count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: the platform has no <host> and no <cluster>", path);
    xmlFreeDoc(document);
    return status;
}

int ct_platform_load(const char *name, struct ct_error *error, struct ct_platform *ret_platform)
{
    struct ct_platform platform = {0};
    int status;
    if ((status = find(name, error, &platform.path)) != CT_OK ||
        (status = read_platform(platform.path, error, &platform)) != CT_OK)
        goto failed;
    platform.name = strdup(name);
    platform.gamma_flops = platform.gamma_flops ? platform.gamma_flops : strdup(usual_gamma);
    platform.delta_flops = platform.delta_flops ? platform.delta_flops : strdup(usual_delta);
    status = platform.name && platform.gamma_flops && platform.delta_flops ? CT_OK : CT_E_MEMORY;
    if (status != CT_OK)
        goto failed;
    *ret_platform = platform;
    return CT_OK;
failed:
    ct_platform_free(&platform);
    return status;
}

void ct_platform_free(struct ct_platform *platform)
{
    for (size_t i = 0; i < platform->host_count; i++)
        free(platform->hosts[i]);
    free(platform->hosts);
    free(platform->name);
    free(platform->path);
    free(platform->gamma_flops);
    free(platform->delta_flops);
    free(platform->node_costs);
    free(platform->topology);
    *platform = (struct ct_platform){0};
}

/* --- hosts with more cores --- */

static int give_cores(xmlNode *node, size_t cores)
{
    if (!xmlStrEqual(node->name, BAD_CAST "host") && !xmlStrEqual(node->name, BAD_CAST "cluster"))
        return CT_OK;
    char text[24], *before = (char *)xmlGetProp(node, BAD_CAST "core");
    const bool enough = before && strtoul(before, NULL, 10) >= cores;
    xmlFree(before);
    snprintf(text, sizeof text, "%zu", cores);
    return enough || xmlSetProp(node, BAD_CAST "core", BAD_CAST text) ? CT_OK : CT_E_MEMORY;
}

int ct_platform_copy(const struct ct_platform *platform, size_t cores, const char *path,
                     struct ct_error *error)
{
    xmlDoc *document;
    xmlChar *text = NULL;
    int length = 0, status = parse(platform->path, error, &document);
    if (status != CT_OK)
        return status;
    for (xmlNode *node = xmlDocGetRootElement(document); status == CT_OK && node; node = next_element(node))
        status = give_cores(node, cores);
    if (status == CT_OK)
        xmlDocDumpMemory(document, &text, &length);
    xmlFreeDoc(document);
    if (!text)
        return CT_E_MEMORY;
    status = ct_file_write(path, (const char *)text, (size_t)length, error);
    xmlFree(text);
    return status;
}
