#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Models measured on this machine: test_fit_real.sh COLLTUNE. What is looked at is what was measured, never
# how long it took: the machine may be busy.
colltune=$(realpath "$1")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
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

# Two ranks on one node: each kind at each size, and all work, through both channels. Through shared memory
# messages are sent as the tuned library sends them: in one cell, in chunks, in one copy.
"$colltune" fit -o one.xml --samples one.csv --msg-sizes 0,8,1K,256K --seconds 0.01 --name one >one.txt \
    2>one.log || fail "$(cat one.log)"
for subject in shared node; do
    for kind in round_trip send receive gap; do
        for bytes in 0 8 1024 262144; do
            series one.csv | grep -qx "$kind,$subject,1,$bytes" || fail "no $kind, $subject, at $bytes bytes"
        done
    done
done
for work in sum/int prod/int max/int sum/double prod/double max/double copy/byte; do
    series one.csv | grep -q "^work,$work,0,262144$" || fail "no $work"
done
grep -q '<link kind="node" channel="shared">' one.xml || fail "no link through shared memory"
grep -q '<link kind="node">' one.xml || fail "no link through MPI on one node"
grep -q '<model version="2"' one.xml || fail "$(grep '<model' one.xml)"
grep -q '<link kind="network">' one.xml && fail "a link between nodes"
"$colltune" fit one.csv -o again.xml --name one >again.txt 2>again.log || fail "$(cat again.log)"
cmp one.xml again.xml || fail "fitting again gives another model"
grep -q '^Messages on one node, through shared memory' one.txt || fail "the channel: $(cat one.txt)"
grep -q '^Messages on one node, through MPI' one.txt || fail "the channel: $(cat one.txt)"

# Through MPI alone.
COLLTUNE_NODE=mpi "$colltune" fit -o mpi.xml --samples mpi.csv --msg-sizes 0,8 --seconds 0.005 >mpi.txt \
    2>mpi.log || fail "$(cat mpi.log)"
series mpi.csv | grep -qx 'round_trip,node,1,8' || fail "COLLTUNE_NODE=mpi: $(series mpi.csv)"
series mpi.csv | grep -q ',shared,' && fail "COLLTUNE_NODE=mpi: $(series mpi.csv)"
grep -q '<link kind="node">' mpi.xml || fail "COLLTUNE_NODE=mpi: $(grep '<link' mpi.xml)"
COLLTUNE_NODE=pigeons "$colltune" fit -o none.xml >none.txt 2>none.log && fail "COLLTUNE_NODE=pigeons"
grep -q 'COLLTUNE_NODE=pigeons: expected shared, plain or mpi' none.log || fail "$(cat none.log)"

# Predictions are of the channel that the library would use, or of the one asked for, if the model has it.
# predict MODEL NAME OPTION...
predict()
{
    model=$1
    name=$2
    shift 2
    "$colltune" predict "$model.xml" -o "predicted-$name" -c bcast --comm-sizes 2-4 --msg-sizes 8 "$@" \
        >run.txt 2>run.log
}
for name in one mpi; do
    predict $name $name --ppn 4 || fail "$(cat run.log)"
done
predict one chosen --ppn 4 --node-channel mpi || fail "$(cat run.log)"
predict mpi refused --ppn 4 --node-channel shared && fail "a model without the channel is used"
grep -q 'mpi.xml: no parameters for messages within a node through shared memory; ' run.log ||
    fail "$(cat run.log)"
predict one refused --node-channel shared && fail "--node-channel without --ppn"
grep -q 'expected --ppn above 1' run.log || fail "$(cat run.log)"
grep -q ' node-channel="shared"' predicted-one/run.xml || fail "$(grep '<timing' predicted-one/run.xml)"
for name in mpi chosen; do
    grep -q ' node-channel="mpi"' predicted-$name/run.xml || fail "$(grep '<timing' predicted-$name/run.xml)"
done
cmp -s predicted-one/samples.csv predicted-chosen/samples.csv && fail "both channels take as long"

# MPICH sees two nodes: ranks 0 and 2 on one, 1 and 3 on the other. All partners, each as what it is; which is
# looked at in the samples, for on a busy machine one may be slow enough to be refused.
MPIR_CVAR_NUM_CLIQUES=2 "$colltune" fit -o two.xml --samples two.csv --ranks 4 --msg-sizes 0,64 \
    --seconds 0.005 >two.txt 2>two.log ||
    grep -q 'times as long as the fastest' two.log || fail "$(cat two.log)"
partners=$(series two.csv | grep -v '^work' | cut -d, -f2,3 | sort -u | tr '\n' ' ')
[ "$partners" = 'network,1 network,3 node,2 shared,2 ' ] || fail "partners: $partners"

# A launcher that gives one rank, or none.
"$colltune" fit -o alone.xml --launcher 'env N={np} {cmd}' >alone.txt 2>alone.log &&
    fail "one rank is enough"
grep -q 'gave 1 rank where at least 2' alone.log || fail "$(cat alone.log)"
"$colltune" fit -o nothing.xml --launcher true >nothing.txt 2>nothing.log && fail "no rank is enough"
grep -q 'ended early' nothing.log || fail "$(cat nothing.log)"
ls alone.xml nothing.xml 2>/dev/null && fail "a model was made"
exit $failed
