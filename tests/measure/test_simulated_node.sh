#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Messages between ranks of one simulated host cost what the platform says of the channel through shared
# memory, in native methods and in ours, and its ranks compute at the same time:
# test_simulated_node.sh COLLTUNE.
colltune=$(realpath "$1")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
unset COLLTUNE_NODE

fail()
{
    echo "FAILED: $*"
    failed=1
}

# near WHAT VALUE EXPECTED: within 0.1 %
near()
{
    awk -v v="$2" -v e="$3" 'BEGIN { exit !(v > 0.999 * e && v < 1.001 * e) }' || fail "$1 is $2, expected $3"
}

# half FILE SUBJECT BYTES: half a round trip
half()
{
    awk -F, -v s="$2" -v b="$3" '$1 == "round_trip" && $2 == s && $4 == b { print $6 / 2; exit }' "$1"
}

# --- single messages: CPU at both ends, loopback of 200 ns and 20 GB/s for the message and its envelope of 16
# bytes; between hosts nothing changes ---
sizes=0,8,48,49,64,1K,8K
for channel in shared mpi; do
    COLLTUNE_NODE=$channel "$colltune" fit -o $channel.xml --samples $channel.csv --simulate fattree \
        --ranks 4 --ppn 2 --msg-sizes $sizes >$channel.txt 2>$channel.log ||
        fail "$channel: $(cat $channel.log)"
done
while read -r bytes cpu; do
    transfer=$(awk -v b="$bytes" 'BEGIN { print 200e-9 + (b + 16) / 20e9 }')
    near "shared memory, $bytes bytes" "$(half shared.csv shared "$bytes")" \
        "$(awk -v t="$transfer" -v c="$cpu" 'BEGIN { print t + 2 * c }')"
    near "MPI, $bytes bytes" "$(half mpi.csv node "$bytes")" \
        "$(awk -v t="$transfer" -v b="$bytes" 'BEGIN { print t + 2 * (0.4e-6 + 0.02e-9 * b) }')"
    between=$(half shared.csv network "$bytes")
    [ "$between" = "$(half mpi.csv network "$bytes")" ] ||
        fail "$bytes bytes between hosts: $between and $(half mpi.csv network "$bytes")"
done <<END
8 50e-9
48 50e-9
49 100.98e-9
1024 120.48e-9
8192 263.84e-9
END
grep -q '<link kind="node" channel="shared">' shared.xml || fail "$(grep '<link' shared.xml)"
grep -q '<regime from="49">' shared.xml || fail "no regime from 49 bytes on: $(cat shared.txt)"
grep -q '<regime' mpi.xml && fail "MPI has regimes"

# --- collectives: the run says the channel; native methods and ours gain, but not with one rank on a host ---
# sweep RUN PPN
sweep()
{
    "$colltune" measure -o "$1" --simulate fattree --ppn "$2" -c allreduce --comm-sizes 8 --msg-sizes 8 \
        --methods native,recursive_doubling,two_level 2>"$1.log" || fail "$1: $(cat "$1.log")"
}
# seconds RUN METHOD
seconds()
{
    awk -F, -v m="$2" 'index($3, m) == 1 { print $12; exit }' "$1/samples.csv"
}
sweep four 4
COLLTUNE_NODE=mpi sweep four-mpi 4
sweep one 1
COLLTUNE_NODE=mpi sweep one-mpi 1
grep -q ' node-channel="shared"' four/run.xml || fail "four: $(grep '<timing' four/run.xml)"
for run in four-mpi one one-mpi; do
    grep -q ' node-channel=' $run/run.xml && fail "$run: $(grep '<timing' $run/run.xml)"
done
grep -q 'name="platform.node_costs" value="50e-9:0;' four/run.xml || fail "run.xml lacks the costs"
for method in native recursive_doubling two_level; do
    shared=$(seconds four $method)
    mpi=$(seconds four-mpi $method)
    awk -v s="$shared" -v m="$mpi" 'BEGIN { exit !(s > 0 && s < m) }' ||
        fail "$method: $shared through shared memory, $mpi through MPI"
done
cmp one/samples.csv one-mpi/samples.csv || fail "hosts with one rank"

# --- two ranks of a host reduce at the same time, for 1 us a byte on a host of half its speed, while messages
# take next to nothing ---
echo '0 0.5' >half
cat >slow.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="smpi/simulate-computation" value="no"/></config>
  <zone id="world" routing="Full">
    <prop id="colltune.gamma_flops" value="500"/>
    <prop id="colltune.delta_flops" value="0"/>
    <prop id="colltune.node_costs" value="1e-9:0;1e-9:0;1e-9:0"/>
    <host id="alone" speed="1Gf" speed_file="half"/>
  </zone>
</platform>
END
for channel in shared mpi; do
    COLLTUNE_NODE=$channel "$colltune" measure -o slow-$channel --simulate ./slow.xml --ppn 2 -c allreduce \
        --comm-sizes 2 --msg-sizes 1M --methods recursive_doubling 2>slow.log ||
        fail "$channel: $(cat slow.log)"
    near "$channel: a reduction at two ranks" "$(seconds slow-$channel recursive_doubling)" 1.048576
    grep -q 'name="platform.cores" value="ppn"' slow-$channel/run.xml ||
        fail "$channel: run.xml lacks the cores"
done
grep -q 'name="platform.cores"' one/run.xml && fail "hosts with one rank need no further cores"
sed -i '/platform.cores/d' slow-mpi/run.xml
COLLTUNE_NODE=mpi "$colltune" measure -o slow-mpi --resume 2>slow.log && fail "a run with one core is resumed"
grep -q 'slow-mpi: was begun with one core on each simulated host' slow.log || fail "$(cat slow.log)"

# --- a model of the channel fills in the run, a model of the other one does not ---
"$colltune" supplement four shared.xml -o filled --msg-sizes 64 2>filled.log || fail "$(cat filled.log)"
grep -q ' node-channel="shared"' filled/run.xml || fail "filled: $(grep '<timing' filled/run.xml)"
"$colltune" supplement four mpi.xml -o refused 2>refused.log && fail "a model of the other channel"
grep -q 'through shared memory, in the model mpi through MPI' refused.log || fail "$(cat refused.log)"
"$colltune" learn four -o refused.xml --learner interpolate --model mpi.xml 2>refused.log &&
    fail "learned with a model of the other channel"
grep -q 'mpi.xml: no parameters for messages within a node through shared memory' refused.log ||
    fail "$(cat refused.log)"
"$colltune" learn four -o learned.xml --learner interpolate --model shared.xml 2>learn.log ||
    fail "$(cat learn.log)"
grep -q 'node.channel' learned.xml || fail "the table does not name the channel"

# --- a wrong channel, and no C++ compiler ---
COLLTUNE_NODE=pigeons "$colltune" measure -o none --simulate fattree --ppn 4 -c bcast --comm-sizes 4 \
    --msg-sizes 8 2>none.log && fail "COLLTUNE_NODE=pigeons"
grep -q 'COLLTUNE_NODE=pigeons: expected shared, plain or mpi' none.log || fail "$(cat none.log)"
mkdir bin
ln -s "$(command -v smpicc)" bin/mycc
rm -rf "$folder/cache"
"$colltune" measure -o none --simulate fattree --cc bin/mycc --ppn 4 -c bcast --comm-sizes 4 --msg-sizes 8 \
    2>none.log && fail "no C++ compiler is needed"
grep -q 'mycxx: no such compiler; .*install g++, or set COLLTUNE_NODE=mpi' none.log || fail "$(cat none.log)"
exit $failed
