/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/backend_simulated.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "measure/backend/asked_channel.h"
#include "measure/backend/launcher.h"
#include "measure/backend/node_platform.h"
#include "measure/backend/place_launch.h"
#include "measure/backend/word_list.h"

#include <stdlib.h>
#include <string.h>

/* Ranks of a host send each other messages through shared memory, unless COLLTUNE_NODE=mpi is set. */
static int open_node(const struct ct_place_request *request, struct ct_error *error, struct ct_place *place)
{
    enum ct_node_channel channel = CT_NODE_CHANNEL_MPI;
    int status = ct_asked_channel(error, &channel);
    if (status != CT_OK || request->ppn < 2 || !place->platform.node_costs ||
        channel != CT_NODE_CHANNEL_SHARED)
        return status;
    return ct_node_platform_keep(&place->mpi, error, &place->node_platform);
}

/* smpirun takes -n as mpiexec does: it is a launcher whose command begins with its own options. */
static int open_simulated(const struct ct_place_request *request, struct ct_error *error,
                          struct ct_place *place)
{
    static const struct ct_launch launch = {.np = 1};
    const char *options = request->simulator_options;
    if (request->launcher)
        return ct_fail(error, CT_E_INPUT, "--launcher has no meaning on a simulated machine");
    if (request->hostfile)
        return ct_fail(error, CT_E_INPUT,
                       "--hostfile has no meaning on a simulated machine, which has its hosts");
    int status = ct_platform_load(request->simulate, error, &place->platform);
    if (status == CT_OK)
        status = ct_mpi_find("smpi", request->cc, error, &place->mpi);
    if (status != CT_OK)
        return status;
    if (!place->mpi.launcher)
        return ct_fail(error, CT_E_SYSTEM, "no smpirun was found: install the package libsimgrid-dev");
    status = open_node(request, error, place);
    if (status != CT_OK)
        return status;
    bool is_file = strchr(request->simulate, '/') || strstr(request->simulate, ".xml");
    place->name = strdup(is_file ? place->platform.path : place->platform.name);
    place->simulator_options = options ? strdup(options) : NULL;
    char *smpirun = ct_launcher_of(place->mpi.launcher);
    if (smpirun)
        place->launcher =
            ct_format("%s --log=root.thres:warning %s%s", smpirun,
                      place->node_platform ? CT_NODE_PLATFORM_OPTIONS : "", options ? options : "");
    free(smpirun);
    if (!place->name || !place->launcher || (options && !place->simulator_options))
        return CT_E_MEMORY;
    return ct_launcher_check(place->launcher, &launch, error);
}

static int describe_simulated(const struct ct_place *place, struct ct_error *error,
                              struct ct_run_description *description)
{
    const struct ct_platform *platform = &place->platform;
    char checksum[CT_CHECKSUM_TEXT], hosts[CT_NUMBER_TEXT];
    int status = ct_file_checksum(platform->path, error, checksum);
    if (status != CT_OK)
        return status;
    const struct {
        const char *name, *value;
    } properties[] = {{"platform.sha256", checksum},
                      {"platform.hosts", ct_number_format((double)platform->host_count, hosts)},
                      {"platform.gamma_flops", platform->gamma_flops},
                      {"platform.delta_flops", platform->delta_flops},
                      {"platform.cores", place->ppn > 1 ? "ppn" : NULL},
                      {"platform.node_costs", place->node_platform ? platform->node_costs : NULL}};
    for (size_t i = 0; status == CT_OK && i < sizeof properties / sizeof properties[0]; i++)
        if (properties[i].value)
            status = ct_run_add_property(description, properties[i].name, properties[i].value);
    description->sweep.platform_sha256 = strdup(checksum);
    return description->sweep.platform_sha256 ? status : CT_E_MEMORY;
}

/* Ranks fill up one host after the other. */
static int write_hosts(const struct ct_place *place, size_t ranks, const char *path, struct ct_error *error)
{
    const struct ct_platform *platform = &place->platform;
    size_t ppn = place->ppn ? place->ppn : 1;
    struct ct_text text = {0};
    if (ranks > ct_place_room(place))
        return ct_fail(error, CT_E_INPUT, "%zu ranks: the platform %s has %zu hosts%s", ranks, platform->name,
                       platform->host_count, ppn > 1 ? ", and --ppn is not enough" : "");
    for (size_t i = 0; i < ranks; i++)
        ct_text_append(&text, "%s\n", platform->hosts[i / ppn]);
    int status = text.failed ? CT_E_MEMORY : ct_file_write(path, text.data, text.length, error);
    ct_text_free(&text);
    return status;
}

/* smpirun splits the words of a program, and the name of the file of hosts, at blanks. If the folder of the
 * log has blanks in its name, the job runs in that folder, and files there have names without it. Returns the
 * folder with a slash at its end, or "" if the job runs where we do. Caller frees the result. */
static char *working_folder(const char *log)
{
    const char *slash = strrchr(log, '/');
    const size_t length = slash ? (size_t)(slash - log) + 1 : 0;
    return strndup(log, memchr(log, ' ', length) || memchr(log, '\t', length) ? length : 0);
}

/* A word as it is understood in the working folder. */
static void add_word(const char *folder, const char *word, struct ct_word_list *words)
{
    const size_t length = strlen(folder);
    ct_word_list_add(words, strdup(strncmp(word, folder, length) == 0 ? word + length : word));
}

/* The name of a file that is understood in the working folder, too. Caller frees it. */
static char *file_from(const char *folder, const char *path)
{
    return *folder && strchr(path, '/') ? realpath(path, NULL) : strdup(path);
}

/* The file that describes the hosts: where several ranks share one, a copy behind the log's name that gives
 * each rank a core. With one core for all they would reduce and copy in turn. `words` then tells where
 * SimGrid finds files that the platform's file names; the words of smpirun hold no blanks. */
static int choose_file(const struct ct_place *place, const char *folder, const char *log,
                       struct ct_error *error, struct ct_word_list *words, char **ret_path)
{
    char *original = file_from(folder, place->platform.path);
    if (!original)
        return CT_E_MEMORY;
    if (place->ppn <= 1) {
        *ret_path = original;
        return CT_OK;
    }
    const char *slash = strrchr(original, '/');
    char *copy = ct_format("%s.platform.xml", log);
    int status = copy ? ct_platform_copy(&place->platform, place->ppn, copy, error) : CT_E_MEMORY;
    if (slash && !strpbrk(original, " \t\n"))
        ct_word_list_add(words, ct_format("--cfg=path:%.*s", (int)(slash - original), original));
    if (status == CT_OK && words->status == CT_OK && !(*ret_path = file_from(folder, copy)))
        status = CT_E_MEMORY;
    free(copy);
    free(original);
    return status == CT_OK ? words->status : status;
}

/* What SMPI charges each look for messages that is in vain, in seconds: 100 us each, and ever more, unless it
 * is told so. Calls of plans wait; set-ups of routes look (library/execute/set_up.c). */
static const char *const looks[] = {"--cfg=smpi/test:1e-6", "--cfg=smpi/iprobe:1e-6", NULL};

/* Variables that make the platform write its network (node_platform.h); none, if that is not asked for. */
static void ask_network(const struct ct_place *place, struct ct_text *file, struct ct_text *hosts)
{
    const struct ct_platform *platform = &place->platform;
    if (!place->routes_to)
        return;
    ct_text_append(file, "COLLTUNE_ROUTES=%s", place->routes_to);
    ct_text_append(hosts, "COLLTUNE_HOSTS=");
    for (size_t i = 0; i < platform->host_count && i < place->route_hosts; i++)
        ct_text_append(hosts, "%s\n", platform->hosts[i]);
}

static int start_simulated(const struct ct_place *place, size_t ranks, const char *const *command,
                           const char *log, struct ct_error *error, struct ct_process *ret_process)
{
    char *hosts = ct_format("%s.hosts", log);
    char *gamma = ct_format("COLLTUNE_GAMMA_FLOPS=%s", place->platform.gamma_flops);
    char *delta = ct_format("COLLTUNE_DELTA_FLOPS=%s", place->platform.delta_flops);
    const char *costs = place->node_platform ? place->platform.node_costs : "";
    char *node = ct_format("COLLTUNE_NODE_COSTS=%s", costs);
    char *file = NULL, *platform = NULL, *folder = working_folder(log);
    struct ct_text network = {0}, asked = {0};
    struct ct_word_list words = {0};
    int status =
        hosts && gamma && delta && node && folder ? write_hosts(place, ranks, hosts, error) : CT_E_MEMORY;
    if (status != CT_OK || (status = choose_file(place, folder, log, error, &words, &file)) != CT_OK)
        goto done;
    ask_network(place, &network, &asked);
    ct_word_list_add_all(&words, looks);
    ct_word_list_add(&words, strdup("-platform"));
    ct_word_list_add(&words, place->node_platform ? file_from(folder, place->node_platform) : strdup(file));
    ct_word_list_add(&words, strdup("-hostfile"));
    add_word(folder, hosts, &words);
    ct_word_list_add(&words, file_from(folder, command[0]));
    for (size_t i = 1; command[i]; i++)
        add_word(folder, command[i], &words);
    platform = ct_format("COLLTUNE_PLATFORM=%s", file);
    status = platform && !network.failed && !asked.failed ? words.status : CT_E_MEMORY;
    if (status == CT_OK) {
        const char *const environment[] = {
            gamma,      delta, platform, place->routes_to ? network.data : place->node_platform ? node : NULL,
            asked.data, NULL};
        const struct ct_process_options options = {
            .output = log, .folder = *folder ? folder : NULL, .environment = environment};
        status = ct_place_launch(place, ranks, (const char *const *)words.data, &options, error, ret_process);
    }
done:
    ct_word_list_free(&words);
    free(hosts);
    free(gamma);
    free(delta);
    free(node);
    free(file);
    free(platform);
    free(folder);
    ct_text_free(&network);
    ct_text_free(&asked);
    return status;
}

const struct ct_backend ct_backend_simulated = {.name = "simulated",
                                                .exact = true,
                                                .least_repetitions = 1,
                                                .most_repetitions = 1,
                                                .launches = 1,
                                                .timeout = 600,
                                                .sync = "clock",
                                                .open = open_simulated,
                                                .describe = describe_simulated,
                                                .start = start_simulated};
