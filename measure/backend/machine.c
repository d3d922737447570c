/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/machine.h"
#include "base/cpu_model.h"
#include "base/file.h"
#include "base/text.h"

#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

size_t ct_usable_cpus(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static int add(struct ct_run_description *description, int status, const char *name, const char *value)
{
    return status == CT_OK ? ct_run_add_property(description, name, value ? value : "unknown") : status;
}

static int add_number(struct ct_run_description *description, int status, const char *name, size_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", value);
    return add(description, status, name, text);
}

static size_t count_of(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    int count = hwloc_get_nbobjs_by_type(topology, type);
    return count > 0 ? (size_t)count : 0;
}

/* The model of the first CPU where Linux does not name it; NULL if hwloc does not know it, either. The
 * topology owns it. */
static const char *model_of(hwloc_topology_t topology)
{
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    return model ? model : hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
}

/* NULL if hwloc cannot look at this machine. */
static hwloc_topology_t load_topology(void)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    if (hwloc_topology_load(topology) == 0)
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

static int describe_hardware(struct ct_run_description *description, int status)
{
    static const struct {
        const char *name;
        hwloc_obj_type_t type;
    } counts[] = {{"machine.packages", HWLOC_OBJ_PACKAGE},
                  {"machine.cores", HWLOC_OBJ_CORE},
                  {"machine.threads", HWLOC_OBJ_PU},
                  {"machine.numa_nodes", HWLOC_OBJ_NUMANODE}};
    hwloc_topology_t topology = load_topology();
    if (!topology)
        return status;
    char model[CT_CPU_MODEL_TEXT];
    ct_cpu_model(CT_CPU_FILE, model);
    status = add(description, status, "machine.cpu", model[0] ? model : model_of(topology));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        status = add_number(description, status, counts[i].name, count_of(topology, counts[i].type));
    status = add_number(description, status, "machine.memory_bytes",
                        (size_t)hwloc_get_root_obj(topology)->total_memory);
    hwloc_topology_destroy(topology);
    return status;
}

int ct_machine_summary(char **ret_summary)
{
    hwloc_topology_t topology = load_topology();
    const char *model = topology ? model_of(topology) : NULL;
    char *summary = ct_format("%s, %zu cores", model ? model : "an unknown CPU",
                              topology ? count_of(topology, HWLOC_OBJ_CORE) : ct_usable_cpus());
    if (topology)
        hwloc_topology_destroy(topology);
    if (!summary)
        return CT_E_MEMORY;
    *ret_summary = summary;
    return CT_OK;
}

/* The usable CPUs as a list: "0-3,8". */
static void append_cpus(struct ct_text *text)
{
    cpu_set_t set;
    const char *separator = "";
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int first = 0; first < CPU_SETSIZE; first++) {
        if (!CPU_ISSET(first, &set))
            continue;
        int last = first;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
            last++;
        ct_text_append(text, last > first ? "%s%d-%d" : "%s%d", separator, first, last);
        separator = ",";
        first = last;
    }
}

int ct_machine_label(char **ret_label)
{
    char host[256] = "";
    struct ct_text text = {0};
    gethostname(host, sizeof host - 1);
    ct_text_append(&text, "%s, %ld hardware threads, CPUs ", host, sysconf(_SC_NPROCESSORS_CONF));
    append_cpus(&text);
    if (text.failed) {
        ct_text_free(&text);
        return CT_E_MEMORY;
    }
    *ret_label = text.data;
    return CT_OK;
}

static int describe_environment(struct ct_run_description *description)
{
    static const char *const prefixes[] = {"MPIR_CVAR_", "MPICH_", "OMPI_MCA_", "UCX_",
                                           "FI_",        "HYDRA_", "I_MPI_"};
    int status = CT_OK;
    for (char **entry = environ; status == CT_OK && *entry; entry++) {
        for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
            const char *equals = strchr(*entry, '=');
            if (!equals || strncmp(*entry, prefixes[i], strlen(prefixes[i])) != 0)
                continue;
            char *name = ct_format("env.%.*s", (int)(equals - *entry), *entry);
            status = name ? add(description, status, name, equals + 1) : CT_E_MEMORY;
            free(name);
            break;
        }
    }
    return status;
}

int ct_machine_describe(struct ct_run_description *description)
{
    struct utsname system;
    struct ct_text cpus = {0}, kernel = {0};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    append_cpus(&cpus);
    int status = add(description, CT_OK, "machine.host", host);
    status = describe_hardware(description, status);
    if (uname(&system) == 0) {
        ct_text_append(&kernel, "%s %s %s", system.sysname, system.release, system.machine);
        status = add(description, status, "machine.kernel", kernel.data);
    }
    status = add(description, cpus.failed ? CT_E_MEMORY : status, "affinity", cpus.data);
    ct_text_free(&cpus);
    ct_text_free(&kernel);
    return status == CT_OK ? describe_environment(description) : status;
}

int ct_check_crowd(size_t ranks, struct ct_error *error)
{
    const size_t cpus = ct_usable_cpus();
    if (ranks <= CT_RANKS_OF_A_CPU * cpus)
        return CT_OK;
    return ct_fail(error, CT_E_INPUT,
                   "--comm-sizes: %zu ranks on %zu CPU%s are more than %d on each; expected --oversubscribe, "
                   "too, or --hostfile",
                   ranks, cpus, cpus == 1 ? "" : "s", CT_RANKS_OF_A_CPU);
}
