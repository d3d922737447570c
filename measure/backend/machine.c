/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/machine.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/text.h"

#include <hwloc.h>
#include <sched.h>
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

static int describe_hardware(struct ct_run_description *description)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return CT_OK;
    int status = CT_OK;
    if (hwloc_topology_load(topology) == 0) {
        hwloc_obj_t root = hwloc_get_root_obj(topology),
                    package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
        const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
        status = add(description, status, "machine.cpu",
                     model ? model : hwloc_obj_get_info_by_name(root, "CPUModel"));
        status = add_number(description, status, "machine.packages", count_of(topology, HWLOC_OBJ_PACKAGE));
        status = add_number(description, status, "machine.cores", count_of(topology, HWLOC_OBJ_CORE));
        status = add_number(description, status, "machine.threads", count_of(topology, HWLOC_OBJ_PU));
        status =
            add_number(description, status, "machine.numa_nodes", count_of(topology, HWLOC_OBJ_NUMANODE));
        status = add_number(description, status, "machine.memory_bytes", (size_t)root->total_memory);
    }
    hwloc_topology_destroy(topology);
    return status;
}

static int describe_affinity(struct ct_run_description *description)
{
    cpu_set_t set;
    struct ct_text text = {0};
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return CT_OK;
    for (int first = 0; first < CPU_SETSIZE; first++) {
        if (!CPU_ISSET(first, &set))
            continue;
        int last = first;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
            last++;
        ct_text_append(&text, last > first ? "%s%d-%d" : "%s%d", text.length ? "," : "", first, last);
        first = last;
    }
    int status = text.failed ? CT_E_MEMORY : add(description, CT_OK, "affinity", text.data);
    ct_text_free(&text);
    return status;
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
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    int status = add(description, CT_OK, "machine.host", host);
    if (status == CT_OK)
        status = describe_hardware(description);
    if (status == CT_OK && uname(&system) == 0) {
        char *kernel = ct_format("%s %s %s", system.sysname, system.release, system.machine);
        status = kernel ? add(description, status, "machine.kernel", kernel) : CT_E_MEMORY;
        free(kernel);
    }
    if (status == CT_OK)
        status = describe_affinity(description);
    return status == CT_OK ? describe_environment(description) : status;
}

int ct_platform_describe(const struct ct_platform *platform, struct ct_error *error,
                         struct ct_run_description *description)
{
    char checksum[CT_CHECKSUM_TEXT];
    int status = ct_file_checksum(platform->path, error, checksum);
    status = add(description, status, "platform.sha256", checksum);
    status = add_number(description, status, "platform.hosts", platform->host_count);
    status = add(description, status, "platform.gamma_flops", platform->gamma_flops);
    return add(description, status, "platform.delta_flops", platform->delta_flops);
}

int ct_mpi_describe(const struct ct_mpi *mpi, struct ct_run_description *description)
{
    int status = add(description, CT_OK, "mpi.name", mpi->name);
    status = add(description, status, "mpi.version", mpi->version);
    return add(description, status, "mpi.cc", mpi->cc);
}
