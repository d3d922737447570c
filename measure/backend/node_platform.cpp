/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform of node_platform.h, in C++ since SimGrid takes functions in no other language. */

#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>
#include <smpi/smpi.h>
#include <xbt/config.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
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

/* --- how hosts are joined --- */

using simgrid::s4u::Host;
using simgrid::s4u::Link;

std::vector<Host *> hosts_of(const char *names)
{
    std::vector<Host *> hosts;
    std::istringstream words(names ? names : "");
    for (std::string word; std::getline(words, word, '\n');)
        hosts.push_back(Host::by_name(word));
    return hosts;
}

/* "BYTES:FACTOR;..." as "BYTES,FACTOR,...", of latencies. Factors of rates are in all times alike. */
std::string factors()
{
    std::ostringstream text;
    std::vector<std::vector<double>> rows =
        numbers_of(simgrid::config::get_value<std::string>("smpi/lat-factor"));
    std::sort(rows.begin(), rows.end());
    for (const std::vector<double> &row : rows)
        if (row.size() >= 2)
            text << (text.tellp() > 0 ? "," : "") << row[0] << "," << row[1];
    return text.str();
}

/* The text of models/contention/network_routes.h from the window on. */
std::string routes_of(const std::vector<Host *> &hosts)
{
    std::ostringstream links, ways, text;
    std::map<std::string, std::size_t> numbers;
    text.precision(9);
    links.precision(9);
    for (const Host *from : hosts)
        for (const Host *to : hosts) {
            std::vector<Link *> way;
            double latency = 0;
            const char *before = ways.tellp() > 0 ? "," : "";
            if (from == to)
                continue;
            from->route_to(to, way, &latency);
            for (const Link *link : way) {
                const auto found = numbers.emplace(link->get_name(), numbers.size());
                ways << before << found.first->second;
                before = ".";
                if (found.second)
                    links << (found.first->second > 0 ? "," : "") << link->get_bandwidth() << ","
                          << link->get_latency() << ","
                          << (link->get_sharing_policy() == Link::SharingPolicy::FATPIPE ? 0 : 1);
            }
        }
    text << simgrid::config::get_value<double>("network/TCP-gamma") << ","
         << simgrid::config::get_value<double>("network/weight-S") << ";" << factors() << ";";
    for (std::size_t i = 0; i < hosts.size(); i++)
        text << (i > 0 ? "," : "") << hosts[0]->get_speed() / hosts[i]->get_speed();
    text << ";" << links.str() << ";" << ways.str();
    return text.str();
}

/* Writes them and a line `end` to the file, or a line that begins with a blank and says why not. */
void write_routes(const simgrid::s4u::Engine &engine, const char *path)
{
    std::ofstream file(path);
    try {
        engine.seal_platform();
        file << routes_of(hosts_of(std::getenv("COLLTUNE_HOSTS"))) << "\nend\n";
    } catch (const std::exception &error) {
        file << " " << error.what() << "\nend\n";
    }
}

} // namespace

extern "C" void load_platform(const simgrid::s4u::Engine &engine);

/* SimGrid calls this in place of reading a file. The file must come first: it has the options. */
extern "C" void load_platform(const simgrid::s4u::Engine &engine)
{
    const char *file = std::getenv("COLLTUNE_PLATFORM");
    engine.load_platform(file ? file : "");
    if (const char *path = std::getenv("COLLTUNE_ROUTES")) {
        write_routes(engine, path);
        std::_Exit(0);
    }
    charge(SmpiOperation::SEND, "smpi/os");
    charge(SmpiOperation::ISEND, "smpi/ois");
    charge(SmpiOperation::RECV, "smpi/or");
}
