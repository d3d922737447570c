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

/* "BYTES:FACTOR;...", of latencies. Factors of rates are in all times alike. */
void write_factors(std::ostream &text)
{
    std::vector<std::vector<double>> rows =
        numbers_of(simgrid::config::get_value<std::string>("smpi/lat-factor"));
    std::sort(rows.begin(), rows.end());
    for (const std::vector<double> &row : rows)
        if (row.size() >= 2)
            text << "<factor above=\"" << row[0] << "\" factor=\"" << row[1] << "\"/>\n";
}

void write_wire(std::ostream &text, const Link &link)
{
    const bool is_shared = link.get_sharing_policy() != Link::SharingPolicy::FATPIPE;
    text << "<wire rate=\"" << link.get_bandwidth() << "\" latency=\"" << link.get_latency() << "\" shared=\""
         << (is_shared ? "true" : "false") << "\"/>\n";
}

/* Writes the links that are not there yet, and the way. */
void write_way(std::ostream &wires, std::ostream &ways, std::map<std::string, std::size_t> &numbers,
               const std::vector<Host *> &hosts, std::size_t from, std::size_t to)
{
    std::vector<Link *> way;
    const char *before = "";
    double latency = 0;
    hosts[from]->route_to(hosts[to], way, &latency);
    ways << "<way from=\"" << from << "\" to=\"" << to << "\" wires=\"";
    for (const Link *link : way) {
        const auto found = numbers.emplace(link->get_name(), numbers.size());
        ways << before << found.first->second;
        before = " ";
        if (found.second)
            write_wire(wires, *link);
    }
    ways << "\"/>\n";
}

/* The text of a model (models/model.rng) that has the routes alone. */
std::string routes_of(const std::vector<Host *> &hosts)
{
    std::ostringstream text, wires, ways;
    std::map<std::string, std::size_t> numbers;
    text.precision(9);
    wires.precision(9);
    for (std::size_t from = 0; from < hosts.size(); from++)
        for (std::size_t to = 0; to < hosts.size(); to++)
            if (from != to)
                write_way(wires, ways, numbers, hosts, from, to);
    text << "<model version=\"4\" name=\"routes\"><source/><link kind=\"network\">\n"
         << "<hockney alpha=\"0\" beta=\"0\"/></link>\n<routes latency=\"0\" rate=\"1\" window=\""
         << simgrid::config::get_value<double>("network/TCP-gamma") << "\" weight=\""
         << simgrid::config::get_value<double>("network/weight-S") << "\">\n";
    write_factors(text);
    for (const Host *host : hosts)
        text << "<node slowness=\"" << hosts[0]->get_speed() / host->get_speed() << "\"/>\n";
    text << wires.str() << ways.str() << "</routes><work gamma=\"0\" delta=\"0\"/></model>";
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
