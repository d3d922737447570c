# SPDX-License-Identifier: BSD-3-Clause
# The tables of two_level_gains, from samples behind "CHANNEL,WAY,": WAY is simulated or predicted.
BEGIN { FS = "," }

$15 != "ok" && $15 != "predicted" { next }

{
    cell = $4 "," $8 "," $10
    if (!(cell in known)) {
        known[cell] = ++cells
        cell_of[cells] = cell
    }
    kind = $5 == "native" ? "native" : $5 ~ /^two_level/ ? "two" : "flat"
    at = $1 "," $2 "," cell
    time[at "," $5] = $14
    # Of equal times that of the shorter name counts, in whichever order they were simulated.
    if (!((at "," kind) in least) || $14 + 0 < least[at "," kind] ||
        ($14 + 0 == least[at "," kind] && length($5) < length(method[at "," kind]))) {
        least[at "," kind] = $14 + 0
        method[at "," kind] = $5
    }
}

function gain(channel, way, cell, at)
{
    at = channel "," way "," cell
    return least[at ",flat"] / least[at ",two"]
}

# Simulated seconds of the best of our methods.
function best(channel, cell, at)
{
    at = channel ",simulated," cell
    return least[at ",two"] < least[at ",flat"] ? least[at ",two"] : least[at ",flat"]
}

# The method that the model takes for the best one: its simulated time over the best one's. Native methods have no
# prediction and are left out.
function loss(channel, cell, at, chosen)
{
    at = channel ",predicted," cell
    chosen = least[at ",two"] < least[at ",flat"] ? method[at ",two"] : method[at ",flat"]
    return time[channel ",simulated," cell "," chosen] / best(channel, cell)
}

function size_of(bytes)
{
    return bytes >= 1048576 ? bytes / 1048576 "M" : bytes >= 1024 ? bytes / 1024 "K" : bytes
}

function spelled(name)
{
    gsub(";", ",", name)
    return name
}

END {
    if (cells == 0) {
        print "two_level_gains.awk: no samples" >"/dev/stderr"
        exit 1
    }
    print "Gains: time of the best flat method over that of the best two-level one. Loss: simulated time of the method"
    print "that the model finds best, over the best one's.\n"
    print "| collective | ranks | bytes | shared memory: gain simulated | predicted | loss | MPI: gain simulated |" \
        " predicted | loss |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= cells; i++) {
        cell = cell_of[i]
        split(cell, key, ",")
        printf "| %s | %s | %s |", key[1], key[2], size_of(key[3])
        for (c = 1; c <= 2; c++) {
            channel = c == 1 ? "shared" : "mpi"
            s = gain(channel, "simulated", cell)
            p = gain(channel, "predicted", cell)
            l = loss(channel, cell)
            printf " %.2f | %.2f | %.2f |", s, p, l
            sum[c, key[1], "s"] += log(s)
            sum[c, key[1], "p"] += log(p)
            sum[c, key[1], "l"] += log(l)
        }
        print ""
        if (!count[key[1]]++)
            order[++collectives] = key[1]
    }
    for (k = 1; k <= collectives; k++) {
        name = order[k]
        printf "| %s | mean | |", name
        for (c = 1; c <= 2; c++)
            printf " %.2f | %.2f | %.2f |", exp(sum[c, name, "s"] / count[name]),
                exp(sum[c, name, "p"] / count[name]), exp(sum[c, name, "l"] / count[name])
        print ""
    }
    print "\nThrough shared memory, simulated, microseconds. `binomial` is recursive doubling for allreduce; both keep to"
    print "pairs of ranks in every round, and so do the inner methods of two-level ones.\n"
    print "| collective | ranks | bytes | best flat method | time | best two-level method | time | binomial |" \
        " native | best through MPI |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= cells; i++) {
        cell = cell_of[i]
        split(cell, key, ",")
        at = "shared,simulated," cell
        printf "| %s | %s | %s | %s | %.2f | %s | %.2f | %.2f | %.2f | %.2f |\n", key[1], key[2], size_of(key[3]),
            spelled(method[at ",flat"]), 1e6 * least[at ",flat"], spelled(method[at ",two"]),
            1e6 * least[at ",two"], 1e6 * time[at "," (key[1] == "bcast" ? "binomial" : "recursive_doubling")],
            1e6 * least[at ",native"], 1e6 * best("mpi", cell)
    }
}
