#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How messages travel within a node, from the sweep to the application:
# test_node_channel.sh COLLTUNE MPIEXEC PROGRAM PREFIX, where PREFIX has a tuned library.
colltune=$(realpath "$1")
mpiexec=$2
program=$(realpath "$3")
library=$(realpath "$4")/lib/libcolltuned.so
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail()
{
    echo "FAILED: $*"
    failed=1
}

# refuse TEXT COMMAND...: the command ends with that text
refuse()
{
    text=$1
    shift
    "$@" >refused.log 2>&1 && fail "$* is taken"
    grep -q -e "$text" refused.log || fail "$*: $(cat refused.log)"
}

# sweep RUN [OPTION...]
sweep()
{
    "$colltune" measure -o "$@" --launches 1 -c bcast --comm-sizes 2 --msg-sizes 8 --max-repetitions 4 \
        --methods binomial
}

# --- runs say which channel they had, and keep to it ---
unset COLLTUNE_NODE
sweep shared 2>log || fail "a sweep: $(cat log)"
grep -q '<timing .* node-channel="shared"' shared/run.xml || fail "shared: $(grep '<timing' shared/run.xml)"
COLLTUNE_NODE=mpi sweep mpi 2>log || fail "a sweep with COLLTUNE_NODE=mpi: $(cat log)"
grep -q '<timing .* node-channel="mpi"' mpi/run.xml || fail "mpi: $(grep '<timing' mpi/run.xml)"
COLLTUNE_TRACE=1 COLLTUNE_ADAPT=1 sweep other 2>log || fail "a sweep in another environment: $(cat log)"
grep -q ' node-channel="shared"' other/run.xml || fail 'COLLTUNE_TRACE or COLLTUNE_ADAPT reach the sweep'
COLLTUNE_NODE=pigeons refuse 'COLLTUNE_NODE=pigeons: expected shared, plain or mpi' sweep none
sed -n 1p shared/samples.csv >begun.csv
cp -r shared begun
cp begun.csv begun/samples.csv
COLLTUNE_NODE=mpi refuse 'through shared memory, here they go through MPI: set COLLTUNE_NODE=shared' \
    "$colltune" measure -o begun --resume
"$colltune" measure -o begun --resume 2>log || fail "resuming: $(cat log)"
grep -q ' node-channel="shared"' begun/run.xml || fail "resumed: $(grep '<timing' begun/run.xml)"
sed 's/ node-channel="shared"//' shared/run.xml >old.xml
cp -r shared old
cp old.xml old/run.xml
cp begun.csv old/samples.csv
refuse 'begun with messages within a node through MPI' "$colltune" measure -o old --resume

# --- reports and tables name it, merging compares it ---
"$colltune" report shared -o page 2>log || fail "report: $(cat log)"
grep -q '<dt>messages within a node</dt><dd>shared memory</dd>' page/index.html ||
    fail 'the report does not say it'
refuse "how messages travel within a node is 'mpi', and 'shared'" "$colltune" import run shared mpi -o both
for run in shared mpi; do
    "$colltune" learn "$run" -o $run.xml 2>log || fail "learn: $(cat log)"
    "$colltune" generate $run.xml --format table -o $run.table 2>log || fail "generate: $(cat log)"
    grep -q "^#   node.channel: $run\$" $run.table || fail "$run.table: $(cat $run.table)"
done

# --- a model has both channels: runs are filled in, and learned from, with the one that they had ---
"$colltune" fit -o model.xml --msg-sizes 0,8,64,1K --seconds 0.003 >fit.txt 2>log || fail "fit: $(cat log)"
sed '/channel="shared"/,/<\/link>/d' model.xml >mpi-only.xml
for run in shared mpi; do
    "$colltune" supplement $run model.xml -o filled-$run --msg-sizes 64 2>log || fail "supplement: $(cat log)"
    grep -q " node-channel=\"$run\"" filled-$run/run.xml ||
        fail "filled: $(grep '<timing' filled-$run/run.xml)"
    grep -q ',64,.*,predicted$' filled-$run/samples.csv || fail "filled: $(cat filled-$run/samples.csv)"
    "$colltune" learn $run -o modelled-$run.xml --learner interpolate --model model.xml 2>log ||
        fail "learn --model: $(cat log)"
done
"$colltune" supplement mpi mpi-only.xml -o filled 2>log || fail "supplement: $(cat log)"
refuse 'through shared memory, in the model .* through MPI: expected a model that' \
    "$colltune" supplement shared mpi-only.xml -o none
refuse 'no parameters for messages within a node through shared memory, only through MPI' \
    "$colltune" learn shared -o none.xml --learner interpolate --model mpi-only.xml

# run RANKS [VARIABLE=VALUE...]: what the library prints in a job
run()
{
    ranks=$1
    shift
    timeout -k 5 60 env LD_PRELOAD="$library" COLLTUNE_VERBOSE=1 "$@" \
        "$mpiexec" -n "$ranks" "$program" 2>&1 || echo "exit $?"
}

# --- the library says how messages travel, and warns of decisions that were learned for the other way ---
run 2 COLLTUNE_TABLE=shared.table >log
[ "$(grep -c '^colltune: .*; messages within the node go through shared memory$' log)" = 1 ] ||
    fail "2 ranks: $(cat log)"
grep -q 'learned with messages' log && fail "a warning without reason: $(cat log)"
run 2 COLLTUNE_TABLE=mpi.table >log
[ "$(grep -c 'learned .* through MPI, here they go through shared memory' log)" = 1 ] ||
    fail "no warning: $(cat log)"
for way in COLLTUNE_NODE=mpi COLLTUNE_TRACE=1; do
    run 2 $way COLLTUNE_TABLE=shared.table >log
    [ "$(grep -c '^colltune: .*; messages within the node go through MPI$' log)" = 1 ] ||
        fail "$way: $(cat log)"
    [ "$(grep -c 'through shared memory, here they go through MPI' log)" = 1 ] ||
        fail "$way: no warning: $(cat log)"
done
run 1 COLLTUNE_TABLE=mpi.table >log
grep -q 'the node' log && fail "a rank that is alone: $(cat log)"
run 2 COLLTUNE_DISABLE=1 COLLTUNE_TABLE=mpi.table >log
grep -q 'the node' log && fail "disabled: $(cat log)"
exit $failed
