#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086 # lists of options are split on purpose
# A simulated sweep gives the same samples twice, and when resumed: test_simulate.sh COLLTUNE.
platforms=$(dirname "$(realpath "$0")")/../../measure/backend/platforms
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

sweep="--simulate ethernet100 --comm-sizes 2,5,8 --msg-sizes 8,8K,64K --methods all"
"$colltune" measure -o one $sweep 2>one.log || fail "$(cat one.log)"
"$colltune" measure -o two $sweep --seed 9 2>two.log || fail "$(cat two.log)"
sort one/samples.csv >one.sorted
sort two/samples.csv >two.sorted
[ "$(wc -l <one.sorted)" -gt 100 ] || fail "few samples: $(wc -l <one.sorted)"
cmp one.sorted two.sorted || fail "another order of methods gives other times"

# smpirun splits what it passes on at blanks, but not the names of our files.
mkdir 'in two' 'in two/words here'
cp "$(dirname "$0")/../../measure/backend/platforms/ethernet100.xml" 'in two/my platform.xml'
for platform in ethernet100 './in two/my platform.xml'; do
    for placing in '' '--ppn 2'; do
        run="in two/words here/run$placing of $(basename "$platform")"
        "$colltune" measure -o "$run" --simulate "$platform" --comm-sizes 4 --msg-sizes 8K -c bcast $placing \
            --methods binomial 2>blanks.log || fail "$run: $(cat blanks.log)"
        [ "$(grep -c ',commit$' "$run/samples.csv")" = 1 ] || fail "$run: $(cat "$run/samples.csv")"
    done
done

# Half a run, gone on with.
cp -r one half
cells=$(grep -c ',commit$' one/samples.csv)
lines=$(grep -n ',commit$' one/samples.csv | sed -n $((cells / 2))p | cut -d: -f1)
head -n $((lines + 2)) one/samples.csv >half/samples.csv
"$colltune" measure -o half --resume 2>half.log || fail "$(cat half.log)"
sort half/samples.csv | cmp - one.sorted || fail "a resumed sweep gives other times"

# Known figures: 64 KB over one link of 12.5 MB/s, and a pipeline that is one.
awk -F, '$2 == "bcast" && $3 == "binomial" && $6 == 2 && $8 == 65536 { t = $12 }
         END { exit !(t > 0.0052 && t < 0.0054) }' one/samples.csv || fail "64 KB take 5.3 ms"
awk -F, '$2 == "bcast" && $3 == "pipeline" && $6 == 8 && $8 == 65536 { whole = $12 }
         $2 == "bcast" && $3 == "pipeline:seg=8K" && $6 == 8 && $8 == 65536 { cut = $12 }
         END { exit !(cut > 0 && cut < whole / 3) }' one/samples.csv || fail "segments overlap"

# The simulator's own, by other algorithms: other times, the same when resumed. A word that it does not know
# is its to refuse.
native="--simulate ethernet100 -c bcast --comm-sizes 8 --msg-sizes 8,64K --methods native"
flat="--cfg=smpi/bcast:flattree"
"$colltune" measure -o usual $native 2>usual.log || fail "$(cat usual.log)"
"$colltune" measure -o flat $native --simulator-options "$flat" 2>flat.log || fail "$(cat flat.log)"
grep -q -e "simulator-options=\"$flat" flat/run.xml || fail "the options are not in run.xml"
cmp -s usual/samples.csv flat/samples.csv && fail "the options made no difference"
cp -r flat begun
head -n 3 flat/samples.csv >begun/samples.csv
"$colltune" measure -o begun --resume 2>begun.log || fail "$(cat begun.log)"
sort flat/samples.csv >flat.sorted
sort begun/samples.csv | cmp - flat.sorted || fail "a resumed sweep forgets the options"

# A run that holds a method of others cannot be continued: the benchmark could not carry it out.
"$colltune" measure -o own --simulate ethernet100 -c bcast --comm-sizes 2 --msg-sizes 8 \
    --methods native,linear 2>own.log || fail "$(cat own.log)"
sed -i 's,linear,foreign/mine,' own/run.xml own/samples.csv
"$colltune" measure -o own --resume 2>own.log && fail "a run with foreign/mine is resumed"
grep -q 'own: holds bcast/foreign/mine, which colltune cannot carry out: it cannot be resumed' own.log ||
    fail "$(cat own.log)"

# Several ranks on each host: nodes as they are, and methods on two levels.
"$colltune" measure -o dense --simulate ethernet100 -c bcast --comm-sizes 4,6 --msg-sizes 64K --ppn 4 \
    --methods binomial,two_level 2>dense.log || fail "$(cat dense.log)"
[ "$(grep ',commit$' dense/samples.csv | cut -d, -f 4-6 | sort | tr '\n' ' ')" = '1,4,4 2,4,6 ' ] ||
    fail "nodes with four ranks each: $(grep ',commit$' dense/samples.csv)"
grep -q 'name="nodes.ranks" value="1\*4,1\*2"' dense/run.xml || fail "run.xml lacks nodes.ranks"
awk -F, '$3 == "binomial" && $6 == 6 { flat = $12 } $3 == "two_level" && $6 == 6 { two = $12 }
         END { exit !(two > 0 && two < flat / 1.5) }' dense/samples.csv || fail "two levels are worth it"

refused()
{
    message=$1
    shift
    "$colltune" measure -o refused "$@" 2>refused.log && fail "not refused: $*"
    grep -q "$message" refused.log || fail "expected '$message', got: $(cat refused.log)"
}
refused "no algorithm 'gnu'" $native --simulator-options --cfg=smpi/bcast:gnu
refused "not closed" $native --simulator-options "--cfg='a"
refused "the machine is real" -c bcast --simulator-options "$flat"
refused "has 64 hosts, and --ppn is not enough" -c bcast --simulate ethernet100 --ppn 2 --comm-sizes 129
cp -r flat other
head -n 3 flat/samples.csv >other/samples.csv
"$colltune" measure -o other --resume --simulator-options --cfg=smpi/bcast:ompi 2>other.log &&
    fail "resumed with other options"
grep -q "begun with simulator-options" other.log || fail "$(cat other.log)"

# The simulator's own reductions are charged at the platform's rate, as ours are: on two ranks 64 KB at one
# flop a byte are 65.536 us on a host of 1 Gf, at none they are free. A sum is found right all the same.
sed 's/gamma_flops" value="[^"]*"/gamma_flops" value="0"/' "$platforms/ethernet100.xml" >free.xml
for platform in ethernet100 free.xml; do
    "$colltune" measure -o "sums.$platform" --simulate $platform -c bcast,reduce --methods native,binomial: \
        --comm-sizes 2 --msg-sizes 64K 2>sums.log || fail "$(cat sums.log)"
    awk -F, '$13 == "ok" { print $2 "/" $3, $12 }' "sums.$platform/samples.csv" | sort >"sums.$platform.txt"
done
join sums.ethernet100.txt sums.free.xml.txt | awk '
    { charge = 1e6 * ($2 - $3); expected = $1 ~ /^reduce/ ? 65.536 : 0 }
    charge < expected - 0.01 || charge > expected + 0.01 { print $1 " is charged " charge " us"; wrong = 1 }
    END { exit NR < 3 || wrong }' || fail "charges: $(cat sums.ethernet100.txt sums.free.xml.txt)"

# Guided: fewer cells, those of the exhaustive sweep; the same ones when resumed from within a round.
grid="--simulate ethernet100 -c bcast --comm-sizes 2-9 --msg-sizes 8-256K*2"
grid="$grid --methods linear:,binomial:,pipeline:seg=8K,split_binary:seg=8K"
"$colltune" measure -o whole $grid 2>whole.log || fail "$(cat whole.log)"
"$colltune" measure -o guided $grid --guided 2>guided.log || fail "$(cat guided.log)"
grep -q ' guided="true"' guided/run.xml || fail "run.xml does not say that it was guided"
cells=$(grep -c ',commit$' guided/samples.csv)
[ "$cells" -gt 16 ] && [ "$cells" -lt 100 ] || fail "of 128 cells a guided sweep took $cells"
cut -d, -f1-11 whole/samples.csv | sort >whole.keys
cut -d, -f1-11 guided/samples.csv | sort | comm -23 - whole.keys | grep -q . && fail "cells of its own"
sort guided/samples.csv >guided.sorted
for place in 3 20 $((cells - 2)); do
    rm -rf begun
    cp -r guided begun
    lines=$(grep -n ',commit$' guided/samples.csv | sed -n ${place}p | cut -d: -f1)
    head -n $((lines + 2)) guided/samples.csv >begun/samples.csv
    "$colltune" measure -o begun --resume 2>begun.log || fail "$(cat begun.log)"
    sort begun/samples.csv | cmp - guided.sorted || fail "a guided sweep goes another way when resumed"
done

# What the prior knows to be hopeless is not tried at first.
"$colltune" measure -o prior $grid --guided --prior whole 2>prior.log || fail "$(cat prior.log)"
[ "$(wc -l <prior/samples.csv)" -lt "$(wc -l <guided/samples.csv)" ] || fail "the prior saves nothing"
head -n "$lines" prior/samples.csv >begun/samples.csv
cp prior/run.xml begun/run.xml
tail -n 2 whole/samples.csv | grep -v commit >>whole/samples.csv
"$colltune" measure -o begun --resume 2>begun.log && fail "resumed with another prior"
grep -q "begun with prior-sha256" begun.log || fail "$(cat begun.log)"
refused "expected --guided" $grid --prior guided
refused "nowhere: does not exist: expected a folder with run.xml" $grid --guided --prior nowhere
refused "was begun with guided 'true', not 'false'" --resume --exhaustive -o guided
refused "cannot be combined with --exhaustive" $grid --guided --exhaustive

# An application's profile names the cells, also when the run is resumed.
cat >profile.csv <<'END'
rank,collective,mode,comm_size,msg_bytes,method,calls,bytes,seconds,waiting
0,bcast,blocking,4,64,"native",2,200,5,0
0,allreduce,nonblocking,3,512,"native",1,1000,3,0
0,bcast,blocking,2,8,"native",1,8,0.001,0
END
"$colltune" measure -o called --simulate ethernet100 --methods native --from-profile profile.csv \
    2>called.log || fail "$(cat called.log)"
grep -q 'asks for 2 cells; 1 with hardly any time are left out' called.log || fail "$(cat called.log)"
awk -F, '/,commit$/ { print $2, $6, $8 }' called/samples.csv | sort >cells
printf 'allreduce 3 1000\nbcast 4 100\n' | cmp - cells || fail "other cells: $(cat cells)"
grep -v '^0,bcast' called/samples.csv >part && cp part called/samples.csv
rm profile.csv
"$colltune" measure -o called --resume 2>called.log || fail "$(cat called.log)"
[ "$(grep -c ',commit$' called/samples.csv)" -eq 2 ] || fail "resumed: $(cat called/samples.csv)"
refused "No such file" --from-profile profile.csv
refused "cannot be combined with --comm-sizes" --from-profile profile.csv --comm-sizes 2
exit $failed
