/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform of node_platform.h, in C++ since SimGrid takes functions in no other language. */

#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <smpi/smpi.h>
#include <xbt/config.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

extern "C" {
#include "plan/node_channel.h"
}

namespace
{

/* CPU time of messages of more than `above` bytes, until the next begins. */
struct cost {
    double above, seconds, per_byte;
};

using costs = std::vector<cost>;

/* As SMPI reads its options: the first also holds for messages that none is for. */
double seconds_of(const costs &all, double size)
{
    const cost *found = nullptr;
    for (const cost &each : all)
        if (!found || size > each.above)
            found = &each;
    return found ? found->seconds + found->per_byte * size : 0;
}

/* "NUMBER:NUMBER[:NUMBER];..." */
std::vector<std::vector<double>> numbers_of(const std::string &text)
{
    std::vector<std::vector<double>> rows;
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ';');) {
        std::istringstream words(item);
        rows.emplace_back();
        for (std::string word; std::getline(words, word, ':');)
            rows.back().push_back(std::strtod(word.c_str(), nullptr));
    }
    return rows;
}

/* Costs between hosts: an option of SMPI, "BYTES:SECONDS:SECONDS PER BYTE;...". */
costs between(const char *option)
{
    costs all;
    for (std::vector<double> &row : numbers_of(simgrid::config::get_value<std::string>(option))) {
        row.resize(3);
        all.push_back({row[0], row[1], row[2]});
    }
    std::stable_sort(all.begin(), all.end(), [](const cost &a, const cost &b) { return a.above < b.above; });
    return all;
}

/* Costs within a host, by regime. */
costs within()
{
    static const double above[CT_NODE_REGIMES] = {0, CT_CELL_BYTES, CT_COPY_FROM - 1};
    costs all;
    const char *text = std::getenv("COLLTUNE_NODE_COSTS");
    for (std::vector<double> &row : numbers_of(text ? text : "")) {
        row.resize(2);
        if (all.size() < CT_NODE_REGIMES)
            all.push_back({above[all.size()], row[0], row[1]});
    }
    return all;
}

void charge(SmpiOperation operation, const char *option)
{
    const costs near = within(), far = between(option);
    smpi_register_op_cost_callback(operation, [near, far](size_t size, const simgrid::s4u::Host *source,
                                                          const simgrid::s4u::Host *target) {
        return seconds_of(source == target ? near : far, static_cast<double>(size));
    });
}

} // namespace

extern "C" void load_platform(const simgrid::s4u::Engine &engine);

/* SimGrid calls this in place of reading a file. The file must come first: it has the options. */
extern "C" void load_platform(const simgrid::s4u::Engine &engine)
{
    const char *file = std::getenv("COLLTUNE_PLATFORM");
    engine.load_platform(file ? file : "");
    charge(SmpiOperation::SEND, "smpi/os");
    charge(SmpiOperation::ISEND, "smpi/ois");
    charge(SmpiOperation::RECV, "smpi/or");
}
