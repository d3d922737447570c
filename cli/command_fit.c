/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "measure/backend/machine.h"
#include "measure/backend/platform.h"
#include "measure/backend/platform_routes.h"
#include "measure/sweep/point_to_point.h"
#include "models/contention/interconnect.h"
#include "models/fit/fit_model.h"
#include "models/fit/fit_run.h"
#include "models/model_file.h"
#include "samples/point_foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct settings {
    struct ct_point_request request;
    const char *output;
    const char *samples;
    const char *name;
    size_t seed;
    bool extremes;
    int link;
    const char *topology;
    double hop_latency;
};

#define AT(member) .offset = offsetof(struct settings, member)

static const char *link_choice(size_t index)
{
    return index < CT_LINK_KINDS ? ct_link_kind_names[index] : NULL;
}

static const struct ct_option options[] = {
    {"output", 'o', "MODEL.xml", CT_OPTION_TEXT, AT(output), .required = true, .output = CT_OUTPUT_FILE,
     .text = "write the model to this file, which must not exist"},
    {"samples", 0, "FILE.csv", CT_OPTION_TEXT, AT(samples), .output = CT_OUTPUT_FILE,
     .text = "also write the measured times to this file, for another fit"},
    {"name", 0, "WORD", CT_OPTION_TEXT, AT(name), .usual_text = "that of the file",
     .text = "give the model this name"},
    {"extremes", 0, NULL, CT_OPTION_FLAG, AT(extremes),
     .text = "fit Hockney by the shortest time and the largest bandwidth, not by relative least squares"},
    {"seed", 0, "N", CT_OPTION_WHOLE, AT(seed), .most = UINT32_MAX, .usual = "1",
     .text = "draw the resamples for confidence intervals from this seed"},
    {"link", 0, "LINK", CT_OPTION_CHOICE, AT(link), .choice = link_choice,
     .text = "take the times in another program's file as those of messages between nodes (network) or on "
             "one node (node), because the file does not say which"},
    {"topology", 0, "SHAPE", CT_OPTION_TEXT, AT(topology),
     .usual_text = "that of --simulate, else one switch",
     .text = "record how nodes are connected, for predictions: fattree:LEVELS;DOWN;UP;CABLES, torus:XxYxZ or "
             "dragonfly:GROUPS,N;CHASSIS,N;ROUTERS,N;NODES"},
    {"hop-latency", 0, "SECONDS", CT_OPTION_NUMBER, AT(hop_latency), .usual_text = "0",
     .text = "with --topology: record the seconds that each link of a route adds to a message"},
    {0},
};

/* They mean nothing where the times are measured already. */
static const struct ct_option measuring_options[] = {
    CT_HEADING("Where to measure"),
    {"launcher", 0, "COMMAND", CT_OPTION_TEXT, AT(request.place.launcher), .usual_text = "mpiexec of the MPI",
     .text = "start the ranks with this command: one that takes -n NP, or '... {np} ... {cmd}'"},
    {"simulate", 0, "PLATFORM", CT_OPTION_TEXT, AT(request.place.simulate), .choice = ct_platform_choice,
     .text = "simulate a platform, which is a SimGrid file or one of"},
    {"simulator-options", 0, "WORDS", CT_OPTION_TEXT, AT(request.place.simulator_options),
     .text = "pass these options to smpirun"},
    {"mpi", 0, "NAME", CT_OPTION_TEXT, AT(request.place.mpi), .usual_text = "mpich",
     .text = "use mpich or openmpi"},
    {"cc", 0, "MPICC", CT_OPTION_TEXT, AT(request.place.cc), .usual_text = "that of the MPI",
     .text = "compile with this compiler wrapper of the MPI"},
    {"ranks", 0, "N", CT_OPTION_WHOLE, AT(request.ranks), .least = 2, .most = 1 << 20, .usual_text = "2",
     .text = "start N ranks: rank 0 measures with up to four on its node and four on other nodes"},
    {"ppn", 0, "N", CT_OPTION_WHOLE, AT(request.place.ppn), .least = 1, .most = 1 << 16,
     .usual_text = "as the launcher places them; simulated: 1", .text = "place N ranks on each node"},

    CT_HEADING("How to measure"),
    {"msg-sizes", 0, "LIST", CT_OPTION_TEXT, AT(request.msg_sizes), .usual_text = "0,1-4M*2,48-3M*2",
     .text = "use these message sizes in bytes"},
    {"seconds", 0, "TIME", CT_OPTION_TIME, AT(request.seconds), .usual_text = "0.05s",
     .text = "spend this time on one kind of measurement at one size"},
    {"max-repetitions", 0, "N", CT_OPTION_WHOLE, AT(request.most_repetitions), .least = 1, .most = 1 << 20,
     .usual_text = "200", .text = "repeat one kind of measurement at one size at most N times"},
    {"timeout", 0, "TIME", CT_OPTION_TIME, AT(request.timeout), .usual_text = "1m",
     .text = "treat the job as hung after this time without a new result"},
    {0},
};

static int begin(void *settings, struct ct_bindings *bindings)
{
    ct_bind(bindings, (struct ct_binding){.options = measuring_options, .settings = settings});
    return CT_OK;
}

/* Another launcher than the MPI's own may start ranks elsewhere. */
static int check_ranks(const struct ct_point_request *request, struct ct_error *error)
{
    const size_t cpus = ct_usable_cpus(), most = CT_RANKS_OF_A_CPU * cpus;
    if (request->place.simulate || request->place.launcher || request->ranks <= most)
        return CT_OK;
    return ct_fail(error, CT_E_INPUT,
                   "--ranks: %zu ranks on %zu CPU%s are more than %d on each; expected at most %zu, or "
                   "--launcher",
                   request->ranks, cpus, ct_s(cpus), CT_RANKS_OF_A_CPU, most);
}

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    for (size_t i = 0; arguments->count > 0 && i < arguments->given_count; i++) {
        const char *name = arguments->given[i].option->name;
        if (ct_option_find(measuring_options, name) || strcmp(name, "samples") == 0)
            return ct_fail(error, CT_E_INPUT, "--%s: cannot be combined with %s, which is measured already",
                           name, arguments->words[0]);
    }
    return check_ranks(&settings->request, error);
}

/* --- the model as tables --- */

/* Units that people read: microseconds, and nanoseconds per byte. */
static const double micro = 1e6, nano = 1e9;

static bool is_per_byte(const char *parameter)
{
    return strcmp(parameter, "beta") == 0 || strcmp(parameter, "gap-per-byte") == 0;
}

/* Prints no interval that has no width. */
static void show_interval(const struct ct_interval *interval, double unit)
{
    if (interval->low < interval->high)
        printf("  %.4g to %.4g", unit * interval->low, unit * interval->high);
    putchar('\n');
}

static void show_parameters(const struct ct_link *link, enum ct_communication_model model)
{
    for (int i = 0; i < CT_LINK_PARAMETERS; i++) {
        const struct ct_link_parameter *parameter = &ct_link_parameters[i];
        if (parameter->model != model)
            continue;
        double unit = is_per_byte(parameter->name) ? nano : micro;
        printf("  %-8s %-14s %10.4g %-7s", ct_communication_model_names[model], parameter->name,
               unit * ct_link_parameter_of(link, parameter), is_per_byte(parameter->name) ? "ns/byte" : "us");
        show_interval(&link->intervals[i], unit);
    }
}

static void show_curves(const struct ct_plogp *plogp)
{
    printf("Points of g(m), which is linear between them:\n  %10s %12s %12s %12s\n", "bytes", "g us",
           "o_s us", "o_r us");
    for (size_t i = 0; i < plogp->gap.count; i++) {
        char size[CT_SIZE_TEXT];
        double bytes = plogp->gap.points[i].bytes;
        printf("  %10s %12.4g %12.4g %12.4g\n", ct_size_format((size_t)bytes, size),
               micro * plogp->gap.points[i].seconds, micro * ct_curve_at(&plogp->send_overhead, bytes),
               micro * ct_curve_at(&plogp->receive_overhead, bytes));
    }
}

/* The parameters of a regime, and which messages it is of, if there are several. */
static void show_regime(const struct ct_link *link, const struct ct_link *regime)
{
    char from[CT_SIZE_TEXT];
    if (link->regime_count > 0)
        printf("from %s bytes on:\n", ct_size_format((size_t)regime->from, from));
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        if (regime->known[model] && model != CT_MODEL_PLOGP)
            show_parameters(regime, (enum ct_communication_model)model);
}

static void show_link(const struct ct_link *link, const char *title)
{
    char bytes[CT_SIZE_TEXT];
    if (!link->known[CT_MODEL_HOCKNEY])
        return;
    printf("Messages %s (with 95 %% confidence intervals):\n", title);
    show_regime(link, link);
    for (size_t i = 0; i < link->regime_count; i++)
        show_regime(link, &link->regimes[i]);
    if (link->regime_count > 0)
        printf("for all sizes:\n");
    if (link->known[CT_MODEL_PLOGP])
        show_parameters(link, CT_MODEL_PLOGP);
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
        const struct ct_goodness *goodness = &link->goodness[model];
        if (link->known[model])
            printf("  %-8s mean error %.1f %% over %zu size%s, largest %.1f %% at %s bytes\n",
                   ct_communication_model_names[model], 100 * goodness->mean_error, goodness->sizes,
                   ct_s(goodness->sizes), 100 * goodness->worst_error,
                   ct_size_format((size_t)goodness->worst_bytes, bytes));
    }
    if (link->known[CT_MODEL_PLOGP])
        show_curves(&link->plogp);
}

static void show_model(const struct ct_model *model)
{
    show_link(&model->links[CT_LINK_NETWORK], "between nodes");
    show_link(ct_model_node_link(model, CT_NODE_CHANNEL_MPI), "on one node, through MPI");
    show_link(ct_model_node_link(model, CT_NODE_CHANNEL_SHARED), "on one node, through shared memory");
    if (model->work_count == 0)
        return;
    printf("Local work: gamma %.4g, delta %.4g ns/byte\n", nano * model->gamma, nano * model->delta);
    for (size_t i = 0; i < model->work_count; i++) {
        const struct ct_local_work *work = &model->work[i];
        printf("  %-8s %-14s %10.4g %-7s", work->operation, work->type, nano * work->seconds_per_byte,
               "ns/byte");
        show_interval(&work->interval, nano);
    }
}

/* --- measuring and fitting --- */

/* Measures, and writes the samples to a file if that is asked for. */
static int measure(const struct settings *settings, struct ct_error *error,
                   struct ct_point_samples *ret_samples)
{
    struct ct_text file = {0};
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_fit);
    struct ct_point_request request = settings->request;
    const char *name = settings->samples ? settings->samples : "the measured times";
    int status = settings->samples ? ct_is_new(settings->samples, error) : CT_OK;
    if (status != CT_OK)
        return status;
    request.watch = &watch;
    status = ct_point_measure(&request, error, &file);
    ct_bar_end(&bar);
    if (status == CT_OK && settings->samples)
        status = ct_file_create(settings->samples, file.data, file.length, error);
    if (status == CT_OK)
        status = ct_point_samples_parse(file.data, file.length, name, error, ret_samples);
    ct_text_free(&file);
    return status;
}

/* Times in our format, or in another program's. */
static int read_samples(const struct settings *settings, const char *path, struct ct_error *error,
                        struct ct_point_samples *ret_samples)
{
    struct ct_text converted = {0};
    char *text;
    size_t length;
    int status = ct_lines_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    const struct ct_point_format *format = ct_point_format_of(text);
    if (format && strlen(text) != length)
        status = ct_fail(error, CT_E_INPUT, "%s: holds a zero byte: expected text", path);
    else if (format)
        status = ct_point_convert(format, link_choice((size_t)settings->link), text, path, error, &converted);
    if (status == CT_OK)
        status = ct_point_samples_parse(format ? converted.data : text, format ? converted.length : length,
                                        path, error, ret_samples);
    ct_text_free(&converted);
    free(text);
    return status;
}

static int take_samples(const struct settings *settings, const char *const *inputs, struct ct_error *error,
                        struct ct_text *notes, struct ct_point_samples *ret_samples)
{
    struct stat about;
    if (!inputs[0])
        return measure(settings, error, ret_samples);
    if (stat(inputs[0], &about) == 0 && S_ISDIR(about.st_mode))
        return ct_samples_of_run(inputs[0], inputs[1], error, notes, ret_samples);
    if (inputs[1])
        return ct_fail(error, CT_E_INPUT, "%s: not a run; expected the folder of a run before %s", inputs[0],
                       inputs[1]);
    return read_samples(settings, inputs[0], error, ret_samples);
}

/* What names of models consist of (models/model.rng). */
static const char name_letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._+-";
enum { LONGEST_NAME = 60 };

/* The name of the file without folders and ending; _ stands for letters that a name does not have. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *begin = slash ? slash + 1 : path, *dot = strrchr(begin, '.');
    const size_t length = dot && dot > begin ? (size_t)(dot - begin) : strlen(begin);
    char *name = strndup(begin, length < LONGEST_NAME ? length : LONGEST_NAME);
    for (char *at = name; name && *(at += strspn(at, name_letters));)
        *at = '_';
    return name;
}

/* Before anything is measured. */
static int check_name(const char *name, struct ct_error *error)
{
    const size_t length = name ? strlen(name) : 1;
    return length > 0 && length <= LONGEST_NAME && (!name || strspn(name, name_letters) == length)
               ? CT_OK
               : ct_fail(error, CT_E_INPUT, "--name '%s': expected up to %d letters, digits and . _ + -",
                         name, (int)LONGEST_NAME);
}

/* What was measured, on the mean over the partners of messages between nodes. */
struct reference {
    double hops; /* links on the way */
    struct ct_network_way way;
};

/* Ranks fill one node after another. CT_E_ANSWER if no message between nodes was measured, and ways differ.
 */
static int find_reference(const struct ct_interconnect *topology, size_t ppn,
                          const struct ct_point_samples *samples, struct reference *ret_reference)
{
    uint32_t *way = ct_allocate(topology->longest + 1, sizeof *way);
    struct ct_network_way sum = {0};
    double links = 0, ways = 0;
    if (!way)
        return CT_E_MEMORY;
    for (size_t i = 0; i < samples->sample_count; i++) {
        const struct ct_point_sample *sample = &samples->samples[i];
        const size_t node = sample->partner / ppn;
        if (sample->kind != CT_POINT_ROUND_TRIP || node == 0 || node >= topology->nodes ||
            strcmp(samples->subjects[sample->subject], ct_link_kind_names[CT_LINK_NETWORK]) != 0)
            continue;
        links += (double)ct_interconnect_route(topology, 0, node, way);
        ways++;
        if (!topology->routes)
            continue;
        sum.latency += topology->routes->ways[node].latency;
        sum.rate += topology->routes->ways[node].rate;
    }
    free(way);
    if (ways == 0 && topology->routes)
        return CT_E_ANSWER;
    *ret_reference =
        ways == 0 ? (struct reference){.hops = 2}
                  : (struct reference){.hops = links / ways,
                                       .way = {.latency = sum.latency / ways, .rate = sum.rate / ways}};
    return CT_OK;
}

/* Notes the ways between the hosts of the simulated platform, unless one switch does as well. */
static int note_routes(const struct ct_place_request *place, const struct ct_point_samples *samples,
                       struct ct_error *error, struct ct_model *model)
{
    struct ct_model written = {0};
    struct reference reference;
    char *text = NULL;
    int status = ct_platform_routes(place, CT_NETWORK_ROUTES_MAX, error, &text);
    if (status == CT_OK)
        status = ct_model_parse(text, strlen(text), place->simulate, error, &written);
    if (status == CT_OK && !ct_network_routes_are_switch(written.routes)) {
        const struct ct_interconnect topology = ct_interconnect_of_routes(written.routes);
        status = find_reference(&topology, place->ppn ? place->ppn : 1, samples, &reference);
        if (status == CT_OK) {
            model->routes = written.routes;
            model->routes->measured = reference.way;
            written.routes = NULL;
        }
    }
    ct_model_free(&written);
    free(text);
    return status == CT_E_ANSWER ? CT_OK : status;
}

/* How the nodes are joined, as the user or a regular platform says it; NULL: by one switch. */
static int note_shape(const char *shape, double hop_latency, size_t ppn,
                      const struct ct_point_samples *samples, struct ct_error *error, struct ct_model *model)
{
    struct ct_interconnect topology = {0};
    struct reference reference = {0};
    int status = shape ? ct_interconnect_parse(shape, error, &topology) : CT_OK;
    if (status != CT_OK || !shape)
        return status;
    status = find_reference(&topology, ppn, samples, &reference);
    model->hops = reference.hops;
    model->hop_latency = hop_latency;
    model->topology = strdup(shape);
    return model->topology ? status : CT_E_MEMORY;
}

/* Without the ways, all hosts count as joined by one switch, or as the first cluster says. */
static int note_platform(const struct ct_place_request *place, const struct ct_point_samples *samples,
                         struct ct_text *notes, struct ct_error *error, struct ct_model *model)
{
    const size_t ppn = place->ppn ? place->ppn : 1;
    struct ct_platform platform;
    struct ct_error why = {""};
    int status = ct_platform_load(place->simulate, error, &platform);
    if (status != CT_OK)
        return status;
    if (platform.is_plain && !place->simulator_options) {
        status = note_shape(platform.topology, platform.hop_latency, ppn, samples, error, model);
    } else if (platform.host_count <= CT_NETWORK_ROUTES_MAX) {
        status = note_routes(place, samples, &why, model);
        if (status == CT_E_INPUT || status == CT_E_SYSTEM) {
            ct_text_append(notes, "the ways between hosts are unknown, all count as alike: %s\n", why.text);
            status = CT_OK;
        }
    } else {
        ct_text_append(notes, "of more than %d hosts the ways are not looked at: all count as alike%s%s\n",
                       CT_NETWORK_ROUTES_MAX, platform.topology ? ", joined as " : "",
                       platform.topology ? platform.topology : "");
        status = note_shape(platform.topology, platform.hop_latency, ppn, samples, error, model);
    }
    ct_platform_free(&platform);
    return status;
}

static int note_topology(const struct settings *settings, const struct ct_point_samples *samples,
                         struct ct_text *notes, struct ct_error *error, struct ct_model *model)
{
    const struct ct_place_request *place = &settings->request.place;
    if (settings->topology || !place->simulate)
        return note_shape(settings->topology, settings->hop_latency, place->ppn ? place->ppn : 1, samples,
                          error, model);
    return note_platform(place, samples, notes, error, model);
}

static int make_model(const struct settings *settings, const struct ct_point_samples *samples,
                      struct ct_text *notes, struct ct_error *error)
{
    const struct ct_fit_options fit = {
        .seed = settings->seed, .resamples = CT_FIT_RESAMPLES, .extremes = settings->extremes};
    struct ct_model model;
    int status = ct_fit_model(samples, &fit, error, notes, &model);
    if (status != CT_OK)
        return status;
    model.name = settings->name ? strdup(settings->name) : name_of(settings->output);
    model.source = strdup(samples->about);
    status =
        model.name && model.source ? note_topology(settings, samples, notes, error, &model) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_model_write(settings->output, &model, error);
    if (status == CT_OK) {
        show_model(&model);
        if (notes->length > 0)
            ct_tell(&ct_command_fit, "note:\n%.*s", (int)notes->length - 1, notes->data);
        ct_tell(&ct_command_fit, "%s is fitted to %zu time%s", settings->output, samples->sample_count,
                ct_s(samples->sample_count));
    }
    ct_model_free(&model);
    return status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_point_samples samples = {0};
    struct ct_text notes = {0};
    int status;
    if ((status = check_name(settings->name, error)) == CT_OK &&
        (status = ct_is_new(settings->output, error)) == CT_OK &&
        (status = take_samples(settings, arguments->words, error, &notes, &samples)) == CT_OK)
        status = make_model(settings, &samples, &notes, error);
    ct_point_samples_free(&samples);
    ct_text_free(&notes);
    return status;
}

const struct ct_command ct_command_fit = {
    .name = "fit",
    .text = "measure single messages and fit models to them",
    .usage = "[SAMPLES.csv | RUN [SAMPLES.csv]] -o MODEL.xml",
    .most = 2,
    .about = "Finds the parameters of the Hockney, LogGP and PLogP models, and the cost of local reductions "
             "and copies. Without an argument it measures them. SAMPLES.csv was written before with "
             "--samples, or is a file of NetPIPE, logp_mpi, SKaMPI, osu_latency or IMB's PingPong. From a "
             "RUN of collectives it takes bcast/pipeline and barrier/linear; overheads and "
             "local work then come from SAMPLES.csv.",
    .notes = "Examples:\n"
             "  colltune fit -o laptop.xml --samples laptop.csv\n"
             "  colltune fit laptop.csv -o again.xml\n"
             "  colltune fit -o cluster.xml --ranks 4 --launcher 'srun -N 2 -n {np} {cmd}'\n"
             "  colltune fit -o simulated.xml --simulate ethernet100\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .begin = begin,
    .check = check,
    .run = run,
};
