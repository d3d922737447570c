#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Models measured on this machine: test_fit_real.sh COLLTUNE. What is looked at is what was measured, never
# how long it took: the machine may be busy.
colltune=$(realpath "$1")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
XDG_CACHE_HOME=$folder/cache
export XDG_CACHE_HOME
failed=0

fail()
{
    echo "FAILED: $*"
    failed=1
}

# series FILE: kinds, subjects, partners and sizes that there are
series()
{
    sed 1,2d "$1" | cut -d, -f1-4 | sort -u
}

unset COLLTUNE_NODE

# Two ranks on one node: each kind at each size, and all work. Messages are sent as the tuned library sends
# them: in one cell, in chunks, in one copy.
"$colltune" fit -o one.xml --samples one.csv --msg-sizes 0,8,1K,256K --seconds 0.01 --name one >one.txt \
    2>one.log || fail "$(cat one.log)"
for kind in round_trip send receive gap; do
    for bytes in 0 8 1024 262144; do
        series one.csv | grep -qx "$kind,shared,1,$bytes" || fail "no $kind at $bytes bytes"
    done
done
for work in sum/int prod/int max/int sum/double prod/double max/double copy/byte; do
    series one.csv | grep -q "^work,$work,0,262144$" || fail "no $work"
done
grep -q '<link kind="node" channel="shared">' one.xml || fail "no link on one node"
grep -q '<link kind="network">' one.xml && fail "a link between nodes"
"$colltune" fit one.csv -o again.xml --name one >again.txt 2>again.log || fail "$(cat again.log)"
cmp one.xml again.xml || fail "fitting again gives another model"

grep -q '^Messages on one node, through shared memory' one.txt || fail "the channel: $(cat one.txt)"

# The same through MPI, and not both in one model.
COLLTUNE_NODE=mpi "$colltune" fit -o mpi.xml --samples mpi.csv --msg-sizes 0,8 --seconds 0.005 >mpi.txt \
    2>mpi.log || fail "$(cat mpi.log)"
series mpi.csv | grep -qx 'round_trip,node,1,8' || fail "COLLTUNE_NODE=mpi: $(series mpi.csv)"
grep -q '<link kind="node">' mpi.xml || fail "COLLTUNE_NODE=mpi: $(grep '<link' mpi.xml)"
{ cat one.csv; sed 1,2d mpi.csv | grep -v '^work'; } >both.csv
"$colltune" fit both.csv -o both.xml >both.txt 2>both.log && fail "both channels are in one model"
grep -q 'expected one of them' both.log || fail "$(cat both.log)"
COLLTUNE_NODE=pigeons "$colltune" fit -o none.xml >none.txt 2>none.log && fail "COLLTUNE_NODE=pigeons"
grep -q 'COLLTUNE_NODE=pigeons: expected shared, plain or mpi' none.log || fail "$(cat none.log)"

# Predictions are of the channel of their model.
for model in one mpi; do
    "$colltune" predict $model.xml -o predicted-$model --ppn 4 -c bcast --comm-sizes 2-4 --msg-sizes 8 \
        >run.txt 2>run.log || fail "$(cat run.log)"
done
grep -q ' node-channel="shared"' predicted-one/run.xml || fail "$(grep '<timing' predicted-one/run.xml)"
grep -q ' node-channel="mpi"' predicted-mpi/run.xml || fail "$(grep '<timing' predicted-mpi/run.xml)"

# MPICH sees two nodes: ranks 0 and 2 on one, 1 and 3 on the other. All partners, each as what it is; which is
# looked at in the samples, for on a busy machine one may be slow enough to be refused.
MPIR_CVAR_NUM_CLIQUES=2 "$colltune" fit -o two.xml --samples two.csv --ranks 4 --msg-sizes 0,64 \
    --seconds 0.005 >two.txt 2>two.log ||
    grep -q 'times as long as the fastest' two.log || fail "$(cat two.log)"
partners=$(series two.csv | grep -v '^work' | cut -d, -f2,3 | sort -u | tr '\n' ' ')
[ "$partners" = 'network,1 network,3 shared,2 ' ] || fail "partners: $partners"

# A launcher that gives one rank, or none.
"$colltune" fit -o alone.xml --launcher 'env N={np} {cmd}' >alone.txt 2>alone.log &&
    fail "one rank is enough"
grep -q 'gave 1 rank where at least 2' alone.log || fail "$(cat alone.log)"
"$colltune" fit -o nothing.xml --launcher true >nothing.txt 2>nothing.log && fail "no rank is enough"
grep -q 'ended early' nothing.log || fail "$(cat nothing.log)"
ls alone.xml nothing.xml 2>/dev/null && fail "a model was made"
exit $failed
