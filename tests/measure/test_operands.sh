#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Datatypes and operations other than bytes and sums: test_operands.sh COLLTUNE simulated|real. Results are
# checked on the way, so failures in a run are wrong results.
colltune=$(realpath "$1")
model=$(dirname "$(realpath "$0")")/../../models/systems/simulated-gigabit.xml
if [ "$2" = simulated ]; then
    place='--simulate gigabit' sizes='--comm-sizes 3,4 --msg-sizes 8,1000'
else
    place='--launches 1 --max-repetitions 2' sizes='--comm-sizes 4 --msg-sizes 1000'
fi
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1

movers=bcast,scatter,gatherv,alltoall,alltoallv,alltoallw,allgatherv
reductions=reduce,allreduce,reduce_scatter,reduce_scatter_block,scan,exscan

# measured RUN FAILURES COLLECTIVES TYPE OPERATION
measured()
{
    # shellcheck disable=SC2086
    expect 0 "and $2 failures" measure $place $sizes -c "$3" --exhaustive \
        --datatype "$4" --operation "$5" -o "$1"
}

# words RUN DATATYPE OPERATION: of all samples that have a size
words()
{
    others=$(awk -F, -v OFS=, '{gsub(/"[^"]*"/, "x")} NR > 1 && $13 == "ok" && $9 != "" {print $9, $10}' \
        "$1/samples.csv" | sort -u)
    [ "$others" = "$2,$3" ] || { echo "FAILED: $1 has $others"; failed=1; }
}

measured vector 0 $movers vector sum
words vector vector ''
measured indexed 0 $movers indexed sum
words indexed indexed ''
measured user 0 $reductions int user
words user int user
grep -q ' datatype="int" operation="user" ' user/run.xml || { echo 'FAILED: run.xml'; failed=1; }

# A function of the program takes derived types, too.
measured elements 0 $reductions vector user
words elements vector user

# An operation that does not commute: methods that need one are left out. The simulator's own scans combine in
# a wrong order, which is seen.
wrong=0
[ "$2" = real ] || wrong=8
measured ordered $wrong $reductions double ordered
words ordered double ordered
[ "$wrong" = 0 ] || [ "$(grep -c 'scan,native.*wrong$' ordered/samples.csv)" = 8 ] ||
    { echo 'FAILED: expected wrong scans'; failed=1; }
measured usual 0 allreduce byte sum
grep -q 'datatype=\|operation=' usual/run.xml && { echo 'FAILED: usual operands are stated'; failed=1; }
grep -q ',ring,' usual/samples.csv || { echo 'FAILED: sums have no ring'; failed=1; }
grep -q 'allreduce,ring,' ordered/samples.csv && { echo 'FAILED: ring needs commutative ones'; failed=1; }

# Runs of different operations are not merged; a run continues with its own.
expect 2 "the operation" import run usual ordered -o merged
# shellcheck disable=SC2086
expect 2 "was begun with operation 'ordered'" measure $place --resume -o ordered --operation sum
# shellcheck disable=SC2086
expect 0 '0 samples' measure $place --resume -o ordered
# shellcheck disable=SC2086
expect 2 "expected byte" measure $place -c bcast --datatype complex -o none
[ "$2" = real ] ||
    expect 2 'with bytes alone' measure $place -c neighbor_alltoall --pattern moore:d=1,r=1 --comm-sizes 4 \
        --datatype int -o none

# A model prices each operation on each type; one that it does not have is refused.
slow='seconds-per-byte="1e-6" low="1e-6" high="1e-6"'
sed "s/\(name=\"max\" type=\"int\"\).*/\1 $slow\/>/; /name=\"prod\" type=\"int\"/d" "$model" >priced.xml
mean()
{
    awk -F, '{gsub(/"[^"]*"/, "x")} $13 == "ok" {sum += $12} END {printf "%.6f", sum / (NR - 1)}' \
        "$1/samples.csv"
}
predicted() # RUN OPTION...
{
    run=$1
    shift
    expect 0 'predictions' predict priced.xml -c allreduce --comm-sizes 8 --msg-sizes 64K -o "$run" "$@"
}
predicted sums
predicted sums-again --operation sum --datatype double
predicted largest --operation max --datatype int
words largest int max
cmp sums/samples.csv sums-again/samples.csv || failed=1
[ "$(mean sums)" != "$(mean largest)" ] || { echo 'FAILED: operations cost alike'; failed=1; }
expect 2 'no time of prod of int' predict priced.xml -c allreduce --operation prod --datatype int -o none
expect 2 'expected int or double' predict priced.xml -c allreduce --datatype vector -o none
exit $failed
