#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Decision maps out to C4.5 and its trees back: test_c45_exchange.sh COLLTUNE RUN, a run of bcast.
colltune=$(realpath "$1")
run=$(realpath "$2")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1

trees() { sed -n '/<split\|<leaf\|split>/p' "$1"; }

# What goes out, is learned from by options, and comes back, is what the learner makes of the run itself: with
# options that are not the usual ones, because these go before the rules of learners.
expect 0 'bcast: 648 cases, 2 attributes' export-c45 "$run" -o bcast
grep -qF 'split_binary\:seg=1K' bcast.names || failed=1
for options in '2 26' '1 100' '10 5' '40 25'; do
    least=${options% *} confidence=${options#* }
    "$colltune" c45 -f bcast -m "$least" -c "$confidence" >"report-$least-$confidence" || failed=1
    expect 0 'bcast: ' import-c45 "report-$least-$confidence" --run "$run" -o "back-$least.xml"
    expect 0 'bcast: ' learn "$run" --learner c45 --min-cases "$least" --confidence "$confidence" \
        -o "learned-$least.xml"
    trees "back-$least.xml" >back
    trees "learned-$least.xml" | cmp - back || failed=1
    expect 0 'bcast   ' score "back-$least.xml" "$run"
done
trees back-1.xml | cmp -s - back && { echo 'FAILED: options make no difference'; failed=1; }

# Without a run the table can be read, too, and decides alike.
expect 0 'bcast: ' import-c45 report-2-26 -o alone.xml
expect 0 'imported' show alone.xml
trees back-2.xml | sed 's/ fallback="[^"]*"//' >back
trees alone.xml | sed 's/ fallback="[^"]*"//' | cmp - back || failed=1

# Gain in place of gain ratio, and trials with windows. Of many attributes, both choose others.
many=comm_size,msg_bytes,total_bytes,even,power_of_two
expect 0 '5 attributes' export-c45 "$run" -o many --features $many
rm -f plain
for options in '' '-g' '-t 4' '-g -t 4'; do
    # shellcheck disable=SC2086
    "$colltune" c45 -f many -c 26 $options >report || failed=1
    long=$(echo "$options" | sed 's/-g/--gain/; s/-t/--trials/')
    rm -f back.xml learned.xml
    expect 0 'bcast: ' import-c45 report -f many --run "$run" -o back.xml
    # shellcheck disable=SC2086
    expect 0 'bcast: ' learn "$run" -l c45 --features $many --confidence 26 $long -o learned.xml
    trees back.xml >back
    trees learned.xml | cmp - back || { echo "FAILED: another tree with '$options'"; failed=1; }
    [ -e plain ] && cmp -s plain back && { echo "FAILED: '$options' makes no difference"; failed=1; }
    [ -e plain ] || cp back plain
done
grep -q 'options="confidence=26 gain trials=4 ' learned.xml || { echo 'FAILED: options stated'; failed=1; }
expect 2 'from 1 to 10000' learn "$run" -l c45 --trials 0 -o none.xml

# Windows, soft thresholds: the tree that was saved.
"$colltune" c45 -f bcast -t 3 -p >trials || failed=1
expect 0 'bcast: ' import-c45 trials -o trials.xml
"$colltune" c45 -f bcast -c 26 -p >soft || failed=1
expect 0 'bcast: ' import-c45 soft -o soft.xml
trees soft.xml >soft.trees
trees learned-2.xml | sed 's/ otherwise="[^"]*"//' >plain
sed 's/ otherwise="[^"]*"//' soft.trees | cmp - plain || failed=1

# Composite features.
expect 0 '4 attributes' export-c45 "$run" -o more --features comm_size,msg_bytes,even \
    --feature 'ranks=comm_size/8'
"$colltune" c45 -f more >more.report
expect 2 "'ranks'" import-c45 more.report -o more.xml
expect 0 'bcast: ' import-c45 more.report -o more.xml --feature 'ranks=comm_size/8'

# Values and sets of them, wrapped lines, subtrees: by hand.
{
    printf '\nDecision Tree:\n\ncomm_size in {2,\n               8}: bcast/linear (4.0)\n'
    printf 'comm_size = 4:[S1]\n\n\nSubtree [S1]\n\nmsg_bytes <= 1.04858e+06 : bcast/binomial (2.0)\n'
    printf 'msg_bytes > 1.04858e+06 : bcast/pipeline:seg=8K (3.0/1.2)\n\n\nTree saved\n'
} >hand
printf 'bcast/linear, bcast/binomial, bcast/pipeline\\:seg=8K.\ncomm_size: 2, 4, 8.\n' >hand.names
printf 'msg_bytes: continuous.\n' >>hand.names
expect 0 '1 threshold may be wrong' import-c45 hand -f hand -o rounded.xml
printf '2,8,bcast/linear\n4,1048576,bcast/binomial\n8,1048577,bcast/linear\n4,9,bcast/linear\n' >hand.data
expect 0 'several sizes of the data have the same six digits' import-c45 hand -f hand -o alike.xml
printf '2,8,bcast/linear\n4,1048576,bcast/binomial\n8,2048577,bcast/linear\n4,9,bcast/linear\n' >hand.data
expect 0 'bcast: 4 leaves, depth 3' import-c45 hand -f hand -o exact.xml
grep -q 'at-most="1048576"' exact.xml || failed=1
printf '2,8,bcast/linear\n4,77,bcast/linear\n' >hand.data
expect 2 'the threshold 1.04858e+06 is no value of the data' import-c45 hand -f hand -o none.xml
rm hand.data

# What is refused: the line, what was expected, and no table.
flaw() # WORDS SED-COMMAND
{
    sed "$2" hand >flawed
    expect 2 "$1" import-c45 flawed -f hand -o flawed.xml
    [ ! -e flawed.xml ] || failed=1
}
flaw "Tree saved" '/saved/d'
flaw "flawed:4: " 's/^comm_size in/comm in/'
flaw "flawed:6: 'comm_size = 4:[S2]'" 's/4:.S1./4:[S2]/'
flaw "flawed:6: 'comm_size = 4:[S" 's/4:.S1./4:[S/'
flaw "each value once" 's/= 4/= 8/'
flaw "expected a class" 's/binomial (2.0)/binomial/'
flaw "the other branch" 's/> 1.04858/> 2.04858/'
flaw "another branch" '/> 1.04858/d'
expect 1 'nowhere.names' import-c45 hand -f nowhere -o flawed.xml
expect 2 'expected --stem STEM' import-c45 hand -o flawed.xml
expect 2 'exists already' import-c45 hand -f hand -o exact.xml
expect 2 'exists already' export-c45 "$run" -o bcast
rm bcast.names
expect 2 'bcast.data: exists already' export-c45 "$run" -o bcast
[ ! -e bcast.names ] || failed=1
expect 2 'from 1 to 1000000' learn "$run" -l c45 --min-cases 0 -o flawed.xml
expect 2 "0.001 to 100" learn "$run" -l c45 --confidence 0 -o flawed.xml
exit $failed
