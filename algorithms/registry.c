/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/registry.h"

/* The MPI library's own collective. It has no plan; it always applies, and it is the yardstick. */
static const struct ct_descriptor native = {
    .text = "the MPI library's own", .source = "the MPI library in use", .cost = "unknown"};

/* of_bcast is CT_COLLECTIVE_BCAST, and so on. */
enum {
#define COLLECTIVE(collective, constant) of_##collective = constant,
#include "algorithms/registry.def"
};

const struct ct_algorithm ct_algorithms[] = {
#define COLLECTIVE(collective, constant)  {constant, "native", &native},
#define FORM(collective, folder, name)    {(enum ct_collective)of_##collective, #name, &ct_##folder##_##name},
#define ALGORITHM(collective, name)       FORM(collective, collective, name)
#define VARIANT(collective, folder, name) FORM(collective, collective, name)
#include "algorithms/registry.def"
};

static const struct ct_descriptor foreign = {
    .text = "a method that colltune does not have", .source = "who measured it", .cost = "unknown"};

const struct ct_algorithm ct_foreign_algorithms[CT_COLLECTIVES] = {
#define COLLECTIVE(collective, constant) [constant] = {constant, "foreign", &foreign},
#include "algorithms/registry.def"
};

const size_t ct_algorithm_count = sizeof ct_algorithms / sizeof ct_algorithms[0];

const struct ct_algorithm_list ct_registry = {ct_algorithms, sizeof ct_algorithms / sizeof ct_algorithms[0]};
