#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086 # lists of options are split on purpose
# A simulated sweep gives the same samples twice, and when resumed: check_simulate.sh COLLTUNE.
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

sweep="--simulate ethernet100 --comm-sizes 2,5,8 --msg-sizes 8,8K,64K --methods all"
"$colltune" measure -o one $sweep 2>one.log || fail "$(cat one.log)"
"$colltune" measure -o two $sweep --seed 9 2>two.log || fail "$(cat two.log)"
sort one/samples.csv >one.sorted
sort two/samples.csv >two.sorted
[ "$(wc -l <one.sorted)" -gt 100 ] || fail "few samples: $(wc -l <one.sorted)"
cmp one.sorted two.sorted || fail "another order of methods gives other times"

# Half a run, gone on with.
cp -r one half
lines=$(grep -n ',commit$' one/samples.csv | sed -n 5p | cut -d: -f1)
head -n $((lines + 2)) one/samples.csv >half/samples.csv
"$colltune" measure -o half --resume 2>half.log || fail "$(cat half.log)"
sort half/samples.csv | cmp - one.sorted || fail "a resumed sweep gives other times"

# Known figures: 64 KB over one link of 12.5 MB/s, and a pipeline that is one.
awk -F, '$2 == "bcast" && $3 == "binomial" && $6 == 2 && $8 == 65536 { t = $12 }
         END { exit !(t > 0.0052 && t < 0.0054) }' one/samples.csv || fail "64 KB take 5.3 ms"
awk -F, '$2 == "bcast" && $3 == "pipeline" && $6 == 8 && $8 == 65536 { whole = $12 }
         $2 == "bcast" && $3 == "pipeline:seg=8K" && $6 == 8 && $8 == 65536 { cut = $12 }
         END { exit !(cut > 0 && cut < whole / 3) }' one/samples.csv || fail "segments overlap"
exit $failed
