#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086 # lists of options are split on purpose
# Models of simulated machines are what their platform files say: test_fit_simulated.sh COLLTUNE.
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

# attribute FILE ELEMENT ATTRIBUTE: the first such
attribute()
{
    sed -n "s/.*<$2 .*$3=\"\([^\"]*\)\".*/\1/p" "$1" | head -n 1
}

# near WHAT VALUE EXPECTED: within 5 %
near()
{
    awk -v v="$2" -v e="$3" 'BEGIN { exit !(v > 0.95 * e && v < 1.05 * e) }' ||
        fail "$1 is $2, expected $3"
}

# The links say what they are: size factors are 1 in the shipped platforms. 40 us of two links and 12.5 MB/s;
# 20 us and 125 MB/s; half a round trip has the CPU times of sending and receiving, too.
while read -r platform latency bandwidth alpha; do
    "$colltune" fit -o $platform.xml --simulate $platform --samples $platform.csv >$platform.txt \
        2>$platform.log || fail "$platform: $(cat $platform.log)"
    near "$platform: latency" "$(attribute $platform.xml loggp latency)" $latency
    near "$platform: gap per byte" "$(attribute $platform.xml loggp gap-per-byte)" "$bandwidth"
    near "$platform: alpha" "$(attribute $platform.xml hockney alpha)" $alpha
    near "$platform: beta" "$(attribute $platform.xml hockney beta)" "$bandwidth"
done <<END
ethernet100 40e-6 80e-9 50e-6
gigabit 20e-6 8e-9 26e-6
END
near "gamma" "$(attribute ethernet100.xml work gamma)" 1e-9
grep -q '<topology' ethernet100.xml && fail 'one switch has a topology'

# The model says how nodes are joined: as the platform does, or as the user does.
"$colltune" fit -o dragonfly.xml --simulate dragonfly --samples dragonfly.csv --msg-sizes 1-64K*4 \
    >dragonfly.txt 2>&1 || fail "$(cat dragonfly.txt)"
grep -q '<topology shape="dragonfly:11,1;2,1;12,1;4" latency="2e-07" hops="2"/>' dragonfly.xml ||
    fail "dragonfly: $(grep topology dragonfly.xml)"
"$colltune" fit dragonfly.csv -o ring.xml --topology torus:1056 --hop-latency 1e-7 >ring.txt 2>&1 ||
    fail "$(cat ring.txt)"
grep -q '<topology shape="torus:1056" latency="1e-07" hops="1"/>' ring.xml || fail "$(grep topology ring.xml)"
"$colltune" fit dragonfly.csv -o wrong.xml --topology torus >wrong.txt 2>&1 &&
    fail 'torus without lengths passed'
grep -q "unknown topology 'torus'" wrong.txt || fail "$(cat wrong.txt)"
near "delta" "$(attribute ethernet100.xml work delta)" 0.5e-9

# A file may have any name, a model has one word.
"$colltune" fit dragonfly.csv -o 'my model (2).xml' >name.txt 2>&1 || fail "$(cat name.txt)"
grep -q ' name="my_model__2_"' 'my model (2).xml' || fail "$(head -n 3 'my model (2).xml')"
"$colltune" fit -o named.xml --name 'my model' --cc /bin/false >name.txt 2>&1 &&
    fail 'a name of two words passed'
grep -q -- "--name 'my model': expected up to 60 letters, digits" name.txt || fail "$(cat name.txt)"

# Two sites joined by a slow link, with hosts of different speed and SimGrid's usual factors. The model knows
# the ways; without them times would be off by 90 % and more.
sites()
{
    echo '<?xml version="1.0"?>'
    echo '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
    echo '<platform version="4.1"><zone id="world" routing="Full">'
    for site in a b; do
        echo "<cluster id=\"$site\" prefix=\"$site-\" suffix=\"\" radical=\"0-2\" router_id=\"router-$site\""
        echo "speed=\"$([ $site = a ] && echo 2 || echo 1)Gf\" bw=\"1GBps\" lat=\"5us\"/>"
    done
    echo '<link id="wan" bandwidth="100MBps" latency="1ms"/>'
    echo '<zoneRoute src="a" dst="b" gw_src="router-a" gw_dst="router-b"><link_ctn id="wan"/></zoneRoute>'
    echo '</zone></platform>'
}
sites >sites.platform.xml
"$colltune" fit -o sites.xml --simulate sites.platform.xml >sites.txt 2>&1 || fail "$(cat sites.txt)"
near 'sites: latency' "$(attribute sites.xml routes latency)" 1e-5
near 'sites: rate' "$(attribute sites.xml routes rate)" 1e9
[ "$(grep -c '<node slowness="1"/>' sites.xml):$(grep -c '<node slowness="2"/>' sites.xml)" = 3:3 ] ||
    fail "sites: $(grep '<node' sites.xml)"
grep -q '<way from="0" to="3" wires="[0-9]* [0-9]* [0-9]*"/>' sites.xml ||
    fail "sites: $(grep '<way' sites.xml)"
"$colltune" measure -o sites --simulate sites.platform.xml --comm-sizes 6 --msg-sizes 64K --exhaustive \
    --methods bcast/binomial:,allgather/ring,allreduce/ring:,alltoall/linear >sites.txt 2>&1 ||
    fail "$(cat sites.txt)"
"$colltune" report sites --model sites.xml -o sites-report >sites.txt 2>&1 || fail "$(cat sites.txt)"
awk -F, '$2 == "plogp" && $3 == "" { n++; wrong += $7 > 0.1 } END { exit !(n == 4 && wrong == 0) }' \
    sites-report/model-errors.csv || fail "sites: $(grep plogp sites-report/model-errors.csv)"
sed '/zoneRoute/d' sites.platform.xml >apart.platform.xml
"$colltune" fit -o apart.xml --simulate apart.platform.xml >apart.txt 2>&1 || fail "$(cat apart.txt)"
grep -q "the ways between hosts are unknown, all count as alike: .* from 'a-0' to 'b-0'" apart.txt ||
    fail "$(cat apart.txt)"

# With size factors, as real networks have them: L + g(m) at every measured size, by hand from the files.
bandwidth="65472:0.94;15424:0.70;9376:0.59;5776:1.09;3484:0.77;1426:0.61;732:0.34;257:0.338;0:0.81"
latency="65472:11.6;15424:3.5;9376:2.6;5776:2.2;3484:1.9;1426:1.6;257:1.95;0:2.0"
factors="--cfg=smpi/bw-factor:$bandwidth --cfg=smpi/lat-factor:$latency"
"$colltune" fit -o factors.xml --simulate ethernet100 --simulator-options "$factors" --samples factors.csv \
    >factors.txt 2>factors.log || fail "$(cat factors.log)"
off=$(awk -F'[,"]' '
    FILENAME == "factors.xml" && /<plogp/ { latency = $2 }
    FILENAME == "factors.xml" && /<gap>/ { inside = 1 }
    FILENAME == "factors.xml" && /<\/gap>/ { inside = 0 }
    FILENAME == "factors.xml" && inside && /<point/ { n++; bytes[n] = $2; seconds[n] = $4 }
    FILENAME == "factors.csv" && $1 == "round_trip" {
        for (i = 1; i < n - 1 && bytes[i + 1] < $4; i++) {}
        slope = (seconds[i + 1] - seconds[i]) / (bytes[i + 1] - bytes[i])
        model = latency + seconds[i] + slope * ($4 - bytes[i])
        error = 2 * model / $6 - 1
        worst = error > worst ? error : -error > worst ? -error : worst
        sizes++
    }
    END { print (sizes > 30 && worst < 0.05 ? "right" : "off by " worst ", of " sizes " sizes") }' \
    factors.xml factors.csv)
[ "$off" = right ] || fail "with size factors the model is $off"
awk -F'"' '/<hockney/ { getline; exit !($8 > 0.2) }' factors.xml || fail "the factors made no difference"

# Table 4.12's way: the shortest time, here of 0 bytes.
"$colltune" fit ethernet100.csv -o extremes.xml --extremes >extremes.txt 2>extremes.log ||
    fail "$(cat extremes.log)"
[ "$(attribute extremes.xml hockney alpha)" = 5.1285e-05 ] || fail "extremes: $(grep hockney extremes.xml)"

# The same again, and from what was kept.
"$colltune" fit ethernet100.csv -o again.xml --name ethernet100 >again.txt 2>again.log ||
    fail "$(cat again.log)"
cmp again.xml ethernet100.xml || fail "fitting again gives another model"
"$colltune" fit -o second.xml --name ethernet100 --simulate ethernet100 >second.txt 2>&1
cmp second.xml ethernet100.xml || fail "measuring again gives another model"

# From collectives: the same half round trips, and the gap of a barrier.
"$colltune" measure -o run --simulate ethernet100 --comm-sizes 2,4,8,16 --msg-sizes 8-1M*2 \
    --methods bcast/pipeline,barrier/linear,-native 2>run.log || fail "$(cat run.log)"
"$colltune" fit run ethernet100.csv -o collectives.xml >collectives.txt 2>collectives.log ||
    fail "$(cat collectives.log)"
near "from collectives: alpha" "$(attribute collectives.xml hockney alpha)" 50e-6
near "from collectives: beta" "$(attribute collectives.xml hockney beta)" 80e-9
near "from collectives: latency" "$(attribute collectives.xml loggp latency)" 40e-6
near "from collectives: gamma" "$(attribute collectives.xml work gamma)" 1e-9
"$colltune" fit run -o without.xml >without.txt 2>without.log || fail "$(cat without.log)"
grep -q 'no local work: reductions' without.log || fail "no word of missing work: $(cat without.log)"
grep -q 'network: no LogGP: its overheads come from a file' without.log || fail "$(cat without.log)"
grep -q 'LogGP' collectives.log && fail "a model is said to be missing: $(cat collectives.log)"
sed 's/,network,/,node,/' ethernet100.csv >node.csv
"$colltune" fit run node.csv -o elsewhere.xml >elsewhere.txt 2>elsewhere.log || fail "$(cat elsewhere.log)"
grep -q 'network: no LogGP: node.csv has no overheads' elsewhere.log || fail "$(cat elsewhere.log)"
cp -r run quiet && sed '/,barrier,/d' run/samples.csv >quiet/samples.csv
"$colltune" fit quiet ethernet100.csv -o quiet.xml >quiet.txt 2>quiet.log || fail "$(cat quiet.log)"
grep -q 'network: neither PLogP nor LogGP: their gap comes from barrier/linear' quiet.log ||
    fail "$(cat quiet.log)"
grep -q 'no local work' collectives.log && fail "work is said to be missing: $(cat collectives.log)"

refused()
{
    message=$1
    shift
    "$colltune" fit "$@" >refused.txt 2>refused.log && fail "not refused: $*"
    grep -q -- "$message" refused.log || fail "expected '$message', got: $(cat refused.log)"
    [ "$(wc -l <refused.log)" = 1 ] || fail "more than one line: $(cat refused.log)"
    [ ! -e refused.xml ] || fail "a model was made: $*"
}
refused 'exists already' -o again.xml --simulate ethernet100
refused 'exists already' -o refused.xml --simulate ethernet100 --samples factors.csv
refused '--output is missing'
refused 'which is measured already' ethernet100.csv -o refused.xml --ranks 3

refused '65 ranks: the platform ethernet100 has 64 hosts' -o refused.xml --simulate ethernet100 --ranks 65
sed 's/speed="2Gf"/speed="2Gx"/' sites.platform.xml >unit.platform.xml
refused 'ended early (exit code [0-9]*): Parse error at .*: unknown unit: Gx$' -o refused.xml \
    --simulate unit.platform.xml
refused 'the machine is real' -o refused.xml --simulator-options x
refused 'expected at least two' -o refused.xml --simulate ethernet100 --msg-sizes 8
sed '/pipeline/d' run/samples.csv >rows
cp -r run bare && cp rows bare/samples.csv
refused 'expected samples of bcast/pipeline' bare -o refused.xml
refused "expected a file that begins with" run/samples.csv -o refused.xml
refused 'No such file' nothing.csv -o refused.xml
refused 'not a run' ethernet100.csv factors.csv -o refused.xml
sed 's/,0.00010257$/,-0.00010257/' ethernet100.csv >negative.csv
refused "negative.csv:3: seconds '-0.00010257'" negative.csv -o refused.xml
sed '5s/,[^,]*$//' ethernet100.csv >ragged.csv
refused 'ragged.csv:5: 5 fields: expected 6' ragged.csv -o refused.xml
awk -F, -v OFS=, 'NR > 2 { $6 *= 1e6 } { print }' ethernet100.csv >microseconds.csv
refused 'are these times in seconds' microseconds.csv -o refused.xml
awk -F, -v OFS=, 'NR > 2 && $1 != "work" { print; $3 = 2; $6 *= 100 } { print }' ethernet100.csv |
    sort -s -t, -k1,1 -k3,3 -k4,4n | grep -v -e '^colltune' -e '^kind' >rows
{ head -n 2 ethernet100.csv; cat rows; } >slow.csv
refused 'partner 2 takes 100 times as long as the fastest' slow.csv -o refused.xml
exit $failed
